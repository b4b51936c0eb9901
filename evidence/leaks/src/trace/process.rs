//! A fork of this process that stops before every instruction.

use crate::calls::Watched;
pub(super) use crate::process::Process;
use crate::process::{ask, failed, vector_registers};
use std::arch::x86_64::__cpuid_count;
use std::mem::MaybeUninit;

/// The breakpoint of one byte.
const INT3: u8 = 0xcc;

pub(super) type Registers = libc::user_regs_struct;

/// The bytes that are written at once.
const WORD_LEN: usize = size_of::<u64>();

/// Why a process that was let go stopped.
pub(super) enum Stop {
    /// It sent itself a trap.
    Mark,
    /// It executes the next instruction.
    Breakpoint(u64),
    /// With this status of `waitpid`.
    Ended(libc::c_int),
}

/// The cores that this process may use.
pub(super) fn cores() -> Vec<usize> {
    // SAFETY: the set is plain data, for which zeros are the empty set, and the call gets its
    // right size; one that fails leaves it empty.
    let set = unsafe {
        let mut set: libc::cpu_set_t = MaybeUninit::zeroed().assume_init();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set);
        set
    };
    let all = 0..usize::try_from(libc::CPU_SETSIZE).unwrap_or(0);
    // SAFETY: reads a bit of the set, which has that many.
    all.filter(|core| unsafe { libc::CPU_ISSET(*core, &set) }).collect()
}

/// Keeps this process and its forks on one core: they take turns, and waking another core
/// takes longer than an instruction.
pub(super) fn stay_on(core: usize) {
    // SAFETY: as above; a call that fails changes nothing.
    unsafe {
        let mut set: libc::cpu_set_t = MaybeUninit::zeroed().assume_init();
        libc::CPU_SET(core, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set);
    }
}

/// A fork that works beside this process.
pub(super) struct Beside(libc::pid_t);

/// Forks; the fork does `work` and ends, its result kept for [`Beside::held`].
pub(super) fn beside(work: impl FnOnce() -> bool) -> Beside {
    // SAFETY: this process has one thread, so that the fork may do all that it may.
    match unsafe { libc::fork() } {
        0 => std::process::exit(i32::from(!work())),
        pid => Beside(pid),
    }
}

impl Beside {
    /// Waits for its end: whether it existed, and its checks held.
    pub(super) fn held(self) -> bool {
        let mut status = 0;
        // SAFETY: `status` outlives the call.
        let ended = unsafe { libc::waitpid(self.0, &raw mut status, 0) };
        self.0 > 0 && ended == self.0 && libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
    }
}

/// Stops a process that is watched.
#[inline(never)]
fn mark() {
    // SAFETY: the breakpoint changes no register; who watches goes on after it.
    unsafe { std::arch::asm!("int3", options(nomem, nostack, preserves_flags)) };
}

impl Process {
    /// Stops the process before the instruction at `at`.
    pub(super) fn set_breakpoint(&mut self, at: u64) -> Result<(), String> {
        let mut code = self.code(at)?;
        self.breakpoints.insert(at, code[0]);
        code[0] = INT3;
        self.write(at, code)
    }

    /// Takes a breakpoint away, at which the process stopped.
    pub(super) fn clear_breakpoint(&mut self, at: u64) -> Result<(), String> {
        let mut code = self.code(at)?;
        if let Some(first) = self.breakpoints.remove(&at) {
            code[0] = first;
        }
        self.write(at, code)
    }

    /// Lets the process go, with every signal that it gets but traps.
    pub(super) fn go_on(&mut self) -> Result<Stop, String> {
        let mut signal = 0;
        loop {
            self.resume(signal)?;
            let status = self.status()?;
            if !libc::WIFSTOPPED(status) {
                return Ok(Stop::Ended(status));
            }
            signal = libc::WSTOPSIG(status);
            if signal == libc::SIGTRAP {
                return self.stopped();
            }
        }
    }

    /// The reason for a trap. A breakpoint counts as not executed.
    fn stopped(&self) -> Result<Stop, String> {
        let mut registers = self.registers()?;
        let at = registers.rip.wrapping_sub(1);
        if !self.breakpoints.contains_key(&at) {
            return Ok(Stop::Mark);
        }
        registers.rip = at;
        self.set_registers(&registers)?;
        Ok(Stop::Breakpoint(at))
    }

    /// The code at `at`, and as much more as is written at once.
    fn code(&self, at: u64) -> Result<[u8; WORD_LEN], String> {
        let mut code = [0; WORD_LEN];
        match self.read(at, &mut code)? {
            read if read == code.len() => Ok(code),
            _ => Err(format!("no room for a breakpoint at {at:#x}")),
        }
    }

