# SPDX-License-Identifier: Apache-2.0
#
# For the scripts of the benchmarks and of chaos: builds what is newer than the last build, and becomes the JVM, with the options that ./nitinol gives to ranks.
# Sourced with $root, the checkout, and $main, the class below io.nitinol.$part, where $part is the name of the module, bench unless it is set.
# $java_opts may add options, $more_classes directories of classes below the checkout, and $instead names a function that
# is called with $app and $classes instead of the JVM. The script's arguments go to the class.

# Loopback, unless the caller says which interface.
NCCL_SOCKET_IFNAME=${NCCL_SOCKET_IFNAME-=lo}
export NCCL_SOCKET_IFNAME

part=${part-bench}
caller=$part
home=bench
modules=cli,bench
if [ $part != bench ]; then
  home=compat-tests/$part
  modules=cli,$home # indented: a test reads the list above
fi
stamp=$root/$home/target/app.stamp
classes=$root/$home/target/classes:$root/compat-tests/netns/target/classes:$root/compat-tests/rdma-guest/target/classes
for each in ${more_classes-}; do
  classes=$classes:$root/$each
done

# What another build that was ended, or a clean, leaves incomplete.
complete() {
  [ -e "$root/$home/target/classes/module-info.class" ] && [ -e "$root/compat-tests/netns/target/classes/module-info.class" ] &&
    [ -e "$root/compat-tests/rdma-guest/target/classes/module-info.class" ] &&
    ls "$root"/cli/target/run/current/nitinol-core-*.jar "$root"/cli/target/run/current/nitinol-cli-*.jar >/dev/null 2>&1
}

# Anything that the build may read and that is newer than the last build.
stale() {
  [ ! -e "$stamp" ] || ! complete || [ -n "$(find "$root" \( -name target -o -name .git -o -name test -o -name docs \) -prune -o \
    \( -path '*/src/main/*' -o -name pom.xml \) -newer "$stamp" -print -quit)" ]
}

. "$root/.mvn/app.sh"
app
if ! complete; then
  echo "$part: the build left no modules in $root/cli/target/run or $root/$home/target/classes; run ./mvnw -pl $modules -am clean package" >&2
  exit 2
fi

if [ -n "${instead-}" ]; then
  $instead "$@"
  exit
fi

. "$root/cli/src/dist/launch.sh"
vector=
for jar in "$app"/*kernels-vector*.jar; do
  [ ! -e "$jar" ] || vector=,jdk.incubator.vector
done
[ -z "$vector" ] || quieten all # a benchmark may start ranks of its own

# shellcheck disable=SC2086 # options are split on purpose
exec "$JAVA_HOME/bin/java" $common ${archive:+"-XX:SharedArchiveFile=$archive"} "-Xlog:cds*=off,aot*=off" ${java_opts-} ${NITINOL_JAVA_OPTS-} \
  --enable-native-access="$native" -Dnitinol.root="$root" --module-path "$app:$classes" --add-modules ALL-MODULE-PATH$vector \
  --module "io.nitinol.$part/io.nitinol.$part.$main" "$@"
