#!/usr/bin/env bash
# Opens 1 MiB out of the middle of a sealed file of 64 GiB, again and again; writes to
# standard output how long the command took, from its start to its end, its result going
# to a file that is not synced.
#
#   evidence/bench/range.sh make FOLDER [GIB]      by default 64 GiB; takes minutes
#   evidence/bench/range.sh time FOLDER [RUNS]     by default 51 runs
#
# FOLDER needs a few MiB: `make` seals all of a content with holes, and keeps of the sealed
# file only what the command shall read, the rest being holes. So what is read too much does
# not open, which is tried. Half of the runs are with what the system keeps of the file in
# memory dropped before. Build the command first: cargo build --release --package sivka-cli
set -euo pipefail

what=$1
folder=$2
project=$(cd "$(dirname "$0")/../.." && pwd)
sivka=${CARGO_TARGET_DIR:-$project/target}/release/sivka
mib=$((1 << 20))
mkdir -p "$folder"
cd "$folder"

make() {
    local gib=${1:-64} middle front before kept behind
    middle=$((gib << 29))
    "$sivka" keygen -o key
    head -c $mib /dev/urandom > part
    truncate -s "${gib}G" content
    dd if=part of=content bs=$mib seek=$((middle / mib)) conv=notrunc status=none
    # Header, salt and commitment; then chunks of 16384 bytes with tags of 16.
    front=$((2048 + 56))
    before=$((middle / 16384 * 16400))
    kept=$((mib / 16384 * 16400))
    behind=$((before - kept - 16400))
    "$sivka" seal -q --key key content -o - | {
        head -c $front
        head -c $before > /dev/null
        truncate -s $((front + before)) sealed
        head -c $kept
        head -c $behind > /dev/null
        truncate -s $((front + before + kept + behind)) sealed
        cat
    } >> sealed
    rm content
}

open() { "$sivka" open -q --key key sealed -o - --range "$1..$(($1 + mib))"; }
drop() { dd of=sealed oflag=nocache conv=notrunc,fdatasync count=0 status=none; }

# timed RUNS COMMAND...: milliseconds of each run, with COMMAND before.
timed() {
    local runs=$1 run start end
    shift
    for ((run = 0; run < runs; run++)); do
        "$@"
        start=$EPOCHREALTIME
        open "$middle" > opened
        end=$EPOCHREALTIME
        echo $((${end/./} - ${start/./}))
    done | sort -n | awk '{ at[NR] = $1 / 1000 } END {
        printf "min %.2f ms, median %.2f ms, max %.2f ms\n", at[1], at[int((NR + 1) / 2)], at[NR] }'
}

case $what in
make) make "${3:-}" ;;
time)
    runs=${3:-51}
    len=$(stat -c %s sealed)
    middle=$((len / 16400 / 2 * 16384))
    open "$middle" | cmp - part
    if open $((middle / 2)) > /dev/null 2>&1; then
        echo "evidence/bench/range.sh: what was left out opens" >&2
        exit 1
    fi
    echo "storage: $(stat -f -c %T .); sealed file of $len bytes, of which $(($(stat -c %b sealed) * 512)) are there; 1 MiB from $middle on; $runs runs"
    echo "in memory already:  $(timed "$runs" true)"
    echo "dropped before:     $(timed "$runs" drop)"
    ;;
esac
