#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
#
# The first program of the guest: runs /out/job.sh in the host's file system, in which it can change nothing but /out, and ends the machine.

/bin/busybox --install -s /bin
export PATH=/bin
mkdir -p /proc /sys /dev /host /upper /merged

say() {
  read -r up _ </proc/uptime
  echo "guest [$up s] $*"
}

# QEMU's exit device ends it at once; the answer to how the job went is a file, which 9p has written by then.
end() {
  say "$*"
  sync
  printf '\001' | dd of=/dev/port bs=1 seek=244 count=1 2>/dev/null
  poweroff -f
}

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
while read -r module; do
  insmod "/modules/$module" || say "$module was not loaded"
done </modules/order

share=trans=virtio,version=9p2000.L,msize=512000
mount -t 9p -o "ro,cache=loose,$share" host /host || end "no file system of the host"
mount -t tmpfs -o mode=755 upper /upper
mkdir /upper/changes /upper/work
mount -t overlay -o lowerdir=/host,upperdir=/upper/changes,workdir=/upper/work overlay /merged || end "no overlay"
for each in proc sys dev; do mount --bind "/$each" "/merged/$each"; done
mkdir -p /merged/dev/pts /merged/dev/shm /merged/out
mount -t devpts devpts /merged/dev/pts
mount -t tmpfs tmpfs /merged/dev/shm
mount -t tmpfs tmpfs /merged/run
mount -t 9p -o "rw,cache=none,$share" out /merged/out || end "no directory for reports"
ln -sf /proc/self/fd /dev/fd
hostname guest
ip link set lo up

say "ready"
chroot /merged /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh /out/job.sh
status=$?
echo "$status" >/merged/out/status
end "the job has ended with status $status"
