//! A child of the process draws other nonces than its parent, whenever it is forked.
#![cfg(all(unix, feature = "std", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use sivka::Aes256GcmSiv;
use std::collections::HashSet;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::FromRawFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const NONCE_LEN: usize = Aes256GcmSiv::NONCE_LEN;

/// More than are kept at a time, so that both sides make new ones too.
const DRAWN: usize = 1000;

fn draw(key: &Aes256GcmSiv, count: usize) -> Vec<u8> {
    let sealed = (0..count).map(|_| key.seal(b"", b"").unwrap());
    sealed.flat_map(|sealed| sealed[..NONCE_LEN].to_vec()).collect()
}

/// All that a child sends which is forked now and runs `send`, and those that it forks itself.
fn of_a_child(send: impl FnOnce(File)) -> Vec<u8> {
    let mut ends = [0; 2];
    // SAFETY: room for two descriptors.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: both were made just now, and belong to nobody else.
    let [mut from, to] = ends.map(|end| unsafe { File::from_raw_fd(end) });
    // SAFETY: the child seals, sends and leaves; other threads hold no lock that it needs,
    // but for the allocator's, which the C library takes over a fork.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        send(to);
        // SAFETY: leaves without running what belongs to the parent.
        unsafe { libc::_exit(0) };
    }
    drop(to);
    let mut sent = Vec::new();
    from.read_to_end(&mut sent).unwrap();
    // SAFETY: a child of this process, whose status is not asked for.
    assert_eq!(unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) }, child);
    sent
}

#[test]
fn parents_and_children_share_no_nonce() {
    let key = Arc::new(Aes256GcmSiv::new(&[7; 32]));
    let stop = Arc::new(AtomicBool::new(false));
    let others: Vec<_> = (0..3)
        .map(|_| {
            let (key, stop) = (Arc::clone(&key), Arc::clone(&stop));
            thread::spawn(move || {
                let mut drawn = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    drawn.extend(draw(&key, 100));
                }
                drawn
            })
        })
        .collect();
    let mut drawn = Vec::new();
    for i in 0..40 {
        // At another place of what is kept each time, its very end among them.
        drawn.extend(draw(&key, 1 + i * 17));
        let of_child = of_a_child(|mut to| to.write_all(&draw(&key, DRAWN)).unwrap());
        assert_eq!(of_child.len(), DRAWN * NONCE_LEN);
        drawn.extend(of_child);
        drawn.extend(draw(&key, DRAWN));
    }
    stop.store(true, Ordering::Relaxed);
    for thread in others {
        drawn.extend(thread.join().unwrap());
    }
    let nonces = drawn.as_chunks::<NONCE_LEN>().0;
    let different: HashSet<_> = nonces.iter().collect();
    assert!(nonces.len() > 80 * DRAWN);
    assert_eq!(different.len(), nonces.len(), "a nonce was drawn twice");
}

/// A signal's handler that forks between two instructions of a call: a child that was forked
/// just before the number of nonces that are left was written back took zeros for nonces.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod between_instructions {
    use super::{NONCE_LEN, draw, of_a_child};
    use sivka::Aes256GcmSiv;
    use std::collections::HashSet;
    use std::fs::File;
    use std::io::Write as _;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Two of one value are enough to be seen.
    const DRAWN: usize = 20;

    /// The flag that has the CPU stop after every instruction.
    const TRAP_FLAG: i64 = 0x100;

    /// How many instructions there are before the one that is forked at; `MAX` when it was.
    static LEFT: AtomicU64 = AtomicU64::new(0);
    const DONE: u64 = u64::MAX;

    extern "C" fn at_instruction(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
        // SAFETY: the kernel hands the handler the context that it returns to.
        let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
        let flags = &mut context.uc_mcontext.gregs[libc::REG_EFL as usize];
        let left = LEFT.load(Ordering::Relaxed);
        if left > 0 && left != DONE {
            LEFT.store(left - 1, Ordering::Relaxed);
        } else {
            if left == 0 {
                LEFT.store(DONE, Ordering::Relaxed);
                // The C library's own waits for locks of the allocator, which this thread may hold.
                // SAFETY: both processes go on with what the one thread is in the middle of.
                unsafe { libc::syscall(libc::SYS_fork) };
            }
            *flags &= !TRAP_FLAG;
        }
    }

    /// Forks after so many instructions of a call, and sends what both processes draw after it.
    fn both(key: &Aes256GcmSiv, drawn_before: usize, instructions: u64, mut to: File) {
        // This process is a child, which has kept none.
        draw(key, drawn_before);
        LEFT.store(instructions, Ordering::Relaxed);
        // SAFETY: zeros are a valid action, whose handler is of the kind that the flag says.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_flags = libc::SA_SIGINFO;
            action.sa_sigaction = at_instruction as *const () as usize;
            assert_eq!(libc::sigaction(libc::SIGTRAP, &raw const action, std::ptr::null_mut()), 0);
            std::arch::asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq");
        }
        let sealed = key.seal(b"", b"");
        // SAFETY: clears the flag if the call had fewer instructions.
        unsafe { std::arch::asm!("pushfq", "and qword ptr [rsp], -0x101", "popfq") };
        assert!(sealed.is_ok());
        let mut drawn = draw(key, DRAWN);
        drawn.push(u8::from(LEFT.load(Ordering::Relaxed) == DONE));
        to.write_all(&drawn).unwrap();
    }

    /// Whether the call had so many instructions.
    fn are_different(key: &Aes256GcmSiv, drawn_before: usize, instructions: u64) -> bool {
        let sent = of_a_child(|to| both(key, drawn_before, instructions, to));
        let of_one = DRAWN * NONCE_LEN + 1;
        let was_forked = sent[of_one - 1] == 1;
        assert_eq!(sent.len(), if was_forked { 2 } else { 1 } * of_one);
        let nonces = sent.chunks(of_one).flat_map(|of_one| of_one.as_chunks::<NONCE_LEN>().0);
        let different: HashSet<_> = nonces.collect();
        let count = sent.len() / of_one * DRAWN;
        assert_eq!(different.len(), count, "after {instructions} instructions");
        was_forked
    }

    #[test]
    fn a_handler_that_forks_gives_no_nonce_twice() {
        let key = Aes256GcmSiv::new(&[7; 32]);
        // Taking a nonce from a page that is filled, which is what a call does first.
        assert!((0..500).all(|i| are_different(&key, 1, i)));
        // And filling one.
        for i in (0..40_000).step_by(4001) {
            are_different(&key, 0, i);
        }
    }
}
