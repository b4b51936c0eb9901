//! POLYVAL on PMULL, eight blocks with one reduction.

mod products;

use crate::kernel::Block;
use crate::tier::kernel;
use karatsuba::{Horner, Powers};
pub(in crate::kernel) use karatsuba::{Product, halves};
use products::products;

/// For every CPU of the tier.
pub(in crate::kernel) mod karatsuba {
    super::products!("neon,aes", false);
}

/// For those with EOR3, where something else uses most of the vector units: on many CPUs
/// one of them does all that is EOR3, and on some all that is PMULL too.
pub(in crate::kernel) mod schoolbook {
    super::products!("neon,aes,sha3", true);
}

kernel! {
    pub(in crate::kernel) fn polyval(tier: Neon, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block {
        let longest = aad.len().max(text.len());
        let powers = Powers::new(h, longest.div_ceil(16));
        let mut sum = Horner::start(&powers, aad);
        sum.absorb(&powers, text);
        sum.finish(&powers, length_block)
    }
}
