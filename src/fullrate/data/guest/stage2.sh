#!/bin/bash
# Process 1 in the guest: the usual mounts, a driver for every network device (there is no udev), the two ends, then
# the server that runs agents in them.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
mount -t tmpfs tmpfs /tmp
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t debugfs debugfs /sys/kernel/debug
mount -t cgroup2 cgroup2 /sys/fs/cgroup
echo '+cpu' >/sys/fs/cgroup/cgroup.subtree_control
mkdir -p /var/lib/fullrate # a root may be the host's own: its journals are none of the guest's
mount -t tmpfs tmpfs /var/lib/fullrate
hostname guest
echo 1 >/proc/sys/kernel/printk # what a panic says, no more
ip link set lo up
for class in /sys/bus/pci/devices/*/class; do
    [[ $(<"$class") == 0x02* ]] && modprobe -q "$(<"${class%/class}/modalias")"
done
for alias in /sys/bus/virtio/devices/*/modalias; do modprobe -q "$(<"$alias")"; done
for module in tcp_bbr tcp_diag udp_diag; do modprobe -q $module; done # a namespace but the first loads none
/usr/bin/python3 -I /run/lab/server.py >/dev/console 2>&1 &
while :; do # this is process 1: bash collects what ends without a parent
    wait
    sleep 1
done
