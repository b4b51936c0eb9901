//! Leaks that `cargo xtask planted` puts into a copy of `core`, to be found. None of this ever
//! ships; `evidence/planted.toml` has the place of each leak.
#![allow(missing_docs, unsafe_code)]

use core::hint::black_box;

static TABLE: [[u8; 64]; 256] = [[1; 64]; 256];

/// All bytes of a secret in one, and no sum: a vector may hold the same block four times.
#[inline(always)]
fn folded<T: ?Sized>(secret: &T) -> u8 {
    let bytes = core::ptr::from_ref(secret).cast::<u8>();
    // SAFETY: within the value; the spilled content of a vector register has no padding.
    let byte = |i| unsafe { bytes.add(i).read_volatile() };
    (0..size_of_val(secret).min(64)).fold(0, |mixed: u8, i| {
        (mixed ^ byte(i)).wrapping_mul(13).rotate_left(3)
    })
}

#[inline(never)]
fn one() {
    black_box(());
}

/// Goes one of two ways for each bit.
#[inline(always)]
pub fn branch<T: ?Sized>(secret: &T) {
    let byte = folded(secret);
    for bit in 0..8 {
        if black_box(byte >> bit) & 1 == 1 {
            one();
        }
    }
}

/// Reads one of 256 lines of the cache.
#[inline(always)]
pub fn index<T: ?Sized>(secret: &T) {
    black_box(TABLE[usize::from(folded(secret))][0]);
}

/// Stops at the first byte that differs.
#[inline(always)]
pub fn early_exit(a: &[u8], b: &[u8]) -> bool {
    for (a, b) in a.iter().zip(b) {
        if black_box(*a) != black_box(*b) {
            return false;
        }
    }
    a.len() == b.len()
}

/// A leak of a kind, in a function whose name reports show. The name is in its code as well:
/// the compiler makes one function of two that are the same.
#[macro_export]
macro_rules! planted {
    (early_exit, $name:ident, $a:expr, $b:expr) => {{
        #[inline(never)]
        fn $name(a: &[u8], b: &[u8]) -> bool {
            ::core::hint::black_box(stringify!($name));
            $crate::planted::early_exit(a, b)
        }
        $name($a, $b)
    }};
    ($kind:ident, $name:ident, $secret:expr) => {{
        #[inline(never)]
        fn $name<T: ?Sized>(secret: &T) {
            ::core::hint::black_box(stringify!($name));
            $crate::planted::$kind(secret)
        }
        $name($secret)
    }};
}
