//! A stream through `sivka seal - | sivka open -` comes back unchanged, and
//! neither process ever holds more than 64 MiB of memory.
//!
//! Where there is less than it needs, it says so.
//!
//! The stream is 512 MiB long, or as many MiB as `SIVKA_MEMORY_MIB` says; the
//! promise was made for 4096 and does not depend on the length.

#![cfg(target_os = "linux")]

#[path = "within/waiting.rs"]
mod within;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use within::{RunInTime, WaitInTime};

/// The most resident memory of either process.
const LIMIT_KIB: u64 = 64 << 10;

const BLOCK: usize = 1 << 20;

/// Fills `block` with bytes that differ from block to block: a stream that was
/// reordered, or cut and repeated, is not mistaken for the right one.
fn fill(block: &mut [u8], number: u64) {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for word in block.chunks_exact_mut(8) {
        // xorshift64, Marsaglia 2003.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        word.copy_from_slice(&state.to_le_bytes());
    }
}

/// The most memory that `process` has had resident so far.
fn peak_kib(process: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("it still runs");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number")
}

#[test]
fn a_long_stream_needs_little_memory() {
    let blocks: u64 = match std::env::var("SIVKA_MEMORY_MIB") {
        Ok(mib) => mib.parse().expect("SIVKA_MEMORY_MIB is a number of MiB"),
        Err(_) => 512,
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let key = folder.path().join("key");
    let sivka = env!("CARGO_BIN_EXE_sivka");
    let made =
        Command::new(sivka).arg("keygen").arg("-o").arg(&key).status_in_time().expect("sivka runs");
    assert!(made.success());

    let run = |verb: &str, input: Stdio| {
        Command::new(sivka)
            .args([verb, "-", "--key"])
            .arg(&key)
            .stdin(input)
            .stdout(Stdio::piped())
            .spawn()
            .expect("sivka runs")
    };
    let mut sealing = run("seal", Stdio::piped());
    let sealed = sealing.stdout.take().expect("a pipe");
    let mut opening = run("open", Stdio::from(sealed));
    let mut plain = sealing.stdin.take().expect("a pipe");
    let mut opened = opening.stdout.take().expect("a pipe");

    let comparing = std::thread::spawn(move || {
        let mut expected = vec![0; BLOCK];
        let mut found = vec![0; BLOCK];
        for number in 0..blocks {
            fill(&mut expected, number);
            opened.read_exact(&mut found).expect("as many bytes as were sealed");
            assert!(found == expected, "block {number} differs");
        }
        assert_eq!(opened.read(&mut found).expect("the end"), 0, "bytes that were not sealed");
    });
    let mut block = vec![0; BLOCK];
    for number in 0..blocks - 1 {
        fill(&mut block, number);
        plain.write_all(&block).expect("sivka seal reads everything");
    }
    // The last block is kept back, so that both processes are still there, with
    // all but the end after them, when their memory is looked at.
    std::thread::sleep(Duration::from_millis(200));
    let peaks = [("seal", peak_kib(&sealing)), ("open", peak_kib(&opening))];
    fill(&mut block, blocks - 1);
    plain.write_all(&block).expect("sivka seal reads the last block");
    drop(plain);

    comparing.join().expect("the same bytes come back");
    assert!(sealing.wait_in_time().expect("it ends").success());
    assert!(opening.wait_in_time().expect("it ends").success());
    for (verb, kib) in peaks {
        println!("{blocks} MiB through sivka {verb} -: {} MiB resident at most", kib >> 10);
        assert!(kib < LIMIT_KIB, "sivka {verb} - held {kib} KiB; the limit is {LIMIT_KIB}");
    }
}

/// Runs a command with so much memory.
fn limited(folder: &Path, limit_kib: u64, command: &str) -> Output {
    let script = format!("ulimit -v {limit_kib}; rm -rf out; exec $SIVKA {command}");
    Command::new("sh")
        .args(["-c", &script])
        .env("SIVKA", env!("CARGO_BIN_EXE_sivka"))
        // A panic would look for memory for it, and wait for ever.
        .env("RUST_BACKTRACE", "1")
        .current_dir(folder)
        .output_in_time()
        .expect("sh runs")
}

/// Under limits of memory from too little to enough, nothing is called malformed, no thread's
/// absence is a panic, and no cause is named that was none. At some of them the process is
/// killed before it can say anything.
#[test]
fn a_want_of_memory_is_said_to_be_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |limit_kib: u64, command: &str| limited(folder.path(), limit_kib, command);
    let no_limit = 1 << 32;
    fs::create_dir(folder.path().join("d")).expect("made");
    fs::write(folder.path().join("d/note"), vec![b'x'; 300_000]).expect("written");
    for command in [
        "keygen -o key",
        "seal -k key d -o plain",
        "seal -k key --zstd d -o small",
        "seal -k key --zstd d/note -o note",
    ] {
        assert!(at(no_limit, command).status.success(), "{command}");
    }
    let mut told = 0;
    for command in [
        "open -k key note -o out",
        "open -k key small -o out",
        "open -k key plain -o out",
        "open -k key small --list",
        "seal -k key --zstd d/note -o out",
        "seal -k key --zstd d -o out",
        "seal -k key d -o out",
    ] {
        // Enough for the program itself, and more until it succeeds.
        let mut succeeded = 0;
        for limit in (8_000..200_000).step_by(500) {
            let ended = at(limit, command);
            match ended.status.code() {
                Some(0) => succeeded += 1,
                Some(10) => told += 1,
                // Killed, or not even started, by the linker's word.
                None | Some(127) => (),
                Some(code) => panic!("{command} at {limit}: {code}, {ended:?}"),
            }
            if succeeded == 3 {
                break;
            }
        }
        assert_eq!(succeeded, 3, "{command}");
    }
    assert!(told > 0, "no limit was met");
}
