//! A keyset in binary: no panic, and what is read is written and read to the same.
#![no_main]

mod keysets;

use libfuzzer_sys::fuzz_target;
use sivka_keyset::Keyset;
use std::sync::OnceLock;

/// Good keysets as they are written, to be changed.
fn templates() -> &'static [Vec<u8>; 2] {
    static TEMPLATES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    let written = |keyset: Keyset| keyset.to_insecure_binary().expect("it is written").to_vec();
    TEMPLATES.get_or_init(|| [keysets::template(), keysets::streams()].map(written))
}

fn check(bytes: &[u8]) {
    if let Ok(keyset) = Keyset::from_insecure_binary(bytes, keysets::options()) {
        keysets::check(&keyset);
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    for template in templates() {
        check(&keysets::changed(template, bytes));
    }
});
