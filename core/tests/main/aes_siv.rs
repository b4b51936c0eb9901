//! What AES-SIV has beyond the calls of all keys: lists of associated data, and what follows
//! from a tag that is first.

use sivka::{AesSiv512, Algorithm, Error, Tag, Tier};
use sivka_oracle::aes_siv as oracle;
use sivka_oracle::lengths::painted;
use sivka_oracle::vectors::read_lists;

/// A key of these bytes, whose type goes by their length: each has calls with lists of its own.
macro_rules! with_key {
    ($bytes:expr, $tier:expr, |$key:ident| $body:expr) => {
        match $bytes.len() {
            32 => with_key!(@ AesSiv256, $bytes, $tier, |$key| $body),
            48 => with_key!(@ AesSiv384, $bytes, $tier, |$key| $body),
            _ => with_key!(@ AesSiv512, $bytes, $tier, |$key| $body),
        }
    };
    (@ $name:ident, $bytes:expr, $tier:expr, |$key:ident| $body:expr) => {{
        let $key = sivka::$name::with_tier($bytes[..].try_into().expect("a key"), $tier);
        $body
    }};
}
pub(crate) use with_key;

/// A key of each type on every tier, each of the bytes that `painted` gives.
macro_rules! each_key {
    (|$key:ident, $bytes:ident| $body:expr) => {
        for tier in Tier::available() {
            for len in [32, 48, 64] {
                let $bytes = painted(100, len);
                with_key!($bytes, tier, |$key| $body)
            }
        }
    };
}

#[test]
fn vectors_with_lists() {
    let cases = read_lists(include_str!("../../../vectors/aes-siv/lists.json"));
    let cases = cases.expect("a well-formed vector file");
    assert_eq!(cases.len(), 7);
    for (case, tier) in cases.iter().flat_map(|case| Tier::available().map(move |t| (case, t))) {
        let list: Vec<&[u8]> = case.associated_data.iter().map(|string| &string[..]).collect();
        let expected = [&case.tag[..], &case.ciphertext].concat();
        with_key!(case.key, tier, |key| {
            let sealed = key.seal_with_list(&case.plaintext, &list);
            assert_eq!(sealed.as_ref(), Ok(&expected), "{} on {tier}", case.name);
            let opened = key.open_with_list(&expected, &list);
            assert_eq!(opened.as_ref(), Ok(&case.plaintext), "{} on {tier}", case.name);
        });
    }
}

/// Every length of plaintext and of a string up to four blocks and one byte, as one string,
/// between others, and as none.
#[test]
fn lists_of_every_short_length() {
    each_key!(|key, bytes| {
        for (len, string_len) in (0..=65).flat_map(|len| (0..=65).map(move |other| (len, other))) {
            let (plaintext, string) = (painted(0, len), painted(31, string_len));
            let lists: [&[&[u8]]; 3] = [&[&string], &[b"", &string, b"nonce"], &[]];
            let list = lists[(len + string_len) % 3];
            let expected = oracle::seal(&bytes, list, &plaintext);
            let (tag, ciphertext) = expected.split_first_chunk::<16>().expect("a tag");
            let mut in_out = plaintext.clone();
            let made = key.seal_in_place_with_list(list, &mut in_out).expect("sealed");
            assert_eq!((made.as_bytes(), &in_out[..]), (tag, ciphertext));
            let mut apart = vec![0x5a; len];
            let made = key.seal_into_with_list(&plaintext, list, &mut apart);
            assert_eq!((made, &apart[..]), (Ok(Tag::from(*tag)), ciphertext));

            let mut wrong = Tag::from(*tag);
            assert_eq!(key.open_in_place_with_list(list, &mut in_out, &wrong), Ok(()));
            assert_eq!(in_out, plaintext);
            let mut flipped = *tag;
            flipped[(len + string_len) % 16] ^= 0x80;
            wrong = Tag::from(flipped);
            let opened = key.open_into_with_list(ciphertext, list, &wrong, &mut apart);
            assert_eq!(opened, Err(Error::Open));
            assert!(apart.iter().all(|byte| *byte == 0), "not wiped");
        }
    });
}

