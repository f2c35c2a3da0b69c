#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lets jextract write the bindings into a directory of its own and shows how they differ from those
# that are committed: stage.sh DIRECTORY. Differences of shape are told in the bindings' package-info;
# anything else is to be taken over by hand. JEXTRACT names the program where it is not on the PATH.

set -eu
cd "$(dirname "$0")"
stage=$1
jextract=$(command -v "${JEXTRACT:-jextract}") || {
  echo "jextract is not on the PATH (nor named by JEXTRACT): get it from https://jdk.java.net/jextract/ for the JDK that builds this" >&2
  exit 1
}
[ -e /usr/include/infiniband/verbs.h ] || {
  echo "/usr/include/infiniband/verbs.h is missing: install libibverbs-dev (Debian) or rdma-core-devel (RHEL)" >&2
  exit 1
}
package=io/nitinol/net/ib/ffi
rm -rf "$stage"
mkdir -p "$stage"
"$jextract" @verbs.args --output "$stage" verbs.h
# Space is jextract's own business.
diff --recursive --unified --ignore-all-space --ignore-blank-lines "../java/$package" "$stage/$package" >"$stage.diff" || [ $? = 1 ]
echo "jextract wrote $stage/$package; the difference to what is committed has $(grep -c '^[-+]' "$stage.diff" || true) lines and is in $stage.diff"
