# SPDX-License-Identifier: Apache-2.0
#
# pack.sh JAVA_HOME ROOT MODULE_PATH FILE BENCH SOURCE...: packs a benchmark of a checkout, the sources that it needs, the modules of a path and a Java
# run time into an archive. A path's entries are directories of jars or of a module's classes. What nvcc and mpicc can build here is built, too; what they
# cannot is built where it runs.

set -eu
java_home=$1
root=$2
path=$3
file=$4
bench=$5
shift 5

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
image=$directory/$bench
mkdir -p "$image/bench/src/main/sh" "$image/bench/target/mpi" "$image/bin" "$image/app" "$image/cli/src/dist"
cp -p "$root/bench/$bench" "$image/bench/"
cp -p "$root/bench/src/main/sh/packed.sh" "$image/bench/src/main/sh/"
cp -p "$root/cli/src/dist/launch.sh" "$image/cli/src/dist/"
cp -p "$root/LICENSE" "$root/NOTICE" "$image/"

built=
for each in "$@"; do
  mkdir -p "$image/${each%/*}"
  cp -p "$root/$each" "$image/$each"
  case $each in
    */nccl_peer.cpp)
      command -v nvcc >/dev/null || continue
      nvcc -O2 -std=c++17 -cudart static -Xcompiler -static-libstdc++,-static-libgcc -o "$image/bin/nccl_peer" "$image/$each" -ldl
      built="$built nccl_peer"
      ;;
    */allreduce_mpi.c)
      command -v mpicc.openmpi >/dev/null || continue
      mpicc.openmpi -O2 -o "$image/bench/target/mpi/allreduce_openmpi" "$image/$each"
      built="$built allreduce_openmpi"
      ;;
  esac
done

# A directory for each entry, in the order of the path: a module of an earlier one hides its namesake in a later one.
number=100
IFS=:
for entry in $path; do
  [ -n "$entry" ] || continue
  number=$((number + 1))
  mkdir "$image/app/$number"
  if [ -e "$entry/module-info.class" ]; then
    cp -r "$entry" "$image/app/$number/module"
  else
    cp "$entry"/*.jar "$image/app/$number/"
  fi
done
unset IFS

# What the modules require of Java, and what they use if it is there.
modules=$(ls -d "$image"/app/*/ | tr '\n' ':')
required=$("$java_home/bin/java" --module-path "$modules" --add-modules ALL-MODULE-PATH --show-module-resolution --version |
  sed -n '/^java\.\|^jdk\./d; s/^[^ ]* requires \([^ ]*\) jrt:.*/\1/p' | sort -u | paste -sd, -)
"$java_home/bin/jlink" --output "$image/jre" --strip-debug --no-header-files --no-man-pages --compress zip-9 --generate-cds-archive --add-modules \
  "$required,java.logging,java.management,jdk.management,java.naming,jdk.crypto.ec,java.xml,java.sql,jdk.unsupported,jdk.net,jdk.zipfs,jdk.incubator.vector"
"$image/jre/bin/java" --module-path "$modules" --list-modules |
  sed -n 's/^\(io\.nitinol[^ @]*\).*/\1/p' | sort -u | paste -sd, - >"$image/app/modules"

tar -C "$directory" -czf "$file" "$bench"
echo "$file: $(($(wc -c <"$file") >> 20)) MiB, built here:${built:- nothing}"
