"""`fullrate completion`: the script that makes a shell complete verbs, options, targets, causes and faults."""

import rich_click as click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")
_PROGRAM = "fullrate"
_VARIABLE = "_FULLRATE_COMPLETE"  # click asks for an answer by it
# Bash splits words at `:` too. So the line is split here, at blanks alone, and what bash takes for the part of the
# word that is done (`netns:`) is left out of the answers.
_BASH = r"""_fullrate_completion() {
    local line=${COMP_LINE:0:COMP_POINT} words type value
    local word=${line##*[[:space:]]} done=
    read -ra words <<<"$line"
    local number=${#words[@]}
    [[ -n $word ]] && number=$((number - 1))
    [[ $word == *:* && $COMP_WORDBREAKS == *:* ]] && done=${word%"${word##*:}"}
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
        dir) compopt -o dirnames ;;
        file) compopt -o default ;;
        plain) COMPREPLY+=("${value#"$done"}") ;;
        esac
    done < <(COMP_WORDS=$line COMP_CWORD=$number _FULLRATE_COMPLETE=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -F _fullrate_completion fullrate
"""


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> int:
    """Print the completion script of a SHELL.

    bash: source <(fullrate completion bash). zsh: the same with zsh, after compinit. fish: fullrate completion fish |
    source. Put the line into the shell's start-up file to keep it.
    """
    from fullrate.cli.output import emit

    emit(script(shell, ctx.find_root().command))
    return 0


def script(shell: str, command: click.Command) -> str:
    """The script of a shell; what may come next is asked of the program itself, so that it never grows old."""
    if shell == "bash":
        return _BASH
    kind = get_completion_class(shell)
    if kind is None:  # click's own, unless someone takes them away
        raise click.UsageError(f"no completion for {shell} is known")
    return kind(command, {}, _PROGRAM, _VARIABLE).source().strip() + "\n"
