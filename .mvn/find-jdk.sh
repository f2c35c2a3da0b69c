#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Prints the home of a JDK that can build and run Nitinol: release 25 or newer, with javac and jlink.
# The first that fits is taken, in the order of the list below. Without one it exits with status 1
# and says on stderr where it looked.

wanted=25

# Release number of a JDK home, read from its "release" file: starting a JVM would cost 30 times as much.
release_of() {
  version=
  if [ -r "$1/release" ]; then
    while IFS== read -r key value; do
      if [ "$key" = JAVA_VERSION ]; then version=${value#\"}; break; fi
    done <"$1/release"
  fi
  if [ -z "$version" ]; then
    version=$("$1/bin/javac" -version 2>&1) || version=
    version=${version#javac }
  fi
  printf '%s' "${version%%[!0-9]*}"
}

# Prints the home and ends the script where it is a JDK of the wanted release or newer.
try() {
  [ -n "$1" ] && [ -x "$1/bin/javac" ] && [ -x "$1/bin/java" ] && [ -x "$1/bin/jlink" ] || return 0
  release=$(release_of "$1")
  if [ "${release:-0}" -ge "$wanted" ]; then
    printf '%s\n' "$1"
    exit 0
  fi
  case $rejected in
    *" $1 ("*) ;; # looked at twice
    *) rejected="$rejected $1 (release ${release:-unknown})," ;;
  esac
}

rejected=
try "${JAVA_HOME-}"
for name in $(env | sed -n "s/^\(JAVA_HOME_${wanted}[A-Za-z0-9_]*\)=.*/\1/p"); do
  eval "try \"\$$name\""
done
try "${JDK_HOME-}"
if java=$(command -v java); then
  java=$(readlink -f "$java" 2>/dev/null || printf '%s' "$java")
  try "${java%/bin/java}"
fi
for home in /usr/lib/jvm/* /opt/* "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/*; do
  [ -d "$home" ] && try "$home"
done

echo "nitinol: no JDK $wanted or newer (with javac and jlink) in JAVA_HOME, JAVA_HOME_$wanted*, JDK_HOME, PATH," \
  "/usr/lib/jvm, /opt, ~/.sdkman or ~/.jdks${rejected:+; not fit:${rejected%,}};" \
  "install a JDK $wanted or set JAVA_HOME to one." >&2
exit 1
