//! A program that prints a key: it asks a key-management service, for example.

use super::source::{Reason, Text, fill};
use std::io::{Error, ErrorKind, Read, Result as Done};
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use std::{ptr, thread};

/// How long it may take: not every engine can interrupt the statement that waits for it.
const TIME: Duration = Duration::from_secs(20);
const LATE: Reason = "did not end in time";
const FAILED: Reason = "failed";

/// Runs it without arguments or input, in a group of its own, so that what it started ends with it.
pub(super) fn run(path: &Path, max_len: usize) -> Result<Text, Reason> {
    let mut command = Command::new(path);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
    // SAFETY: a signal's handler might call this, so it may be called after a fork.
    unsafe { command.pre_exec(unblock_signals) };
    let end = Instant::now() + TIME;
    let mut program = command.spawn().map_err(|_| "cannot be run")?;
    let output = program.stdout.take();
    let text = output
        .ok_or(FAILED)
        .and_then(|mut output| fill(max_len, LATE, |room| read_until(end, &mut output, room)));
    if text.is_err() {
        // Programs that it started may still have its output.
        kill(&program);
    }
    let ended = wait(&mut program, end);
    text.and_then(|text| ended.map(|()| text))
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

fn read_until(end: Instant, output: &mut ChildStdout, room: &mut [u8]) -> Done<usize> {
    let left = end.saturating_duration_since(Instant::now()).as_millis();
    let left = libc::c_int::try_from(left).unwrap_or(0);
    let mut ready = libc::pollfd { fd: output.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one structure, which is ours.
    match unsafe { libc::poll(&raw mut ready, 1, left) } {
        0 => Err(ErrorKind::TimedOut.into()),
        1.. => output.read(room),
        _ => Err(Error::last_os_error()),
    }
}

/// Waits until it ends, and kills it after its time. It is a zombie until then, so that its number
/// is that of no other group.
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
    // SAFETY: a call with two numbers. It was not waited for, so the group is its own.
    unsafe { libc::kill(-(program.id() as libc::pid_t), libc::SIGKILL) };
}
