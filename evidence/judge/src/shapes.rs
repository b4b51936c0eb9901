//! Many messages of a drawn shape, for every test that draws more than one.
//!
//! Lengths that are drawn message by message are never alike for long, however many are drawn. A
//! batch that failed after eight empty AADs in a row was right in a thousand million drawn
//! messages. So first a *style* is drawn for each dimension of a batch, and then the values of that
//! style. Coverage is counted in styles and in pairs of them ([`Coverage`]).
//!
//! A [`Shape`] is the styles. [`Messages`] is the messages, plain data that each user turns into
//! its own calls. Both are drawn from any [`Source`] of numbers, in a fixed order: the same numbers
//! make the same messages. One style is drawn for each dimension, in the order of the fields of
//! [`Shape`]; [`Messages::draw`] has the rest.

mod coverage;
mod laid;
mod lengths;
mod messages;
mod parts;
mod source;
mod style;
#[cfg(test)]
mod tests;

pub use coverage::{Coverage, Pair};
pub use laid::Laid;
pub(crate) use laid::bounds;
pub(crate) use messages::count_up;
pub use messages::{Job, Messages};
pub use parts::{Forgery, Part, Parts};
pub use source::{Bytes, Source, SplitMix64, one_of};
pub use style::{
    AadBytes, AadForm, Base, BatchForm, Bit, Count, Forged, ForgedPart, Gaps, LengthStyle,
    NonceStyle, Nulls, Order, Shape, SingleForm, Style, Width,
};
