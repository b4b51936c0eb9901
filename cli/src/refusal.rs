//! Why a file did not open, with a look at what would open it.

use std::fs::File;
use std::path::Path;

use sivka_file::{Error, Header, SlotInfo};

use crate::failure::Failure;
use crate::keys::Secrets;
use crate::name::is_standard;

/// Why `input` did not open; if no key fits, with a look at what would.
pub(crate) fn refused(input: &Path, output: &Path, secrets: &Secrets, error: &Error) -> Failure {
    let failure = Failure::file(input, output, error);
    if !matches!(error, Error::NoSlotOpens) || is_standard(input) {
        return failure;
    }
    let header = File::open(input).map(Header::read);
    let Ok(Ok(header)) = header else {
        return failure;
    };
    let takes_passphrase = header
        .slots()
        .any(|slot| matches!(slot, SlotInfo::Passphrase { .. }));
    let key_ids = header.slots().filter_map(|slot| match slot {
        SlotInfo::KeyFile { id } => Some(id.to_string()),
        _ => None,
    });
    let key_ids = key_ids.collect::<Vec<_>>().join(" or ");
    match (
        takes_passphrase && !secrets.has_passphrase(),
        key_ids.is_empty(),
    ) {
        (true, true) => failure.hint("it says it opens with a passphrase: try --passphrase"),
        (true, false) => failure.hint(format!(
            "it says it opens with a passphrase, or with the key file of id {key_ids}"
        )),
        (false, false) => failure.hint(format!(
            "it says it opens with the key file of id {key_ids}"
        )),
        (false, true) => failure,
    }
}
