# SPDX-License-Identifier: Apache-2.0

# Seconds of the guest's clock that go by in one of the host's, rounded up. A guest that gets hardly any processor while it
# boots has a clock that runs fast ever after; the clock on its board is the host's.
clock_pace() {
  board=/sys/class/rtc/rtc0/since_epoch
  if ! [ -r $board ]; then
    echo 1
    return
  fi
  until_board_ticks
  read -r from _ </proc/uptime
  begun=$now
  for _ in 1 2; do until_board_ticks; done
  if [ $((now - begun)) -lt 1 ]; then # the board's clock stands still, or was set back
    echo 1
    return
  fi
  read -r to _ </proc/uptime
  hundredths=$((${to%.*}${to#*.} - ${from%.*}${from#*.}))
  pace=$(((hundredths + 100 * (now - begun) - 1) / (100 * (now - begun))))
  echo $((pace > 1 ? pace : 1))
}

# Waits for the next second of the board's clock, and leaves it in $now.
until_board_ticks() {
  read -r before <$board
  now=$before
  looks=0
  while [ "$now" = "$before" ] && [ $looks -lt 1000 ]; do
    sleep 0.02
    read -r now <$board
    looks=$((looks + 1))
  done
}

CLOCK_PACE=$(clock_pace)
export CLOCK_PACE
echo "the guest's clock: at most $CLOCK_PACE s in one of the host's"

# Runs a command and leaves in /out/NAME what it printed, how it ended and how long it took.
#
#   step NAME SECONDS COMMAND...
#
# The seconds are the host's; a command may scale limits of its own by CLOCK_PACE.
step() {
  name=$1
  limit=$(($2 * ${CLOCK_PACE:-1}))
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
