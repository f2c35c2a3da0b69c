# SPDX-License-Identifier: Apache-2.0
#
# For the scripts of benchmarks that --pack puts into an archive. Sourced with $root, the checkout or the unpacked archive, $main, as ranks.sh knows it,
# $sources, the files below the checkout that the benchmark needs beside classes, and the script's arguments. In an archive it becomes the JVM.

# Loopback, unless the caller says which interface.
NCCL_SOCKET_IFNAME=${NCCL_SOCKET_IFNAME-=lo}
export NCCL_SOCKET_IFNAME

# shellcheck disable=SC2086 # options are split on purpose
if [ -x "$root/jre/bin/java" ]; then
  . "$root/cli/src/dist/launch.sh"
  quieten all
  exec "$root/jre/bin/java" $common ${NITINOL_JAVA_OPTS-} --enable-native-access="$(cat "$root/app/modules")" -Dnitinol.root="$root" \
    --module-path "$(ls -d "$root"/app/*/ | tr '\n' ':')" --add-modules ALL-MODULE-PATH,jdk.incubator.vector \
    --module "io.nitinol.bench/io.nitinol.bench.$main" "$@"
fi

pack() {
  if [ $# != 2 ]; then
    echo "usage: bench/${self##*/} --pack FILE.tgz" >&2
    exit 2
  fi
  # shellcheck disable=SC2086 # paths are split on purpose
  sh "$root/bench/src/main/sh/pack.sh" "$JAVA_HOME" "$root" "$app:$classes" "$2" "${self##*/}" $sources
}
[ "${1-}" != --pack ] || instead=pack
