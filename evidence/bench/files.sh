#!/usr/bin/env bash
# Seals and opens one file with `sivka` and with `age`, alternating, and prints the times as the
# other benchmarks print theirs.
#
#   evidence/bench/files.sh [MEBIBYTES [ROUNDS]]        by default 1024 and 9
#
# The files are in memory (/dev/shm), so that no disk is measured. Every round runs each program
# once, in the same order, so that a busy neighbour disturbs all of them alike; both encrypt to a
# key file made for this run. The first round only warms up. Each result is compared.
set -euo pipefail

mebibytes=${1:-1024}
rounds=${2:-9}
cd "$(dirname "$0")/../.."
cargo build --quiet --release --package sivka-cli
sivka=${CARGO_TARGET_DIR:-$PWD/target}/release/sivka

folder=$(mktemp -d -p /dev/shm sivka-bench.XXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
head -c "${mebibytes}M" /dev/urandom >plain
"$sivka" keygen -o sivka.key
age-keygen -o age.key 2>/dev/null
recipient=$(age-keygen -y age.key)

# timed OPERATION,CONTENDER OUTPUT COMMAND…: removes OUTPUT, runs the command, notes the time.
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
    timed seal,sivka plain.sivka "$sivka" seal -q --key sivka.key plain
    timed seal,age plain.age age -r "$recipient" -o plain.age plain
    timed open,sivka opened "$sivka" open -q --key sivka.key plain.sivka -o opened
    cmp plain opened
    timed open,age opened age -d -i age.key -o opened plain.age
    cmp plain opened
    timed open,cp opened cp plain opened
    if ((round == 0)); then rm -f ./*.us; fi
done

echo algorithm,operation,len,aad_len,batch,contender,kind,contender_algorithm,min_ns,median_ns
for name in seal,sivka seal,age open,sivka open,age open,cp; do
    min=$(sort -n "$name.us" | head -n 1)
    median=$(sort -n "$name.us" | sed -n "$(((rounds + 1) / 2))p")
    kind=yardstick
    if [[ $name == *sivka ]]; then kind=ours; fi
    echo "file,${name%,*},$((mebibytes << 20)),0,1,${name#*,},$kind,file,${min}000,${median}000"
done
