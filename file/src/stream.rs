//! What comes before a file's chunks, and how to seal and to open.

use crate::chunk::{COMMITMENT_LEN, ChunkCipher, PAYLOAD_HEAD_LEN, SALT_LEN};
use crate::cost::Argon2Cost;
use crate::derive::{array, random_secret, system_random};
use crate::error::Error;
use crate::header::{Header, Unlocked, header_len};
use crate::header_search::{read_header, read_up_to};
use crate::kind::Kind;
use crate::slot::{FileKey, Lock, Unlock};
use crate::suite::Suite;
use crate::verdict::{publish, secret};
use std::io::Read;
use std::num::NonZeroUsize;
use subtle::ConstantTimeEq;

/// How to seal.
#[derive(Clone, Copy, Debug, Default)]
pub struct SealOptions {
    /// The AEAD of the chunks.
    pub suite: Suite,
    /// What the content is.
    pub kind: Kind,
    /// Threads to use; `None`: as many as the system says it can run at once. The
    /// bytes do not depend on it. One thread spawns none.
    pub threads: Option<NonZeroUsize>,
    /// For how many more slots the header shall have room, of whatever kind. Each counts as one
    /// of a post-quantum recipient, 1,204 bytes: at most 54 fit. Without, the room is what is
    /// left of 1,024 bytes, or of the next multiple of 1,024.
    pub room: usize,
}

impl SealOptions {
    /// Bytes of the header of a file that is sealed so.
    ///
    /// # Errors
    /// [`Error::NoSlotLeft`] without locks, [`Error::TooManySlots`].
    pub fn header_len(&self, locks: &[Lock<'_>]) -> Result<usize, Error> {
        header_len(locks, self.room)
    }
}

/// How to open.
#[derive(Clone, Copy, Debug)]
pub struct OpenOptions {
    /// The most that a passphrase slot may cost. Memory, passes and lanes are each
    /// compared, and all slots tried together may not exceed memory times passes.
    pub max_cost: Argon2Cost,
    /// Threads to use; `None`: as many as the system says it can run at once. One
    /// thread spawns none.
    pub threads: Option<NonZeroUsize>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            max_cost: Argon2Cost::DEFAULT_LIMIT,
            threads: None,
        }
    }
}

/// Everything of a new file before its first chunk, and what seals the chunks.
pub(crate) fn new_file(
    locks: &[Lock<'_>],
    options: &SealOptions,
) -> Result<(Vec<u8>, ChunkCipher), Error> {
    let file_key: FileKey = random_secret()?;
    secret(&**file_key);
    let content = (options.suite, options.kind);
    let unlocked = Unlocked::create(content, locks, options.room, file_key)?;
    let mut salt = [0; SALT_LEN];
    system_random(&mut salt)?;
    let (cipher, commitment) =
        ChunkCipher::derive(options.suite, options.kind, unlocked.file_key(), &salt);
    let head = [&unlocked.header().to_bytes()[..], &salt, &commitment].concat();
    Ok((head, cipher))
}

/// Everything of a file before its first chunk.
pub(crate) struct Head {
    pub(crate) header: Header,
    pub(crate) kind: Kind,
    /// The index of the slot that opened.
    pub(crate) slot: usize,
    pub(crate) cipher: ChunkCipher,
}

impl Head {
    /// Bytes before the first chunk.
    pub(crate) fn len(&self) -> usize {
        self.header.len() + PAYLOAD_HEAD_LEN
    }
}

/// Reads and checks everything before the first chunk. What was read after it is given too: of a
/// file with a damaged copy of the header that may be much.
pub(crate) fn open_head<R: Read>(
    input: &mut R,
    keys: &[Unlock<'_>],
    max_cost: Argon2Cost,
) -> Result<(Head, Vec<u8>), Error> {
    let mut bytes = read_header(input)?;
    let unlocked = Header::parse(&bytes)?.unlock(keys, max_cost)?;
    let header = unlocked.header();
    let chunks_at = header.len() + PAYLOAD_HEAD_LEN;
    let payload_head = read_payload_head(input, &mut bytes, chunks_at)?;
    let content = (header.suite(), unlocked.kind());
    let (cipher, is_right) = check_payload_head(content, unlocked.file_key(), &payload_head);
    if !is_right {
        return Err(Error::PayloadMismatch);
    }
    let head = Head {
        kind: unlocked.kind(),
        slot: unlocked.slot(),
        header: unlocked.into_header(),
        cipher,
    };
    Ok((head, bytes.split_off(chunks_at)))
}

/// The payload's first bytes, which end at `end`, of which a part may have been read.
pub(crate) fn read_payload_head<R: Read>(
    input: &mut R,
    bytes: &mut Vec<u8>,
    end: usize,
) -> Result<[u8; PAYLOAD_HEAD_LEN], Error> {
    read_up_to(input, bytes, end)?;
    match bytes.get(end - PAYLOAD_HEAD_LEN..end) {
        Some(head) => Ok(array(head, 0)),
        None => Err(Error::Truncated { chunks: 0 }),
    }
}

/// Derives the payload's keys, and tells whether its commitment is theirs.
pub(crate) fn check_payload_head(
    (suite, kind): (Suite, Kind),
    file_key: &FileKey,
    head: &[u8; PAYLOAD_HEAD_LEN],
) -> (ChunkCipher, bool) {
    let (cipher, commitment) = ChunkCipher::derive(suite, kind, file_key, &array(head, 0));
    let stored: [u8; COMMITMENT_LEN] = array(head, SALT_LEN);
    (cipher, publish(commitment.ct_eq(&stored)))
}
