#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

#[test]
fn every_tier_gives_the_known_answer() {
    for tier in Tier::available() {
        assert!(known_answer_holds(tier), "{tier}");
    }
}

#[test]
#[cfg(not(target_family = "wasm"))] // It has no threads.
fn nonces_differ_within_and_between_threads() {
    use std::collections::HashSet;
    use std::vec::Vec;
    let draw = || -> Vec<[u8; 12]> {
        let lens = (0..5000).map(|i| [12, 0, 24, 252, 264, 1200][i % 6]);
        let drawn = lens.flat_map(|len| {
            let mut bytes = std::vec![0; len];
            fill(Tier::detect(), &mut bytes).unwrap();
            bytes.as_chunks::<12>().0.to_vec()
        });
        drawn.collect()
    };
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(draw)).collect();
    let drawn = threads.into_iter().flat_map(|thread| thread.join().unwrap());
    let (mut count, mut seen) = (0, HashSet::new());
    for nonce in drawn {
        count += 1;
        assert!(seen.insert(nonce), "a nonce was given twice");
    }
    assert!(count > 400_000, "{count}");
}

#[test]
fn what_was_given_is_erased() {
    let Some(mut page) = Page::new() else {
        // QEMU has no memory that a child does not inherit, and each nonce is the system's.
        assert!(std::env::var_os("SIVKA_TEST_EMULATOR").is_some());
        return;
    };
    let mut len = 0;
    page.fill(|room| {
        room.fill(7);
        len = room.len();
        Ok::<_, ()>(())
    })
    .unwrap();
    let mut nonce = [0; 12];
    for _ in 0..len / 12 {
        assert!(page.give(&mut nonce));
        assert_eq!(nonce, [7; 12]);
        nonce = [0; 12];
    }
    assert!(!page.give(&mut nonce));
    let left = |page: &mut Page| {
        let mut left = 0;
        let none = page.fill(|room| {
            left = room.iter().filter(|byte| **byte == 7).count();
            Err(())
        });
        assert!(none.is_err());
        left
    };
    assert_eq!(left(&mut page), len % 12);
    assert!(!page.give(&mut nonce), "a page that could not be filled gives nothing");
}
