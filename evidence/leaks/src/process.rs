//! Processes that this one watches, by `ptrace`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::process::CommandExt;
use std::process::Command;

pub(crate) fn failed(what: &str) -> String {
    format!("{what}: {}", io::Error::last_os_error())
}

/// Asks the system for something of a process or thread, in which no memory of this one is written.
pub(crate) fn ask(
    what: &str,
    request: libc::c_uint,
    pid: libc::pid_t,
    address: u64,
    data: u64,
) -> Result<(), String> {
    // SAFETY: of these requests none writes where this process points to.
    match unsafe { libc::ptrace(request, pid, address, data) } {
        -1 => Err(failed(what)),
        _ => Ok(()),
    }
}

/// The saved vectors of a stopped thread: on x86-64 all that XSAVE saves, with registers 16 to 31
/// and the upper halves (`elf.h`).
pub(crate) fn vector_registers(tid: libc::pid_t) -> Result<Vec<u8>, String> {
    const XSTATE: libc::c_int = 0x202;
    const FLOATING_POINT: libc::c_int = 2;
    let which = if cfg!(target_arch = "x86_64") { XSTATE } else { FLOATING_POINT };
    let mut saved = vec![0; 16 << 10];
    let mut place = libc::iovec { iov_base: saved.as_mut_ptr().cast(), iov_len: saved.len() };
    // SAFETY: the kernel writes at most as much as `place` says that `saved` has.
    match unsafe { libc::ptrace(libc::PTRACE_GETREGSET, tid, which, &raw mut place) } {
        0 => saved.truncate(place.iov_len),
        _ => return Err(failed("vector registers")),
    }
    Ok(saved)
}

/// A part of the memory of a process.
pub(crate) struct Mapping {
    pub(crate) range: Range<u64>,
    pub(crate) is_writable: bool,
    /// Of a file, or a name of the system's.
    pub(crate) path: String,
}

/// Those of a process, or of this one (`self`), in order of address.
pub(crate) fn mappings(process: &str) -> Result<Vec<Mapping>, String> {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).map_err(|e| e.to_string())?;
    let mapping = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (start, end) = words.first()?.split_once('-')?;
        let [start, end] = [start, end].map(|digits| u64::from_str_radix(digits, 16).ok());
        Some(Mapping {
            range: start?..end?,
            is_writable: words.get(1)?.starts_with("rw"),
            path: words.get(5).unwrap_or(&"unnamed").to_string(),
        })
    };
    Ok(maps.lines().filter_map(mapping).collect())
}

/// A process that this one watches. It is killed when dropped.
pub(crate) struct Process {
    pub(crate) pid: libc::pid_t,
    /// The code that breakpoints stand for, by their addresses. A hash map that is made between
    /// two runs of one call changes the seeds of theirs.
    pub(crate) breakpoints: BTreeMap<u64, u8>,
}

impl Process {
    pub(crate) fn of(pid: libc::pid_t) -> Self {
        Self { pid, breakpoints: BTreeMap::new() }
    }

    /// Another program, stopped before its first instruction. Its first thread is watched.
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        let watch = || {
            // SAFETY: asks to be watched; no pointer is given.
            match unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) } {
                -1 => Err(io::Error::last_os_error()),
                _ => Ok(()),
            }
        };
        // SAFETY: between fork and exec, `watch` makes one system call and allocates nothing.
        let child = unsafe { command.pre_exec(watch) }.spawn();
        let child = child.map_err(|error| format!("{command:?}: {error}"))?;
        let process = Self::of(child.id().cast_signed());
        process.wait()?;
        Ok(process)
    }

    /// Goes on, with a signal if it is not 0.
    pub(crate) fn resume(&self, signal: libc::c_int) -> Result<(), String> {
        ask("going on", libc::PTRACE_CONT, self.pid, 0, signal as u64)
    }

    /// The reason why it stopped or ended.
    pub(crate) fn status(&self) -> Result<libc::c_int, String> {
        let mut status = 0;
        // SAFETY: `status` outlives the call.
        match unsafe { libc::waitpid(self.pid, &raw mut status, 0) } == self.pid {
            true => Ok(status),
            false => Err(failed("waiting")),
        }
    }

    /// Waits for a trap.
    pub(crate) fn wait(&self) -> Result<(), String> {
        let status = self.status()?;
        if libc::WIFSTOPPED(status) && libc::WSTOPSIG(status) == libc::SIGTRAP {
            Ok(())
        } else {
            Err(format!("the call ended with status {status:#x}"))
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // SAFETY: kills and reaps the process that this value stands for; nothing is written.
        unsafe {
            libc::kill(self.pid, libc::SIGKILL);
            libc::waitpid(self.pid, std::ptr::null_mut(), 0);
        }
    }
}
