//! What recipients cost: the time to seal a short file for one key file, and for three
//! recipients of each kind; and to open it.
//!
//! ```text
//! cargo run --release -p sivka-file --example recipients
//! ```

use sivka_file::{Identity, KeyFile, Lock, OpenOptions, SealOptions, Unlock, open, seal};
use std::error::Error;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

const ROUNDS: usize = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let key = KeyFile::generate("bench")?;
    let mut people = Vec::new();
    for _ in 0..3 {
        people.push((Identity::generate()?, Identity::generate_x25519()?));
    }
    let post_quantum: Vec<_> = people
        .iter()
        .map(|(person, _)| Lock::Recipient(person.recipient()))
        .collect();
    let classical: Vec<_> = people
        .iter()
        .map(|(_, person)| Lock::Recipient(person.recipient()))
        .collect();
    let last = &people[2];
    for (name, locks, unlock) in [
        (
            "one key file",
            &[Lock::KeyFile(&key)][..],
            Unlock::KeyFile(&key),
        ),
        ("three of X25519", &classical, Unlock::Identity(&last.1)),
        (
            "three of ML-KEM-768 with X25519",
            &post_quantum,
            Unlock::Identity(&last.0),
        ),
    ] {
        let (mut sealing, mut opening) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (sealed, time) = timed(|| sealed(locks))?;
            sealing.push(time);
            opening.push(timed(|| opened(&sealed, unlock))?.1);
        }
        println!(
            "{name:32} seals in {:4} µs (least {:4}), opens in {:4} µs (least {:4})",
            median(&mut sealing),
            sealing[0].as_micros(),
            median(&mut opening),
            opening[0].as_micros(),
        );
    }
    Ok(())
}

fn sealed(locks: &[Lock<'_>]) -> Result<Vec<u8>, sivka_file::Error> {
    let options = SealOptions {
        threads: NonZeroUsize::new(1),
        ..SealOptions::default()
    };
    let mut file = Vec::new();
    seal(&[7; 1000][..], &mut file, locks, &options, |_| {})?;
    Ok(file)
}

fn opened(file: &[u8], unlock: Unlock<'_>) -> Result<(), sivka_file::Error> {
    let options = OpenOptions {
        threads: NonZeroUsize::new(1),
        ..OpenOptions::default()
    };
    open(file, Vec::new(), &[unlock], &options, |_| {}).map(drop)
}

fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(T, Duration), E> {
    let begin = Instant::now();
    let made = work()?;
    Ok((made, begin.elapsed()))
}

/// Sorts the times, and gives the one in the middle in microseconds.
fn median(times: &mut [Duration]) -> u128 {
    times.sort_unstable();
    times[times.len() / 2].as_micros()
}
