//! The vector registers right after a call.

#[cfg_attr(target_arch = "x86_64", path = "registers/x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "registers/aarch64.rs")]
mod machine;

use core::ffi::c_void;
use machine::{callable, registers_after};
use sivka::{Aead, Algorithm, Tier};

/// What every register is filled with before the call, so that one that the
/// library neither used nor wiped is told from one that it wiped.
static PATTERN: [u8; 64] = [0xa5; 64];

/// Thirty-two registers of 64 bytes, as many as any tier has.
type Registers = [[u8; 64]; 32];

/// The compiler's own code between the library's wipe and the capture may move
/// the tag, which is public, through the lowest sixteen bytes of a register: `tag` is
/// how it lies in memory. A register that calls keep on this system has what it had.
fn assert_wiped(tier: Tier, what: &str, registers: &[Vec<u8>], tag: &[u8]) {
    for (i, register) in registers.iter().enumerate() {
        let (low, high) = register.split_at(register.len().min(16));
        assert!(
            high.iter().all(|byte| *byte == 0),
            "{what} on {tier}: register {i}: {register:x?}"
        );
        assert!(
            low.iter().all(|byte| *byte == 0)
                || tag.windows(16).any(|part| low == part)
                || machine::is_kept(i) && low == &PATTERN[..low.len()],
            "{what} on {tier}: register {i}: {register:x?}"
        );
    }
}

/// A function that leaves the registers alone: what it leaves is the pattern,
/// which shows that the capture sees what a call without a wipe leaves.
#[test]
fn the_capture_sees_what_was_not_wiped() {
    callable!(nothing, _, {});
    for tier in Tier::available() {
        for register in registers_after(tier, nothing, core::ptr::null_mut()) {
            assert_eq!(register, PATTERN[..register.len()], "{tier}");
        }
    }
}

struct Argument {
    key: Box<dyn Aead>,
    nonce: Vec<u8>,
    in_out: Vec<u8>,
    tag: Vec<u8>,
    done: bool,
}

callable!(seal, argument, {
    // SAFETY: `registers_after` passes on the `Argument` that it was given.
    let call = unsafe { &mut *argument.cast::<Argument>() };
    let (nonce, in_out, tag) = (&call.nonce, &mut call.in_out, &mut call.tag);
    call.done = call.key.seal_in_place(nonce, b"aad", in_out, tag).is_ok();
});

callable!(open, argument, {
    // SAFETY: `registers_after` passes on the `Argument` that it was given.
    let call = unsafe { &mut *argument.cast::<Argument>() };
    let (nonce, in_out, tag) = (&call.nonce, &mut call.in_out, &call.tag);
    call.done = call.key.open_in_place(nonce, b"aad", in_out, tag).is_ok();
});

#[test]
fn registers_are_wiped_by_every_algorithm() {
    let rows = Algorithm::all().iter();
    for (algorithm, tier) in rows.flat_map(|row| Tier::available().map(move |tier| (row, tier))) {
        // Lengths that end in every kernel: whole strides, whole blocks, a ragged end.
        for len in [0, 1, 16, 100, 1000, 4096] {
            let plaintext = vec![0x77; len];
            let key = vec![0x3a; algorithm.key_len()];
            let mut call = Argument {
                key: algorithm
                    .new_key_with_tier(&key, tier)
                    .expect("a key of that length"),
                nonce: vec![1; algorithm.nonce_len()],
                in_out: plaintext.clone(),
                tag: vec![0; algorithm.tag_len()],
                done: false,
            };
            let argument = (&raw mut call).cast();
            let registers = registers_after(tier, seal, argument);
            assert!(call.done, "{algorithm} sealed nothing");
            let what = format!("seal_in_place of {algorithm}");
            assert_wiped(tier, &what, &registers, &call.tag);
            let registers = registers_after(tier, open, argument);
            assert!(
                call.done && call.in_out == plaintext,
                "{algorithm} opened nothing"
            );
            let what = format!("open_in_place of {algorithm}");
            assert_wiped(tier, &what, &registers, &call.tag);
        }
    }
}

callable!(of_others, argument, {
    // SAFETY: `registers_after` passes on the `Tier` that it was given.
    let tier = unsafe { *argument.cast::<Tier>() };
    tier.__run(16, || ());
});

#[test]
fn registers_are_wiped_after_short_calls_of_others_code() {
    for mut tier in Tier::available() {
        let registers = registers_after(tier, of_others, (&raw mut tier).cast());
        assert_wiped(tier, "a call of others' code", &registers, &[]);
    }
}
