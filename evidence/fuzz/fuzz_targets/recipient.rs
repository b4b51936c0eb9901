//! Any text as the recipients or the identities of a list: no panic, and what parses is what would be
//! written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sivka_file::{Identity, Recipient};
use std::sync::OnceLock;

/// A good identity and its recipient, of each kind, to be changed.
fn templates() -> &'static [String] {
    static TEMPLATES: OnceLock<Vec<String>> = OnceLock::new();
    TEMPLATES.get_or_init(|| {
        let made = [Identity::generate_x25519(), Identity::generate()];
        let identities = made.map(|identity| identity.expect("random bytes"));
        let texts = identities.iter().flat_map(|identity| {
            [
                identity.to_text().to_string(),
                identity.recipient().to_string(),
            ]
        });
        texts.collect()
    })
}

fn check(text: &str) {
    for recipient in Recipient::parse_list(text).unwrap_or_default() {
        let written = recipient.to_string();
        assert!(text.to_ascii_lowercase().contains(&written));
        assert_eq!(written.parse().as_ref(), Ok(&recipient));
    }
    for identity in Identity::parse_list(text).unwrap_or_default() {
        assert!(
            text.to_ascii_uppercase()
                .contains(identity.to_text().as_str())
        );
    }
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        check(text);
    }
    for template in templates() {
        let mut changed = template.as_bytes().to_vec();
        for change in bytes.chunks_exact(3) {
            let at = usize::from(u16::from_be_bytes([change[0], change[1]])) % changed.len();
            changed[at] = change[2] & 0x7f;
        }
        check(std::str::from_utf8(&changed).expect("ASCII"));
    }
});
