//! Status codes and their messages.

use std::ffi::{CStr, c_char};

/// The result of a call: SIVKA_OK, SIVKA_WANTS, or one of SIVKA_ERROR_*. A number never changes
/// its meaning and is never used again; later versions may add more.
///
/// 1 to 15: a message or file does not open, or SIVKA_WANTS. 16 to 63: the call is wrong, and will
/// be again. 64 to 95: this machine or a service cannot do it. 96 and above: a file, or its path.
pub type Status = i32;

/// Everything was done.
pub const SIVKA_OK: Status = 0;

/// The message does not open under this key, nonce and AAD: forged, damaged, cut short
/// or sealed otherwise; there is no saying which. The output holds zeros.
pub const SIVKA_ERROR_OPEN: Status = 1;
/// Some messages of a batch were not done; their statuses say why. All others were.
pub const SIVKA_ERROR_BATCH: Status = 2;
/// Nothing is wrong: the reader wants the bytes that sivka_file_reader_wants() says.
pub const SIVKA_WANTS: Status = 3;

/// A pointer is NULL that may not be.
pub const SIVKA_ERROR_NULL: Status = 16;
/// A key, nonce, tag, section or array does not have the length that it must have.
pub const SIVKA_ERROR_LENGTH: Status = 17;
/// A buffer is too small for the result.
pub const SIVKA_ERROR_CAPACITY: Status = 18;
/// An input is longer than the algorithm allows or memory can be; or there are too many.
pub const SIVKA_ERROR_TOO_LONG: Status = 19;
/// A buffer that is written overlaps another one in a way that is not allowed.
pub const SIVKA_ERROR_OVERLAP: Status = 20;
/// An array of numbers or pointers is not aligned.
pub const SIVKA_ERROR_ALIGNMENT: Status = 21;
/// No algorithm has this number or name in this version, or this one does not have the call.
pub const SIVKA_ERROR_ALGORITHM: Status = 22;
/// The algorithm's nonce is too short to be random: choose it yourself.
pub const SIVKA_ERROR_NO_RANDOM_NONCE: Status = 23;
/// The offsets of a batch do not ascend, or go beyond their buffer.
pub const SIVKA_ERROR_OFFSETS: Status = 24;
/// A text is not UTF-8.
pub const SIVKA_ERROR_TEXT: Status = 25;
/// A flag is set that this version does not know.
pub const SIVKA_ERROR_FLAGS: Status = 26;
/// No suite of the file format has this number in this version.
pub const SIVKA_ERROR_SUITE: Status = 27;
/// The passphrase is empty.
pub const SIVKA_ERROR_EMPTY_PASSPHRASE: Status = 28;
/// An Argon2id cost is outside the limits of the file format.
pub const SIVKA_ERROR_COST: Status = 29;
/// A key's name is not 1 to 64 bytes, has a space at an end, or a control character.
pub const SIVKA_ERROR_KEY_NAME: Status = 30;
/// A file has 1 to 64 key slots, and its header space for them.
pub const SIVKA_ERROR_KEY_COUNT: Status = 31;
/// The usage bound of the key is spent.
pub const SIVKA_ERROR_USAGE_BOUND: Status = 32;
/// The algorithm refuses such a nonce, or a message that is empty in every part.
pub const SIVKA_ERROR_REFUSED: Status = 33;
/// The file has no key slot with this index.
pub const SIVKA_ERROR_SLOT: Status = 34;
/// No template of keyset keys has this name.
pub const SIVKA_ERROR_TEMPLATE: Status = 35;
/// The keyset has no key with this id, or several.
pub const SIVKA_ERROR_KEY_ID: Status = 36;
/// The primary key cannot be disabled, destroyed or removed. A key that is not enabled
/// cannot become the primary. A destroyed key stays destroyed.
pub const SIVKA_ERROR_KEY_STATE: Status = 37;
/// The keyset is for another primitive, as deterministic AEAD, than the call or the new key.
pub const SIVKA_ERROR_PRIMITIVE: Status = 38;
/// The text of a key was given where the path of a file belongs. No message quotes it.
pub const SIVKA_ERROR_KEY_TEXT: Status = 39;

/// The operating system gave no random bytes.
pub const SIVKA_ERROR_RANDOM: Status = 64;
/// The code for this CPU gave a wrong known answer and refuses to run.
pub const SIVKA_ERROR_SELF_CHECK: Status = 65;
/// There is not enough memory.
pub const SIVKA_ERROR_NO_MEMORY: Status = 66;
/// A defect of this library. The output may be there in part.
pub const SIVKA_ERROR_INTERNAL: Status = 67;

