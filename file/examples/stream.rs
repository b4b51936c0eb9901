//! Seals or opens one file with a key file, and says how long it took.
//!
//! ```text
//! cargo run --release -p sivka-file --example stream -- keygen KEY
//! cargo run --release -p sivka-file --example stream -- seal KEY FROM TO
//! cargo run --release -p sivka-file --example stream -- open KEY FROM TO
//! ```
//!
//! `TO` is overwritten. This shows the library; the `sivka` command does the job with
//! the care that people's files need.

use sivka_file::{KeyFile, Lock, OpenOptions, Reader, SealOptions, Unlock, Writer};
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

/// Bytes that are read or written at a time.
const BUFFER_LEN: usize = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (verb, key, from, to) = match arguments[..] {
        ["keygen", key] => {
            return Ok(fs::write(key, &*KeyFile::generate("example")?.to_text())?);
        }
        [verb @ ("seal" | "open"), key, from, to] => (verb, key, from, to),
        _ => return Err("usage: keygen KEY | seal KEY FROM TO | open KEY FROM TO".into()),
    };
    let key = KeyFile::load(Path::new(key))?;
    let (input, output) = (File::open(from)?, File::create(to)?);
    let start = Instant::now();
    let len = if verb == "seal" {
        let locks = [Lock::KeyFile(&key)];
        let mut writer = Writer::new(output, &locks, &SealOptions::default())?;
        let mut input = BufReader::with_capacity(BUFFER_LEN, input);
        let len = io::copy(&mut input, &mut writer)?;
        writer.finish()?;
        len
    } else {
        let mut reader = Reader::new(input, &[Unlock::KeyFile(&key)], &OpenOptions::default())?;
        let mut output = BufWriter::with_capacity(BUFFER_LEN, output);
        let len = io::copy(&mut reader, &mut output)?;
        output.flush()?;
        len
    };
    println!("{len} bytes in {:.3} s", start.elapsed().as_secs_f64());
    Ok(())
}
