#!/bin/bash
# Prepare a guest of the hardware lab: a root file system, Debian's kernel (unpacked, never installed), an initrd.
#
#   prepare.sh WORK debian13|debian12
#
# The root of a generation is the host's own where the host runs it, else one that debootstrap makes. QEMU is that of
# debian13 (10.0, which has igb), so that root is always made. The mirror is the one of this machine's apt. Safe to run
# again: what is there is kept.
set -euo pipefail
work=$1 generation=$2
here=$(cd "$(dirname "$0")" && pwd)

say() { echo "fullrate: $*" >&2; }
aptget() { DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" >&2; }

codename() { case $1 in debian12) echo bookworm ;; debian13) echo trixie ;; *) say "no generation $1"; exit 2 ;; esac; }

own=$(. /etc/os-release; echo "${VERSION_CODENAME:-}")
mirror=$(awk '/^URIs:/{print $2; exit} /^deb http/{print $2; exit}' \
    /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true)
tools=(debootstrap busybox-static kmod cpio xz-utils gzip)
inside=(ethtool iperf3 pciutils iproute2 iputils-ping nftables procps kmod numactl python3 util-linux)

if ! dpkg -s "${tools[@]}" >/dev/null 2>&1; then
    say "installing ${tools[*]}"
    aptget update
    aptget install -y --no-install-recommends "${tools[@]}"
fi

make_root() { # GENERATION PACKAGE...
    local name dir=$work/$1 root
    name=$(codename "$1")
    shift
    mkdir -p "$dir"
    if [ ! -e "$dir/root" ]; then
        if [ "$name" = "$own" ]; then
            ln -s / "$dir/root"
        else
            say "making a root of $name from $mirror; about a minute"
            rm -rf "$dir/root.new"
            debootstrap --variant=minbase "$name" "$dir/root.new" "$mirror" >"$dir/debootstrap.log"
            mv "$dir/root.new" "$dir/root"
        fi
    fi
    root=$(realpath "$dir/root")
    if ! in_root "$root" dpkg -s "$@" >/dev/null 2>&1; then
        say "installing into $root: $*"
        [ "$root" = / ] || cp /etc/resolv.conf "$root/etc/resolv.conf"
        in_root "$root" env DEBIAN_FRONTEND=noninteractive apt-get -q update >&2
        in_root "$root" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@" >&2
    fi
}

in_root() { if [ "$1" = / ]; then "${@:2}"; else chroot "$@"; fi; }

make_kernel() { # GENERATION
    local dir=$work/$1 root image place
    root=$(realpath "$dir/root")
    # the one that the meta package points at today
    image=$(in_root "$root" apt-cache depends linux-image-amd64 | awk '/Depends:/{print $2; exit}')
    if [ ! -e "$dir/kernel/.$image" ]; then
        say "unpacking $image"
        place=$root/var/tmp/fullrate-kernel
        rm -rf "$dir/kernel" "$place"
        mkdir -p "$dir/kernel" "$place"
        in_root "$root" sh -c "cd /var/tmp/fullrate-kernel && apt-get -q download $image" >&2
        dpkg -x "$place/${image}"_*.deb "$dir/kernel"
        rm -rf "$place"
        [ -e "$dir/kernel/lib" ] || ln -s usr/lib "$dir/kernel/lib" # newer packages have it in /usr
        depmod -b "$dir/kernel" "${image#linux-image-}"
        touch "$dir/kernel/.$image"
    fi
    echo "${image#linux-image-}" >"$dir/release"
}

make_initrd() { # GENERATION: busybox, what reaches the shared root, and init
    local dir=$work/$1 release tree file module
    release=$(cat "$dir/release")
    tree=$(mktemp -d)
    mkdir -p "$tree"/{bin,proc,sys,dev,modules,newroot,lower,rw}
    cp "$(command -v busybox)" "$tree/bin/busybox"
    for file in sh mount insmod mkdir switch_root cut; do ln -s busybox "$tree/bin/$file"; done
    for module in virtio_pci 9p 9pnet_virtio overlay; do
        modprobe -d "$dir/kernel" -S "$release" --show-depends "$module" | awk '$1 == "insmod" {print $2}'
    done | awk '!seen[$0]++' | while read -r file; do
        module=$(basename "$file" .xz)
        if [ "$file" = "${file%.xz}" ]; then cp "$file" "$tree/modules/$module"; else xz -dc "$file" >"$tree/modules/$module"; fi
        echo "$module" >>"$tree/modules/order"
    done
    install -m755 "$here/init" "$tree/init"
    (cd "$tree" && find . -print0 | cpio -o0 -H newc --quiet | gzip -1) >"$dir/initrd.new"
    rm -rf "$tree"
    mv "$dir/initrd.new" "$dir/initrd.gz"
}

make_root debian13 "${inside[@]}" qemu-system-x86 qemu-system-data seabios
[ "$generation" = debian13 ] || make_root "$generation" "${inside[@]}"
make_kernel "$generation"
make_initrd "$generation"
