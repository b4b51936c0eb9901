//! HPKE (RFC 9180): the secrets of slots that are sealed to public keys
//! (specification section 5.4).

use crate::derive::{overwriting, system_random};
use crate::error::Error;
use crate::recipient::{Identity, Recipient};
use hpke::aead::ExportOnlyAead;
use hpke::kdf::HkdfSha512;
use hpke::kem::{Kem, X25519HkdfSha256, XWing};
use hpke::rand_core::utils::next_word_via_fill;
use hpke::rand_core::{Infallible, TryCryptoRng, TryRng};
use hpke::{Deserializable, OpModeR, OpModeS, Serializable, setup_receiver, setup_sender_with_rng};
use zeroize::Zeroizing;

/// What a slot's secret gives: the wrapping key, then what commits to it. Written where it
/// stays.
pub(crate) type SlotKeys = Box<Zeroizing<[u8; 64]>>;

/// No keys yet.
pub(crate) fn slot_keys() -> SlotKeys {
    Box::new(Zeroizing::new([0; 64]))
}

/// Makes a secret that `recipient` can have, and what tells it of the secret.
///
/// `info` has the domain, and the kind of the slot.
pub(crate) fn encapsulate(
    recipient: &Recipient,
    info: &[u8],
) -> Result<(Vec<u8>, SlotKeys), Error> {
    let encapsulate = match recipient.is_post_quantum() {
        true => encapsulate_with::<XWing>,
        false => encapsulate_with::<X25519HkdfSha256>,
    };
    let mut random = SystemRandom::default();
    let made = overwritten(|| encapsulate(recipient.as_bytes(), info, &mut random));
    match random.has_failed {
        true => Err(Error::Random),
        false => made.ok_or(Error::BadRecipient),
    }
}

fn encapsulate_with<K: Kem>(
    recipient: &[u8],
    info: &[u8],
    random: &mut SystemRandom,
) -> Option<(Vec<u8>, SlotKeys)> {
    let recipient = K::PublicKey::from_bytes(recipient).ok()?;
    let mode = OpModeS::<K>::Base;
    let made =
        setup_sender_with_rng::<ExportOnlyAead, HkdfSha512, K>(&mode, &recipient, info, random);
    let (encapsulated, context) = made.ok()?;
    let mut exported = slot_keys();
    context.export(b"", &mut **exported).ok()?;
    Some((encapsulated.to_bytes().to_vec(), exported))
}

/// The secret that `encapsulated` tells `identity` of; `None` if it tells it of none.
pub(crate) fn decapsulate(
    identity: &Identity,
    info: &[u8],
    encapsulated: &[u8],
) -> Option<SlotKeys> {
    let decapsulate = match identity.recipient().is_post_quantum() {
        true => decapsulate_with::<XWing>,
        false => decapsulate_with::<X25519HkdfSha256>,
    };
    match agrees(encapsulated) {
        true => overwritten(|| decapsulate(identity.seed(), info, encapsulated)),
        false => None,
    }
}

fn decapsulate_with<K: Kem>(seed: &[u8], info: &[u8], encapsulated: &[u8]) -> Option<SlotKeys> {
    let identity = K::PrivateKey::from_bytes(seed).ok()?;
    let encapsulated = K::EncappedKey::from_bytes(encapsulated).ok()?;
    let mode = OpModeR::<K>::Base;
    let made =
        setup_receiver::<ExportOnlyAead, HkdfSha512, K>(&mode, &identity, &encapsulated, info);
    let mut exported = slot_keys();
    made.ok()?.export(b"", &mut **exported).ok()?;
    Some(exported)
}

/// The public key of an identity.
pub(crate) fn public_key(seed: &[u8], is_post_quantum: bool) -> Option<Vec<u8>> {
    fn of<K: Kem>(seed: &[u8]) -> Option<Vec<u8>> {
        let identity = K::PrivateKey::from_bytes(seed).ok()?;
        Some(K::sk_to_pk(&identity).to_bytes().to_vec())
    }
    overwritten(|| match is_post_quantum {
        true => of::<XWing>(seed),
        false => of::<X25519HkdfSha256>(seed),
    })
}

/// Whether it is a public key that secrets can be agreed on with.
pub(crate) fn is_public_key(bytes: &[u8], is_post_quantum: bool) -> bool {
    let is_key = match is_post_quantum {
        true => <XWing as Kem>::PublicKey::from_bytes(bytes).is_ok(),
        false => <X25519HkdfSha256 as Kem>::PublicKey::from_bytes(bytes).is_ok(),
    };
    is_key && agrees(bytes)
}

/// Whether X25519, whose part is at the end, agrees on secrets with a public key: with a point of
/// low order it does not (RFC 7748 section 6.1). The crate does not look for these in X-Wing.
fn agrees(public: &[u8]) -> bool {
    let share = public.last_chunk();
    share.is_some_and(|share| x25519_dalek::x25519([1; 32], *share) != [0; 32])
}

/// ML-KEM works with matrices on the stack.
fn overwritten<T>(work: impl FnOnce() -> T) -> T {
    overwriting::<{ 64 << 10 }, _>(work)
}

/// The system's generator: HPKE takes only one that cannot fail. Nothing is used of what is made
/// with one that has failed.
#[derive(Default)]
struct SystemRandom {
    has_failed: bool,
}

impl TryRng for SystemRandom {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        next_word_via_fill(self)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        next_word_via_fill(self)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.has_failed |= system_random(out).is_err();
        Ok(())
    }
}

impl TryCryptoRng for SystemRandom {}
