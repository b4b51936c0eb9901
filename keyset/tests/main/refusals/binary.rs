//! Protocol buffers: what is malformed, and what others may write.

use crate::differences::{GCM_SIV, VALUE};
use crate::messages::bytes;
use sivka_keyset::{Keyset, ReadOptions};

#[test]
fn binary_is_read_as_protocol_buffers_are() {
    let data = [bytes(1, GCM_SIV.as_bytes()), bytes(2, VALUE), vec![0x18, 1]].concat();
    let key = [bytes(1, &data), vec![0x10, 1, 0x18, 7, 0x20, 1]].concat();
    let good = [vec![8, 7], bytes(2, &key)].concat();
    let read = |binary: &[u8]| Keyset::from_insecure_binary(binary, ReadOptions::default());
    let keyset = read(&good).unwrap();
    assert_eq!(*keyset.to_insecure_binary().unwrap(), good);

    // Any order; unknown fields at every level; the last of several; messages are merged.
    let unknown = b"\x7a\x03abc\x70\x05\x79........\x7d....".to_vec();
    let odd_value = [&unknown[..], &bytes(3, b"another key"), VALUE, &unknown, &[8, 0]].concat();
    let first_half = [&bytes(2, b"\x08\x01")[..], &bytes(1, b"x"), &unknown, &[0x18, 3]].concat();
    let second_half =
        [&unknown[..], &bytes(2, &odd_value), &[0x18, 2, 0x18, 1], &bytes(1, GCM_SIV.as_bytes())]
            .concat();
    let odd_key = [
        &[0x20, 3, 0x20, 1][..],
        &bytes(1, &first_half),
        &[0x10, 3],
        &unknown,
        &bytes(1, &second_half),
        // Of numbers over 32 bits, the low 32 count.
        &[0x18, 0x87, 0x80, 0x80, 0x80, 0x70],
        &[0x10, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
    ]
    .concat();
    let odd = [&unknown[..], &bytes(2, &odd_key), &[8, 9, 8, 7], &unknown].concat();
    assert_eq!(read(&odd).as_ref(), Ok(&keyset));
    // A field of a known number and another wire type is unknown.
    let strange = [&[0x0a, 1, b'x'], &good[..], &[0x10, 5]].concat();
    assert_eq!(read(&strange).as_ref(), Ok(&keyset));

    for len in 0..good.len() {
        assert!(read(&good[..len]).is_err(), "{len}");
    }
    // Unknown numbers of enums are kept, and then refused.
    let mut bad = good;
    *bad.last_mut().unwrap() = 6;
    let said = read(&bad).expect_err("a prefix").to_string();
    assert_eq!(said, "key 7 (key[0]): an AEAD has no output prefix 6");
}

#[test]
fn what_is_malformed_is_told_with_its_place() {
    let (beyond, bits) = ("a length goes beyond the end", "a varint has more than 64 bits");
    #[rustfmt::skip]
    let cases = [
        (&b"\x08\x01\x12\x03ab"[..], beyond, "4"),
        (b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", beyond, "11"),
        (b"\x19.......", beyond, "1"),
        (b"\x08\x01\x08", "a varint is cut off", "3"),
        (b"\x08\x80", "a varint is cut off", "1"),
        (b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", bits, "1"),
        (b"\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", bits, "1"),
        (b"\x08\x01\x00\x01", "a field has the number 0", "2"),
        (b"\x0b\x0c", "groups are not read", "0"),
        (b"\x0e", "a field has an unknown wire type", "0"),
        (b"\x80\x80\x80\x80\x10\x00", "a field's number is too high", "0"),
        (b"\x88\x80\x80\x80\x80\x00\x01", "a field's number has more than 5 bytes", "0"),
        (b"\x12\x02\x08\x01\x12\x04\x0a\x02\x0b\x0c", "groups are not read", "8 (key[1])"),
    ];
    for (binary, words, place) in cases {
        let read = Keyset::from_insecure_binary(binary, ReadOptions::default());
        let said = format!("not a keyset as asked for: {words}, at byte {place}");
        assert_eq!(read.unwrap_err().to_string(), said, "{binary:?}");
    }
    // The longest varints and numbers of fields, in a field that nobody knows.
    for field in [&b"\x78\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"[..], b"\xf8\xff\xff\xff\x0f\x00"]
    {
        let read = Keyset::from_insecure_binary(field, ReadOptions::default());
        assert_eq!(read.unwrap_err().to_string(), "the keyset has no key");
    }
}
