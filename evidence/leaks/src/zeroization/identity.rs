//! HPKE's values of an identity of age's (specification section 5.4), by the crate itself: the
//! judgement is not on the crate, but on its remains.

use super::memory::Needles;
use crate::calls::Kind;
use hpke::aead::ExportOnlyAead;
use hpke::kdf::HkdfSha512;
use hpke::kem::{Kem, X25519HkdfSha256, XWing};
use hpke::{Deserializable, OpModeR, setup_receiver};

/// The shared secret, and the two values exported for a slot: the wrapping key, and the commitment
/// to it, which is in the file. Returns the wrapping key.
pub(super) fn add_wrapping_key(
    needles: &mut Needles,
    kind: Kind,
    seed: &[u8],
    slot: &[u8],
) -> Option<Vec<u8>> {
    match kind {
        Kind::X25519 => add::<X25519HkdfSha256>(needles, seed, slot),
        Kind::PostQuantum => add::<XWing>(needles, seed, slot),
        Kind::KeyFile | Kind::Passphrase => None,
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
