# SPDX-License-Identifier: Apache-2.0
#
# pack.sh JAVA_HOME ROOT MODULE_PATH FILE: packs bench/gpu-vs-nccl of a checkout, the modules of a path and a Java run time into an archive.
# A path's entries are directories of jars or of a module's classes. With nvcc NCCL's side is built, too; else it is built where it runs.

set -eu
java_home=$1
root=$2
path=$3
file=$4

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
image=$directory/gpu-vs-nccl
mkdir -p "$image/bench/src/main/cuda" "$image/bin" "$image/app" "$image/cli/src/dist"
cp -p "$root/bench/gpu-vs-nccl" "$image/bench/"
cp -p "$root/bench/src/main/cuda/nccl_peer.cpp" "$image/bench/src/main/cuda/"
cp -p "$root/cli/src/dist/launch.sh" "$image/cli/src/dist/"
cp -p "$root/LICENSE" "$root/NOTICE" "$image/"

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
"$java_home/bin/jlink" --output "$image/jre" --strip-debug --no-header-files --no-man-pages --compress zip-9 --add-modules \
  "$required,java.logging,java.management,jdk.management,java.naming,jdk.crypto.ec,java.xml,java.sql,jdk.unsupported,jdk.net,jdk.zipfs,jdk.incubator.vector"
"$image/jre/bin/java" --module-path "$modules" --list-modules |
  sed -n 's/^\(io\.nitinol[^ @]*\).*/\1/p' | sort -u | paste -sd, - >"$image/app/modules"

compiler=$(command -v nvcc || true)
if [ -n "$compiler" ]; then
  "$compiler" -O2 -std=c++17 -cudart static -Xcompiler -static-libstdc++,-static-libgcc -o "$image/bin/nccl_peer" \
    "$image/bench/src/main/cuda/nccl_peer.cpp" -ldl
fi

tar -C "$directory" -czf "$file" gpu-vs-nccl
echo "$file: $(($(wc -c <"$file") >> 20)) MiB, NCCL's side $([ -n "$compiler" ] && echo built || echo 'to be built where it runs')"
