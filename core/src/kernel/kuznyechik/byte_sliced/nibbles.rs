//! Pi by look-ups in sixteen bytes, which VPSHUFB does in a register.
//!
//! The steps of `pi` with multiplications by logarithms. A look-up whose index has the top
//! bit set gives zero. So the logarithm of zero is a number that keeps that bit through all
//! sums, and functions are shifted by what they are at zero.

use super::super::constants::{self, table};
use super::super::pi::{
    ALPHA, NU0, NU1, Nibbles, OMEGA, PHI, RECIPROCAL, SIGMA, compose, invert, multiply, tabulate,
};

/// Look-ups in sixteen bytes.
pub(in super::super) type Row = [u8; 16];

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
pub(in super::super) struct Split {
    pub(in super::super) low: Row,
    pub(in super::super) high: Row,
}

const fn split(map: [u8; 256]) -> Split {
    Split { low: table!([0; 16], |n| map[n]), high: table!([0; 16], |n| map[n << 4]) }
}

/// Multiplication by `factor`, in the field of the blocks.
pub(in super::super) const fn times(factor: u8) -> Split {
    split(table!([0; 256], |x| constants::multiply(x as u8, factor)))
}

/// What to look up for Pi, from the byte to (l, r) and on to the byte.
pub(in super::super) struct Tables<Map> {
    /// The byte to l, and to r.
    pub(in super::super) input: [Map; 2],
    /// l or r to its logarithm.
    pub(in super::super) log: Row,
    /// r to the logarithm of its reciprocal.
    pub(in super::super) reciprocal_log: Row,
    /// The logarithm of the quotient to nu1, shifted by nu1(0).
    pub(in super::super) nu1: Row,
    /// l to nu0, shifted likewise.
    pub(in super::super) nu0: Row,
    /// The new l, shifted, to the logarithm of phi.
    pub(in super::super) phi_log: Row,
    /// The logarithm of the product to what sigma of it means for the byte, shifted.
    pub(in super::super) from_right: Row,
    /// The new l, shifted, to what it means for the byte, shifted back.
    pub(in super::super) from_left: Row,
}

/// What to look up for the inverse of Pi.
pub(in super::super) struct InverseTables<Map> {
    pub(in super::super) input: [Map; 2],
    /// The old r to the logarithm of the inverse of sigma.
    pub(in super::super) sigma_log: Row,
    /// l to the logarithm of the reciprocal of phi.
    pub(in super::super) phi_log: Row,
    /// l to the logarithm of the inverse of nu1.
    pub(in super::super) nu1_log: Row,
    /// l to the inverse of nu0.
    pub(in super::super) nu0: Row,
    /// A logarithm to its number.
    pub(in super::super) power: Row,
    /// The new l and r to what they mean for the byte.
    pub(in super::super) from_left: Row,
    pub(in super::super) from_right: Row,
}

/// A map to bytes as one to each half of a byte, the upper one first.
pub(in super::super) const fn halves(map: [u8; 256]) -> [[u8; 256]; 2] {
    [table!([0; 256], |x| map[x] >> 4), table!([0; 256], |x| map[x] & 0xf)]
}

const fn splits(map: [u8; 256]) -> [Split; 2] {
    let [upper, lower] = halves(map);
    [split(upper), split(lower)]
}

/// `input` takes a byte to l and to r, and `output` takes `l << 4 | r` back; all are linear.
pub(in super::super) const fn tables<Map: Copy>(input: [Map; 2], output: [u8; 256]) -> Tables<Map> {
    Tables {
        input,
        log: LOGS,
        reciprocal_log: compose(LOGS, RECIPROCAL),
        nu1: table!([0; 16], |log| NU1[POWERS[log] as usize] ^ NU1[0]),
        nu0: table!([0; 16], |l| NU0[l] ^ NU1[0]),
        phi_log: table!([0; 16], |l| LOGS[PHI[l ^ NU1[0] as usize] as usize]),
        from_right: table!([0; 16], |log| {
            output[(SIGMA[POWERS[log] as usize] ^ SIGMA[0]) as usize]
        }),
        from_left: table!([0; 16], |l| output[((l as u8 ^ NU1[0]) << 4 | SIGMA[0]) as usize]),
    }
}

/// The same for the inverse of Pi.
pub(in super::super) const fn inverse_tables<Map: Copy>(
    input: [Map; 2],
    output: [u8; 256],
) -> InverseTables<Map> {
    InverseTables {
        input,
        sigma_log: compose(LOGS, invert(SIGMA)),
        phi_log: compose(LOGS, compose(RECIPROCAL, PHI)),
        nu1_log: compose(LOGS, invert(NU1)),
        nu0: invert(NU0),
        power: POWERS,
        from_left: table!([0; 16], |l| output[l << 4]),
        from_right: table!([0; 16], |r| output[r]),
    }
}

pub(in super::super) static TABLES: Tables<Split> =
    tables(splits(tabulate(ALPHA)), tabulate(OMEGA));
pub(in super::super) static INVERSE_TABLES: InverseTables<Split> =
    inverse_tables(splits(invert(tabulate(OMEGA))), invert(tabulate(ALPHA)));

/// Defines Pi and its inverse on the bytes of a vector, where the operations of vectors have
/// names: `look_up(row, nibbles)` and, for linear maps of bytes, `apply(map, bytes)`.
macro_rules! look_ups {
    ($features:literal, $map:ty) => {
        $crate::tier::helpers! {
            $features;
            /// The sum of two logarithms modulo 15, or a number with the top bit set if one is that
            /// of zero: 15 less is a large number where there were no 15.
            fn add_logs(a: Vector, b: Vector) -> Vector {
                let sum = add(a, b);
                min(sum, sub(sum, broadcast([15; 8])))
            }

            /// Pi.
            pub(super) fn substitute(tables: &Tables<$map>, x: Vector) -> Vector {
                let (l, r) = (apply(&tables.input[0], x), apply(&tables.input[1], x));
                let quotient =
                    add_logs(look_up(&tables.log, l), look_up(&tables.reciprocal_log, r));
                let right_log = look_up(&tables.log, r);
                // The top bit of the logarithm of r says that r is zero.
                let l = choose(right_log, look_up(&tables.nu0, l), look_up(&tables.nu1, quotient));
                let product = add_logs(look_up(&tables.phi_log, l), right_log);
                xor(look_up(&tables.from_left, l), look_up(&tables.from_right, product))
            }

            /// The inverse of Pi.
            pub(super) fn substitute_inverse(tables: &InverseTables<$map>, y: Vector) -> Vector {
                let (l, r) = (apply(&tables.input[0], y), apply(&tables.input[1], y));
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
pub(in super::super) use look_ups;
