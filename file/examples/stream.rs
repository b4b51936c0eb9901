//! Seals or opens one file with a key file, and says how long it took.
//!
//! ```text
//! cargo run --release -p sivka-file --example stream -- keygen KEY
//! cargo run --release -p sivka-file --example stream -- seal KEY FROM TO [THREADS]
//! cargo run --release -p sivka-file --example stream -- open KEY FROM TO [THREADS]
//! ```
//!
//! `TO` is overwritten. This shows the library; the `sivka` command does the job with
//! the care that people's files need.

use sivka_file::{KeyFile, Lock, OpenOptions, SealOptions, Unlock, open, seal};
use std::error::Error;
use std::fs::{self, File};
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["keygen", key] => fs::write(key, &*KeyFile::generate("example")?.to_text())?,
        [verb @ ("seal" | "open"), key, from, to, ref threads @ ..] => {
            let key = KeyFile::parse(&fs::read_to_string(key)?)?;
            let threads = threads.first().map(|threads| threads.parse()).transpose()?;
            let (input, output) = (File::open(from)?, File::create(to)?);
            let start = Instant::now();
            let summary = if verb == "seal" {
                let options = SealOptions {
                    threads,
                    ..SealOptions::default()
                };
                seal(input, output, &[Lock::KeyFile(&key)], &options, |_| {})?
            } else {
                let options = OpenOptions {
                    threads,
                    ..OpenOptions::default()
                };
                open(input, output, &[Unlock::KeyFile(&key)], &options, |_| {})?
            };
            let seconds = start.elapsed().as_secs_f64();
            println!("{} bytes in {seconds:.3} s", summary.plaintext_len);
        }
        _ => {
            return Err(
                "usage: keygen KEY | seal KEY FROM TO [THREADS] | open KEY FROM TO [THREADS]"
                    .into(),
            );
        }
    }
    Ok(())
}
