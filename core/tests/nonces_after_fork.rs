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
    sealed
        .flat_map(|sealed| sealed[..NONCE_LEN].to_vec())
        .collect()
}

/// The nonces that a child draws which is forked now.
fn of_a_child(key: &Aes256GcmSiv) -> Vec<u8> {
    let mut ends = [0; 2];
    // SAFETY: room for two descriptors.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: both were made just now, and belong to nobody else.
    let (mut read, mut write) = unsafe { (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])) };
    // SAFETY: the child seals, writes and leaves; other threads hold no lock that it needs,
    // but for the allocator's, which the C library takes over a fork.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        let sent = write.write_all(&draw(key, DRAWN));
        // SAFETY: leaves without running what belongs to the parent.
        unsafe { libc::_exit(i32::from(sent.is_err())) };
    }
    drop(write);
    let mut nonces = Vec::new();
    read.read_to_end(&mut nonces).unwrap();
    let mut status = -1;
    // SAFETY: a child of this process, and a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0);
    nonces
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
        drawn.extend(of_a_child(&key));
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
