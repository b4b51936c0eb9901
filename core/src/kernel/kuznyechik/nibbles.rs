//! Pi by look-ups in sixteen bytes, which VPSHUFB does in a register.
//!
//! The steps of `pi` with multiplications by logarithms. A look-up whose index has the top
//! bit set gives zero. So the logarithm of zero is a number that keeps that bit through all
//! sums, and functions are shifted by what they are at zero.

use super::constants;
use super::pi::{
    ALPHA, NU0, NU1, Nibbles, OMEGA, PHI, RECIPROCAL, SIGMA, compose, invert, invert_linear,
    multiply, tabulate,
};

/// Look-ups in sixteen bytes.
pub(super) type Row = [u8; 16];

/// The logarithm of zero: the top bit stays set when a logarithm is added, and when 15
/// is then subtracted.
const LOG_ZERO: u8 = 0xc0;

/// Powers of x, which generates GF(2^4) modulo x^4 + x^3 + 1.
const POWERS: Nibbles = {
    let mut powers = [1; 16];
    let mut i = 1;
    while i < 16 {
        powers[i] = multiply(powers[i - 1], 2);
        i += 1;
    }
    powers
};

/// Logarithms to the base x.
const LOGS: Nibbles = {
    let mut logs = [LOG_ZERO; 16];
    let mut i = 0;
    while i < 15 {
        logs[POWERS[i] as usize] = i as u8;
        i += 1;
    }
    logs
};

/// A linear map of eight bits as two functions of four.
#[derive(Clone, Copy)]
pub(super) struct Split {
    pub(super) low: Row,
    pub(super) high: Row,
}

/// Multiplication by `factor`, in the field of the blocks.
pub(super) const fn times(factor: u8) -> Split {
    let mut split = Split { low: [0; 16], high: [0; 16] };
    let mut n = 0;
    while n < 16 {
        split.low[n] = constants::multiply(n as u8, factor);
        split.high[n] = constants::multiply((n << 4) as u8, factor);
        n += 1;
    }
    split
}

/// What to look up for Pi, from the byte to (l, r) and on to the byte.
pub(super) struct Tables {
    /// The byte to l.
    pub(super) left: Split,
    /// The byte to r.
    pub(super) right: Split,
    /// l to its logarithm.
    pub(super) left_log: Row,
    /// r to the logarithm of its reciprocal.
    pub(super) reciprocal_log: Row,
    /// The logarithm of the quotient to nu1, shifted by nu1(0).
    pub(super) nu1: Row,
    /// l to nu0, shifted likewise.
    pub(super) nu0: Row,
    /// r to its logarithm.
    pub(super) right_log: Row,
    /// The new l, shifted, to the logarithm of phi.
    pub(super) phi_log: Row,
    /// The logarithm of the product to what sigma of it means for the byte, shifted.
    pub(super) from_right: Row,
    /// The new l, shifted, to what it means for the byte, shifted back.
    pub(super) from_left: Row,
}

/// What to look up for the inverse of Pi.
pub(super) struct InverseTables {
    pub(super) left: Split,
    pub(super) right: Split,
    /// The old r to the logarithm of the inverse of sigma.
    pub(super) sigma_log: Row,
    /// l to the logarithm of the reciprocal of phi.
    pub(super) phi_log: Row,
    /// l to the logarithm of the inverse of nu1.
    pub(super) nu1_log: Row,
    /// l to the inverse of nu0.
    pub(super) nu0: Row,
    /// A logarithm to its number.
    pub(super) power: Row,
    /// The new l and r to what they mean for the byte.
    pub(super) from_left: Row,
    pub(super) from_right: Row,
}

const fn split(map: &[u8; 256], shift: u32) -> Split {
    let mut split = Split { low: [0; 16], high: [0; 16] };
    let mut n = 0;
    while n < 16 {
        split.low[n] = map[n] >> shift & 0xf;
        split.high[n] = map[n << 4] >> shift & 0xf;
        n += 1;
    }
    split
}

/// `input` takes a byte to `l << 4 | r`, and `output` back; both are linear.
pub(super) const fn tables(input: &[u8; 256], output: &[u8; 256]) -> Tables {
    let mut nu1 = [0; 16];
    let mut nu0 = [0; 16];
    let mut phi_log = [0; 16];
    let mut from_right = [0; 16];
    let mut from_left = [0; 16];
    let mut n = 0;
    while n < 16 {
        nu1[n] = NU1[POWERS[n] as usize] ^ NU1[0];
        nu0[n] = NU0[n] ^ NU1[0];
        let l = n as u8 ^ NU1[0];
        phi_log[n] = LOGS[PHI[l as usize] as usize];
        from_right[n] = output[(SIGMA[POWERS[n] as usize] ^ SIGMA[0]) as usize];
        from_left[n] = output[(l << 4 | SIGMA[0]) as usize];
        n += 1;
    }
    Tables {
        left: split(input, 4),
        right: split(input, 0),
        left_log: LOGS,
        reciprocal_log: compose(LOGS, RECIPROCAL),
        nu1,
        nu0,
        right_log: LOGS,
        phi_log,
        from_right,
        from_left,
    }
}

