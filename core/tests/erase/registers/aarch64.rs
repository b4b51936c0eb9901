//! The vector registers of AArch64.

use super::{PATTERN, Registers};
use core::arch::asm;
use core::ffi::c_void;

pub(crate) type Call = extern "C" fn(*mut c_void);

/// Makes a function that can be called so.
macro_rules! callable {
    ($name:ident, $argument:pat, $body:block) => {
        extern "C" fn $name($argument: *mut c_void) $body
    };
}
pub(crate) use callable;

/// Fills the registers, calls, and returns what the call left in them.
fn all_after(call: Call, argument: *mut c_void) -> Registers {
    let mut after = [[0; 64]; 32];
    // SAFETY: every AArch64 CPU that Rust's hosted targets run on has these registers. Loads
    // and stores stay inside the two arrays, whose addresses are in registers that a
    // function preserves; all that it does not preserve, and the halves of registers that
    // it would but the loads do not, are declared. Only that function uses `argument`,
    // which its maker matched with it.
    unsafe {
        asm!(
            ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
            "ldr q\\i, [x20]",
            ".endr",
            "blr {call}",
            ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
            "str q\\i, [x21, 64 * \\i]",
            ".endr",
            call = in(reg) call,
            inout("x0") argument => _,
            in("x20") &raw const PATTERN,
            in("x21") &raw mut after,
            out("v8") _, out("v9") _, out("v10") _, out("v11") _,
            out("v12") _, out("v13") _, out("v14") _, out("v15") _,
            clobber_abi("C"),
        );
    }
    after
}

/// What functions leave as it was is not returned.
pub(crate) fn is_kept(_register: usize) -> bool {
    false
}

/// Calls with the registers filled, and returns what the call is to wipe: a function gives
/// the lower halves of registers 8 to 15 back as they were (AAPCS64, section 6.1.2).
pub(crate) fn registers_after(call: Call, argument: *mut c_void) -> Vec<Vec<u8>> {
    let registers = all_after(call, argument);
    for (i, register) in registers.iter().enumerate().skip(8).take(8) {
        assert_eq!(register[..8], PATTERN[..8], "the caller's register {i}");
    }
    let of_callee = |(i, register): (usize, &[u8; 64])| match i {
        8..16 => register[8..16].to_vec(),
        _ => register[..16].to_vec(),
    };
    registers.iter().enumerate().map(of_callee).collect()
}
