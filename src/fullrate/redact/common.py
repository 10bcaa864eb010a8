"""Words that are names on many hosts, and words that stand where a name might."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\S+", text))


# Names that half of all hosts have tell nobody apart, and are words of programs, too: replaced where they stand as a
# name, not wherever the word stands.
COMMON = _words(
    """
    a an and at b c client clients core cpu default desktop device dev disk dns docker end eth eth0 example far
    file firewall gateway gw guest home host hosts http info init internet ip iperf iperf3 kernel lab lan laptop linux
    local localdomain localhost log mail master me memory my name near net netns network nic node ns null off on one
    path pc ping port proxy queue read receiver root route router rx script sender serial server servers session ssh
    storage sys system target task tcp test text the this time timer tx type udp unknown up user users value version
    virtual vm vpn vps web wire wlan worker workstation write www
    alma alpine arch archlinux arm arm64 armbian centos debian fedora gentoo kali manjaro mint nixos openwrt opensuse
    pi proxmox pve raspberry raspberrypi raspbian redhat rhel rocky suse truenas ubuntu x86
    ac amd aws azure bond bond0 br0 br bridge broadcom broadcast cisco dell gcp google intel lo mellanox nvidia realtek
    veth virtio vlan xen qemu kvm hyperv vmware ethernet driver firmware module link speed duplex address group state
    """
)
# Accounts that systems come with.
SYSTEM_USERS = _words(
    """
    adm admin administrator arch backup bin bitnami builder buildd centos cloud-user core daemon debian ec2-user fedora
    ftp games guest kali lp lxd mail mockbuild mysql news nobody ntp opc operator pi postgres proxy root rocky runner
    sshd sync sys systemd systemd-network test ubuntu user vagrant www-data
    """
)
NOTHING = _words("none unknown default specified not na n/a null empty system chassis redacted filled serial number")
