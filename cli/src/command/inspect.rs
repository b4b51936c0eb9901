//! What a sealed file says about itself.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use sivka_file::{DamagedSlot, Header, SlotInfo, Suite, VERSION};

use super::keys::KeyRecord;
use crate::failure::Failure;
use crate::input::Input;
use crate::key_store::{OwnKey, is_identity_text, key_in};
use crate::name::{printable, shown};
use crate::output::print;
use crate::progress::size;
use crate::protected_key::stays_closed;
use crate::report::Report;

/// What some editors put in front of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// How a key file begins, of whatever version.
const KEY_FILE: &[u8] = b"sivka key file, version ";

#[derive(Serialize)]
struct SealedRecord {
    kind: &'static str,
    version: u32,
    suite: &'static str,
    /// Not there where it is not known, as of a pipe.
    #[serde(skip_serializing_if = "Option::is_none")]
    sealed_len: Option<u64>,
    slots: Vec<SlotRecord>,
}

#[derive(Serialize)]
pub(super) struct SlotRecord {
    slot: usize,
    #[serde(flatten)]
    what: SlotKind,
    /// Not there where nobody can say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    post_quantum: Option<bool>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum SlotKind {
    KeyFile {
        key_id: String,
    },
    Passphrase {
        memory_kib: u32,
        passes: u32,
        lanes: u32,
    },
    X25519,
    #[serde(rename = "mlkem768-x25519")]
    MlKem768X25519,
    Other {
        number: u8,
    },
}

#[derive(Serialize)]
struct KeyFileRecord<'a> {
    kind: &'static str,
    version: u32,
    #[serde(flatten)]
    key: KeyRecord<'a>,
}

/// Describes the file at `path`, as far as it can be read. Nothing in it has been
/// authenticated.
pub(crate) fn inspect(path: &Path, report: Report) -> Result<(), Failure> {
    let input = Input::open_sealed(path)?;
    let text = input.head();
    if text
        .strip_prefix(BYTE_ORDER_MARK)
        .unwrap_or(text)
        .starts_with(KEY_FILE)
    {
        return inspect_key(path, &input, report);
    }
    if is_identity_text(text) {
        return inspect_identities(path, &input, report);
    }
    let refused = |error| Failure::file(path, path, &error);
    let header = Header::parse(input.head()).map_err(refused);
    if report.is_json() {
        // One object a file: where something is wrong, it says what.
        return report.tell_json(path, 0, sealed_record(&header?, input.len()));
    }
    let (suite, slots) = Header::describe_damaged(input.head()).map_err(refused)?;
    print(words(path, &input, suite, &slots).as_bytes())?;
    // What is left was shown; that something is wrong is said all the same.
    header.map(drop)
}

fn words(path: &Path, input: &Input, suite: Suite, slots: &[DamagedSlot]) -> String {
    let mut text = format!("{}\n", shown(path));
    let mut line = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<8} {value}");
    };
    line("format", format!("sivka file, version {VERSION}"));
    line("suite", suite.to_string());
    if let Some(len) = input.len() {
        line("length", size(len));
    }
    for (index, slot) in slots {
        let description = match slot {
            Ok(slot) => describe(slot),
            Err(_) => "damaged".into(),
        };
        line(&format!("slot {index}"), description);
    }
    text
}

/// What each slot of a header shows.
pub(super) fn slot_records(header: &Header) -> Vec<SlotRecord> {
    let what = |slot| match slot {
        SlotInfo::KeyFile { id } => SlotKind::KeyFile {
            key_id: id.to_string(),
        },
        SlotInfo::Passphrase { cost } => SlotKind::Passphrase {
            memory_kib: cost.memory_kib,
            passes: cost.passes,
            lanes: cost.lanes,
        },
        SlotInfo::X25519 => SlotKind::X25519,
        SlotInfo::MlKem768X25519 => SlotKind::MlKem768X25519,
        SlotInfo::Unknown { kind } => SlotKind::Other { number: kind },
        // The library knows more kinds than this program.
        _ => SlotKind::Other { number: 0 },
    };
    let slots = header.slots().enumerate();
    slots
        .map(|(slot, info)| SlotRecord {
            slot,
            what: what(info),
            post_quantum: info.is_post_quantum(),
        })
        .collect()
}

fn sealed_record(header: &Header, sealed_len: Option<u64>) -> SealedRecord {
    SealedRecord {
        kind: "sealed-file",
        version: VERSION,
        suite: header.suite().name(),
        sealed_len,
        slots: slot_records(header),
    }
}

fn own_key(path: &Path, input: &Input) -> Result<OwnKey, Failure> {
    key_in(path, input.reader(), &input.file, |_| {
        Err(stays_closed(path))
    })
}

/// Describes the key file at `path`, and does not show its key.
fn inspect_key(path: &Path, input: &Input, report: Report) -> Result<(), Failure> {
    let OwnKey::KeyFile(key) = own_key(path, input)? else {
        return Ok(()); // Its first bytes say that it is one.
    };
    let record = KeyFileRecord {
        kind: "key-file",
        version: 1,
        key: KeyRecord::of(&key),
    };
    report.tell(Some(path), record, || {
        format!(
            "{}\n  format   sivka key file, version 1\n  name     {}\n  id       {}\n",
            shown(path),
            printable(key.name()),
            key.id()
        )
    })
}

#[derive(Serialize)]
struct IdentityRecord {
    kind: &'static str,
    recipients: Vec<String>,
}

/// Describes the file of identities at `path` by their public keys.
fn inspect_identities(path: &Path, input: &Input, report: Report) -> Result<(), Failure> {
    let OwnKey::Identities(identities) = own_key(path, input)? else {
        return Ok(()); // As above.
    };
    let recipients = identities.iter().map(|own| own.recipient().to_string());
    let record = IdentityRecord {
        kind: "identities",
        recipients: recipients.collect(),
    };
    let mut text = format!("{}\n  format   identities of age\n", shown(path));
    for recipient in &record.recipients {
        let _ = writeln!(text, "  recipient {recipient}");
    }
    report.tell(Some(path), record, || text)
}

/// What a slot shows without a key.
pub(super) fn describe(slot: &SlotInfo) -> String {
    match slot {
        SlotInfo::KeyFile { id } => format!("key file, id {id}"),
        SlotInfo::Passphrase { cost } => format!("passphrase, Argon2id with {cost}"),
        SlotInfo::X25519 => "recipient, X25519, not post-quantum".into(),
        SlotInfo::MlKem768X25519 => "recipient, ML-KEM-768 with X25519, post-quantum".into(),
        SlotInfo::Unknown { kind } => {
            format!("of kind {kind}, which is not known to this program")
        }
        _ => "of a kind that this program does not describe".into(),
    }
}
