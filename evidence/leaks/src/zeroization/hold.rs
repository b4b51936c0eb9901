//! The process that is looked at: makes the calls that it is asked for, and waits to be searched.

use super::WORDS_LEN;
use crate::calls::Call;
use crate::secret::{Seed, WHEN_USED, take_sealed};
use std::io::{Read, Write, stdin, stdout};
use std::process::ExitCode;

/// Answers requests until there are none. A request has the number of a call, which is that of its
/// seed; or a key is to be kept.
pub(crate) fn hold(calls: &[Call]) -> ExitCode {
    let used = |place, len, overwrites| {
        pause(if overwrites { "used" } else { "short" }, place, len);
    };
    let _ = WHEN_USED.set(used);
    let mut request = [0; WORDS_LEN];
    while stdin().read_exact(&mut request).is_ok() {
        match String::from_utf8_lossy(&request).trim().parse::<usize>() {
            Ok(number) => (calls[number].prepare)(Seed::of(number as u64))()(),
            Err(_) => keep(Seed::of(u64::MAX / 2)),
        }
        pause("freed", 0, 0);
    }
    ExitCode::SUCCESS
}

/// A control: this key must be found.
#[inline(never)]
fn keep(seed: Seed) {
    let algorithm = sivka::Algorithm::find("XChaCha20-BLAKE2b").expect("an algorithm's name");
    let key = algorithm.new_key(&seed.unmarked().bytes(32));
    std::mem::forget(key.expect("a key of that length"));
}

/// Reports its state, the key's address if it still exists, and the sealed output; goes on when
/// told to.
fn pause(stage: &str, place: usize, len: usize) {
    let sealed = take_sealed();
    println!("{stage} {place} {len} {}", sealed.len());
    let _ = stdout().write_all(&sealed);
    let _ = stdout().flush();
    let _ = stdin().read_exact(&mut [0]);
}
