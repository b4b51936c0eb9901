//! Compressed contents that the reference in Python made from `docs/spec/compression-v1.md`.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::{Cursor, Read, Seek};

use super::{Malformed, Reader};

/// The bytes of a content's pieces: digits, or one byte and how many of it.
fn content(pieces: &Value) -> Vec<u8> {
    let mut content = Vec::new();
    for piece in pieces.as_array().unwrap() {
        let (digits, count) = match piece.as_str().unwrap().split_once(" * ") {
            Some((digits, count)) => (digits, count.parse().unwrap()),
            None => (piece.as_str().unwrap(), 1),
        };
        let bytes = base16ct::lower::decode_vec(digits).unwrap();
        content.extend(bytes.repeat(count));
    }
    content
}

#[test]
fn contents_are_read_or_refused_as_the_reference_says() {
    let text = include_str!("../../../vectors/compression-v1/contents.json");
    let vectors: Value = serde_json::from_str(text).unwrap();
    let (mut read, mut refused) = (0, 0);
    for case in vectors["cases"].as_array().unwrap() {
        let (name, content) = (&case["name"], content(&case["content"]));
        let mut out = Vec::new();
        let mut reading = Reader::new(&content[..]).unwrap();
        let result = reading.read_to_end(&mut out);
        let mut seeking = Reader::new(Cursor::new(&content)).unwrap();
        let mut again = Vec::new();
        let sought = seeking.rewind().and_then(|()| seeking.read_to_end(&mut again));
        if case["plain"].is_null() {
            for result in [&result, &sought] {
                let Err(error) = result else {
                    panic!("{name} is read");
                };
                assert!(error.get_ref().is_some_and(|it| it.is::<Malformed>()), "{name}: {error}");
            }
            let again = [reading.read(&mut [0]), seeking.read(&mut [0])];
            assert!(again.iter().all(Result::is_err), "{name} is read on");
            refused += 1;
        } else {
            assert!(result.is_ok() && sought.is_ok(), "{name}: {result:?}, {sought:?}");
            assert!(out == again, "{name}");
            assert_eq!(out.len() as u64, case["plain"]["length"], "{name}");
            let hash = base16ct::lower::encode_string(&Sha256::digest(&out));
            assert_eq!(case["plain"]["sha256"], hash, "{name}");
            read += 1;
        }
    }
    assert_eq!((read, refused), (29, 73));
}
