//! HPKE (RFC 9180): the secrets of slots that are sealed to public keys
//! (specification section 5.4).

use crate::derive::{overwriting, system_random};
use crate::error::Error;
use hpke::aead::ExportOnlyAead;
use hpke::kdf::HkdfSha512;
use hpke::kem::{Kem, X25519HkdfSha256, XWing};
use hpke::rand_core::utils::next_word_via_fill;
use hpke::rand_core::{Infallible, TryCryptoRng, TryRng};
use hpke::{Deserializable, OpModeR, OpModeS, Serializable, setup_receiver, setup_sender_with_rng};
use zeroize::Zeroizing;

/// X25519 with HKDF-SHA-256, the KEM of `age1…`.
pub(crate) type X25519 = X25519HkdfSha256;
/// ML-KEM-768 with X25519, which is also called X-Wing, the KEM of `age1pq1…`.
pub(crate) type MlKem768X25519 = XWing;

/// What a slot's secret gives: the wrapping key, then what commits to it. Written where it
/// stays.
pub(crate) type SlotKeys = Box<Zeroizing<[u8; 64]>>;

/// No keys yet.
pub(crate) fn slot_keys() -> SlotKeys {
    Box::new(Zeroizing::new([0; 64]))
}

/// ML-KEM works with matrices on the stack.
const STACK_LEN: usize = 64 << 10;

/// Makes a secret that `recipient` can have, and what tells it of the secret.
///
/// `info` has the domain, and the kind of the slot.
pub(crate) fn encapsulate<K: Kem>(
    recipient: &K::PublicKey,
    info: &[u8],
) -> Result<(Vec<u8>, SlotKeys), Error> {
    overwriting::<STACK_LEN, _>(|| {
        let (mode, mut random) = (OpModeS::<K>::Base, SystemRandom::default());
        let made = setup_sender_with_rng::<ExportOnlyAead, HkdfSha512, K>(
            &mode,
            recipient,
            info,
            &mut random,
        );
        if random.has_failed {
            return Err(Error::Random);
        }
        let (encapsulated, context) = made.map_err(|_| Error::BadRecipient)?;
        let mut exported = slot_keys();
        context
            .export(b"", &mut **exported)
            .map_err(|_| Error::BadRecipient)?;
        Ok((encapsulated.to_bytes().to_vec(), exported))
    })
}

/// The secret that `encapsulated` tells `identity` of; `None` if it tells nobody of any.
pub(crate) fn decapsulate<K: Kem>(
    identity: &[u8; 32],
    info: &[u8],
    encapsulated: &[u8],
) -> Option<SlotKeys> {
    overwriting::<STACK_LEN, _>(|| {
        let identity = K::PrivateKey::from_bytes(identity).ok()?;
        let encapsulated = K::EncappedKey::from_bytes(encapsulated).ok()?;
        let mode = OpModeR::<K>::Base;
        let context =
            setup_receiver::<ExportOnlyAead, HkdfSha512, K>(&mode, &identity, &encapsulated, info)
                .ok()?;
        let mut exported = slot_keys();
        context.export(b"", &mut **exported).ok()?;
        Some(exported)
    })
}

/// Whether X25519 agrees on secrets with this public key: with a point of low order it does
/// not (RFC 7748 section 6.1). The crate looks for these in X25519 alone, not in X-Wing.
pub(crate) fn agrees(public: [u8; 32]) -> bool {
    x25519_dalek::x25519([1; 32], public) != [0; 32]
}

/// The public key of an identity.
pub(crate) fn public_key<K: Kem>(identity: &[u8; 32]) -> Option<K::PublicKey> {
    overwriting::<STACK_LEN, _>(|| {
        let identity = K::PrivateKey::from_bytes(identity).ok()?;
        Some(K::sk_to_pk(&identity))
    })
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
