#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build.sh OUTPUT: builds the C parts of net-native with the system's compiler, where there is one,
# for the machine it runs on. What is there and newer than its sources stays as it is.

c=${0%/*}
output=$1
machine=$(uname -m)

if ! command -v cc >/dev/null 2>&1; then
  echo "no C compiler here (cc): native plugins will log their formats without the values"
  exit 0
fi

# LIBRARY SOURCE: one shared library.
library() {
  [ -z "$(find "$c/$2" "$c/nccl_abi.h" "$0" -newer "$1" -print -quit 2>&1)" ] && return
  mkdir -p "${1%/*}" && cc -std=gnu11 -O2 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror \
    -o "$1.new" "$c/$2" && mv "$1.new" "$1" || exit 1
}

library "$output/io/nitinol/net/nativeabi/plugin/logger-$machine.so" logger.c
