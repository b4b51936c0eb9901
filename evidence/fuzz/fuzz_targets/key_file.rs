//! Any text as a key file: no panic, and a key file that parses is written the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sivka_file::KeyFile;
use sivka_fuzz::changed;
use std::sync::LazyLock;

/// A good text, to be changed.
static TEMPLATE: LazyLock<String> = LazyLock::new(|| {
    let key = KeyFile::from_bytes(&[7; 32], "fuzz").expect("a good name");
    key.to_text().to_string()
});

fn check(text: &str) -> bool {
    let Ok(key) = KeyFile::parse(text) else {
        return false;
    };
    let written = key.to_text();
    let plain_line_ends = text.replace("\r\n", "\n");
    assert_eq!(plain_line_ends.trim_end_matches('\n'), written.trim_end_matches('\n'));
    let again = KeyFile::parse(&written).expect("what is written parses");
    assert_eq!((again.id(), again.name()), (key.id(), key.name()));
    true
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        check(text);
    }
    if let Ok(text) = std::str::from_utf8(&changed(TEMPLATE.as_bytes(), bytes)) {
        assert!(!check(text) || text == *TEMPLATE, "a forged checksum");
    }
});
