#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build.sh CLASSES NCCL JDK: builds the C parts of net-native with the system's compiler, for the machine it
# runs on: the logger that native plugins get, into CLASSES, and libnccl-net-nitinol.so, which NCCL loads, into
# NCCL, with the headers of JDK. What is newer than its sources stays. Without a compiler the script says what
# is missed and succeeds: all else does without.

set -eu
c=${0%/*}
classes=$1
nccl=$2
jdk=$3
cc=${CC:-cc}
library=$nccl/libnccl-net-nitinol.so

if ! command -v "$cc" >/dev/null 2>&1; then
  echo "there is no C compiler ($cc): native plugins will log their formats without the values, and libnccl-net-nitinol.so is not built"
  rm -f "$library"
  exit 0
fi

# build OUTPUT ARGUMENT...: compiles one shared library, unless it is newer than every source.
build() {
  output=$1
  shift
  if [ -e "$output" ] && [ -z "$(find "$c" -type f -newer "$output" -print -quit)" ]; then
    return
  fi
  mkdir -p "${output%/*}"
  "$cc" -O2 -std=gnu17 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror \
    -ffile-prefix-map="$c/=" -o "$output.new" "$@"
  mv "$output.new" "$output"
}

build "$classes/io/nitinol/net/nativeabi/plugin/logger-$(uname -m).so" "$c/logger.c"

if [ ! -e "$jdk/include/jni.h" ]; then
  echo "libnccl-net-nitinol.so is not built: there is no include/jni.h in $jdk"
  rm -f "$library"
  exit 0
fi
# nodelete: NCCL closes the library after the last communicator, and a JVM cannot be started twice.
build "$library" -I"$jdk/include" -I"$jdk/include/linux" \
  -Wl,-z,nodelete -Wl,-z,now "$c/nitinol.c" "$c/jvm.c" -ldl -pthread
