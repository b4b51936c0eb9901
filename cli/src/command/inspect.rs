//! What a sealed file says about itself.

use std::fmt::Write as _;
use std::path::Path;

use sivka_file::{Header, SlotInfo, VERSION};

use crate::failure::Failure;
use crate::input::Input;
use crate::key_store::read_key_file;
use crate::name::{printable, shown};
use crate::output::print;
use crate::progress::size;

/// What some editors put in front of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// How a key file begins, of whatever version.
const KEY_FILE: &[u8] = b"sivka key file, version ";

/// Describes the file at `path` for people, as far as it can be read. Nothing in it has
/// been authenticated.
pub(crate) fn inspect(path: &Path) -> Result<(), Failure> {
    let input = Input::open_sealed(path)?;
    let text = input.head();
    if text
        .strip_prefix(BYTE_ORDER_MARK)
        .unwrap_or(text)
        .starts_with(KEY_FILE)
    {
        return inspect_key(path);
    }
    let refused = |error| Failure::file(path, path, &error);
    let (suite, slots) = Header::describe_damaged(input.head()).map_err(refused)?;
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
            Ok(slot) => describe(&slot),
            Err(sivka_file::Error::UnknownSlot { kind, .. }) => {
                format!("of kind {kind}, which is not known to this program")
            }
            Err(_) => "damaged".into(),
        };
        line(&format!("slot {index}"), description);
    }
    print(text.as_bytes())?;
    // What is left was shown; that something is wrong is said all the same.
    Header::parse(input.head()).map(drop).map_err(refused)
}

/// Describes the key file at `path`, and does not show its key.
fn inspect_key(path: &Path) -> Result<(), Failure> {
    let key = read_key_file(path)?;
    let text = format!(
        "{}\n  format   sivka key file, version 1\n  name     {}\n  id       {}\n",
        shown(path),
        printable(key.name()),
        key.id()
    );
    print(text.as_bytes())
}

fn describe(slot: &SlotInfo) -> String {
    match slot {
        SlotInfo::KeyFile { id } => format!("key file, id {id}"),
        SlotInfo::Passphrase { cost } => format!("passphrase, Argon2id with {cost}"),
        _ => "of a kind that this program does not describe".into(),
    }
}
