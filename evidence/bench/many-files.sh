#!/usr/bin/env bash
# Seals and opens many small files with one run of `sivka`, and with a run of `age` for
# each file, as its command takes one file; writes what it measured to standard output.
#
#   evidence/bench/many-files.sh FOLDER [FILES [AGE_RUNS]]      by default 10000 files and as many runs
#
# FOLDER says which storage is measured: /dev/shm is memory. `sivka` syncs what it writes,
# `age` does not. With fewer runs of `age` than files, its time is multiplied; the record
# says so. What comes back is compared with the original, of both. Build the command first:
# cargo build --release --package sivka-cli
set -euo pipefail

place=$1
files=${2:-10000}
age_runs=${3:-$files}
project=$(cd "$(dirname "$0")/../.." && pwd)
sivka=${CARGO_TARGET_DIR:-$project/target}/release/sivka
for program in age age-keygen "$sivka"; do
    command -v "$program" >/dev/null || {
        echo "evidence/bench/many-files.sh: $program is needed and is not there" >&2
        exit 1
    }
done

folder=$(mktemp -d -p "$place" sivka-bench.XXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir plain sealed opened age age-opened
head -c "$((files * 4096))" /dev/urandom | split -a 6 -d -b 4096 - plain/
"$sivka" keygen -o sivka.key
age-keygen -o age.key 2>/dev/null
recipient=$(age-keygen -y age.key)
sync -f .

# timed NAME COMMAND...: runs the command, and keeps its time in microseconds.
timed() {
    local name=$1 start end
    shift
    start=$EPOCHREALTIME
    "$@"
    end=$EPOCHREALTIME
    printf -v "$name" %s $((${end/./} - ${start/./}))
}
age_seal() {
    local name
    for name in "${some[@]}"; do age -r "$recipient" -o "age/$name" "plain/$name"; done
}
age_open() {
    local name
    for name in "${some[@]}"; do age -d -i age.key -o "age-opened/$name" "age/$name"; done
}

mapfile -t some < <(cd plain && printf '%s\n' * | head -n "$age_runs")
timed sivka_seal "$sivka" seal -q --key sivka.key -o sealed plain/*
timed sivka_open "$sivka" open -q --key sivka.key -o opened sealed/*
timed age_seal age_seal
timed age_open age_open
diff -r plain opened
for name in "${some[@]}"; do cmp "plain/$name" "age-opened/$name"; done

line() {
    awk -v what="$1" -v ours="$2" -v theirs="$3" -v files="$files" -v runs="$age_runs" 'BEGIN {
        all = theirs * files / runs
        printf "%-5s sivka %8.3f s   age %8.3f s for %d runs, %8.3f s for all   ratio %.1f\n",
            what, ours / 1e6, theirs / 1e6, runs, all / 1e6, all / ours }'
}
echo "storage: $(stat -f -c %T .); $files files of 4096 bytes; $(age --version | head -n 1)"
line seal "$sivka_seal" "$age_seal"
line open "$sivka_open" "$age_open"
