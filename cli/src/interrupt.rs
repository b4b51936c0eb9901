//! Leaving nothing behind when the user or the system stops a run.
//!
//! A thread waits for the signals that end a program. It removes unfinished output, turns a
//! terminal's echo on again, and then lets the signal act. Polling a flag is not enough: a run that
//! waits for standard input never looks at it.

use std::fs;
use std::io;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The clean-up that is necessary if the run is stopped now.
#[derive(Default)]
pub(crate) struct Unfinished {
    /// Files and folders under temporary names, with all that is in them.
    pub(crate) paths: Vec<PathBuf>,
    /// The terminal as it was before a passphrase was asked for.
    #[cfg(unix)]
    pub(crate) terminal: Option<(fs::File, rustix::termios::Termios)>,
}

impl Unfinished {
    /// Gives a terminal that asked for a passphrase the settings that it had.
    #[cfg(unix)]
    pub(crate) fn show_what_is_typed(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some((terminal, settings)) = self.terminal.take() {
            let _ = tcsetattr(terminal, OptionalActions::Now, &settings);
        }
    }
}

static UNFINISHED: Mutex<Option<Unfinished>> = Mutex::new(None);

/// Runs `change` on the list of unfinished outputs. Signals wait meanwhile: a file is created and
/// listed, or renamed and struck off, in one step.
pub(crate) fn unfinished<R>(change: impl FnOnce(&mut Unfinished) -> R) -> R {
    change(lock().get_or_insert_default())
}

/// Makes signals wait until the result is dropped. Nothing may be put on the list, or struck off,
/// meanwhile.
pub(crate) fn hold() -> impl Sized {
    lock()
}

fn lock() -> MutexGuard<'static, Option<Unfinished>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes everything that is unfinished. The returned lock must be held until the process ends, so
/// that no new file appears.
fn undo() -> MutexGuard<'static, Option<Unfinished>> {
    let mut guard = lock();
    let unfinished = guard.get_or_insert_default();
    unfinished.paths.drain(..).for_each(remove);
    #[cfg(unix)]
    unfinished.show_what_is_typed();
    guard
}

/// Removes a file or folder. A thread may still be filling the folder: under another name it finds
/// that no more, and adds at most the entry that it was just making.
fn remove(mut path: PathBuf) {
    let moved = path.with_extension("ended.partial");
    if path.is_dir() && fs::rename(&path, &moved).is_ok() {
        path = moved;
    }
    for _ in 0..100 {
        if fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)).is_ok() {
            return;
        }
        // Folders may have the modes of their archive already.
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            #[cfg(unix)]
            let _ = fs::set_permissions(&folder, PermissionsExt::from_mode(0o700));
            let within = fs::read_dir(&folder).into_iter().flatten().flatten();
            let within = within.filter(|it| it.file_type().is_ok_and(|kind| kind.is_dir()));
            folders.extend(within.map(|it| it.path()));
        }
    }
}

/// Starts watching for the signals that end a program. One that the parent had set to be
/// ignored, as `nohup` does, stays ignored.
#[cfg(unix)]
pub(crate) fn watch() -> io::Result<()> {
    use signal_hook::consts::signal::*;
    use signal_hook::{flag, iterator::Signals, low_level};
    use std::sync::atomic::AtomicBool;

    // Taking this signal turns a write beyond the file size limit of the process into an error
    // like that of a full disk.
    static TOO_LARGE: AtomicBool = AtomicBool::new(false);
    flag::register(SIGXFSZ, &TOO_LARGE)?;
    let ignored = ignored_signals();
    let ending =
        [SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU];
    let mut signals =
        Signals::new(ending.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0))?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _held = undo();
            let _ = low_level::emulate_default_handler(signal);
            // Not reached: the default of each of these signals is to end.
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}

/// The set of ignored signals as a bit mask, signal 1 lowest. Only Linux tells this without
/// unsafe code; elsewhere the set is taken to be empty.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
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
