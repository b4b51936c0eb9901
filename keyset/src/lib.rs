#![doc = include_str!("../README.md")]
//!
//! # Calls
//!
//! A keyset holds keys for one purpose. One of them, the primary, seals; every enabled one opens.
//! Most messages begin with a prefix of five bytes, which has the id of the key.
//!
//! | to | use |
//! |---|---|
//! | make a keyset | [`Keyset::generate`] of a [`Template`], [`Keyset::from_key`] |
//! | read and write one in the clear | [`Keyset::from_insecure_json`], [`Keyset::to_insecure_json`], and the same in binary |
//! | encrypt one, and read an encrypted one | [`Keyset::encrypt`], [`EncryptedKeyset`] |
//! | seal and open | [`Keyset::aead`], [`Keyset::deterministic_aead`]; streams with [`Keyset::streaming_aead`] |
//! | use keys that are with a key-management service | [`Keyset::aead_with_kms`] |
//! | rotate | [`Keyset::add`], [`Keyset::promote`], [`Keyset::disable`], [`Keyset::remove`] |
//! | see the content of one, without the keys | [`Keyset::info`] |
//!
//! # Types of keys
//!
//! [`KeyType`] has them. A message is nonce ‖ ciphertext ‖ tag. AES-SIV has its tag first, one
//! string of associated data, which may be empty, and no nonce. A key may also stay with a
//! key-management service: it encrypts the messages (`KmsAeadKey`), or a key for each
//! (`KmsEnvelopeAeadKey`).
//!
//! A keyset with an enabled key of another type is refused ([`Error::Unsupported`]), by the type's
//! name. Disabled keys are kept, and written back unchanged. Keys at a key-management service are
//! read and written without it, and used with a [`KeyEncryptionKey`]. There is no call that reads a
//! keyset "without secrets": of these types only those of a service would pass.
//!
//! # Promises
//!
//! - Messages open in one order, which is Tink's: first the enabled keys with the message's prefix.
//!   Then, even if one of these failed, those without prefix, and no other. There is one
//!   error, [`Error::Open`].
//! - For a malformed keyset, or one that breaks a rule, the error gives byte and path, or the key's
//!   id. No error and no `Debug` holds a byte of a key.
//! - No input makes a reader panic; it reads at most 1 MiB and 1000 keys.
//! - Keys wipe themselves when dropped, and the buffers for keysets in the clear too.
//!
//! # Limits
//!
//! - The prefix is not authenticated: with a changed one, a message does not open.
//! - The info beside an encrypted keyset is not authenticated.
//! - No AEAD here commits to its key (RFC 9771): if an attacker can put keys into a keyset, a
//!   message may open under several.
#![forbid(unsafe_code)]

mod base64;
mod binary;
mod cipher;
mod encrypted;
mod error;
mod info;
mod json;
mod json_form;
mod key;
mod key_type;
mod keyset;
mod kms;
mod layout;
mod material;
mod primitive;
mod streaming;
mod template;
mod wire;

pub use encrypted::{EncryptedKeyset, KeyEncryptionKey, SharedKeyEncryptionKey};
pub use error::{Error, KeyPlace, Misuse, Rule, Unsupported};
pub use info::{KeyInfo, KeyStatus, KeysetInfo, OutputPrefix, Primitive};
pub use key::ReadOptions;
pub use key_type::KeyType;
pub use keyset::Keyset;
pub use primitive::{KeysetAead, KeysetAeadWithKms};
pub use streaming::{KeysetStreamingAead, OpeningReader, SealingWriter};
pub use template::Template;

/// The most bytes of a keyset, in whatever form, that is read or written: 1 MiB.
pub const MAX_LEN: usize = 1 << 20;
/// The most keys of a keyset.
pub const MAX_KEYS: usize = 1000;
