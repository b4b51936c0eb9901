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

/// Calls a function with the KEM of a recipient: X-Wing, or X25519.
macro_rules! with_kem {
    ($is_post_quantum:expr, $function:ident($($argument:expr),*)) => {
        match $is_post_quantum {
            true => $function::<XWing>($($argument),*),
            false => $function::<X25519HkdfSha256>($($argument),*),
        }
    };
}

/// Makes a secret that `recipient` can have, and what tells it of the secret.
///
/// `info` has the domain, and the kind of the slot.
pub(crate) fn encapsulate(
    recipient: &Recipient,
    info: &[u8],
) -> Result<(Vec<u8>, SlotKeys), Error> {
    let (kind, public) = (recipient.is_post_quantum(), recipient.as_bytes());
    let mut random = SystemRandom::default();
    let made = overwritten(|| with_kem!(kind, sender(public, info, &mut random)));
    match random.has_failed {
        true => Err(Error::Random),
        false => made.ok_or(Error::BadRecipient),
    }
}

fn sender<K: Kem>(
    public: &[u8],
    info: &[u8],
    random: &mut SystemRandom,
) -> Option<(Vec<u8>, SlotKeys)> {
    let public = K::PublicKey::from_bytes(public).ok()?;
    let mode = OpModeS::<K>::Base;
    let made = setup_sender_with_rng::<ExportOnlyAead, HkdfSha512, K>(&mode, &public, info, random);
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
    let (kind, seed) = (identity.recipient().is_post_quantum(), identity.seed());
    match agrees(encapsulated) {
        true => overwritten(|| with_kem!(kind, receiver(seed, info, encapsulated))),
        false => None,
    }
}

fn receiver<K: Kem>(seed: &[u8], info: &[u8], encapsulated: &[u8]) -> Option<SlotKeys> {
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
    overwritten(|| with_kem!(is_post_quantum, of(seed)))
}

/// Whether it is a public key that secrets can be agreed on with.
pub(crate) fn is_public_key(bytes: &[u8], is_post_quantum: bool) -> bool {
    fn is_key<K: Kem>(bytes: &[u8]) -> bool {
        K::PublicKey::from_bytes(bytes).is_ok()
    }
    with_kem!(is_post_quantum, is_key(bytes)) && agrees(bytes)
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
