//! Describing sealed files and key files without a key.

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use serde::Serialize;
use sivka_file::{Header, MAX_HEADER_LEN, SlotInfo, VERSION};
use zeroize::Zeroizing;

use crate::args::Inspect;
use crate::console::{Console, size};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Input, named};
use crate::key_store::{OwnKey, is_identity_text, key_in, others_can_read, stays_closed};
use crate::keygen::KeyRecord;
use crate::name::{printable, shown};
use crate::output::print;
use crate::report::Report;
use crate::run::{each, once};

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
    /// Whether the two copies of the header agree.
    copies: &'static str,
    slots: Vec<SlotRecord>,
}

#[derive(Serialize)]
pub(crate) struct SlotRecord {
    slot: usize,
    #[serde(flatten)]
    what: SlotKind,
    /// Not there where nobody can tell.
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

#[derive(Serialize)]
struct IdentityRecord {
    kind: &'static str,
    recipients: Vec<String>,
}

pub(crate) fn inspect(args: &Inspect) -> Result<(), Exit> {
    let files = once(|| named(&args.files))?;
    let report = args.reporting.report();
    each(&files, &Console::new(false), report, |path| describe_file(path, report))
}

/// Describes the file at `path`, if it can be read. Nothing in it has been authenticated.
fn describe_file(path: &Path, report: Report) -> Result<(), Failure> {
    let input = Input::open(path)?;
    // At once, and wiped: whatever the file is, it may be a key.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_HEADER_LEN + 1));
    let read = (&input.file).take(MAX_HEADER_LEN as u64).read_to_end(&mut bytes);
    read.map_err(|error| Failure::io(path, &error))?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    if text.starts_with(KEY_FILE) || is_identity_text(text) {
        return describe_key(path, bytes, &input, report);
    }
    let refused = |error| Failure::file(path, path, &error);
    let header = Header::parse(&bytes).map_err(refused)?;
    if report.is_json() {
        let record = SealedRecord {
            kind: "sealed-file",
            version: VERSION,
            suite: header.suite().name(),
            sealed_len: input.len(),
            copies: match header.copies_agree() {
                true => "equal",
                false => "differ",
            },
            slots: slot_records(&header),
        };
        return report.tell_json(path, 0, record);
    }
    let mut text = format!("{}\n", shown(path));
    let mut line = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<8} {value}");
    };
    line("format", format!("sivka file, version {VERSION}"));
    line("suite", header.suite().to_string());
    if let Some(len) = input.len() {
        line("length", size(len));
    }
    if !header.copies_agree() {
        line("header", "a copy is damaged or older; any change by `sivka slot` mends it".into());
    }
    for (index, slot) in header.slots().enumerate() {
        line(&format!("slot {index}"), describe(&slot));
    }
    print(text.as_bytes())
}

/// Describes the public parts of the key file, or file of identities, at `path`.
fn describe_key(
    path: &Path,
    bytes: Zeroizing<Vec<u8>>,
    input: &Input,
    report: Report,
) -> Result<(), Failure> {
    match key_in(path, bytes, others_can_read(&input.file), stays_closed)? {
        OwnKey::KeyFile(key) => {
            let record = KeyFileRecord { kind: "key-file", version: 1, key: KeyRecord::of(&key) };
            report.tell(Some(path), record, || {
                let (path, name, id) = (shown(path), printable(key.name()), key.id());
                format!(
                    "{path}\n  format   sivka key file, version 1\n  name     {name}\n  id       {id}\n"
                )
            })
        }
        OwnKey::Identities(identities) => {
            let recipients = identities.iter().map(|own| own.recipient().to_string());
            let record = IdentityRecord { kind: "identities", recipients: recipients.collect() };
            let mut text = format!("{}\n  format   identities of age\n", shown(path));
            for recipient in &record.recipients {
                let _ = writeln!(text, "  recipient {recipient}");
            }
            report.tell(Some(path), record, || text)
        }
    }
}

/// The slots of a header, as they are shown.
pub(crate) fn slot_records(header: &Header) -> Vec<SlotRecord> {
    let what = |slot| match slot {
        SlotInfo::KeyFile { id } => SlotKind::KeyFile { key_id: id.to_string() },
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

/// The fields of a slot that are visible without a key.
pub(crate) fn describe(slot: &SlotInfo) -> String {
    match slot {
        SlotInfo::KeyFile { id } => format!("key file, id {id}"),
        SlotInfo::Passphrase { cost } => format!("passphrase, Argon2id with {cost}"),
        SlotInfo::X25519 => "recipient, X25519, not post-quantum".into(),
        SlotInfo::MlKem768X25519 => "recipient, ML-KEM-768 with X25519, post-quantum".into(),
        SlotInfo::Unknown { kind } => format!("of kind {kind}, which is not known to this program"),
        _ => "of a kind that this program does not describe".into(),
    }
}
