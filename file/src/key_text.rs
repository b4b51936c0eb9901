//! Texts of keys where a path was expected.

const KEY_DIGITS: usize = 64;
/// Identities of age have at least so many letters and digits after their prefix.
const IDENTITY_LEN: usize = 40;

/// Whether the path of a file is the text of a key instead, as in `--key "$(cat my.key)"`: of a key
/// file, or its line with the key; of an identity of age; of a Tink keyset in the clear, in JSON.
///
/// No message may quote such a path. Nobody names a file like this.
#[must_use]
pub fn is_key_text(given: &[u8]) -> bool {
    after(given, b"sivka key file, version ").next().is_some()
        || after(given, b"\"keyData\"").next().is_some()
        || after(given, b"key:").any(|rest| {
            let rest = rest.trim_ascii_start();
            rest.len() >= KEY_DIGITS && is_hex(&rest[..KEY_DIGITS])
        })
        || after(given, b"age-secret-key-").any(|rest| {
            let bech32 = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
            rest.iter().take_while(|byte| bech32(byte)).count() >= IDENTITY_LEN
        })
}

/// Whether the path of a key file is the text of one, or the digits of a key. A file of content may
/// have a hash for its name; a key file of such a name is `./` and its name.
#[must_use]
pub fn is_key(given: &[u8]) -> bool {
    let digits = given.trim_ascii();
    is_key_text(given) || digits.len() == KEY_DIGITS && is_hex(digits)
}

fn is_hex(digits: &[u8]) -> bool {
    digits.iter().all(u8::is_ascii_hexdigit)
}

/// What comes after each place of a text in another one, in letters of either case.
fn after<'a>(text: &'a [u8], sought: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let found = |window: &[u8]| window.eq_ignore_ascii_case(sought);
    let places = text.windows(sought.len()).enumerate();
    places
        .filter(move |(_, window)| found(window))
        .map(move |(at, _)| &text[at + sought.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Identity, KeyFile};

    #[test]
    fn the_text_of_a_key_is_no_path() {
        let file = KeyFile::generate("mine").expect("random bytes").to_text();
        let identity = Identity::generate().expect("random bytes").to_text();
        let digits = "0123456789abcdef".repeat(4);
        for text in [
            &file.replace('\n', " "),
            &format!("-k{}", &file[file.find("key: ").expect("a key")..]),
            &format!("# public key: age1\n{}\n", identity.to_lowercase()),
            r#"{"primaryKeyId":1,"key":[{"keyData":{"value":"GiAB"}}]}"#,
        ] {
            assert!(
                is_key_text(text.as_bytes()) && is_key(text.as_bytes()),
                "{text}"
            );
        }
        let line = format!("{}\n", digits.to_uppercase());
        assert!(is_key(line.as_bytes()) && !is_key_text(line.as_bytes()));
        let hash = format!("objects/{digits}");
        for path in [
            "my.key",
            "key: mine",
            "age-secret-key-1.txt",
            &digits[1..],
            &hash,
        ] {
            assert!(!is_key(path.as_bytes()), "{path}");
        }
    }
}
