//! Any text as a key file: no panic, and what parses is what would be written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sivka_file::KeyFile;
use std::sync::OnceLock;

/// A good text, to be changed.
fn template() -> &'static str {
    static TEMPLATE: OnceLock<String> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let key = KeyFile::from_bytes(&[7; 32], "fuzz").expect("a good name");
        key.to_text().to_string()
    })
}

fn check(text: &str) -> bool {
    let Ok(key) = KeyFile::parse(text) else {
        return false;
    };
    let written = key.to_text();
    let plain_line_ends = text.replace("\r\n", "\n");
    assert_eq!(
        plain_line_ends.trim_end_matches('\n'),
        written.trim_end_matches('\n')
    );
    let again = KeyFile::parse(&written).expect("what is written parses");
    assert_eq!((again.id(), again.name()), (key.id(), key.name()));
    true
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        check(text);
    }
    let mut changed = template().as_bytes().to_vec();
    for change in bytes.chunks_exact(2) {
        let at = usize::from(change[0]) % changed.len();
        changed[at] = change[1];
    }
    if let Ok(text) = std::str::from_utf8(&changed) {
        assert!(!check(text) || text == template(), "a forged checksum");
    }
});