    /// The word at `at`.
    pub(super) fn word(&self, at: u64) -> Result<u64, String> {
        self.code(at).map(u64::from_le_bytes)
    }

    /// A fork that makes a call between two marks, and does nothing else.
    pub(super) fn fork(prepare: impl FnOnce() -> Watched) -> Result<Self, String> {
        // SAFETY: this process has one thread, so that the fork may do all that it may.
        match unsafe { libc::fork() } {
            -1 => Err(failed("fork")),
            0 => {
                // SAFETY: asks to be watched; no pointer is given.
                unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) };
                let watched = prepare();
                mark();
                let check = watched();
                mark();
                drop(check);
                // SAFETY: ends the fork without the exit handlers of its parent.
                unsafe { libc::_exit(0) }
            }
            pid => Ok(Self::of(pid)),
        }
    }

    /// Runs to the first mark.
    pub(super) fn run_to_mark(&self) -> Result<(), String> {
        self.wait()
    }

    /// Runs one instruction.
    pub(super) fn step(&mut self) -> Result<(), String> {
        ask("a step", libc::PTRACE_SINGLESTEP, self.pid, 0, 0)?;
        self.wait()
    }

    /// Runs to `end`, where there is a breakpoint that long.
    pub(super) fn run_to(&mut self, end: u64) -> Result<(), String> {
        self.set_breakpoint(end)?;
        match self.go_on()? {
            Stop::Breakpoint(at) if at == end => self.clear_breakpoint(end),
            _ => Err(format!("did not stop at {end:#x}")),
        }
    }

    fn set_registers(&self, registers: &Registers) -> Result<(), String> {
        let place = std::ptr::from_ref(registers).addr() as u64;
        ask("registers", libc::PTRACE_SETREGS, self.pid, 0, place)
    }

    /// Writes a word of the process's memory, code too.
    fn write(&self, at: u64, word: [u8; WORD_LEN]) -> Result<(), String> {
        let word = u64::from_ne_bytes(word);
        ask("a breakpoint", libc::PTRACE_POKETEXT, self.pid, at, word)
    }

    pub(super) fn registers(&self) -> Result<Registers, String> {
        let mut registers = MaybeUninit::<Registers>::uninit();
        let place = registers.as_mut_ptr();
        // SAFETY: the kernel fills one such structure at `place`.
        if unsafe { libc::ptrace(libc::PTRACE_GETREGS, self.pid, 0, place) } != 0 {
            return Err(failed("registers"));
        }
        // SAFETY: filled, since the call succeeded.
        Ok(unsafe { registers.assume_init() })
    }

    pub(super) fn vector_registers(&self) -> Result<VectorRegisters, String> {
        vector_registers(self.pid).map(VectorRegisters)
    }

    /// Reads the process's memory up to the end of the mapping; returns the number of bytes.
    pub(super) fn read(&self, at: u64, bytes: &mut [u8]) -> Result<usize, String> {
        let local = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
        let page_left = 4096 - (at % 4096) as usize;
        for len in [bytes.len(), bytes.len().min(page_left)] {
            let remote = libc::iovec { iov_base: at as *mut _, iov_len: len };
            // SAFETY: the kernel writes to `local` only, whose length is that of `bytes`.
            let read = unsafe { libc::process_vm_readv(self.pid, &local, 1, &remote, 1, 0) };
            if let Ok(read @ 1..) = usize::try_from(read) {
                return Ok(read);
            }
        }
        Err(failed("reading an instruction"))
    }
}

/// The vector registers as XSAVE lays them out.
pub(super) struct VectorRegisters(Vec<u8>);

impl VectorRegisters {
    /// An element of so many bytes, as a sign-extended number.
    pub(super) fn element(&self, register: usize, element: usize, size: usize) -> Option<u64> {
        let byte = element * size;
        // Intel's manual, volume 1, section 13.4: the legacy area, then what CPUID says.
        let at = match (register, byte) {
            (0..16, 0..16) => 160 + 16 * register + byte,
            (0..16, 16..32) => part(2) + 16 * register + byte - 16,
            (0..16, _) => part(6) + 32 * register + byte - 32,
            _ => part(7) + 64 * (register - 16) + byte,
        };
        let bytes = self.0.get(at..at + size)?;
        Some(match size {
            4 => i64::from(i32::from_le_bytes(bytes.try_into().ok()?)) as u64,
            8 => u64::from_le_bytes(bytes.try_into().ok()?),
            _ => return None,
        })
    }
}

/// Where a part of the state is.
fn part(number: u32) -> usize {
    __cpuid_count(0xd, number).ebx as usize
}
