//! Changing what opens a sealed file.

use std::cell::{Cell, RefCell};
use std::path::Path;

use serde::Serialize;
use sivka_file::{
    Header, KeyId, Lock, Recipient, SlotInfo, change_slots, open_to_change, read_head,
};

use super::inspect::{describe, slot_records};
use crate::args::{NewKey, Sealed, Slot, WhichSlot};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, locked, refuse_standard};
use crate::input::Input;
use crate::interrupt::hold;
use crate::keys::Secrets;
use crate::name::shown;
use crate::open_failure::open_failure;
use crate::progress::Progress;
use crate::prompt;
use crate::report::Report;
use crate::run::one;

/// Carries out a `slot` command. The header is changed in place; other changes of the
/// same file wait.
pub(crate) fn slot(command: &Slot) -> Result<(), Exit> {
    let (sealed, new) = match command {
        Slot::List { file, reporting } => {
            return one(Some(file), reporting.report(), || {
                list(file, reporting.report())
            });
        }
        Slot::Add { sealed, new } | Slot::Replace { sealed, new, .. } => (sealed, Some(new)),
        Slot::Remove { sealed, .. } => (sealed, None),
    };
    let report = sealed.reporting.report();
    one(Some(&sealed.file), report, || {
        let slots = change(command, sealed, new)?;
        report.tell_json(&sealed.file, 0, SlotRecord { slots })
    })
}

/// Tells of each slot of a file: a line each, or an object.
fn list(path: &Path, report: Report) -> Result<(), Failure> {
    let input = Input::open_sealed(path)?;
    let header = Header::parse(input.head());
    let header = header.map_err(|error| Failure::file(path, path, &error))?;
    let slots = header.slots().zip(slot_records(&header)).enumerate();
    for (number, (slot, record)) in slots {
        report.tell(Some(path), record, || {
            format!("{number:<3} {}\n", describe(&slot))
        })?;
    }
    Ok(())
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
    refuse_standard(path, "slots are changed in files, not in standard input")?;
    // Before anybody is asked for a passphrase.
    open_to_change(path).map_err(|error| Failure::io(path, &error))?;
    let progress = Progress::hidden();
    let console = sealed.reporting.console(&progress);
    let mut secrets = Secrets::for_opening((&sealed.keys, &sealed.limit), path, console)?;
    let new = new
        .map(|new| Secrets::for_new_slot(new, (&sealed.keys, &sealed.limit), console))
        .transpose()?;
    let locks = new.as_ref().map(Secrets::locks).unwrap_or_default();

    let options = sealed.limit.options();
    let may_shut_out = matches!(command, Slot::Remove { yes: true, .. });
    // The library knows no failures of this program.
    let refused = RefCell::new(None);
    let refuse = |message: String| {
        let failure = Failure::new(Exit::Usage, format!("{}: {message}", shown(path)));
        refused.replace(Some(failure));
        sivka_file::Error::NoSlotLeft
    };
    let attempt = |secrets: &mut Secrets, may_shut_out: bool| {
        let shuts_out = Cell::new(false);
        let changed = secrets.try_on(path, &progress, |keys| {
            // A signal waits until the header is written.
            let mut held = None;
            let on_wait = || console.note(&locked(path));
            change_slots(path, keys, &options, on_wait, |slots| {
                if let Some(new) = &new
                    && let Some(id) = slots.header().slots().find_map(|slot| known(new, &slot))
                {
                    return Err(refuse(format!("the key of id {id} opens it already")));
                }
                if let [Lock::Recipient(recipient)] = locks[..] {
                    note_weaker(slots.header(), recipient, console);
                }
                match (command, &locks[..]) {
                    (Slot::Add { .. }, [lock]) => slots.add(lock).map(drop),
                    (Slot::Replace { slot, .. }, [lock]) => slots.replace(*slot, lock),
                    (Slot::Remove { which, .. }, _) => {
                        let slot = number(which, slots.header()).map_err(refuse)?;
                        slots.remove(slot)?;
                        let left = slots.header().clone().unlock(keys, options.max_cost);
                        shuts_out.set(left.is_err() && !may_shut_out);
                        match shuts_out.get() {
                            true => Err(sivka_file::Error::NoSlotLeft),
                            false => Ok(()),
                        }
                    }
                    // The parser asks for exactly one new key or passphrase.
                    _ => Err(sivka_file::Error::NoSlotLeft),
                }?;
                held = Some(hold());
                Ok(slots.header().slots().len())
            })
        });
        changed.map(|changed| (changed, shuts_out.get()))
    };
    let mut changed = attempt(&mut secrets, may_shut_out)?;
    if changed.1 {
        // Nobody waits for the file while the answer is awaited.
        confirm_shutting_out(path)?;
        changed = attempt(&mut secrets, true)?;
    }
    let (changed, _) = changed;
    if let Some(failure) = refused.take() {
        return Err(failure);
    }
    changed.map_err(|error| {
        let mut head = None;
        if matches!(
            error,
            sivka_file::Error::NoSlotOpens
                | sivka_file::Error::HeaderDamaged
                | sivka_file::Error::UnknownSlot { .. }
        ) {
            // For the hint only: without it the refusal says what it has to.
            let file = open_to_change(path);
            head = file.and_then(|file| read_head(&file)).ok();
        }
        let head = head.as_ref().map_or(&[][..], |head| &head[..]);
        open_failure(path, path, head, &secrets, &error)
    })
}

