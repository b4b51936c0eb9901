//! Pi and its inverse on bits: plane `b` holds bit `b` of sixty-four bytes.
//!
//! The gates are not written out: a linear map is the XORs its matrix asks for, a
//! function of four bits is its algebraic normal form, both known to the compiler.

use super::constants::table;
use super::pi::{
    ALPHA, Linear, NU0, NU1, Nibbles, OMEGA, PHI, RECIPROCAL, SIGMA, compose, invert, linear_of,
    tabulate,
};

type Planes = [u64; 8];
type Half = [u64; 4];

/// Bit `m` of entry `b`: whether output bit `b` contains the product of the input bits in `m`.
const fn normal_form(values: Nibbles) -> [u16; 4] {
    table!([0; 4], |b| {
        let mut form = 0;
        let mut i = 0;
        while i < 16 * 16 {
            // Möbius: the sum of the function over every subset of m.
            let (m, x) = (i / 16, i % 16);
            if x & m == x {
                form ^= ((values[x] >> b & 1) as u16) << m;
            }
            i += 1;
        }
        form
    })
}

/// Applies the constant table `$table` to the half `$x`.
macro_rules! nibbles {
    ($table:expr, $x:expr) => {{
        const FORM: [u16; 4] = normal_form($table);
        products(&FORM, $x)
    }};
}

#[inline(always)]
fn products(form: &[u16; 4], x: Half) -> Half {
    let [a, b, c, d] = x;
    let (ab, ac, bc, ad, bd, cd) = (a & b, a & c, b & c, a & d, b & d, c & d);
    let (abc, abd, acd, bcd) = (ab & c, ab & d, ac & d, bc & d);
    let abcd = ab & cd;
    let monomials = [!0, a, b, ab, c, ac, bc, abc, d, ad, bd, abd, cd, acd, bcd, abcd];
    form.map(|selected| {
        let mut sum = 0;
        macro_rules! add {
            ($($m:literal)*) => { $( if selected >> $m & 1 == 1 { sum ^= monomials[$m]; } )* };
        }
        add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        sum
    })
}

#[inline(always)]
fn linear(map: Linear, x: Planes) -> Planes {
    map.to_le_bytes().map(|selected| {
        let mut sum = 0;
        macro_rules! add {
            ($($bit:literal)*) => { $( if selected >> $bit & 1 == 1 { sum ^= x[$bit]; } )* };
        }
        add!(0 1 2 3 4 5 6 7);
        sum
    })
}

/// Multiplication modulo x^4 + x^3 + 1.
#[inline(always)]
fn multiply(a: Half, b: Half) -> Half {
    let p0 = a[0] & b[0];
    let p1 = a[0] & b[1] ^ a[1] & b[0];
    let p2 = a[0] & b[2] ^ a[1] & b[1] ^ a[2] & b[0];
    let p3 = a[0] & b[3] ^ a[1] & b[2] ^ a[2] & b[1] ^ a[3] & b[0];
    let p4 = a[1] & b[3] ^ a[2] & b[2] ^ a[3] & b[1];
    let p5 = a[2] & b[3] ^ a[3] & b[2];
    let p6 = a[3] & b[3];
    // x^4 = x^3 + 1, x^5 = x^3 + x + 1, x^6 = x^3 + x^2 + x + 1.
    let p56 = p5 ^ p6;
    let p456 = p4 ^ p56;
    [p0 ^ p456, p1 ^ p56, p2 ^ p6, p3 ^ p456]
}

/// `zero` where all bits of `r` are zero, `other` elsewhere.
#[inline(always)]
fn select_if_zero(r: Half, zero: Half, other: Half) -> Half {
    let nonzero = r[0] | r[1] | r[2] | r[3];
    core::array::from_fn(|i| zero[i] ^ nonzero & (zero[i] ^ other[i]))
}

#[inline(always)]
fn split(x: Planes) -> (Half, Half) {
    let [r0, r1, r2, r3, l0, l1, l2, l3] = x;
    ([l0, l1, l2, l3], [r0, r1, r2, r3])
}

#[inline(always)]
fn join(l: Half, r: Half) -> Planes {
    [r[0], r[1], r[2], r[3], l[0], l[1], l[2], l[3]]
}

/// Pi.
#[inline(always)]
pub(super) fn pi(x: Planes) -> Planes {
    let (l, r) = split(linear(ALPHA, x));
    let quotient = multiply(l, nibbles!(RECIPROCAL, r));
    let l = select_if_zero(r, nibbles!(NU0, l), nibbles!(NU1, quotient));
    let r = nibbles!(SIGMA, multiply(r, nibbles!(PHI, l)));
    linear(OMEGA, join(l, r))
}

/// The inverse of Pi: the same steps, undone.
#[inline(always)]
pub(super) fn pi_inverse(y: Planes) -> Planes {
    const OMEGA_INVERSE: Linear = linear_of(invert(tabulate(OMEGA)));
    const ALPHA_INVERSE: Linear = linear_of(invert(tabulate(ALPHA)));
    let (l, r) = split(linear(OMEGA_INVERSE, y));
    let r = nibbles!(invert(SIGMA), r);
    let r = multiply(r, nibbles!(compose(RECIPROCAL, PHI), l));
    let product = multiply(nibbles!(invert(NU1), l), r);
    let l = select_if_zero(r, nibbles!(invert(NU0), l), product);
    linear(ALPHA_INVERSE, join(l, r))
}
