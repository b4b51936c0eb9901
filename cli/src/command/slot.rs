//! Changing what opens a sealed file.

use std::fs::File;
use std::io::{self, Read, Seek};

use sivka_file::HEADER_LEN;

use crate::args::Slot;
use crate::failure::Failure;
use crate::keys::Secrets;
use crate::refusal::refused;

/// Carries out a `slot` command. The file is changed in place, in one write of
/// its header.
pub(crate) fn slot(command: &Slot) -> Result<(), Failure> {
    let (sealed, new) = match command {
        Slot::Add { sealed, new } | Slot::Replace { sealed, new, .. } => (sealed, Some(new)),
        Slot::Remove { sealed, .. } => (sealed, None),
    };
    let path = &sealed.file;
    let failed = |error: io::Error| Failure::io(path, &error);
    let mut file = File::options()
        .read(true)
        .write(true)
        .open(path)
        .map_err(failed)?;
    let secrets = Secrets::for_opening(&sealed.keys, path)?;
    let new = new.map(Secrets::for_new_slot).transpose()?;
    let locks = new.as_ref().map(Secrets::locks).unwrap_or_default();

    let (file_mut, unlocks, options) = (&mut file, secrets.unlocks(), sealed.limit.options());
    let changed = match (command, &locks[..]) {
        (Slot::Add { .. }, [lock]) => {
            sivka_file::add_slot(file_mut, &unlocks, lock, &options).map(drop)
        }
        (Slot::Replace { slot, .. }, [lock]) => {
            sivka_file::replace_slot(file_mut, &unlocks, *slot, lock, &options)
        }
        (Slot::Remove { slot, .. }, _) => {
            sivka_file::remove_slot(file_mut, &unlocks, *slot, &options)
        }
        // The parser asks for exactly one new key or passphrase.
        _ => Err(sivka_file::Error::NoSlotLeft),
    };
    changed.map_err(|error| refused(path, path, &head(&file), &secrets, &error))?;
    file.sync_all().map_err(failed)
}

/// The header as it stands in the file, for the hint of a refusal.
fn head(mut file: &File) -> Vec<u8> {
    let mut head = Vec::new();
    let read = file
        .rewind()
        .and_then(|()| file.take(HEADER_LEN as u64).read_to_end(&mut head));
    if read.is_err() {
        head.clear();
    }
    head
}
