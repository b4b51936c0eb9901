//! Kuznyechik on NEON, sixteen blocks in sixteen vectors, all of it by look-ups of nibbles
//! in registers (TBL).

use super::byte_sliced::nibbles::{
    INVERSE_TABLES, InverseTables, Row, Split, TABLES, Tables, look_ups, times,
};
use super::byte_sliced::vectors::byte_slices;
use super::byte_sliced::{self, Byte, RELATIONS, linear, linear_relations};
use super::{Block, Kuznyechik, portable};
use crate::tier::bytes::{load128 as load, store128 as store};
use crate::tier::{Neon, kernel};
use INVERSE_TABLES as PI_INVERSE;
use TABLES as PI;
use core::arch::aarch64::*;
use vaddq_u8 as add;
use veorq_u8 as xor;
use vminq_u8 as min;
use vsubq_u8 as sub;
use vzip1q_u8 as unpack_low;
use vzip2q_u8 as unpack_high;

type Vector = uint8x16_t;
type RoundKeys = byte_sliced::RoundKeys<RELATIONS>;

fn expand(_: Neon, key: &[u8; 32]) -> RoundKeys {
    RoundKeys::sliced(portable::expand(key), linear_relations)
}

crate::tier::helpers! {
    "neon";
    /// Indices from sixteen on give zero.
    fn look_up(row: &Row, x: Vector) -> Vector {
        vqtbl1q_u8(load(row), x)
    }

    /// A linear map of bytes.
    fn apply(split: &Split, x: Vector) -> Vector {
        let (low, high) = (vandq_u8(x, vdupq_n_u8(0xf)), vshrq_n_u8::<4>(x));
        xor(look_up(&split.low, low), look_up(&split.high, high))
    }

    /// `if_zero` where a logarithm is that of zero, which alone has the top bit, else `other`.
    fn choose(logs: Vector, if_zero: Vector, other: Vector) -> Vector {
        vbslq_u8(vcltzq_s8(vreinterpretq_s8_u8(logs)), if_zero, other)
    }

    fn xor3(a: Vector, b: Vector, c: Vector) -> Vector {
        xor(a, xor(b, c))
    }

    fn broadcast(byte: Byte) -> Vector {
        vreinterpretq_u8_u64(vdupq_n_u64(u64::from_ne_bytes(byte)))
    }
}

macro_rules! multiply {
    ($factor:expr, $x:expr) => {{
        const TIMES: Split = times($factor);
        apply(&TIMES, $x)
    }};
}

look_ups!("neon", Split);
byte_slices!(Neon, "neon", expand, linear, FEW: 0);
