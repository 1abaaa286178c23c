#!/bin/bash
# A campaign on machines that are reached by SSH and see one directory (NFS and the like), with Python 3.10; program and heddle go
# there with the campaign: ssh.sh DIR "HOST..." WORKERS-A-HOST PROG ARGS...
#   examples/campaign/ssh.sh /shared/q "a b c d" 16 /shared/queue_test
# Workers end with the campaign. Not tried with a real network: the tests run it with a stand-in for ssh.
set -u
directory=$1 hosts=$2 jobs=$3
shift 3

heddle-campaign run --scheduler files --ship "$directory" -- "$@" &
driver=$!
trap 'kill -TERM $driver' TERM INT
# There may be what an earlier driver has left, at which workers would end.
until { [ -e "$directory/ship.json" ] && [ ! -e "$directory/ended" ]; } || ! kill -0 $driver 2>/dev/null; do sleep 1; done
for host in $hosts; do
  # What follows the host is a command of its shell, so the name is quoted for that.
  ssh -o BatchMode=yes "$host" python3 "$(printf '%q' "$directory")/worker/heddle-campaign" work --quiet --jobs "$jobs" "$(printf '%q' "$directory")" &
done
wait $driver || status=$?
wait
exit "${status:-0}"
