//! Public keys that files are sealed to, and the identities that open these: age's. Slots have
//! their secrets by HPKE (RFC 9180; specification section 5.4).

use crate::bech32;
use crate::derive::{Secret, overwriting, random_secret, system_random};
use crate::error::{AgeKeyError, Error};
use hpke::aead::ExportOnlyAead;
use hpke::kdf::HkdfSha512;
use hpke::kem::{Kem, X25519HkdfSha256, XWing};
use hpke::rand_core::utils::next_word_via_fill;
use hpke::rand_core::{Infallible, TryCryptoRng, TryRng};
use hpke::{Deserializable, OpModeR, OpModeS, Serializable, setup_receiver, setup_sender_with_rng};
use std::fmt;
use std::str::FromStr;
use zeroize::Zeroizing;

/// Names of keys in Bech32: of X25519, and post-quantum.
const RECIPIENTS: [&str; 2] = ["age", "age1pq"];
const IDENTITIES: [&str; 2] = ["age-secret-key-", "age-secret-key-pq-"];
const NOT_AN_IDENTITY: &str = "not an identity, which begins with AGE-SECRET-KEY-";

/// A public key of age's (<https://c2sp.org/age>): anybody who has it can seal files, and only its
/// [`Identity`] opens them.
///
/// `age1…` is X25519: a future quantum computer could open files that are sealed to it. `age1pq1…`
/// is ML-KEM-768 with X25519, and is secure as long as one of the two holds.
///
/// That a file opens with an identity does not say who sealed it.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient {
    is_post_quantum: bool,
    public: Vec<u8>,
}

impl Recipient {
    /// Reads recipients, one a line. Empty lines, and lines that begin with `#`, are left out.
    ///
    /// # Errors
    /// What is wrong with a line, or that there is no recipient.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, AgeKeyError> {
        parse_list(text)
    }

    /// Whether no known quantum algorithm opens files that are sealed to it.
    #[must_use]
    pub fn is_post_quantum(&self) -> bool {
        self.is_post_quantum
    }

    /// Makes keys that the recipient can have, and what tells it of them. `info` is the domain.
    pub(crate) fn encapsulate(&self, info: &[u8]) -> Result<(Vec<u8>, SlotKeys), Error> {
        let mut random = SystemRandom::default();
        let made = overwriting::<{ KEM_STACK }, _>(|| match self.is_post_quantum {
            true => sender::<XWing>(&self.public, info, &mut random),
            false => sender::<X25519HkdfSha256>(&self.public, info, &mut random),
        });
        match random.has_failed {
            true => Err(Error::Random),
            false => made.ok_or(Error::BadRecipient),
        }
    }
}

impl FromStr for Recipient {
    type Err = AgeKeyError;

    /// Reads `age1…` or `age1pq1…`, in small letters or in capitals.
    fn from_str(text: &str) -> Result<Self, AgeKeyError> {
        let [is_age, is_post_quantum] = RECIPIENTS.map(|name| has_name(name, text));
        // Names of other kinds have another `1`, as `age1tag1…`; no digit is one.
        let is_other = is_age && !is_post_quantum && text[4..].contains('1');
        if is_other || text.starts_with("ssh-") {
            let reason = "a kind of key that this program does not know";
            return Err(AgeKeyError::new(reason));
        }
        if !is_age {
            let reason = "not a recipient, which begins with age1";
            return Err(AgeKeyError::new(reason));
        }
        let name = RECIPIENTS[usize::from(is_post_quantum)];
        let public = bech32::decode(name, text)?.to_vec();
        let is_key = match is_post_quantum {
            true => <XWing as Kem>::PublicKey::from_bytes(&public).is_ok(),
            false => <X25519HkdfSha256 as Kem>::PublicKey::from_bytes(&public).is_ok(),
        };
        match is_key && agrees(&public) {
            true => Ok(Self { is_post_quantum, public }),
            false => Err(AgeKeyError::MALFORMED),
        }
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = RECIPIENTS[usize::from(self.is_post_quantum)];
        f.write_str(&bech32::encode(name, &self.public))
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipient({self})")
    }
}

/// The secret key of a [`Recipient`], as age writes it: `AGE-SECRET-KEY-1…` or
/// `AGE-SECRET-KEY-PQ-1…`.
///
/// Wiped when dropped; `Debug` shows the recipient only.
#[derive(Clone)]
pub struct Identity {
    seed: Secret,
    recipient: Recipient,
}

impl Identity {
    /// Draws a new post-quantum identity.
    ///
    /// # Errors
    /// [`Error::Random`] if the operating system gives no random bytes.
    pub fn generate() -> Result<Self, Error> {
        Self::of_seed(random_secret()?, true).ok_or(Error::Random)
    }

    /// Draws a new identity of X25519, for recipients who need a short public key.
    ///
    /// # Errors
    /// As [`Self::generate`].
    pub fn generate_x25519() -> Result<Self, Error> {
        Self::of_seed(random_secret()?, false).ok_or(Error::Random)
    }

