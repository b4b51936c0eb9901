//! What HPKE makes of an identity of age's (specification section 5.4), by the crate itself: it is
//! not the crate that is judged, but what it leaves.

use crate::zeroization::memory::Needles;
use hpke::aead::ExportOnlyAead;
use hpke::kdf::HkdfSha512;
use hpke::kem::{Kem, X25519HkdfSha256, XWing};
use hpke::{Deserializable, OpModeR, setup_receiver};

/// The two kinds of identities.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    X25519,
    PostQuantum,
}

/// The shared secret, and what is exported for a slot: the wrapping key, and what commits to it,
/// which is in the file. The wrapping key.
pub(super) fn add_wrapping_key(
    needles: &mut Needles,
    kind: Kind,
    seed: &[u8],
    slot: &[u8],
) -> Option<Vec<u8>> {
    match kind {
        Kind::X25519 => add::<X25519HkdfSha256>(needles, seed, slot),
        Kind::PostQuantum => add::<XWing>(needles, seed, slot),
    }
}

fn add<K: Kem>(needles: &mut Needles, seed: &[u8], slot: &[u8]) -> Option<Vec<u8>> {
    let identity = K::PrivateKey::from_bytes(seed).ok()?;
    let encapsulated = slot.get(3..slot.len().checked_sub(81)?)?;
    let encapsulated = K::EncappedKey::from_bytes(encapsulated).ok()?;
    let shared = K::decap(&identity, None, &encapsulated).ok()?;
    needles.add("the shared secret", &shared.0);
    let info = [b"sivka.file.v1 slot", &slot[..1]].concat();
    let mode = OpModeR::<K>::Base;
    let context =
        setup_receiver::<ExportOnlyAead, HkdfSha512, K>(&mode, &identity, &encapsulated, &info);
    let mut exported = [0; 64];
    context.ok()?.export(b"", &mut exported).ok()?;
    Some(exported[..32].to_vec())
}

/// An identity as age writes it: Bech32 (BIP 173) in upper case.
pub(crate) fn text_of(kind: Kind, seed: &[u8]) -> String {
    const DIGITS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let name = match kind {
        Kind::X25519 => "age-secret-key-",
        Kind::PostQuantum => "age-secret-key-pq-",
    };
    let mut values = Vec::new();
    for at in (0..8 * seed.len()).step_by(5) {
        let bit = |at: usize| seed.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
        values.push((at..at + 5).fold(0, |value, at| value << 1 | bit(at)));
    }
    let high = name.bytes().map(|letter| letter >> 5);
    let low = name.bytes().map(|letter| letter & 31);
    let before: Vec<u8> = high.chain([0]).chain(low).collect();
    let sum = checksum(&[&before[..], &values, &[0; 6]].concat()) ^ 1;
    values.extend((0..6).map(|at| (sum >> (25 - 5 * at)) as u8 & 31));
    let digits = values
        .iter()
        .map(|value| char::from(DIGITS[usize::from(*value)]));
    format!("{name}1{}", digits.collect::<String>()).to_uppercase()
}

fn checksum(values: &[u8]) -> u32 {
    const GENERATORS: [u32; 5] = [
        0x3b6a_57b2,
        0x2650_8e6d,
        0x1ea1_19fa,
        0x3d42_33dd,
        0x2a14_62b3,
    ];
    values.iter().fold(1, |sum, value| {
        let top = sum >> 25;
        let shifted = (sum & 0x1ff_ffff) << 5 ^ u32::from(*value);
        let rows = GENERATORS.iter().enumerate();
        rows.fold(shifted, |sum, (at, row)| sum ^ (row * (top >> at & 1)))
    })
}
