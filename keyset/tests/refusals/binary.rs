//! Protocol buffers: what is malformed, and what others may write.

use super::{GCM_SIV, VALUE};
use sivka_keyset::{Error, Keyset, ReadOptions, Rule};

#[test]
fn binary_is_read_as_protocol_buffers_are() {
    let field = |number: u8, bytes: &[u8]| {
        let len = bytes.len() as u8;
        let high = (bytes.len() >> 7) as u8;
        // A length of two bytes, which need not be the shortest form.
        match high {
            0 => [&[number << 3 | 2, len], bytes].concat(),
            _ => [&[number << 3 | 2, len | 0x80, high], bytes].concat(),
        }
    };
    let data = [field(1, GCM_SIV.as_bytes()), field(2, VALUE), vec![0x18, 1]].concat();
    let key = [field(1, &data), vec![0x10, 1, 0x18, 7, 0x20, 1]].concat();
    let good = [vec![8, 7], field(2, &key)].concat();
    let read = |bytes: &[u8]| Keyset::from_insecure_binary(bytes, ReadOptions::default());
    let keyset = read(&good).unwrap();
    assert_eq!(*keyset.to_insecure_binary().unwrap(), good);

    // Any order; unknown fields at every level; the last of several; messages are merged.
    let unknown = [&b"\x7a\x03abc\x70\x05\x79........\x7d...."[..]].concat();
    let odd_value = [
        &unknown[..],
        &field(3, b"another key"),
        VALUE,
        &unknown,
        &[8, 0],
    ]
    .concat();
    let first_half = [
        &field(2, b"\x08\x01")[..],
        &field(1, b"x"),
        &unknown,
        &[0x18, 3],
    ]
    .concat();
    let second_half = [
        &unknown[..],
        &field(2, &odd_value),
        &[0x18, 2, 0x18, 1],
        &field(1, GCM_SIV.as_bytes()),
    ]
    .concat();
    let odd_key = [
        &[0x20, 3, 0x20, 1][..],
        &field(1, &first_half),
        &[0x10, 3],
        &unknown,
        &field(1, &second_half),
        // Of numbers over 32 bits, the low 32 count.
        &[0x18, 0x87, 0x80, 0x80, 0x80, 0x70],
        &[0x10, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
    ]
    .concat();
    let odd = [&unknown[..], &field(2, &odd_key), &[8, 9, 8, 7], &unknown].concat();
    assert_eq!(read(&odd).as_ref(), Ok(&keyset));
    // A field of a known number and another wire type is unknown.
    let strange = [&[0x0a, 1, b'x'], &good[..], &[0x10, 5]].concat();
    assert_eq!(read(&strange).as_ref(), Ok(&keyset));

    for len in 0..good.len() {
        assert!(read(&good[..len]).is_err(), "{len}");
    }
    let said = read(&good[..good.len() - 1])
        .expect_err("cut off")
        .to_string();
    assert!(
        said.ends_with("a length goes beyond the end, at byte 4"),
        "{said}"
    );
    let mut bad = good.clone();
    bad[4] = 0x0a | 7;
    let said = read(&bad).expect_err("a wire type").to_string();
    assert!(
        said.ends_with("a field has an unknown wire type, at byte 4 (key[0])"),
        "{said}"
    );
    bad = good.clone();
    bad[6] = 0x0b;
    let said = read(&bad).expect_err("a group").to_string();
    assert!(
        said.ends_with("groups are not read, at byte 6 (key[0].keyData)"),
        "{said}"
    );
    // Unknown numbers of enums are kept, and then refused.
    bad = good.clone();
    *bad.last_mut().unwrap() = 6;
    let refused = read(&bad).expect_err("a prefix");
    assert!(matches!(
        refused,
        Error::Keyset {
            rule: Rule::OutputPrefix(6),
            ..
        }
    ));
}
