#!/bin/bash
# A campaign on Slurm by plain files, on a file system that all nodes see and that has locks (NFS, BeeGFS; Lustre with -o flock).
#   sbatch --ntasks=128 examples/campaign/slurm.sh /shared/campaign /shared/build/queue_test
# Tried with Slurm 22.05 on one node; the tests run it with a stand-in for srun.
#SBATCH --job-name=heddle
#SBATCH --time=04:00:00
#SBATCH --cpus-per-task=1
#SBATCH --signal=B:TERM@60
set -u
directory=$1
shift

# The driver takes next to no time, so it is beside the workers on the first node. Called again after the job's time was over,
# the campaign goes on.
heddle-campaign run --scheduler files --time "${CAMPAIGN_TIME:-230m}" "$directory" -- "$@" &
driver=$!
trap 'kill -TERM $driver' TERM
# There may be what an earlier driver has left, at which workers would end.
until { [ -e "$directory/campaign.json" ] && [ ! -e "$directory/ended" ]; } || ! kill -0 $driver 2>/dev/null; do sleep 1; done
srun --ntasks="${SLURM_NTASKS:-1}" heddle-campaign work "$directory" &
wait $driver || status=$?
wait
exit "${status:-0}"
