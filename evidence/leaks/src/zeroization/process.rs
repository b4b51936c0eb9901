//! Processes that are stopped at their end or for a look at their registers, and the terminals
//! that they ask for passphrases.

use crate::process::{Process, ask, failed, vector_registers};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// Ends this process by a signal after two hours, and with it what waits for it.
pub(crate) fn end_in_time() {
    // SAFETY: sets a timer of this process, in seconds.
    unsafe { libc::alarm(2 * 60 * 60) };
}

/// A terminal of a command's own, on which something is typed.
pub(super) struct Terminal {
    _ends: [OwnedFd; 2],
}

impl Terminal {
    pub(super) fn give(command: &mut Command, typed: &[u8]) -> Result<Self, String> {
        let (mut ours, mut its) = (0, 0);
        let none = std::ptr::null_mut();
        // SAFETY: the two numbers outlive the call; it may be told nothing more of the terminal.
        if unsafe { libc::openpty(&raw mut ours, &raw mut its, none, none.cast(), none.cast()) }
            != 0
        {
            return Err(failed("a terminal"));
        }
        // SAFETY: both were opened by the call, and nothing else has them.
        let ends = unsafe { [OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(its)] };
        let mut keyboard = File::from(ends[0].try_clone().map_err(|e| e.to_string())?);
        keyboard.write_all(typed).map_err(|e| e.to_string())?;
        let its = ends[1].as_raw_fd();
        // SAFETY: makes system calls only, as a fork before `exec` may.
        unsafe {
            command.pre_exec(move || {
                if libc::setsid() < 0 || libc::ioctl(its, libc::TIOCSCTTY, 0) < 0 {
                    return Err(io::Error::last_os_error());
                }
                Ok(())
            });
        }
        Ok(Self { _ends: ends })
    }
}

/// The vector registers of every thread of a process, which are as they were when it goes on.
pub(super) fn registers(process: &Child) -> Result<Vec<Vec<u8>>, String> {
    let tasks = format!("/proc/{}/task", process.id());
    let mut threads = Vec::new();
    for task in fs::read_dir(&tasks).map_err(|e| format!("{tasks}: {e}"))? {
        let task = task.map_err(|e| e.to_string())?.file_name();
        let tid: libc::pid_t = task.to_string_lossy().parse().map_err(|_| tasks.clone())?;
        // A thread that ends meanwhile makes the calls fail.
        let asked = [libc::PTRACE_SEIZE, libc::PTRACE_INTERRUPT];
        let asked = asked.into_iter().try_for_each(|of| ask("a thread", of, tid, 0, 0));
        // SAFETY: the status outlives the call.
        if asked.is_ok() && unsafe { libc::waitpid(tid, &mut 0, libc::__WALL) } == tid {
            threads.push(vector_registers(tid)?);
            ask("a thread", libc::PTRACE_DETACH, tid, 0, 0)?;
        }
    }
    if threads.is_empty() {
        return Err(failed("registers"));
    }
    Ok(threads)
}

impl Process {
    /// Starts a command, which stops at its end.
    pub(super) fn to_its_end(command: &mut Command) -> Result<Self, String> {
        let process = Self::start(command)?;
        let options = libc::PTRACE_O_TRACEEXIT | libc::PTRACE_O_EXITKILL;
        let request = libc::PTRACE_SETOPTIONS;
        ask("options", request, process.pid, 0, options as u64)?;
        let mut signal = 0;
        loop {
            process.resume(signal)?;
            let status = process.status()?;
            if !libc::WIFSTOPPED(status) {
                return Err(format!("the command ended unseen, with {status:#x}"));
            }
            if status >> 16 == libc::PTRACE_EVENT_EXIT {
                return Ok(process);
            }
            signal = libc::WSTOPSIG(status);
        }
    }

    /// Lets the process end; whether it says that all went well.
    pub(super) fn end(self) -> Result<bool, String> {
        self.resume(0)?;
        let status = self.status()?;
        // Its number may be another's from now on.
        std::mem::forget(self);
        Ok(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0)
    }
}
