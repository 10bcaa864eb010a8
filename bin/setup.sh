# shellcheck shell=sh
# Sourced by bin/fullrate and bin/test: what a machine must have, and how it gets there. Everything it says goes to stderr.

# What fullrate runs: a program, its package for apt-get, its package for dnf.
# shellcheck disable=SC2034 # for those who source this
TOOLS='
iperf3  iperf3          iperf3
ethtool ethtool         ethtool
ip      iproute2        iproute
tc      iproute2        iproute-tc
ss      iproute2        iproute
lspci   pciutils        pciutils
lscpu   util-linux      util-linux
taskset util-linux      util-linux
ping    iputils-ping    iputils
sysctl  procps          procps-ng
nft     nftables        nftables
ssh     openssh-client  openssh-clients
'
PYTHON_TOOLS='
python3 python3-venv    python3.12
'

say() {
    printf '%s\n' "$@" >&2
}

# The set-up needs the user: say why, then stop.
stop() {
    say "$@"
    exit 2
}

# lock FOLDER: of several runs at once, one goes on and the others wait; FOLDER is open as file 9. The kernel
# lets go of it when its holder ends, however it ends: it cannot be stale.
lock() {
    flock 9 || say "fullrate: cannot lock $1 (no flock?): do not start it twice at once"
}

# package_manager: prints apt-get or dnf; fails where there is neither.
package_manager() {
    for manager in apt-get dnf; do
        command -v "$manager" >/dev/null 2>&1 && printf '%s\n' "$manager" && return
    done
    return 1
}

# missing_programs TABLE: prints the programs of the table that are not there, one a line.
missing_programs() (
    PATH=$PATH:/usr/sbin:/sbin # where users without root do not look
    printf '%s\n' "$1" | while read -r program _; do
        [ -z "$program" ] || command -v "$program" >/dev/null 2>&1 || printf '%s\n' "$program"
    done
)

# packages_of TABLE MANAGER PROGRAM...: prints the packages that hold the programs, each once, on one line.
packages_of() (
    table=$1 manager=$2
    shift 2
    packages=
    for wanted; do
        while read -r program deb rpm; do
            [ "$program" = "$wanted" ] || continue
            [ "$manager" = dnf ] && package=$rpm || package=$deb
            case " $packages " in *" $package "*) ;; *) packages="$packages $package" ;; esac
        done <<END
$table
END
    done
    printf '%s\n' "${packages# }"
)

# install_packages MANAGER PACKAGE...
install_packages() {
    manager=$1
    shift
    say "fullrate: installing with $manager: $*"
    if [ "$manager" = apt-get ]; then
        apt-get -q update >&2 || say 'fullrate: apt-get update failed; trying with the lists that are here'
        DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@" >&2
    else
        "$manager" -q install -y "$@" >&2
    fi
}

# install_programs TABLE PROGRAM...: installs when root; says the exact command and fails otherwise.
install_programs() {
    table=$1
    shift
    if ! manager=$(package_manager); then
        say "fullrate: not installed: $*; install them, neither apt-get nor dnf is here"
        return 1
    fi
    # shellcheck disable=SC2046 # one word a package
    set -- "$manager" $(packages_of "$table" "$manager" "$@")
    if [ "$(id -u)" -ne 0 ]; then
        shift
        say "fullrate: not installed: $*; as root, run:" "    sudo $manager install -y $*"
        return 1
    fi
    install_packages "$@" 9>&- || { # a service that is started now must not inherit the lock
        shift
        say "fullrate: this did not work; try it by hand:" "    $manager install -y $*"
        return 1
    }
}

# need_programs TABLE ROOT: makes every program of the table be there, or fails, having said how.
need_programs() {
    [ -n "$(missing_programs "$1")" ] || return 0
    # shellcheck disable=SC2094 # the folder is opened for its lock alone
    (
        lock "$2"
        programs=$(missing_programs "$1") # another run may have brought them meanwhile
        # shellcheck disable=SC2086 # one word a program
        [ -z "$programs" ] || install_programs "$1" $programs
    ) 9<"$2"
}

# suitable_python: prints the real path of a Python 3.11 or later that can make environments.
suitable_python() {
    for name in python3.13 python3.12 python3.11 python3; do
        "$name" -Ic '
import os, sys
sys.version_info >= (3, 11) or sys.exit(1)
import ensurepip, venv
print(os.path.realpath(sys.executable))' 2>/dev/null && return
    done
    return 1
}

# need_python: prints the real path of a suitable Python; installs one when root; fails, having said how.
need_python() {
    suitable_python && return
    install_programs "$PYTHON_TOOLS" python3 && suitable_python && return
    say 'fullrate: needs a Python 3.11 or later with its venv module; none of python3.13, python3.12, python3.11, python3 is'
    return 1
}

# is_ready VENV SUM: whether VENV is whole and was made from the requirements of that checksum; forks nothing.
is_ready() {
    [ -x "$1/bin/python" ] && [ -r "$1/made-from" ] && read -r made_from <"$1/made-from" && [ "$made_from" = "$2" ]
}

# make_venv VENV REQUIREMENTS SUM: an interrupted one has no made-from and is made anew.
make_venv() {
    say "fullrate: making a Python environment in $1 (only when the requirements change)"
    rm -f "$1/made-from"
    python=$(need_python) &&
        "$python" -Im venv --clear "$1" >&2 &&
        "$1/bin/python" -Im pip --quiet --disable-pip-version-check --no-input \
            install --no-warn-script-location --require-hashes -r "$2" >&2 &&
        printf '*\n' >"$1/.gitignore" &&
        printf '%s\n' "$3" >"$1/made-from"
}

# need_venv VENV REQUIREMENTS SUM: makes VENV ready, or fails, having said why.
need_venv() {
    mkdir -p "$1" || return 1
    # shellcheck disable=SC2094 # the folder is opened for its lock alone
    (
        lock "$1"
        is_ready "$1" "$3" || make_venv "$1" "$2" "$3"
    ) 9<"$1"
}
