//! Where the text of a key comes from: a file that only its owner reads, or a program's output.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::Path;
use zeroize::Zeroizing;

/// Words that follow "the file of key 'k'". They quote nothing.
pub(super) type Reason = &'static str;

pub(super) const TOO_LONG: Reason = "is too long";
const UNREADABLE: Reason = "cannot be read";

/// Reads a file that only its owner writes and, if it is a secret, reads.
pub(super) fn read(
    path: &Path,
    is_secret: bool,
    max_len: usize,
) -> Result<Zeroizing<Vec<u8>>, Reason> {
    let (mut file, found) = open(path).ok_or(UNREADABLE)?;
    if !is_guarded(&found, is_secret) {
        return Err(match is_secret {
            true => "can be read by others than this process, or is no ordinary file",
            false => "can be written by others than this process, or is no ordinary file",
        });
    }
    let len = usize::try_from(found.len()).map_or(max_len, |len| len.min(max_len));
    match fill(len, |room| file.read(room).map_err(|error| (error.kind(), UNREADABLE))) {
        Err(TOO_LONG) if len < max_len => Err("changed while it was read"),
        read => read,
    }
}

fn open(path: &Path) -> Option<(File, Metadata)> {
    let mut options = OpenOptions::new();
    // Nothing ends a process that waits for somebody to write to a pipe.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.read(true).open(path).ok()?;
    let found = file.metadata().ok()?;
    Some((file, found))
}

/// Reads to the end, which is to come after at most `len` bytes. There is room for one more at once:
/// a buffer that grows leaves copies of a secret behind.
fn fill(
    len: usize,
    mut read: impl FnMut(&mut [u8]) -> Result<usize, (ErrorKind, Reason)>,
) -> Result<Zeroizing<Vec<u8>>, Reason> {
    let mut text = Zeroizing::new(Vec::new());
    text.try_reserve_exact(len + 1).map_err(|_| "has a key that there is no memory for")?;
    text.resize(len + 1, 0);
    let mut end = 0;
    while end <= len {
        match read(&mut text[end..]) {
            Ok(0) => {
                text.truncate(end);
                return Ok(text);
            }
            Ok(more) => end += more,
            Err((ErrorKind::Interrupted, _)) => {}
            Err((_, reason)) => return Err(reason),
        }
    }
    Err(TOO_LONG)
}

#[cfg(not(unix))]
fn is_guarded(found: &Metadata, _: bool) -> bool {
    found.is_file()
}

#[cfg(not(unix))]
pub(super) fn run(_: &Path, _: usize) -> Result<Zeroizing<Vec<u8>>, Reason> {
    Err("cannot be run on Windows")
}

#[cfg(unix)]
pub(super) use unix::{is_guarded, run};

#[cfg(unix)]
mod unix {
    use super::{Metadata, Path, Read, Reason, Zeroizing, fill};
    use std::io::{Error, ErrorKind, Result as Done};
    use std::mem::MaybeUninit;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, ChildStdout, Command, Stdio};
    use std::time::{Duration, Instant};
    use std::{ptr, thread};

    /// How long a program may take: most engines cannot interrupt the statement that waits for it.
    const TIME: Duration = Duration::from_secs(20);
    const LATE: Reason = "did not end in time";
    const FAILED: Reason = "failed";

    pub(in super::super) fn is_guarded(found: &Metadata, is_secret: bool) -> bool {
        // SAFETY: it has no arguments, and cannot fail.
        let (is_roots, own) = (found.uid() == 0, unsafe { libc::geteuid() });
        let others = match (is_secret, is_roots) {
            (false, _) => 0o022,
            (true, false) => 0o077,
            // As a server's certificate.
            (true, true) => 0o037,
        };
        found.is_file() && (is_roots || found.uid() == own) && found.mode() & others == 0
    }

    /// Runs a program without arguments, and nothing to read, in a group of its own, so that what it
    /// started can be ended with it.
    pub(in super::super) fn run(path: &Path, max_len: usize) -> Result<Zeroizing<Vec<u8>>, Reason> {
        let mut command = Command::new(path);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
        // SAFETY: a signal's handler might call this, so it may be called after a fork.
        unsafe { command.pre_exec(unblock_signals) };
        let end = Instant::now() + TIME;
        let mut program = command.spawn().map_err(|_| "cannot be run")?;
        let output = program.stdout.take();
        let text = match output {
            Some(mut output) => fill(max_len, |room| read_until(end, &mut output, room)),
            None => Err(FAILED),
        };
        if text.is_err() {
            // Programs that it started may still have its output.
            kill(&program);
        }
        let succeeded = wait(&mut program, end);
        text.and_then(|text| succeeded.map(|()| text))
    }

    fn unblock_signals() -> Done<()> {
        let mut none = MaybeUninit::uninit();
        // SAFETY: the first call fills the set, and the second one reads it.
        match unsafe {
            libc::sigemptyset(none.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut())
        } {
            0 => Ok(()),
            code => Err(Error::from_raw_os_error(code)),
        }
    }

    fn read_until(
        end: Instant,
        output: &mut ChildStdout,
        room: &mut [u8],
    ) -> Result<usize, (ErrorKind, Reason)> {
        let left = end.saturating_duration_since(Instant::now()).as_millis();
        let left = libc::c_int::try_from(left).unwrap_or(0);
        let mut ready = libc::pollfd { fd: output.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one structure, which is valid and ours.
        match unsafe { libc::poll(&raw mut ready, 1, left) } {
            0 => Err((ErrorKind::TimedOut, LATE)),
            1.. => output.read(room).map_err(|error| (error.kind(), LATE)),
            _ => Err((Error::last_os_error().kind(), LATE)),
        }
    }

    /// Waits until the program ends, and kills it after its time. It is a zombie until then, so that
    /// its number is that of no other group.
    fn wait(program: &mut Child, end: Instant) -> Result<(), Reason> {
        loop {
            match program.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
                Ok(None) => {
                    kill(program);
                    let _ = program.wait();
                    return Err(LATE);
                }
                _ => return Err(FAILED),
            }
        }
    }

    fn kill(program: &Child) {
        // SAFETY: a call with two numbers. The program was not waited for, so the group is its own.
        unsafe { libc::kill(-(program.id() as libc::pid_t), libc::SIGKILL) };
    }
}
