//! The vector registers of x86-64.

use super::{PATTERN, Registers};
use core::arch::asm;
use core::ffi::c_void;

pub(crate) type Call = extern "sysv64" fn(*mut c_void);

/// Makes a function that can be called so.
macro_rules! callable {
    ($name:ident, $argument:pat, $body:block) => {
        extern "sysv64" fn $name($argument: *mut c_void) $body
    };
}
pub(crate) use callable;

/// Makes a function that fills the registers `$indices` of the kind `$kind`,
/// calls, and returns what the call left in them.
macro_rules! registers_after {
    ($name:ident, $mov:literal, $kind:literal, $indices:literal) => {
        fn $name(call: Call, argument: *mut c_void) -> Registers {
            let mut after = [[0; 64]; 32];
            // SAFETY: the caller has asked whether the CPU has these registers. Loads and
            // stores stay inside the two arrays, whose addresses are in registers that a
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

registers_after!(xmm_after, "movups", "xmm", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
registers_after!(ymm_after, "vmovdqu", "ymm", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
registers_after!(
    zmm_after,
    "vmovdqu64",
    "zmm",
    "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
);

/// Whether every function leaves the lowest sixteen bytes of a register as they were: the
/// library's do on Windows, which the ones called here, of another convention, need not.
pub(crate) fn is_kept(register: usize) -> bool {
    cfg!(windows) && (6..16).contains(&register)
}

/// Calls with all registers of this CPU filled, and returns them: the C library copies keys
/// through them, however narrow the tier is.
pub(crate) fn registers_after(call: Call, argument: *mut c_void) -> Vec<Vec<u8>> {
    let (registers, count, len) = if std::is_x86_feature_detected!("avx512vl") {
        (zmm_after(call, argument), 32, 64)
    } else if std::is_x86_feature_detected!("avx") {
        (ymm_after(call, argument), 16, 32)
    } else {
        (xmm_after(call, argument), 16, 16)
    };
    registers[..count].iter().map(|register| register[..len].to_vec()).collect()
}
