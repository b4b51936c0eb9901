//! The machine code of the Go package.
//!
//! It is linked into a Go program as bytes of its own text. No loader relocates it, it has no
//! writable memory, and no library is under it. Go's trampolines call its entries, each with
//! the address of the arguments that Go passed on its stack. Nothing is kept between calls:
//! what the CPU has, and that the known answers hold, Go remembers.
//!
//! An entry trusts what it is passed. The Go package has checked lengths and overlaps.
#![no_std]

#[cfg(feature = "__aead")]
mod arguments;
#[cfg(feature = "__aead")]
mod batch;
#[cfg(feature = "kuznyechik")]
mod blocks;
#[cfg(feature = "__aead")]
mod entries;
#[cfg(feature = "__gcm-siv")]
mod gcm_siv;
#[cfg(feature = "aes-siv")]
mod lists;
#[cfg(any(feature = "cpu", feature = "__aead"))]
mod memory;
#[cfg(any(feature = "chacha20-blake2b", feature = "kuznyechik"))]
mod message;
#[cfg(feature = "__aead")]
mod status;

/// The features of the CPU and its operating system, as `Tier::__features` reports them. Go asks
/// once and passes them to every call that makes a key. On AArch64, Go asks the operating system.
#[cfg(all(feature = "cpu", target_arch = "x86_64"))]
#[unsafe(no_mangle)]
extern "C" fn cpu_features() -> u64 {
    u64::from(sivka::Tier::__features())
}

/// A defect of ours, for nothing panics on any input. There is nobody to unwind to: an illegal
/// instruction ends the program.
#[cfg(any(feature = "cpu", feature = "__aead"))]
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: it does not return.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        core::arch::asm!("ud2", options(noreturn, nomem, nostack));
        #[cfg(target_arch = "aarch64")]
        core::arch::asm!("udf #0", options(noreturn, nomem, nostack));
    }
}
