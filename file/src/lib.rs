#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod ahead;
mod atomic_file;
mod bech32;
mod chunk;
mod derive;
mod error;
mod file_lock;
#[cfg(all(feature = "folder", unix))]
pub mod folder;
mod header;
mod key_file;
mod passphrase;
mod reader;
mod recipient;
mod salvage;
mod slot;
mod slots;
mod suite;
mod writer;

pub use ahead::{read_ahead, write_behind};
pub use atomic_file::AtomicFile;
pub use chunk::{CHUNK_LEN, MAX_CHUNKS, PAYLOAD_HEAD_LEN};
pub use error::{AgeKeyError, Error, KeyFileError};
pub use file_lock::FileLock;
pub use header::{HEADER_LEN, Header, MAX_HEADER_LEN, MAX_SLOTS, VERSION, header_need};
pub use key_file::{KeyFile, KeyId, MAX_KEY_FILE_LEN, MAX_NAME_LEN, is_key, is_key_text};
pub use passphrase::{Argon2Cost, Passphrase};
pub use reader::{OpenOptions, Reader};
pub use recipient::{Identity, Recipient};
pub use salvage::{Salvage, salvage};
pub use slot::{Lock, SlotInfo, Unlock};
pub use slots::{Unlocked, change_slots, change_slots_in};
pub use suite::{Kind, Suite};
pub use writer::{SealOptions, Writer};

/// The core's README, whose examples use both crates.
#[cfg(doctest)]
#[doc = include_str!("../../core/README.md")]
struct Readme;
