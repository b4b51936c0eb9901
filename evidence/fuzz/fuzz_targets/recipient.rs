//! Any text as the recipients or the identities of a list: no panic, and a list that parses is
//! written the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sivka_file::{Identity, Recipient};
use sivka_fuzz::changed;
use std::sync::LazyLock;

/// A good identity and its recipient, of each kind, to be changed.
static TEMPLATES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let made = [Identity::generate_x25519(), Identity::generate()];
    let identities = made.map(|identity| identity.expect("random bytes"));
    let texts = identities.map(|one| [one.to_text().to_string(), one.recipient().to_string()]);
    texts.concat()
});

fn check(text: &str) {
    for recipient in Recipient::parse_list(text).unwrap_or_default() {
        let written = recipient.to_string();
        assert!(text.to_ascii_lowercase().contains(&written));
        assert_eq!(written.parse().as_ref(), Ok(&recipient));
    }
    for identity in Identity::parse_list(text).unwrap_or_default() {
        assert!(text.to_ascii_uppercase().contains(identity.to_text().as_str()));
    }
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        check(text);
    }
    for template in &*TEMPLATES {
        let mut changed = changed(template.as_bytes(), bytes);
        changed.iter_mut().for_each(|byte| *byte &= 0x7f);
        check(std::str::from_utf8(&changed).expect("ASCII"));
    }
});
