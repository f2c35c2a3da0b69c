# SPDX-License-Identifier: Apache-2.0
#
# For the scripts whose benchmark starts ranks as ./nitinol does: builds what is newer than the last build, and becomes the JVM.
# Sourced with $root, the checkout, and $main, the class below io.nitinol.bench; the script's arguments go to the class.

app=$root/cli/target/app
archive=$root/cli/target/app.jsa
stamp=$root/bench/target/app.stamp
JAVA_HOME=$(sh "$root/.mvn/find-jdk.sh") || exit 2
export JAVA_HOME
# Loopback, unless the caller says which interface.
NCCL_SOCKET_IFNAME=${NCCL_SOCKET_IFNAME-=lo}
export NCCL_SOCKET_IFNAME

# What another build that was ended, or a clean, leaves incomplete.
complete() {
  [ -e "$root/bench/target/classes/module-info.class" ] && [ -e "$root/compat-tests/netns/target/classes/module-info.class" ] &&
    ls "$app"/nitinol-core-*.jar "$app"/nitinol-cli-*.jar >/dev/null 2>&1
}

# Anything that the build may read and that is newer than the last build.
stale() {
  [ ! -e "$stamp" ] || ! complete || [ -n "$(find "$root" \( -name target -o -name .git -o -name test -o -name docs \) -prune -o \
    \( -path '*/src/main/*' -o -name pom.xml \) -newer "$stamp" -print -quit)" ]
}

build() {
  stale || return 0
  echo "bench: building ..." >&2
  mkdir -p "$root/bench/target"
  touch "$stamp.new"
  (cd "$root" && ./mvnw -q -B -ntp -T1C -Dspotless.check.skip -Djacoco.skip -Denforcer.skip -Dmaven.test.skip -Dmaven.source.skip \
    -pl cli,bench -am package) >&2 || return 1
  sh "$root/.mvn/archive.sh" "$JAVA_HOME/bin/java" "$app" "$archive"
  mv "$stamp.new" "$stamp"
}

if stale; then
  mkdir -p "$root/cli/target"
  (flock 9 && build) 9>"$root/cli/target/app.lock" || exit 2
  if ! complete; then
    echo "bench: the build left no modules in $app or $root/bench/target/classes; run ./mvnw -pl cli,bench -am clean package" >&2
    exit 2
  fi
fi

# The options of ./nitinol; only the module path is longer.
vector=
for jar in "$app"/*kernels-vector*.jar; do
  [ ! -e "$jar" ] || vector="--add-modules jdk.incubator.vector"
done
[ -e "$archive" ] || archive=
# shellcheck disable=SC2086 # options are split on purpose
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC ${archive:+"-XX:SharedArchiveFile=$archive"} "-Xlog:cds*=off,aot*=off" -XX:MaxDirectMemorySize=1024g ${NITINOL_JAVA_OPTS-} \
  --enable-native-access=io.nitinol.core,io.nitinol.net.socket,io.nitinol.net.ib,io.nitinol.net.collnet,io.nitinol.net.nativeabi,io.nitinol.samples.vector \
  -Dnitinol.root="$root" --module-path "$app:$root/bench/target/classes:$root/compat-tests/netns/target/classes" --add-modules ALL-MODULE-PATH $vector \
  --module "io.nitinol.bench/io.nitinol.bench.$main" "$@"
