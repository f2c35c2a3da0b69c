#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes what QEMU boots from a Debian kernel package, which is unpacked here and never installed.
#
#   image.sh PACKAGE INIT BUSYBOX   run in an empty directory, in which kernel and initramfs.gz are left
#
# PACKAGE is a name that apt knows, INIT the first program of the guest, BUSYBOX a static one for it.

set -eu
package=$1
init=$2
busybox=$3
version=${package#linux-image-}

if ldd "$busybox" >/dev/null 2>&1; then
  echo "$busybox needs libraries; on Debian, install busybox-static" >&2
  exit 1
fi

apt-get -qq download "$package"
dpkg-deb --extract ./*.deb unpacked
rm ./*.deb
depmod --basedir unpacked "$version" # the package leaves that to its installation

# The bootable file holds the kernel as a zstd stream; without the loader around it, it is up a second sooner.
loader=unpacked/boot/vmlinuz-$version
start=$(LC_ALL=C grep --only-matching --byte-offset --text --perl-regexp '\x28\xb5\x2f\xfd' "$loader" | cut -d : -f 1 | head -n 1)
tail -c "+$((start + 1))" "$loader" | zstd --decompress --stdout --quiet >kernel 2>/dev/null || true # more follows the stream
[ "$(head -c 4 kernel | tail -c 3)" = ELF ] || cp "$loader" kernel

# Loaded in this order, each after those that it needs. Two are needed and not declared: rdma_rxe asks for a crc32 by name.
wanted='virtio_pci 9pnet_virtio 9p overlay virtio_rng
  veth dummy tun sch_netem sch_tbf crc32_generic crc32_pclmul
  rdma_rxe rdma_ucm ib_umad'
mkdir -p root/bin root/modules
for module in $wanted; do
  modprobe --dirname unpacked --set-version "$version" --show-depends "$module"
done | while read -r action file _; do
  [ "$action" = insmod ] || continue # builtin
  name=${file##*/}
  name=${name%.xz}
  [ ! -e "root/modules/$name" ] || continue
  case $file in
    *.xz) xz --decompress --stdout "$file" >"root/modules/$name" ;;
    *) cp "$file" "root/modules/$name" ;;
  esac
  echo "$name" >>root/modules/order
done
grep -q rdma_rxe root/modules/order

cp "$busybox" root/bin/busybox
cp "$init" root/init
chmod 755 root/init
(cd root && find . | cpio --create --format newc --quiet) | gzip -1 >initramfs.gz
rm -r root unpacked
