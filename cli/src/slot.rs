//! Changing the slots of a sealed file.

use std::cell::{Cell, RefCell};
use std::path::Path;

use sivka_file::{Error, FileLock, Header, KeyId, Lock, Recipient, SlotInfo, change_slots};

use crate::args::{NewKey, Sealed, Slot, WhichSlot};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, refuse_standard};
use crate::input::Input;
use crate::inspect::{describe, slot_records};
use crate::interrupt::hold;
use crate::keys::Secrets;
use crate::name::shown;
use crate::prompt;
use crate::report::Report;
use crate::run::one;

/// Carries out a `slot` command. The header is changed in place; other changes of the
/// same file wait.
pub(crate) fn slot(command: &Slot) -> Result<(), Exit> {
    let (sealed, new) = match command {
        Slot::List { file, reporting } => {
            let report = reporting.report();
            return one(Some(file), report, || list(file, report));
        }
        Slot::Add { sealed, new } | Slot::Replace { sealed, new, .. } => (sealed, Some(new)),
        Slot::Remove { sealed, .. } => (sealed, None),
    };
    let report = sealed.reporting.report();
    one(Some(&sealed.file), report, || {
        change(command, sealed, new)?;
        report.tell_done(&sealed.file)
    })
}

/// Tells of each slot of a file: a line each, or an object.
fn list(path: &Path, report: Report) -> Result<(), Failure> {
    let input = Input::open(path)?;
    let header = Header::read(&input.file);
    let header = header.map_err(|error| Failure::file(path, path, &error))?;
    let slots = header.slots().zip(slot_records(&header)).enumerate();
    for (number, (slot, record)) in slots {
        report.tell(Some(path), record, || format!("{number:<3} {}\n", describe(&slot)))?;
    }
    Ok(())
}

/// Changes a slot.
fn change(command: &Slot, sealed: &Sealed, new: Option<&NewKey>) -> Result<(), Failure> {
    let path = &sealed.file;
    refuse_standard(path, "slots are changed in files, not in standard input")?;
    // Before anybody is asked for a passphrase.
    FileLock::to_change(path).map_err(|error| Failure::io(path, &error))?;
    let console = Console::new(sealed.reporting.verbose);
    let keys = (&sealed.keys, &sealed.limit);
    let mut secrets = Secrets::for_opening(keys, path, &console)?;
    let new = new.map(|new| Secrets::for_new_slot(new, keys, &console)).transpose()?;
    let locks = new.as_ref().map(|new| new.locks(&console)).unwrap_or_default();
    let options = sealed.limit.options();
    let mut may_shut_out = matches!(command, Slot::Remove { yes: true, .. });
    loop {
        // The library knows no failures of this program.
        let refused = RefCell::new(None);
        let refuse = |message: String| {
            let failure = Failure::new(Exit::Usage, format!("{}: {message}", shown(path)));
            refused.replace(Some(failure));
            Error::NoSlotLeft
        };
        let shuts_out = Cell::new(false);
        let changed = secrets.try_on(path, &console, |keys| {
            // A signal waits until the header is written.
            let mut held = None;
            change_slots(path, keys, &options, |slots| {
                let is_known = |id: &KeyId| new.as_ref().is_some_and(|new| new.has_key(*id));
                if let Some(id) = slots.header().slots().filter_map(key_id).find(is_known) {
                    return Err(refuse(format!("the key of id {id} opens it already")));
                }
                if let [Lock::Recipient(recipient)] = locks[..] {
                    note_weaker(slots.header(), recipient, &console);
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
                            true => Err(Error::NoSlotLeft),
                            false => Ok(()),
                        }
                    }
                    // The parser asks for exactly one new key or passphrase.
                    _ => Err(Error::NoSlotLeft),
                }?;
                held = Some(hold());
                Ok(())
            })
        })?;
        if shuts_out.get() {
            // Nobody waits for the file while the answer is awaited.
            confirm_shutting_out(path)?;
            may_shut_out = true;
            continue;
        }
        if let Some(failure) = refused.take() {
            return Err(failure);
        }
        return changed.map_err(|error| {
            let header = Input::open(path).ok().and_then(|input| input.header());
            secrets.refusal(path, header.as_ref(), &error)
        });
    }
}

/// Asks whether the last way in may be taken away that was used.
fn confirm_shutting_out(path: &Path) -> Result<(), Failure> {
    let name = shown(path);
    let refused = |message: &str| {
        let failure = Failure::new(Exit::Usage, format!("{name}: {message}"));
        Err(failure.hint("--yes takes the slot away all the same"))
    };
    let question = format!("no key that you gave opens {name} after this; go on? [y/N] ");
    match prompt::confirm(&question) {
        Ok(true) => Ok(()),
        Ok(false) => refused("nothing was changed"),
        Err(_) => refused("no key that you gave would open it after this"),
    }
}

/// Warns of a recipient that is not post-quantum, beside others that are.
fn note_weaker(header: &Header, recipient: &Recipient, console: &Console) {
    let mut slots = header.slots();
    if !recipient.is_post_quantum() && slots.all(|slot| slot.is_post_quantum() == Some(true)) {
        console.note(
            "the new recipient is not post-quantum (age1..., not age1pq1...), and all other \
             slots are: a future quantum computer could open the file by this one",
        );
    }
}

fn key_id(slot: SlotInfo) -> Option<KeyId> {
    match slot {
        SlotInfo::KeyFile { id } => Some(id),
        _ => None,
    }
}

/// The number of the slot that is meant, or why there is none.
fn number(which: &WhichSlot, header: &Header) -> Result<usize, String> {
    let wanted = match (which.slot, &which.id) {
        (Some(slot), _) => return Ok(slot),
        (None, id) => id.as_deref().unwrap_or_default().to_ascii_lowercase(),
    };
    let has_id = |slot: SlotInfo| key_id(slot).is_some_and(|id| id.to_string() == wanted);
    let mut slots = (0..).zip(header.slots()).filter(|(_, slot)| has_id(*slot));
    match (slots.next(), slots.next()) {
        (None, _) => Err(format!("no slot is for the key of id {wanted}")),
        (Some((slot, _)), None) => Ok(slot),
        (Some(_), Some(_)) => {
            Err(format!("several slots are for the key of id {wanted}: give the number of one"))
        }
    }
}
