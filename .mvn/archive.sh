#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Keeps the classes of a rank as the JVM has them after loading, in a file that a later JVM maps instead: a rank starts with half the processor time.
#
#   archive.sh JAVA JARS FILE
#
# JAVA is the launcher that will use FILE, JARS the directory that its module path begins with. A JVM whose classes do not fit FILE loads them
# as ever; so nothing that fails here is an error, and a FILE of older jars is removed. Two that make the same FILE at once do not disturb each other.
# FILE.from names JARS. The JVM takes an archive also where its jars have moved, and then refuses to load classes from the new place.

java=$1
jars=$2
file=$3

new=$file.$$

rm -f "$file"
trap 'rm -f "$new" "$new.costs"' EXIT
printf '%s\n' "$jars" >"$file.from"

# A short job as the variables of nobody want it, between two ranks that map files as those of two processes do.
if env -i HOME="${HOME-/}" NCCL_SOCKET_IFNAME==lo NCCL_P2P_DISABLE=1 NITINOL_COST_CACHE="$new.costs" \
  timeout 60 "$java" -XX:+UseSerialGC -XX:ArchiveClassesAtExit="$new" "-Xlog:cds*=off,aot*=off" \
  --enable-native-access=io.nitinol.cli,io.nitinol.core,io.nitinol.net.socket,io.nitinol.samples.vector \
  --module-path "$jars" --add-modules "ALL-MODULE-PATH,jdk.incubator.vector" \
  --module io.nitinol.cli/io.nitinol.cli.Main perf all_reduce -n 2 --threads -b 8 -e 64K -f 8 --iters 5 -w 1 >"$file.log" 2>&1; then
  mv "$new" "$file"
fi
