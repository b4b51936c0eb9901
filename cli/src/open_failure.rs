//! Why a file did not open, with a look at what would open it.

use std::path::Path;

use sivka_file::{Error, Header, SlotInfo};

use crate::failure::Failure;
use crate::keys::Secrets;
use crate::name::is_standard;

/// Why `input`, whose header begins with `head`, did not open; with what would help, as
/// far as the header says it. Nothing that the header says is authentic.
pub(crate) fn open_failure(
    input: &Path,
    output: &Path,
    head: &[u8],
    secrets: &Secrets,
    error: &Error,
) -> Failure {
    let failure = Failure::file(input, output, error);
    let hint = match error {
        Error::NoSlotOpens => Header::parse(head)
            .ok()
            .and_then(|header| what_opens(&header, secrets)),
        Error::HeaderDamaged | Error::UnknownSlot { .. } => {
            what_is_left(head, !is_standard(input)).map(|left| of_newer(error, left))
        }
        _ => None,
    };
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// The same of a file that was to be salvaged: nothing else is left to be tried.
pub(crate) fn salvage_failure(
    input: &Path,
    output: &Path,
    head: &[u8],
    secrets: &Secrets,
    error: &Error,
) -> Failure {
    let failure = open_failure(input, output, head, secrets, error);
    match error {
        Error::HeaderDamaged | Error::UnknownSlot { .. } => match what_is_left(head, false) {
            Some(left) => failure.hint(of_newer(error, left)),
            None => failure,
        },
        _ => failure,
    }
}

fn of_newer(error: &Error, left: String) -> String {
    match error {
        Error::UnknownSlot { .. } => format!("a newer version of sivka may know it; {left}"),
        _ => left,
    }
}

fn what_opens(header: &Header, secrets: &Secrets) -> Option<String> {
    let of_given_key = header.slots().find_map(|slot| match slot {
        SlotInfo::KeyFile { id } if secrets.has_key(id) => Some(id),
        _ => None,
    });
    if let Some(id) = of_given_key {
        return Some(format!(
            "it has a slot for the given key, of id {id}: that slot is damaged"
        ));
    }
    let takes_passphrase = header
        .slots()
        .any(|slot| matches!(slot, SlotInfo::Passphrase { .. }));
    let key_ids = header.slots().filter_map(|slot| match slot {
        SlotInfo::KeyFile { id } => Some(id.to_string()),
        _ => None,
    });
    let key_ids = key_ids.collect::<Vec<_>>().join(" or ");
    let is_for_people = |slot| matches!(slot, SlotInfo::X25519 | SlotInfo::MlKem768X25519);
    if !takes_passphrase && key_ids.is_empty() {
        let hint = "it says it opens with a recipient's identity: name its file with --key";
        return (header.slots().any(is_for_people) && !secrets.has_identity())
            .then(|| hint.to_owned());
    }
    match (
        takes_passphrase && !secrets.has_passphrase(),
        key_ids.is_empty(),
    ) {
        (true, true) => Some("it says it opens with a passphrase: try --passphrase".into()),
        (true, false) => Some(format!(
            "it says it opens with a passphrase, or with the key file of id {key_ids}"
        )),
        (false, false) => Some(format!(
            "it says it opens with the key file of id {key_ids}"
        )),
        (false, true) => None,
    }
}

/// What a damaged header still shows, in a few words, and what can be done about it where
/// the input can be salvaged.
fn what_is_left(head: &[u8], may_salvage: bool) -> Option<String> {
    let (suite, slots) = Header::describe_damaged(head).ok()?;
    let numbers = |wanted: bool| {
        let numbers = slots.iter().filter(|(_, slot)| slot.is_ok() == wanted);
        numbers
            .map(|(index, _)| index.to_string())
            .collect::<Vec<_>>()
    };
    let named = |numbers: &[String]| match numbers {
        [one] => format!("slot {one}"),
        several => format!("slots {}", several.join(", ")),
    };
    let (readable, damaged) = (numbers(true), numbers(false));
    let mut left = format!("of the header, suite {suite}");
    if !readable.is_empty() {
        left += &format!(" and {}", named(&readable));
    }
    left += " can be read";
    if !damaged.is_empty() {
        left += &format!(", {} cannot", named(&damaged));
    }
    if !readable.is_empty() && may_salvage {
        left += "; `sivka salvage` recovers what a slot still opens";
    }
    Some(left)
}
