#!/usr/bin/env bash
# Seals and opens one file with `sivka` and with `age`, alternating, and writes
# the times as a record beside the other benchmarks' records.
#
#   evidence/bench/files.sh [MEBIBYTES [ROUNDS]]        by default 1024 and 9
#
# The files are in memory (/dev/shm), so that no disk is measured. Every
# round runs each program once, in the same order, so that a busy neighbour
# disturbs all of them alike; both encrypt to a key file made for this run. The
# first round only warms up. Each result is compared with the original.
set -euo pipefail

mebibytes=${1:-1024}
rounds=${2:-9}
project=$(cd "$(dirname "$0")/../.." && pwd)
cd "$project"

for program in age age-keygen cmp; do
    command -v "$program" >/dev/null || {
        echo "evidence/bench/files.sh: $program is needed and is not installed" >&2
        exit 1
    }
done
target=${CARGO_TARGET_DIR:-$project/target}
cargo build --quiet --release --package sivka-cli
sivka=$target/release/sivka

folder=$(mktemp -d -p /dev/shm sivka-bench.XXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
head -c "${mebibytes}M" /dev/urandom >plain
"$sivka" keygen -o sivka.key
age-keygen -o age.key 2>/dev/null
recipient=$(age-keygen -y age.key)

# timed NAME OUTPUT COMMAND…: removes OUTPUT, runs the command, notes the time.
timed() {
    local name=$1 output=$2 start end
    shift 2
    rm -f "$output"
    start=$EPOCHREALTIME
    "$@"
    end=$EPOCHREALTIME
    echo $((${end/./} - ${start/./})) >>"$name.us"
}

for ((round = 0; round <= rounds; round++)); do
    timed sivka-seal plain.sivka "$sivka" seal -q --key sivka.key plain
    timed age-encrypt plain.age age -r "$recipient" -o plain.age plain
    timed sivka-open opened "$sivka" open -q --key sivka.key plain.sivka -o opened
    cmp plain opened
    timed age-decrypt opened age -d -i age.key -o opened plain.age
    cmp plain opened
    timed cp opened cp plain opened
    if ((round == 0)); then rm -f ./*.us; fi
done

minimum() { sort -n "$1.us" | head -n 1; }
median() { sort -n "$1.us" | sed -n "$(((rounds + 1) / 2))p"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
line() {
    awk -v name="$1" -v min="$(minimum "$1")" -v med="$(median "$1")" -v mib="$mebibytes" 'BEGIN {
        printf "%-12s  min %.3f s  median %.3f s  %5.2f GB/s\n", name, min / 1e6, med / 1e6, mib * 1.048576 / (min / 1e3)
    }'
}

# The folder of a record is named as the other benchmarks name it.
field() { sed -n "s/^$1[[:space:]]*: *//p" /proc/cpuinfo | head -n 1; }
model="$(field 'model name'), family $(field 'cpu family'), model $(field model), stepping $(field stepping)"
slug=$(sed 's/(R)//g; s/(TM)//g' <<<"$model" | tr '[:upper:]' '[:lower:]' | tr -cs 'a-z0-9\n' -)
slug=${slug%-}
record=$project/evidence/record/$slug/$(date -u +%F)-files.txt
commit=$(git -C "$project" rev-parse --short HEAD)
# Records and prose do not change what was measured.
changed=$(git -C "$project" status --porcelain -- '*.rs' '*.toml' Cargo.lock evidence/bench/files.sh)
mkdir -p "$(dirname "$record")"
{
    echo "command  evidence/bench/files.sh $mebibytes $rounds"
    echo "date     $(date -u +'%F %R') UTC"
    echo "cpu      $model, $(nproc) threads"
    echo "system   $(uname -s) $(uname -r | cut -d - -f 1)"
    echo "rustc    $(cd "$project" && rustc --version)"
    echo "commit   $commit${changed:+ with changes that are not committed}"
    echo "age      $(age --version)"
    echo "load     $(cut -d ' ' -f 1-3 /proc/loadavg) at the end"
    echo "file     $mebibytes MiB of random bytes in memory-backed storage, $rounds rounds"
    echo
    for name in sivka-seal age-encrypt sivka-open age-decrypt cp; do line "$name"; done
    echo
    echo "sivka seal / age encrypt  min $(ratio "$(minimum sivka-seal)" "$(minimum age-encrypt)")  median $(ratio "$(median sivka-seal)" "$(median age-encrypt)")"
    echo "sivka open / age decrypt  min $(ratio "$(minimum sivka-open)" "$(minimum age-decrypt)")  median $(ratio "$(median sivka-open)" "$(median age-decrypt)")"
} | tee "$record"
