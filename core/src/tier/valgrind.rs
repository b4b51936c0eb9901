//! Marking of secrets for valgrind, for the check of constant time.

/// Tells valgrind that `bytes` are secret: it reports any branch or address that
/// depends on them. Outside valgrind it does nothing.
pub fn mark_secret<T: ?Sized>(bytes: &T) {
    request(MAKE_MEM_UNDEFINED, bytes);
}

/// Tells valgrind that `bytes` may be known to anyone from here on.
pub fn mark_public<T: ?Sized>(bytes: &T) {
    request(MAKE_MEM_DEFINED, bytes);
}

// Requests of valgrind's memcheck (`memcheck.h`): base `'M' 'C'`, then a number.
const MAKE_MEM_UNDEFINED: u64 = 0x4d43_0001;
const MAKE_MEM_DEFINED: u64 = 0x4d43_0002;

/// valgrind's client request (`valgrind.h`, amd64): four rotations that add up
/// to nothing, and an exchange of a register with itself.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fn request<T: ?Sized>(code: u64, bytes: &T) {
    let address = core::ptr::from_ref(bytes).cast::<u8>();
    let arguments = [code, address as u64, size_of_val(bytes) as u64, 0, 0, 0];
    // SAFETY: on a real CPU the sequence changes no register but the declared one;
    // under valgrind it changes only the tool's knowledge of memory.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") 0_u64 => _,
        );
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
fn request<T: ?Sized>(_code: u64, _bytes: &T) {
    compile_error!("the valgrind check is for x86-64");
}
