# SPDX-License-Identifier: Apache-2.0
#
# For the scripts that start Nitinol from a checkout: a build, and the directory of jars to start from.
# Sourced with $root, the checkout; $caller, the beginning of messages; $stamp, the file that is as old as the last build;
# $modules, what Maven builds; and stale, a function that says whether that is needed.
# Gives $JAVA_HOME, and by the function app also $app, the jars, and $archive, the archive of their classes or nothing.

JAVA_HOME=$(sh "$root/.mvn/find-jdk.sh") || exit 2 # not 1, which means wrong elements or a goal that is missed
export JAVA_HOME

target=$root/cli/target
runs=$target/run

# A JVM reads its jars until it ends. So each build that changes them has a directory of its own, $runs/current
# names the newest, and the one before it stays for those who still run.
publish() {
  last=$(readlink "$runs/current") || last=
  [ -z "$last" ] || ! diff -rq -x 'app.jsa*' "$target/app" "$runs/$last" >/dev/null 2>&1 || return 0
  next=$(date +%s)-$$
  mkdir -p "$runs/$next" && cp "$target/app"/*.jar "$runs/$next/" || return 1
  next_app=$(readlink -f "$runs/$next")
  sh "$root/.mvn/archive.sh" "$JAVA_HOME/bin/java" "$next_app" "$next_app/app.jsa"
  ln -s "$next" "$runs/current.$$" && mv -T "$runs/current.$$" "$runs/current" || return 1
  for each in "$runs"/*; do
    case ${each##*/} in
      current | "$next" | "$last") ;;
      *) rm -rf "$each" ;;
    esac
  done
}

build() {
  stale || return 0 # another process did it while this one waited for the lock
  if [ -e "$stamp" ]; then why="sources changed"; else why="first run"; fi
  echo "$caller: building ($why), half a minute on 4 idle cores, longer on a busy machine ..." >&2
  log=$target/app.log
  mkdir -p "${stamp%/*}"
  touch "$stamp.new"
  if ! (cd "$root" && ./mvnw -q -B -ntp -T1C -Pquick \
    -Dmaven.test.skip -pl "$modules" -am package && publish) >"$log" 2>&1; then
    cat "$log" >&2
    echo "$caller: the build failed; its log is above and in $log" >&2
    return 1
  fi
  mv "$stamp.new" "$stamp"
}

app() {
  if [ ! -e "$runs/current" ] || stale; then
    if ! mkdir -p "$target" 2>/dev/null || [ ! -w "$target" ]; then
      echo "$caller: a build is needed and $target cannot be written; run $0 once as a user who may" >&2
      exit 2
    fi
    if command -v flock >/dev/null; then
      (flock 9 && build) 9>"$target/app.lock" || exit 2
    else
      build || exit 2
    fi
  fi
  app=$(readlink -f "$runs/current")
  archive=$app/app.jsa
  # Of a checkout that was moved or copied the archive is of other jars, even if they are the same.
  if [ -e "$archive.from" ] && [ "$(cat "$archive.from")" != "$app" ] && [ -w "$app" ]; then
    sh "$root/.mvn/archive.sh" "$JAVA_HOME/bin/java" "$app" "$archive"
  fi
  [ -e "$archive" ] && [ "$(cat "$archive.from" 2>/dev/null)" = "$app" ] || archive=
}
