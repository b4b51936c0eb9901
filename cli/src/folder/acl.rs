//! Access control lists: as Linux has them in an attribute, and as text in an archive.
//!
//! The text is what acl(5) calls the short form, with numbers for users and groups:
//! `user::rw-,user:1000:r--,group::r--,mask::r--,other::r--`.

/// The version of the binary form.
const VERSION: u32 = 2;
/// Who has no number.
const NOBODY: u32 = u32::MAX;
const ENTRY_LEN: usize = 8;

/// What an entry is about, in the binary form and in the text.
const TAGS: [(u16, &str, bool); 6] = [
    (0x01, "user", false),
    (0x02, "user", true),
    (0x04, "group", false),
    (0x08, "group", true),
    (0x10, "mask", false),
    (0x20, "other", false),
];

/// The text of a list; `None` if it is of another version.
pub(super) fn to_text(list: &[u8]) -> Option<String> {
    let (version, entries) = list.split_first_chunk()?;
    if u32::from_le_bytes(*version) != VERSION || !entries.len().is_multiple_of(ENTRY_LEN) {
        return None;
    }
    let entries = entries.chunks_exact(ENTRY_LEN).map(|entry| {
        let tag = u16::from_le_bytes([entry[0], entry[1]]);
        let bits = u16::from_le_bytes([entry[2], entry[3]]);
        let id = u32::from_le_bytes([entry[4], entry[5], entry[6], entry[7]]);
        let (_, name, is_numbered) = TAGS.iter().find(|(known, ..)| *known == tag)?;
        let id = match is_numbered {
            true => id.to_string(),
            false => String::new(),
        };
        let letters = [(4, 'r'), (2, 'w'), (1, 'x')];
        let bits = letters.map(|(bit, letter)| if bits & bit != 0 { letter } else { '-' });
        Some(format!("{name}:{id}:{}", String::from_iter(bits)))
    });
    Some(entries.collect::<Option<Vec<_>>>()?.join(","))
}

/// The list that a text says; `None` if it says none.
pub(super) fn from_text(text: &str) -> Option<Vec<u8>> {
    let mut list = VERSION.to_le_bytes().to_vec();
    for entry in text.split(',') {
        let mut parts = entry.split(':');
        let (name, id, letters) = (parts.next()?, parts.next()?, parts.next()?);
        let is_numbered = !id.is_empty();
        let found = TAGS
            .iter()
            .find(|tag| (tag.1, tag.2) == (name, is_numbered));
        let id = match is_numbered {
            // Rust takes a sign as well.
            true if id.starts_with('+') => return None,
            true => id.parse().ok()?,
            false => NOBODY,
        };
        let mut bits = 0_u16;
        for (place, (letter, expected)) in letters.bytes().zip(*b"rwx").enumerate() {
            match letter {
                b'-' => {}
                _ if letter == expected => bits |= 4 >> place,
                _ => return None,
            }
        }
        if letters.len() != 3 || parts.next().is_some() {
            return None;
        }
        list.extend_from_slice(&found?.0.to_le_bytes());
        list.extend_from_slice(&bits.to_le_bytes());
        list.extend_from_slice(&id.to_le_bytes());
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back() {
        let text = "user::rw-,user:1000:r--,group::r-x,group:4294967294:-w-,mask::rwx,other::---";
        let list = from_text(text).expect("a list");
        assert_eq!(list.len(), 4 + 6 * ENTRY_LEN);
        assert_eq!(&list[..12], b"\x02\0\0\0\x01\0\x06\0\xff\xff\xff\xff");
        assert_eq!(&list[12..20], b"\x02\0\x04\0\xe8\x03\0\0");
        assert_eq!(to_text(&list).as_deref(), Some(text));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in [
            "",
            "user",
            "user::",
            "user::rw",
            "user::rwxr",
            "user::wr-",
            "owner::rwx",
            "user:-1:rwx",
            "user:+1:rwx",
            "user:lisa:rwx",
            "mask:1:rwx",
            "user::rwx,",
            "user::rwx:1",
            "user:4294967296:rwx",
        ] {
            assert_eq!(from_text(text), None, "{text}");
        }
        for list in [
            &b""[..],
            b"\x01\0\0\0",
            b"\x02\0\0\0\x01",
            b"\x02\0\0\0\x03\0\0\0\0\0\0\0",
        ] {
            assert_eq!(to_text(list), None);
        }
    }
}
