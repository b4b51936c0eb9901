//! Processes that are stopped at their end or for a look at their registers, and the terminals
//! that they ask for passphrases.

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

fn failed(what: &str) -> String {
    format!("{what}: {}", io::Error::last_os_error())
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
        // SAFETY: no pointer is given. A thread that ends meanwhile makes the calls fail.
        let stopped = unsafe {
            libc::ptrace(libc::PTRACE_SEIZE, tid, 0, 0) == 0
                && libc::ptrace(libc::PTRACE_INTERRUPT, tid, 0, 0) == 0
                && libc::waitpid(tid, &mut 0, libc::__WALL) == tid
        };
        if stopped {
            threads.push(saved_registers(tid)?);
            // SAFETY: no pointer is given; the thread is stopped, and this one's.
            unsafe { libc::ptrace(libc::PTRACE_DETACH, tid, 0, 0) };
        }
    }
    if threads.is_empty() {
        return Err(failed("registers"));
    }
    Ok(threads)
}

/// What the system saves of the vectors of a stopped thread: on x86-64 all that XSAVE does, with
/// registers 16 to 31 and the upper halves.
pub(super) fn saved_registers(tid: libc::pid_t) -> Result<Vec<u8>, String> {
    const XSTATE: libc::c_int = 0x202;
    const FLOATING_POINT: libc::c_int = 2;
    let which = if cfg!(target_arch = "x86_64") {
        XSTATE
    } else {
        FLOATING_POINT
    };
    let mut saved = vec![0; 1 << 14];
    let mut place = libc::iovec {
        iov_base: saved.as_mut_ptr().cast(),
        iov_len: saved.len(),
    };
    // SAFETY: the thread is stopped and this one's; `place` says how long `saved` is, and both
    // outlive the call.
    match unsafe { libc::ptrace(libc::PTRACE_GETREGSET, tid, which, &raw mut place) } {
        0 => saved.truncate(place.iov_len),
        _ => return Err(failed("registers")),
    }
    Ok(saved)
}

/// A process that stops at its end. It is killed when dropped.
pub(super) struct Watched(pub(super) Child);

impl Watched {
    /// Starts the command, which stops once the program is loaded.
    pub(super) fn start(command: &mut Command) -> Result<Self, String> {
        // SAFETY: makes one system call, as a fork before `exec` may.
        unsafe {
            command.pre_exec(|| match libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            });
        }
        let watched = Self(command.spawn().map_err(|e| e.to_string())?);
        let status = watched.wait()?;
        if !libc::WIFSTOPPED(status) {
            return Err(format!("the command ended at once, with {status:#x}"));
        }
        let options = libc::PTRACE_O_TRACEEXIT | libc::PTRACE_O_EXITKILL;
        // SAFETY: no pointer is given; the process has stopped, and is this one's.
        match unsafe { libc::ptrace(libc::PTRACE_SETOPTIONS, watched.pid(), 0, options) } {
            0 => Ok(watched),
            _ => Err(failed("options")),
        }
    }

    pub(super) fn pid(&self) -> libc::pid_t {
        self.0.id().cast_signed()
    }

    fn wait(&self) -> Result<libc::c_int, String> {
        let mut status = 0;
        // SAFETY: `status` outlives the call.
        match unsafe { libc::waitpid(self.pid(), &raw mut status, 0) } {
            pid if pid == self.pid() => Ok(status),
            _ => Err(failed("waiting")),
        }
    }

    fn resume(&self, signal: libc::c_int) -> Result<(), String> {
        // SAFETY: no pointer is given; the process has stopped, and is this one's.
        match unsafe { libc::ptrace(libc::PTRACE_CONT, self.pid(), 0, signal) } {
            0 => Ok(()),
            _ => Err(failed("going on")),
        }
    }

    /// Runs until the process ends, which it has not done yet.
    pub(super) fn run_to_end(&mut self) -> Result<(), String> {
        let mut signal = 0;
        loop {
            self.resume(signal)?;
            let status = self.wait()?;
            if !libc::WIFSTOPPED(status) {
                return Err(format!("the command ended unseen, with {status:#x}"));
            }
            if status >> 16 == libc::PTRACE_EVENT_EXIT {
                return Ok(());
            }
            signal = libc::WSTOPSIG(status);
        }
    }

    /// Lets the process end; whether it says that all went well.
    pub(super) fn go_on(&mut self) -> Result<bool, String> {
        self.resume(0)?;
        let status = self.wait()?;
        Ok(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
