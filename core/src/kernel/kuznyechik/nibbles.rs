//! Pi by look-ups in sixteen bytes, which VPSHUFB does in a register.
//!
//! The steps of `pi` with multiplications by logarithms. A look-up whose index has the top
//! bit set gives zero. So the logarithm of zero is a number that keeps that bit through all
//! sums, and functions are shifted by what they are at zero.

use super::pi::{NU0, NU1, Nibbles, PHI, RECIPROCAL, SIGMA, compose, invert, multiply};

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
    let mut split = Split {
        low: [0; 16],
        high: [0; 16],
    };
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
