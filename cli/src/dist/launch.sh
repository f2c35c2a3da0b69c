# SPDX-License-Identifier: Apache-2.0
#
# What the launchers of a checkout and of the self-contained image have in common. Sourced with the script's arguments; gives
#
#   $vector   ,jdk.incubator.vector where this JVM reduces or looks at kernels, else nothing
#   $native   the modules that may call native code
#   $common   options of the JVM
#   start     runs the command by the script's function jvm, in which $how and $trial are its to set
#   quieten   takes one line of the JVM out of standard error from here on

# Set where this process is a rank already, as io.nitinol.core.launch.RankEnvironment knows launchers.
# RANK alone is too common a name to mean torchrun, and SLURM_PROCID is set in a batch script, too.
rank=${NITINOL_RANK-}${OMPI_COMM_WORLD_RANK-}${PMI_RANK-}${MASTER_ADDR:+${RANK-}}${SLURM_STEP_ID-}${SLURM_STEPID-}
[ -n "${SLURM_JOB_ID-}" ] || rank=$rank${SLURM_PROCID-}
[ -z "${NITINOL_SIZE-}${WORLD_SIZE-}" ] || rank=$rank${JOB_COMPLETION_INDEX-}

# The vector kernels' module is still incubating, and a JVM that has it says so on standard error.
# Ranks that perf starts get it from the command; here it is wanted where this JVM reduces or looks.
vector=
case ${1-} in
  plugins | doctor | switch) vector=,jdk.incubator.vector ;;
  perf) case "${rank:+ --threads} $* " in *" --threads "*) vector=,jdk.incubator.vector ;; esac ;;
esac

native=io.nitinol.cli,io.nitinol.core,io.nitinol.tck,io.nitinol.net.socket,io.nitinol.net.ib,io.nitinol.net.collnet,io.nitinol.net.nativeabi,io.nitinol.samples.vector,io.nitinol.samples.cuda,io.nitinol.samples.cpu
common="-XX:+UseSerialGC -XX:MaxDirectMemorySize=1024g"

# The JVM cannot be told to keep to itself that a module is incubating. So standard error leads through a process that
# passes on all but that line; it ends with the last that holds the other end. "all": others will write the line, too.
quieten() {
  directory=$(mktemp -d 2>/dev/null) || return 0
  if mkfifo "$directory/err"; then
    {
      trap '' INT HUP TERM # what a JVM says while it ends is still to be passed on
      while IFS= read -r line || [ -n "$line" ]; do
        if [ "$line" != "WARNING: Using incubator modules: jdk.incubator.vector" ]; then
          printf '%s\n' "$line"
        elif [ "${1-}" != all ]; then
          exec cat
        fi
      done
    } <"$directory/err" >&2 &
    exec 2>"$directory/err"
  fi
  rm -r "$directory"
}

# Starts the command with the function jvm of the script that sources this file, which takes "exec" or nothing in $how,
# a further option in $trial, and the command's arguments. A JVM that cannot start ends with 1, which would mean wrong
# elements. So options and limits of the user's are tried first, unless they have effects of their own.
start() {
  how=
  trial=--dry-run
  case ${NITINOL_JAVA_OPTS-}${JDK_JAVA_OPTIONS-}${JAVA_TOOL_OPTIONS-} in
    '') [ "$(ulimit -v)" != unlimited ] || trial= ;;
    *agent* | *jdwp* | *Recording* | *AtExit* | *AOT*) trial= ;;
  esac
  if [ -n "$trial" ] && ! said=$(jvm "$@" 2>&1 </dev/null); then
    said=$(printf '%s\n' "$said" | grep -v -e '^Picked up ' -e '^#\? *$' -e 'initialization of VM' \
      -e '^Error: A fatal exception' -e '^Error: Could not create' | head -n 1)
    echo "nitinol: the JVM cannot start${NITINOL_JAVA_OPTS:+ with NITINOL_JAVA_OPTS=$NITINOL_JAVA_OPTS}: ${said#\# }" >&2
    exit 2
  fi
  how=exec
  trial=
  jvm "$@"
}
