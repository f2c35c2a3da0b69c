# SPDX-License-Identifier: Apache-2.0

# Runs a command and leaves in /out/NAME what it printed, how it ended and how long it took.
#
#   step NAME SECONDS COMMAND...
step() {
  name=$1
  limit=$2
  shift 2
  mkdir "/out/$name"
  read -r begin _ </proc/uptime
  timeout --kill-after=5 "$limit" "$@" </dev/null >"/out/$name/out" 2>"/out/$name/err"
  status=$?
  read -r end _ </proc/uptime
  echo "$begin $end" >"/out/$name/times"
  echo "$status" >"/out/$name/status"
  echo "[$end s] $name ended with status $status"
}
