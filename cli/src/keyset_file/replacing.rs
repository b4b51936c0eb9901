//! Putting a changed keyset in the place of the one that was read.

use std::path::Path;

#[cfg(target_os = "linux")]
use sivka_file::AtomicFile;

#[cfg(target_os = "linux")]
use super::exchange::{Aside, Exchanged, holds};
use super::reading::read_to_change;
use crate::exit::Exit;
use crate::failure::Failure;
#[cfg(target_os = "linux")]
use crate::failure::reason;
#[cfg(target_os = "linux")]
use crate::interrupt::hold;
use crate::key_store::replace_secret_file;
use crate::name::shown;
#[cfg(target_os = "linux")]
use crate::output::name_not_durable;

/// Puts a file of `bytes` in the place of the one that was `read`, unless a program that waits
/// for no turn has changed that.
pub(super) fn replace(path: &Path, read: &[u8], bytes: &[u8]) -> Result<(), Failure> {
    #[cfg(target_os = "linux")]
    if exchange(path, read, bytes)? {
        return Ok(());
    }
    replace_secret_file(path, bytes, || check_unchanged(path, read))
}

/// The same without a moment after the last look; `false` where the file system cannot do it.
#[cfg(target_os = "linux")]
fn exchange(path: &Path, read: &[u8], bytes: &[u8]) -> Result<bool, Failure> {
    let failed = |error| Failure::io(path, &error);
    // A signal waits until nobody else's file has a temporary name.
    let _held = hold();
    let aside = Aside::create(path, bytes).map_err(failed)?;
    // What is no file any more would be opened to write to it.
    check_unchanged(path, read)?;
    let Some(aside) = aside else {
        return Ok(false);
    };
    let place = aside.place().to_path_buf();
    let exchanged = aside.exchange(|found| holds(found, read));
    match exchanged.map_err(failed)? {
        Exchanged::Replaced => AtomicFile::sync_name(&place)
            .map(|()| true)
            .map_err(|error| name_not_durable(path, &error)),
        Exchanged::Left(old, error) => {
            let what = "is changed; the keyset that was read cannot be removed, and is";
            let (old, why) = (shown(&old), reason(&error.into()));
            let message = format!("{}: {what} {old}: {why}", shown(path));
            Err(Failure::new(Exit::Io, message))
        }
        Exchanged::Unsupported => Ok(false),
        Exchanged::Kept => Err(changed(path)),
        Exchanged::Overtaken(old) => {
            let what = "something else has its name now; the keyset that was read is";
            let message = format!("{}: {what} {}", shown(path), shown(&old));
            Err(Failure::new(Exit::Io, message))
        }
        Exchanged::KeptBoth(other) => {
            let what = format!("what else was put there meanwhile is {}", shown(&other));
            Err(changed(path).with(&what))
        }
    }
}

fn check_unchanged(path: &Path, read: &[u8]) -> Result<(), Failure> {
    match *read_to_change(path)?.bytes == read {
        true => Ok(()),
        false => Err(changed(path)),
    }
}

fn changed(path: &Path) -> Failure {
    let message = "changed since it was read, and is kept";
    Failure::new(Exit::Io, format!("{}: {message}", shown(path)))
}