/// Asks whether the last way in may be taken away that was used.
fn confirm_shutting_out(path: &Path) -> Result<(), Failure> {
    let question = format!(
        "no key that you gave opens {} after this; go on? [y/N] ",
        shown(path)
    );
    let refused = |message: &str| {
        let message = format!("{}: {message}", shown(path));
        Failure::new(Exit::Usage, message).hint("--yes takes the slot away all the same")
    };
    match prompt::confirm(&question) {
        Ok(true) => Ok(()),
        Ok(false) => Err(refused("nothing was changed")),
        Err(_) => Err(refused("no key that you gave would open it after this")),
    }
}

/// Warns of a recipient that a quantum computer finds the key of, beside those that it does not.
fn note_weaker(header: &Header, recipient: &Recipient, console: Console<'_>) {
    let mut slots = header.slots();
    if !recipient.is_post_quantum() && slots.all(|slot| slot.is_post_quantum() == Some(true)) {
        console.note(
            "the new recipient is not post-quantum (age1..., not age1pq1...), and all other \
             slots are: a quantum computer of tomorrow opens the file by this one",
        );
    }
}

/// The id of a slot that a new key opens, too.
fn known(new: &Secrets, slot: &SlotInfo) -> Option<KeyId> {
    match slot {
        SlotInfo::KeyFile { id } => Some(*id).filter(|id| new.has_key(*id)),
        _ => None,
    }
}

/// The number of the slot that is meant, or why there is none.
fn number(which: &WhichSlot, header: &Header) -> Result<usize, String> {
    let wanted = match (which.slot, &which.id) {
        (Some(slot), _) => return Ok(slot),
        (None, id) => id.as_deref().unwrap_or_default().to_ascii_lowercase(),
    };
    let has_id = |slot: &SlotInfo| match slot {
        SlotInfo::KeyFile { id } => id.to_string() == wanted,
        _ => false,
    };
    let mut slots = header.slots().enumerate().filter(|(_, slot)| has_id(slot));
    match (slots.next(), slots.next()) {
        (None, _) => Err(format!("no slot is for the key of id {wanted}")),
        (Some((slot, _)), None) => Ok(slot),
        (Some(_), Some(_)) => Err(format!(
            "several slots are for the key of id {wanted}: say which by its number"
        )),
    }
}
