#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Prints algorithms.csv: how long nitinol sim says that an all-reduce takes, by algorithm and size, on 8 hosts of 4 ranks
# with one network device of 100 Gbit/s each. The same sources print the same figures.

set -eu
cd "$(dirname "$0")/../.."
file=$(mktemp)
trap 'rm -f "$file"' EXIT
echo algorithm,bytes,us
for algorithm in doubling tree ring hierarchy; do
  for bytes in 8 64 512 4096 32768 262144 1048576 4194304 16777216 67108864 268435456; do
    ./nitinol sim all_reduce:$bytes --hosts 8 --gpus 4 --nics 1 --nic-gbits 100 --ranks-on host \
      --algo $algorithm --json "$file" >/dev/null
    echo "$algorithm,$bytes,$(sed -n 's/^  "time_us" : \([0-9.]*\),$/\1/p' "$file")"
  done
done