/// `input` takes a byte to `l << 4 | r`, and `output` back; both are linear.
pub(super) const fn inverse_tables(input: &[u8; 256], output: &[u8; 256]) -> InverseTables {
    let mut from_left = [0; 16];
    let mut from_right = [0; 16];
    let mut n = 0;
    while n < 16 {
        from_left[n] = output[n << 4];
        from_right[n] = output[n];
        n += 1;
    }
    InverseTables {
        left: split(input, 4),
        right: split(input, 0),
        sigma_log: compose(LOGS, invert(SIGMA)),
        phi_log: compose(LOGS, compose(RECIPROCAL, PHI)),
        nu1_log: compose(LOGS, invert(NU1)),
        nu0: invert(NU0),
        power: POWERS,
        from_left,
        from_right,
    }
}

pub(super) static TABLES: Tables = tables(&tabulate(ALPHA), &tabulate(OMEGA));
pub(super) static INVERSE_TABLES: InverseTables =
    inverse_tables(&tabulate(invert_linear(OMEGA)), &tabulate(invert_linear(ALPHA)));

/// Defines Pi and its inverse on the bytes of a vector, where the operations of vectors have
/// names.
macro_rules! look_ups {
    ($features:literal) => {
        use super::nibbles::{INVERSE_TABLES, InverseTables, Row, Split, TABLES, Tables, times};

        $crate::tier::helpers! {
            $features;
            /// The sum of two logarithms modulo 15, or a number with the top bit set if one is that
            /// of zero: 15 less is a large number where there were no 15.
            fn add_logs(a: Vector, b: Vector) -> Vector {
                let sum = add(a, b);
                min(sum, sub(sum, broadcast([15; 8])))
            }

            /// A linear map of bytes that are in halves.
            fn nibble(split: &Split, low: Vector, high: Vector) -> Vector {
                xor(look_up(&split.low, low), look_up(&split.high, high))
            }

            /// A linear map of bytes.
            fn apply(split: &Split, x: Vector) -> Vector {
                let (low, high) = halves(x);
                nibble(split, low, high)
            }

            /// Pi.
            pub(super) fn substitute(tables: &Tables, x: Vector) -> Vector {
                let (low, high) = halves(x);
                let l = nibble(&tables.left, low, high);
                let r = nibble(&tables.right, low, high);
                substitute_nibbles(tables, l, r)
            }

            /// Pi after its first linear map.
            pub(super) fn substitute_nibbles(tables: &Tables, l: Vector, r: Vector) -> Vector {
                let quotient =
                    add_logs(look_up(&tables.left_log, l), look_up(&tables.reciprocal_log, r));
                let right_log = look_up(&tables.right_log, r);
                // The top bit of the logarithm of r says that r is zero.
                let l = choose(right_log, look_up(&tables.nu0, l), look_up(&tables.nu1, quotient));
                let product = add_logs(look_up(&tables.phi_log, l), right_log);
                xor(look_up(&tables.from_left, l), look_up(&tables.from_right, product))
            }

            /// The inverse of Pi.
            pub(super) fn substitute_inverse(tables: &InverseTables, y: Vector) -> Vector {
                let (low, high) = halves(y);
                let l = nibble(&tables.left, low, high);
                let r = nibble(&tables.right, low, high);
                substitute_inverse_nibbles(tables, l, r)
            }

            /// The inverse of Pi after its first linear map.
            pub(super) fn substitute_inverse_nibbles(
                tables: &InverseTables, l: Vector, r: Vector,
            ) -> Vector {
                let phi_log = look_up(&tables.phi_log, l);
                let right_log = add_logs(look_up(&tables.sigma_log, r), phi_log);
                let left_log = look_up(&tables.nu1_log, l);
                let product = look_up(&tables.power, add_logs(left_log, right_log));
                let l = choose(right_log, look_up(&tables.nu0, l), product);
                let r = look_up(&tables.power, right_log);
                xor(look_up(&tables.from_left, l), look_up(&tables.from_right, r))
            }
        }
    };
}
pub(super) use look_ups;
