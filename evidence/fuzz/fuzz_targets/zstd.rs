//! Any bytes as compressed content, and a good one with any changes: no panic, what is refused is
//! malformed, and content that is read from the beginning is also read in parts and salvaged.
#![no_main]

/// A part of the command, which is no library.
#[path = "../../../cli/src"]
mod command {
    pub(crate) mod zstd;
}

use command::zstd::{Malformed, Reader, Writer, salvage};
use libfuzzer_sys::fuzz_target;
use sivka_fuzz::changed;
use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use std::slice::from_ref;
use std::sync::LazyLock;

/// Two frames and their seek table.
static TEMPLATE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut writer = Writer::new(Vec::new(), [7; 8]).expect("memory");
    writer.write_all(&[7; 1_100_000]).expect("memory");
    writer.finish().expect("memory")
});

fn check(bytes: &[u8]) {
    let (mut text, mut part) = (Vec::new(), Vec::new());
    let read = Reader::new(bytes).expect("memory").read_to_end(&mut text);
    let is_whole = read.is_ok();
    if let Err(error) = read {
        assert!(error.get_ref().is_some_and(|it| it.is::<Malformed>()));
    }
    let mut reader = Reader::new(Cursor::new(bytes)).expect("memory");
    let len = reader.seek(SeekFrom::End(0));
    if len.is_ok() && reader.seek(SeekFrom::Start(text.len() as u64 / 2)).is_ok() {
        let read = reader.read_to_end(&mut part);
        assert!(!is_whole || read.is_ok() && part == text[text.len() / 2..]);
    }
    let (mut salvaged, at) = (Vec::new(), bytes.len() as u64 / 2);
    let lost = at..at + u64::from(!is_whole);
    let lost = salvage(Cursor::new(bytes), from_ref(&lost), [7; 8], &mut salvaged).expect("memory");
    if is_whole {
        assert_eq!(lost, (vec![], text.len() as u64, true));
        assert!(len.ok() == Some(lost.1) && salvaged == text);
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&changed(&TEMPLATE, bytes));
});
