//! What a sealed file says about itself.

use std::fmt::Write as _;
use std::path::Path;

use sivka_file::{Header, SlotInfo, VERSION};

use crate::failure::Failure;
use crate::input::Input;
use crate::name::shown;
use crate::progress::size;

/// A description of the file at `path`, for people. Nothing in it has been
/// authenticated.
pub(crate) fn inspect(path: &Path) -> Result<String, Failure> {
    let input = Input::open(path)?;
    let header = Header::read(&input.file).map_err(|error| Failure::file(path, path, &error))?;
    let mut text = format!("{}\n", shown(path));
    let mut line = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<8} {value}");
    };
    line("format", format!("sivka file, version {VERSION}"));
    line("suite", header.suite().to_string());
    if let Some(len) = input.len() {
        line("length", size(len));
    }
    for (index, slot) in header.slots().enumerate() {
        line(&format!("slot {index}"), describe(&slot));
    }
    Ok(text)
}

fn describe(slot: &SlotInfo) -> String {
    match slot {
        SlotInfo::KeyFile { id } => format!("key file, id {id}"),
        SlotInfo::Passphrase { cost } => format!("passphrase, Argon2id with {cost}"),
        _ => "of a kind that this program does not describe".into(),
    }
}
