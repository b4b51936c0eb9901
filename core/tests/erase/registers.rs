//! The vector registers right after a call.

use core::arch::asm;
use core::ffi::c_void;
use sivka::{Aead, Algorithm, Tier};

/// What every register is filled with before the call, so that one that the
/// library neither used nor wiped is told from one that it wiped.
static PATTERN: [u8; 64] = [0xa5; 64];

/// Thirty-two registers of 64 bytes, as many as any tier has.
type Registers = [[u8; 64]; 32];

type Call = extern "sysv64" fn(*mut c_void);

/// Makes a function that fills the registers `$indices` of the kind `$kind`,
/// calls, and returns what the call left in them.
macro_rules! registers_after {
    ($name:ident, $mov:literal, $kind:literal, $indices:literal) => {
        fn $name(call: Call, argument: *mut c_void) -> Registers {
            let mut after = [[0; 64]; 32];
            // SAFETY: the caller's tier proves that the CPU has these registers. Loads and
            // stores stay inside the two arrays, whose addresses stand in registers that a
            // sysv64 function preserves; all that it does not preserve is declared. Only
            // that function uses `argument`, which its maker matched with it.
            unsafe {
                asm!(
                    concat!(".irp i, ", $indices),
                    concat!($mov, " ", $kind, "\\i, [r12]"),
                    ".endr",
                    "call {call}",
                    concat!(".irp i, ", $indices),
                    concat!($mov, " [r13 + 64 * \\i], ", $kind, "\\i"),
                    ".endr",
                    call = in(reg) call,
                    inout("rdi") argument => _,
                    in("r12") &raw const PATTERN,
                    in("r13") &raw mut after,
                    clobber_abi("sysv64"),
                );
            }
            after
        }
    };
}

registers_after!(
    xmm_after,
    "movups",
    "xmm",
    "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
);
registers_after!(
    ymm_after,
    "vmovdqu",
    "ymm",
    "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
);
registers_after!(
    zmm_after,
    "vmovdqu64",
    "zmm",
    "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
);

/// Calls with the registers of this tier filled, and returns as much of each as
/// the tier has.
fn registers_after(tier: Tier, call: Call, argument: *mut c_void) -> Vec<Vec<u8>> {
    let (registers, count, len) = match tier.name() {
        "portable" => (xmm_after(call, argument), 16, 16),
        "avx2" | "vaes256" => (ymm_after(call, argument), 16, 32),
        "avx512" => (zmm_after(call, argument), 32, 64),
        other => panic!("which registers does {other} have?"),
    };
    registers[..count]
        .iter()
        .map(|register| register[..len].to_vec())
        .collect()
}

/// The compiler's own code between the library's wipe and the capture may move
/// the tag, which is public, through the lowest sixteen bytes of a register: `tag` is
/// how it lies in memory.
fn assert_wiped(tier: Tier, what: &str, registers: &[Vec<u8>], tag: &[u8]) {
    for (i, register) in registers.iter().enumerate() {
        let (low, high) = register.split_at(16);
        assert!(
            high.iter().all(|byte| *byte == 0),
            "{what} on {tier}: register {i}: {register:x?}"
        );
        assert!(
            low.iter().all(|byte| *byte == 0) || tag.windows(16).any(|part| low == part),
            "{what} on {tier}: register {i}: {register:x?}"
        );
    }
}

/// A function that leaves the registers alone: what it leaves is the pattern,
/// which shows that the capture sees what a call without a wipe leaves.
#[test]
fn the_capture_sees_what_was_not_wiped() {
    extern "sysv64" fn nothing(_: *mut c_void) {}
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

extern "sysv64" fn seal(argument: *mut c_void) {
    // SAFETY: `registers_after` passes on the `Argument` that it was given.
    let call = unsafe { &mut *argument.cast::<Argument>() };
    let (nonce, in_out, tag) = (&call.nonce, &mut call.in_out, &mut call.tag);
    call.done = call.key.seal_in_place(nonce, b"aad", in_out, tag).is_ok();
}

extern "sysv64" fn open(argument: *mut c_void) {
    // SAFETY: `registers_after` passes on the `Argument` that it was given.
    let call = unsafe { &mut *argument.cast::<Argument>() };
    let (nonce, in_out, tag) = (&call.nonce, &mut call.in_out, &call.tag);
    call.done = call.key.open_in_place(nonce, b"aad", in_out, tag).is_ok();
}

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
