//! The vector registers right after a call.

use core::arch::asm;
use core::ffi::c_void;
use sivka::{Aes128GcmSiv, Aes256GcmSiv, KuznyechikMgm, LongTag, Tag, TagLen, Tier};
use sivka::{ChaCha20Blake2b, XChaCha20Blake2b, XChaCha20Blake2bSiv};

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

macro_rules! wiped_by {
    ($name:ident, $key:ident, $tag:ident, $tag_len:literal, [$($arg:expr)?], [$($nonce:expr)?]) => {
        #[test]
        fn $name() {
            struct Argument {
                key: $key,
                in_out: Vec<u8>,
                tag: $tag,
                opened: bool,
            }

            /// The tag in memory: with one of several lengths, its length comes first and
            /// zeros last.
            fn in_memory(tag: &$tag) -> Vec<u8> {
                let len: &[u8] = &[$($arg as u8)?];
                let mut bytes = [len, tag.as_ref()].concat();
                bytes.resize(size_of::<$tag>(), 0);
                bytes
            }

            extern "sysv64" fn seal(argument: *mut c_void) {
                // SAFETY: `registers_after` passes on the `Argument` that it was given.
                let call = unsafe { &mut *argument.cast::<Argument>() };
                if let Ok(tag) = call.key.seal_in_place($($nonce,)? b"aad", &mut call.in_out) {
                    call.tag = tag;
                }
            }

            extern "sysv64" fn open(argument: *mut c_void) {
                // SAFETY: `registers_after` passes on the `Argument` that it was given.
                let call = unsafe { &mut *argument.cast::<Argument>() };
                let opened = call
                    .key
                    .open_in_place($($nonce,)? b"aad", &mut call.in_out, &call.tag);
                call.opened = opened.is_ok();
            }

            for tier in Tier::available() {
                // Lengths that end in every kernel: whole strides, whole blocks, a ragged end.
                for len in [0, 1, 16, 100, 1000, 4096] {
                    let plaintext = vec![0x77; len];
                    let mut call = Argument {
                        key: $key::with_tier(&[0x3a; $key::KEY_LEN], $($arg,)? tier),
                        in_out: plaintext.clone(),
                        tag: $tag::from([0; $tag_len]),
                        opened: false,
                    };
                    let argument = (&raw mut call).cast();
                    let registers = registers_after(tier, seal, argument);
                    assert_ne!(call.tag, $tag::from([0; $tag_len]), "sealed nothing");
                    assert_wiped(tier, "seal_in_place", &registers, &in_memory(&call.tag));
                    let registers = registers_after(tier, open, argument);
                    assert!(call.opened && call.in_out == plaintext, "opened nothing");
                    assert_wiped(tier, "open_in_place", &registers, &in_memory(&call.tag));
                }
            }
        }
    };
}

wiped_by!(aes_128_gcm_siv, Aes128GcmSiv, Tag, 16, [], [&[1; 12]]);
wiped_by!(aes_256_gcm_siv, Aes256GcmSiv, Tag, 16, [], [&[1; 12]]);
wiped_by!(kuznyechik_mgm, KuznyechikMgm, Tag, 16, [], [&[1; 16]]);
wiped_by!(
    chacha20_blake2b,
    ChaCha20Blake2b,
    LongTag,
    32,
    [TagLen::Bytes32],
    [&[1; 8]]
);
wiped_by!(
    xchacha20_blake2b,
    XChaCha20Blake2b,
    LongTag,
    48,
    [TagLen::Bytes48],
    [&[1; 24]]
);
wiped_by!(
    xchacha20_blake2b_siv,
    XChaCha20Blake2bSiv,
    LongTag,
    64,
    [TagLen::Bytes64],
    []
);
