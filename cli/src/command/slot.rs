//! Changing what opens a sealed file.

use std::fs::File;
use std::io::Read;

use serde::Serialize;
use sivka_file::{HEADER_LEN, change_slots};

use crate::args::{NewKey, Sealed, Slot};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keys::Secrets;
use crate::open_failure::open_failure;
use crate::progress::Progress;
use crate::run::one;

/// Carries out a `slot` command. The header is changed in place; other changes of the
/// same file wait, and a crash leaves the old slots or the new.
pub(crate) fn slot(command: &Slot) -> Result<(), Exit> {
    let (sealed, new) = match command {
        Slot::Add { sealed, new } | Slot::Replace { sealed, new, .. } => (sealed, Some(new)),
        Slot::Remove { sealed, .. } => (sealed, None),
    };
    let report = sealed.reporting.report();
    one(Some(&sealed.file), report, || {
        let slots = change(command, sealed, new)?;
        report.tell_json(&sealed.file, 0, SlotRecord { slots })
    })
}

/// What is told of a file whose slots were changed.
#[derive(Serialize)]
struct SlotRecord {
    /// How many slots it has now.
    slots: usize,
}

/// Changes a slot, and gives how many there are now.
fn change(command: &Slot, sealed: &Sealed, new: Option<&NewKey>) -> Result<usize, Failure> {
    let path = &sealed.file;
    // Before anybody is asked for a passphrase.
    let file = File::options().read(true).write(true).open(path);
    drop(file.map_err(|error| Failure::io(path, &error))?);
    let progress = Progress::hidden();
    let console = sealed.reporting.console(&progress);
    let mut secrets = Secrets::for_opening(&sealed.keys, path, console)?;
    let new = new
        .map(|new| Secrets::for_new_slot(new, console))
        .transpose()?;
    let locks = new.as_ref().map(Secrets::locks).unwrap_or_default();

    let options = sealed.limit.options();
    let changed = secrets.try_on(path, &progress, |keys| {
        change_slots(path, keys, &options, |slots| {
            match (command, &locks[..]) {
                (Slot::Add { .. }, [lock]) => slots.add(lock).map(drop),
                (Slot::Replace { slot, .. }, [lock]) => slots.replace(*slot, lock),
                (Slot::Remove { slot, .. }, _) => slots.remove(*slot),
                // The parser asks for exactly one new key or passphrase.
                _ => Err(sivka_file::Error::NoSlotLeft),
            }?;
            Ok(slots.header().slots().len())
        })
    })?;
    changed.map_err(|error| {
        let mut head = Vec::new();
        if matches!(
            error,
            sivka_file::Error::NoSlotOpens
                | sivka_file::Error::HeaderDamaged
                | sivka_file::Error::UnknownSlot { .. }
        ) {
            // For the hint only: without it the refusal says what it has to.
            let file = File::open(path).map(|file| file.take(HEADER_LEN as u64));
            let _ = file.and_then(|mut file| file.read_to_end(&mut head));
        }
        open_failure(path, path, &head, &secrets, &error)
    })
}
