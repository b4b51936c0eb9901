//! Leaving nothing behind when the user or the system stops a run.
//!
//! A thread waits for the signals that end a program. It removes the unfinished
//! output files, gives a terminal that was asking for a passphrase its echo
//! back, and lets the signal do what it would have done. Polling a flag would
//! not do: a run that waits for standard input would never look at it.

use std::fs;
#[cfg(unix)]
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sivka_file::AtomicFile;

use crate::failure::note;
use crate::name::shown;

/// What has to be undone if the run is stopped now.
#[derive(Default)]
pub(crate) struct Unfinished {
    /// Files that were created but have not been given their final name.
    pub(crate) files: Vec<Named>,
    /// Folders of the same kind, with all that is in them.
    #[cfg(unix)]
    pub(crate) folders: Vec<std::sync::Arc<crate::folder::Partial>>,
    /// The terminal as it was before a passphrase was asked for.
    #[cfg(unix)]
    pub(crate) terminal: Option<(std::fs::File, rustix::termios::Termios)>,
}

#[cfg(unix)]
impl Unfinished {
    /// Gives a terminal that asked for a passphrase the settings that it had.
    pub(crate) fn show_what_is_typed(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some((terminal, settings)) = self.terminal.take() {
            let _ = tcsetattr(terminal, OptionalActions::Now, &settings);
        }
    }
}

/// A file under a temporary name, which something else may have by the time it is removed.
pub(crate) struct Named {
    path: PathBuf,
    #[cfg(unix)]
    made: Option<Metadata>,
}

impl Named {
    /// `None` if the file has no name.
    pub(crate) fn of(file: &mut AtomicFile) -> Option<Self> {
        Some(Self {
            path: file.temporary_path()?.to_path_buf(),
            #[cfg(unix)]
            made: file.file().metadata().ok(),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, if it has its name still.
    fn remove(&self) {
        #[cfg(unix)]
        let is_ours = {
            use std::os::unix::fs::MetadataExt;
            let found = fs::symlink_metadata(&self.path).ok();
            let [ours, theirs] = [&self.made, &found]
                .map(|found| found.as_ref().map(|found| (found.dev(), found.ino())));
            ours == theirs
        };
        #[cfg(not(unix))]
        let is_ours = true; // There is nothing to tell files by.
        if is_ours {
            let _ = fs::remove_file(&self.path);
        }
        note_left(&self.path);
    }
}

/// Says so if something has the temporary name of a file that was removed.
pub(crate) fn note_left(path: &Path) {
    if path.symlink_metadata().is_ok() {
        let what = "is left: it is something else by now, or cannot be removed";
        note(&format!("{}: {what}", shown(path)));
    }
}

static UNFINISHED: Mutex<Option<Unfinished>> = Mutex::new(None);

/// Runs `change` on the list of what is unfinished, which a signal cannot
/// act on meanwhile: a file is created and listed, or renamed and struck off,
/// in one step.
pub(crate) fn unfinished<R>(change: impl FnOnce(&mut Unfinished) -> R) -> R {
    change(lock().get_or_insert_default())
}

/// Makes a signal wait while what is returned is there. Nothing may be put on the list, or
/// struck off, meanwhile.
pub(crate) fn hold() -> impl Sized {
    lock()
}

fn lock() -> MutexGuard<'static, Option<Unfinished>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether what is unfinished is being removed: who fills a folder adds nothing more.
#[cfg(unix)]
pub(crate) fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

#[cfg(unix)]
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Undoes what is unfinished. The lock is returned, and must be held until the
/// process ends, so that no new file appears.
fn undo() -> MutexGuard<'static, Option<Unfinished>> {
    #[cfg(unix)]
    STOPPED.store(true, Ordering::Relaxed);
    let mut guard = lock();
    let unfinished = guard.get_or_insert_default();
    for file in unfinished.files.drain(..) {
        file.remove();
    }
    #[cfg(unix)]
    for folder in unfinished.folders.drain(..) {
        folder.remove();
    }
    #[cfg(unix)]
    unfinished.show_what_is_typed();
    guard
}

/// Starts watching for the signals that end a program.
///
/// A signal that the parent had set to be ignored, as `nohup` does, stays
/// ignored.
#[cfg(unix)]
pub(crate) fn watch() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::{flag, iterator::Signals, low_level};

    // Taking this signal turns a write beyond the file size limit of the
    // process into an error like that of a full disk.
    static TOO_LARGE: AtomicBool = AtomicBool::new(false);
    flag::register(SIGXFSZ, &TOO_LARGE)?;
    let ignored = ignored_signals();
    let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];
    let mut signals = Signals::new(
        ending
            .into_iter()
            .filter(|signal| ignored >> (signal - 1) & 1 == 0),
    )?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            if let Some(signal) = signals.forever().next() {
                let _held = undo();
                let _ = low_level::emulate_default_handler(signal);
                // Not reached: the default of each of these signals is to end.
                std::process::exit(128 + signal);
            }
        })?;
    Ok(())
}

/// The set of ignored signals as a bit mask, signal 1 lowest. Only Linux tells
/// this without unsafe code; elsewhere the set is taken to be empty.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// Starts watching for Ctrl-C and for the console being closed.
#[cfg(not(unix))]
pub(crate) fn watch() -> io::Result<()> {
    ctrlc::set_handler(|| {
        let _held = undo();
        std::process::exit(130);
    })
    .map_err(io::Error::other)
}