/// The input is not a sealed file.
pub const SIVKA_ERROR_NOT_SIVKA: Status = 96;
/// The file or key file needs a newer version of this library.
pub const SIVKA_ERROR_NEWER: Status = 97;
/// The file is damaged, or somebody changed it.
pub const SIVKA_ERROR_DAMAGED: Status = 98;
/// The end of the file is missing or damaged; nobody can tell which.
pub const SIVKA_ERROR_TRUNCATED: Status = 99;
/// None of the given keys and passphrases opens the file.
pub const SIVKA_ERROR_WRONG_KEY: Status = 100;
/// The file asks for more memory or time to try a passphrase than is allowed.
pub const SIVKA_ERROR_COST_LIMIT: Status = 101;
/// The input is longer than the file format allows.
pub const SIVKA_ERROR_FILE_TOO_LONG: Status = 102;
/// The text is not a key file, or it was damaged.
pub const SIVKA_ERROR_KEY_FILE: Status = 103;
/// A file could not be opened or read.
pub const SIVKA_ERROR_READ: Status = 104;
/// A file could not be created or written.
pub const SIVKA_ERROR_WRITE: Status = 105;
/// The output exists and was not to be overwritten.
pub const SIVKA_ERROR_EXISTS: Status = 106;
/// The caller's function that hears of the progress said to stop.
pub const SIVKA_ERROR_CANCELLED: Status = 107;
/// The input is not a keyset in the form asked for, or breaks a rule of keysets;
/// sivka_last_error() says where, or at which key.
pub const SIVKA_ERROR_KEYSET: Status = 108;
/// A key of the keyset is of a type or version that this library does not have.
pub const SIVKA_ERROR_KEY_TYPE: Status = 109;
/// The text has no recipients or identities of age's, one a line, or one that is none.
pub const SIVKA_ERROR_AGE_KEY: Status = 110;
/// A keyring cannot be made, or does not give a key; sivka_last_error() says why.
pub const SIVKA_ERROR_KEYRING: Status = 111;

/// The message for a status.
pub(crate) fn message_of(status: Status) -> Option<&'static CStr> {
    Some(match status {
        SIVKA_OK => c"done",
        SIVKA_ERROR_OPEN => c"message does not open under this key, nonce and aad",
        SIVKA_ERROR_BATCH => c"some messages of the batch were not done",
        SIVKA_WANTS => c"bytes of the sealed file are wanted first",
        SIVKA_ERROR_NULL => c"a pointer is NULL that may not be",
        SIVKA_ERROR_LENGTH => c"a length is not what it must be",
        SIVKA_ERROR_CAPACITY => c"a buffer is too small for the result",
        SIVKA_ERROR_TOO_LONG => c"an input is too long",
        SIVKA_ERROR_OVERLAP => c"buffers overlap",
        SIVKA_ERROR_ALIGNMENT => c"an array is not aligned",
        SIVKA_ERROR_ALGORITHM => c"unknown algorithm",
        SIVKA_ERROR_NO_RANDOM_NONCE => c"the nonce of this algorithm is too short to be random",
        SIVKA_ERROR_OFFSETS => c"offsets do not ascend or go beyond their buffer",
        SIVKA_ERROR_TEXT => c"a text is not UTF-8",
        SIVKA_ERROR_FLAGS => c"unknown flag",
        SIVKA_ERROR_SUITE => c"unknown suite of the file format",
        SIVKA_ERROR_EMPTY_PASSPHRASE => c"the passphrase is empty",
        SIVKA_ERROR_COST => c"an Argon2id cost is outside the format's limits",
        SIVKA_ERROR_KEY_NAME => {
            c"a key's name has 1 to 64 bytes, no control character, and no space at either end"
        }
        SIVKA_ERROR_KEY_COUNT => c"a file has 1 to 64 key slots, and a header with room for them",
        SIVKA_ERROR_REFUSED => {
            c"the algorithm refuses such a nonce, or a message that is empty in every part"
        }
        SIVKA_ERROR_USAGE_BOUND => c"the usage bound of the key is spent",
        SIVKA_ERROR_RANDOM => c"the operating system gave no random bytes",
        SIVKA_ERROR_SELF_CHECK => c"the code for this CPU failed its known-answer check",
        SIVKA_ERROR_NO_MEMORY => c"not enough memory",
        SIVKA_ERROR_INTERNAL => c"internal error of the library",
        SIVKA_ERROR_NOT_SIVKA => c"not a sivka file",
        SIVKA_ERROR_NEWER => c"a newer version of the library is needed",
        SIVKA_ERROR_DAMAGED => c"the file is damaged",
        SIVKA_ERROR_TRUNCATED => c"the end of the file is missing or damaged",
        SIVKA_ERROR_WRONG_KEY => c"no key slot opens with the given keys",
        SIVKA_ERROR_COST_LIMIT => c"a passphrase slot asks for more memory or time than is allowed",
        SIVKA_ERROR_FILE_TOO_LONG => c"longer than the file format allows",
        SIVKA_ERROR_KEY_FILE => c"not a sivka key file, or a damaged one",
        SIVKA_ERROR_READ => c"cannot read",
        SIVKA_ERROR_WRITE => c"cannot write",
        SIVKA_ERROR_EXISTS => c"the output exists",
        SIVKA_ERROR_SLOT => c"the file has no such key slot",
        SIVKA_ERROR_CANCELLED => c"stopped by the caller",
        SIVKA_ERROR_TEMPLATE => c"unknown template of keyset keys",
        SIVKA_ERROR_KEY_ID => c"the keyset has not one key with this id",
        SIVKA_ERROR_KEY_STATE => {
            c"the primary stays enabled, and a key that is not cannot be the primary"
        }
        SIVKA_ERROR_PRIMITIVE => c"the keyset is for another primitive than the one asked for",
        SIVKA_ERROR_KEY_TEXT => c"the text of a key was given where a path belongs",
        SIVKA_ERROR_KEYSET => c"not a keyset as asked for, or one that breaks a rule",
        SIVKA_ERROR_KEY_TYPE => c"the keyset has a key of a type that is not supported",
        SIVKA_ERROR_AGE_KEY => c"not a recipient or identity of age's, or a damaged one",
        SIVKA_ERROR_KEYRING => c"the keyring cannot be made, or does not give the key",
        _ => return None,
    })
}

/// A message for a status, in English, without a full stop. Static; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_status_message(status: Status) -> *const c_char {
    message_of(status).unwrap_or(c"unknown status").as_ptr()
}