    /// Reads the identities of a file of age's, one a line. Empty lines, and lines that begin
    /// with `#`, are left out.
    ///
    /// # Errors
    /// What is wrong with a line, or that there is no identity. The text is never quoted.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, AgeKeyError> {
        parse_list(text)
    }

    /// The public key, for others to seal with.
    #[must_use]
    pub fn recipient(&self) -> &Recipient {
        &self.recipient
    }

    /// The identity as age writes it. It is the key: keep it where only its owner reads.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        let name = IDENTITIES[usize::from(self.recipient.is_post_quantum)];
        let mut text = bech32::encode(name, &**self.seed);
        text.make_ascii_uppercase();
        text
    }

    fn of_seed(seed: Secret, is_post_quantum: bool) -> Option<Self> {
        fn public_key<K: Kem>(seed: &[u8]) -> Option<Vec<u8>> {
            let identity = K::PrivateKey::from_bytes(seed).ok()?;
            Some(K::sk_to_pk(&identity).to_bytes().to_vec())
        }
        let public = overwriting::<{ KEM_STACK }, _>(|| match is_post_quantum {
            true => public_key::<XWing>(&**seed),
            false => public_key::<X25519HkdfSha256>(&**seed),
        });
        let recipient = Recipient { is_post_quantum, public: public? };
        Some(Self { seed, recipient })
    }

    /// The keys that `encapsulated` tells the identity of; `None` if it tells it of none.
    pub(crate) fn decapsulate(&self, info: &[u8], encapsulated: &[u8]) -> Option<SlotKeys> {
        if !agrees(encapsulated) {
            return None;
        }
        overwriting::<{ KEM_STACK }, _>(|| match self.recipient.is_post_quantum {
            true => receiver::<XWing>(&**self.seed, info, encapsulated),
            false => receiver::<X25519HkdfSha256>(&**self.seed, info, encapsulated),
        })
    }
}

impl FromStr for Identity {
    type Err = AgeKeyError;

    /// Reads `AGE-SECRET-KEY-1…` or `AGE-SECRET-KEY-PQ-1…`, in capitals or in small letters.
    /// The time does not depend on the key.
    fn from_str(text: &str) -> Result<Self, AgeKeyError> {
        let is_named = |name: &&str| has_name(name, text);
        let kind = IDENTITIES.iter().position(is_named);
        let kind = kind.ok_or(AgeKeyError::new(NOT_AN_IDENTITY))?;
        let bytes = bech32::decode(IDENTITIES[kind], text)?;
        let mut seed = Secret::default();
        if bytes.len() != seed.len() {
            return Err(AgeKeyError::MALFORMED);
        }
        seed.copy_from_slice(&bytes);
        Self::of_seed(seed, kind == 1).ok_or(AgeKeyError::MALFORMED)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").field("recipient", &self.recipient).finish_non_exhaustive()
    }
}

fn parse_list<T: FromStr<Err = AgeKeyError>>(text: &str) -> Result<Vec<T>, AgeKeyError> {
    let mut keys = Vec::new();
    for (line, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let text = text.trim_ascii();
        if !text.is_empty() && !text.starts_with('#') {
            let key: Result<T, AgeKeyError> = text.parse();
            keys.push(key.map_err(|error| error.at(line))?);
        }
    }
    match keys.is_empty() {
        true => Err(AgeKeyError::new("there is no key in it")),
        false => Ok(keys),
    }
}

/// Whether a text begins with this name, in small letters or in capitals, and `1`.
fn has_name(name: &str, text: &str) -> bool {
    let named = text.as_bytes().split_at_checked(name.len());
    named.is_some_and(|(start, rest)| {
        start.eq_ignore_ascii_case(name.as_bytes()) && rest.first() == Some(&b'1')
    })
}

/// What a slot's secret gives: the wrapping key, then what commits to it. Written where it
/// stays.
pub(crate) type SlotKeys = Box<Zeroizing<[u8; 64]>>;

/// ML-KEM works with matrices on the stack.
const KEM_STACK: usize = 64 << 10;

fn sender<K: Kem>(
    public: &[u8],
    info: &[u8],
    random: &mut SystemRandom,
) -> Option<(Vec<u8>, SlotKeys)> {
    let public = K::PublicKey::from_bytes(public).ok()?;
    let mode = OpModeS::<K>::Base;
    let made = setup_sender_with_rng::<ExportOnlyAead, HkdfSha512, K>(&mode, &public, info, random);
    let (encapsulated, context) = made.ok()?;
    let mut keys = SlotKeys::new(Zeroizing::new([0; 64]));
    context.export(b"", &mut **keys).ok()?;
    Some((encapsulated.to_bytes().to_vec(), keys))
}

fn receiver<K: Kem>(seed: &[u8], info: &[u8], encapsulated: &[u8]) -> Option<SlotKeys> {
    let identity = K::PrivateKey::from_bytes(seed).ok()?;
    let encapsulated = K::EncappedKey::from_bytes(encapsulated).ok()?;
    let mode = OpModeR::Base;
    let made =
        setup_receiver::<ExportOnlyAead, HkdfSha512, K>(&mode, &identity, &encapsulated, info);
    let mut keys = SlotKeys::new(Zeroizing::new([0; 64]));
    made.ok()?.export(b"", &mut **keys).ok()?;
    Some(keys)
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

/// Whether X25519, whose part is at the end, agrees on secrets with a public key: with a point of
/// low order it does not (RFC 7748 section 6.1). The crate does not look for these in X-Wing.
fn agrees(public: &[u8]) -> bool {
    let share = public.last_chunk();
    share.is_some_and(|share| x25519_dalek::x25519([1; 32], *share) != [0; 32])
}