#[test]
fn number_order_and_bounds_of_strings_count() {
    let lists: [&[&[u8]]; 8] = [
        &[],
        &[b""],
        &[b"", b""],
        &[b"ab", b"c"],
        &[b"a", b"bc"],
        &[b"bc", b"a"],
        &[b"abc"],
        &[b"abc", b""],
    ];
    each_key!(|key, _bytes| {
        let tags = lists.map(|list| key.seal_in_place_with_list(list, &mut []).expect("sealed"));
        for (i, tag) in tags.iter().enumerate() {
            assert!(!tags[..i].contains(tag), "{:?}", lists[i]);
            for (j, list) in lists.iter().enumerate() {
                let opened = key.open_in_place_with_list(list, &mut [], tag);
                assert_eq!(opened.is_ok(), i == j);
            }
        }
        // One string of associated data, be it empty, is a list of one.
        assert_eq!(key.seal_in_place(&[], b"", &mut []), Ok(tags[1]));
        assert_eq!(key.seal_in_place(&[], b"abc", &mut []), Ok(tags[6]));
    });
}

#[test]
fn more_strings_than_s2v_takes_are_refused() {
    let key = AesSiv512::new(&[7; 64]);
    let strings: [&[u8]; 127] = [b"string"; 127];
    assert!(key.seal_with_list(b"text", &strings[..126]).is_ok());
    let refused = Error::TooManyStrings { limit: 126, given: 127 };
    let (mut in_out, tag) = (*b"text", Tag::from([0; 16]));
    assert_eq!(key.seal_with_list(b"text", &strings), Err(refused));
    assert_eq!(key.open_with_list(&[0; 20], &strings), Err(refused));
    assert_eq!(key.seal_in_place_with_list(&strings, &mut in_out), Err(refused));
    let opened = key.open_in_place_with_list(&strings, &mut in_out, &tag);
    assert_eq!(opened, Err(refused));
    assert_eq!(&in_out, b"text");
    let (expected, given) = (5, 4);
    let refused = Error::OutputLen { expected, given };
    assert_eq!(key.seal_into_with_list(b"texts", &[], &mut in_out), Err(refused));
    let opened = key.open_into_with_list(b"texts", &[], &tag, &mut in_out);
    assert_eq!((opened, &in_out), (Err(refused), b"text"));
}

/// An empty message is authenticated like any other: a peer once took this one.
#[test]
fn a_forged_empty_message_is_refused() {
    for algorithm in Algorithm::all().iter().filter(|row| row.tag_first()) {
        for (tier, byte) in Tier::available().flat_map(|tier| [0, 1, 0xff].map(|b| (tier, b))) {
            let key = algorithm.new_key_with_tier(&vec![byte; algorithm.key_len()], tier);
            let key = key.expect("a key");
            for aad in [&b""[..], b"aad", &[0; 16]] {
                assert_eq!(key.open(&[0; 16], aad), Err(Error::Open), "{algorithm} on {tier}");
            }
        }
    }
}

/// It is not committing, and says so: this message opens under two keys.
#[test]
fn a_message_that_opens_under_two_keys() {
    let sealed = [&b"one tag two keys"[..], &painted(0, 16)].concat();
    let aads =
        [0xdce2_94b0_2609_abf6_2664_64dc_3049_e5b5_u128, 0x0cca_cdf3_736d_e226_374d_d869_6431_7495];
    for (first, aad) in [0, 0x80].into_iter().zip(aads) {
        let key = AesSiv512::new(&core::array::from_fn(|i| first + i as u8));
        let opened = key.open(&sealed, &aad.to_be_bytes()).expect("opened");
        assert_eq!(opened.len(), 16);
    }
}
