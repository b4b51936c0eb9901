//! Which instructions of this program run, without a stop at each: a breakpoint is put before
//! every one that is looked for, until it is reached.

use std::collections::BTreeSet;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// The breakpoint of one byte.
const INT3: u8 = 0xcc;

const PAGE_LEN: usize = 4096;

/// The instructions that are looked for, for the handler.
static PLACES: OnceLock<Vec<Place>> = OnceLock::new();

struct Place {
    at: usize,
    /// The byte under the breakpoint.
    code: u8,
    reached: AtomicBool,
}

/// Puts a breakpoint before each of these instructions of this program, once.
pub(super) fn place(addresses: BTreeSet<u64>) -> Result<(), String> {
    let addresses = addresses.into_iter().map(|at| at as usize);
    let addresses: Vec<usize> = addresses.collect();
    let (Some(first), Some(last)) = (addresses.first(), addresses.last()) else {
        return Err("no instruction is looked for".to_owned());
    };
    let start = first / PAGE_LEN * PAGE_LEN;
    make_writable(start, last + 1 - start)?;
    let place = |at: usize| Place {
        at,
        // SAFETY: an instruction of this program, whose code can be read.
        code: unsafe { (at as *const u8).read() },
        reached: AtomicBool::new(false),
    };
    let places = PLACES.get_or_init(|| addresses.into_iter().map(place).collect());
    handle_breakpoints()?;
    for place in places {
        place.write(INT3);
    }
    Ok(())
}

/// The reached ones.
pub(super) fn reached() -> impl Iterator<Item = u64> {
    let places = PLACES.get().map_or(&[][..], Vec::as_slice);
    let reached = places.iter().filter(|p| p.reached.load(Ordering::Relaxed));
    reached.map(|place| place.at as u64)
}

impl Place {
    /// Writes the first byte of the instruction, which other threads may be about to execute:
    /// they see one byte or the other.
    fn write(&self, byte: u8) {
        // SAFETY: code that was made writable; nothing in Rust refers to it.
        unsafe { AtomicU8::from_ptr(self.at as *mut u8) }.store(byte, Ordering::SeqCst);
    }
}

fn make_writable(start: usize, len: usize) -> Result<(), String> {
    let rights = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
    // SAFETY: whole pages of this program's code, which stay readable and executable.
    match unsafe { libc::mprotect(start as *mut libc::c_void, len, rights) } {
        0 => Ok(()),
        _ => Err(format!("writing code: {}", io::Error::last_os_error())),
    }
}

fn handle_breakpoints() -> Result<(), String> {
    // SAFETY: zeros are a valid action, whose handler is of the kind that the flag says.
    let done = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_flags = libc::SA_SIGINFO;
        action.sa_sigaction = at_breakpoint as *const () as usize;
        libc::sigaction(libc::SIGTRAP, &raw const action, std::ptr::null_mut())
    };
    match done {
        0 => Ok(()),
        _ => Err(format!("breakpoints: {}", io::Error::last_os_error())),
    }
}

/// Takes the breakpoint away and goes on before the instruction. Another thread may have done
/// the first already.
extern "C" fn at_breakpoint(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel hands the handler the context that it returns to.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    let pointer = &mut context.uc_mcontext.gregs[libc::REG_RIP as usize];
    let at = *pointer as usize - 1;
    let places = PLACES.get().map_or(&[][..], Vec::as_slice);
    match places.binary_search_by_key(&at, |place| place.at) {
        Ok(found) => {
            let place = &places[found];
            place.reached.store(true, Ordering::Relaxed);
            place.write(place.code);
            *pointer = at as libc::greg_t;
        }
        // Of somebody else's.
        // SAFETY: ends the process.
        Err(_) => unsafe { libc::abort() },
    }
}
