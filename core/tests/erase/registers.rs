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

/// Thirty-two registers of 64 bytes, as many as any CPU has.
type Registers = [[u8; 64]; 32];

/// The compiler's own code between the library's wipe and the capture may move
/// what is public through the lowest sixteen bytes of a register: the tag, which is `public` as
/// it lies in memory, or addresses, as `malloc` and `free` do. A register that calls keep on this system has what it had.
fn assert_wiped(tier: Tier, what: &str, registers: &[Vec<u8>], public: &[u8]) {
    for (i, register) in registers.iter().enumerate() {
        let (low, high) = register.split_at(register.len().min(16));
        assert!(
            high.iter().all(|byte| *byte == 0),
            "{what} on {tier}: register {i}: {register:x?}"
        );
        assert!(
            low.iter().all(|byte| *byte == 0)
                || public.windows(16).any(|part| low == part)
                || public.is_empty() && low.chunks(8).all(|word| word[6..] == [0, 0])
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
    for register in registers_after(nothing, core::ptr::null_mut()) {
        assert_eq!(register, PATTERN[..register.len()]);
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
                key: algorithm.new_key_with_tier(&key, tier).expect("a key of that length"),
                nonce: vec![1; algorithm.nonce_len()],
                in_out: plaintext.clone(),
                tag: vec![0; algorithm.tag_len()],
                done: false,
            };
            let argument = (&raw mut call).cast();
            let registers = registers_after(seal, argument);
            assert!(call.done, "{algorithm} sealed nothing");
            let what = format!("seal_in_place of {algorithm}");
            assert_wiped(tier, &what, &registers, &call.tag);
            let registers = registers_after(open, argument);
            assert!(call.done && call.in_out == plaintext, "{algorithm} opened nothing");
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
        let registers = registers_after(of_others, (&raw mut tier).cast());
        assert_wiped(tier, "a call of others' code", &registers, &[]);
    }
}

struct Making {
    algorithm: &'static Algorithm,
    tier: Tier,
    key: Vec<u8>,
    made: Option<Box<dyn Aead>>,
}

callable!(make, argument, {
    // SAFETY: `registers_after` passes on the `Making` that it was given.
    let making = unsafe { &mut *argument.cast::<Making>() };
    let Making { algorithm, tier, key, made } = making;
    *made = algorithm.new_key_with_tier(key, *tier).ok();
});

callable!(let_go, argument, {
    // SAFETY: `registers_after` passes on the `Making` that it was given.
    unsafe { &mut *argument.cast::<Making>() }.made = None;
});

/// What made a key is copied to where the key stays, by the C library if it likes.
#[test]
fn registers_are_wiped_when_a_key_was_made_and_dropped() {
    let rows = Algorithm::all().iter();
    for (algorithm, tier) in rows.flat_map(|row| Tier::available().map(move |tier| (row, tier))) {
        let mut making =
            Making { algorithm, tier, key: (1..).take(algorithm.key_len()).collect(), made: None };
        let argument = (&raw mut making).cast();
        let registers = registers_after(make, argument);
        assert!(making.made.is_some());
        assert_wiped(tier, &format!("making {algorithm}"), &registers, &[]);
        let registers = registers_after(let_go, argument);
        assert!(making.made.is_none());
        assert_wiped(tier, &format!("dropping {algorithm}"), &registers, &[]);
    }
}
