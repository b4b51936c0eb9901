//! Messages of a shape.

use super::laid::Laid;
use super::lengths::{self, AADS, TEXTS, outlier, runs};
use super::parts::{Forgery, Part, Parts};
use super::source::{Source, one_of};
use super::style::{
    AadBytes, AadForm, Base, Bit, Forged, ForgedPart, Gaps, NonceStyle, Nulls, Order, Shape,
};
use core::fmt;
use core::ops::Range;

/// One message, whole.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The nonce; empty for an algorithm without one.
    pub nonce: &'a [u8],
    /// The AAD.
    pub aad: &'a [u8],
    /// The plaintext.
    pub text: &'a [u8],
    /// Whether it is null in a column.
    pub is_null: bool,
    /// The change of a message before it is opened.
    pub forgery: Option<Forgery>,
}

/// Messages of a shape, whole and in order.
#[derive(Clone)]
pub struct Messages {
    /// Their styles.
    pub shape: Shape,
    /// The purpose of the messages.
    pub parts: Parts,
    /// One after the other.
    pub nonces: Vec<u8>,
    /// The plaintexts.
    pub texts: Laid,
    /// The AADs as one buffer with offsets; one AAD alone where it is common.
    pub aads: Laid,
    /// The nulls of a column.
    pub nulls: Vec<bool>,
    /// The changes before they are opened.
    pub forgeries: Vec<Option<Forgery>>,
    /// Bytes of nobody in front of the first string of a buffer, and after the last.
    pub margins: (usize, usize),
    /// The bit of the first value in a column's bitmap.
    pub first_bit: usize,
    /// The seed from which [`draw`](Self::draw) makes them again.
    pub seed: Option<u64>,
}

/// The lengths and marks of a message, which come before its bytes.
#[derive(Clone, Copy)]
struct Plan {
    text_len: usize,
    aad_len: usize,
    /// The index of its nonce among the drawn ones.
    nonce: usize,
    is_null: bool,
    forgery: Option<Forgery>,
}

impl Messages {
    /// Draws the messages of a shape: their count, the lengths of texts, those of AADs, nulls,
    /// forgeries, nonces, the order, margins. Then come the bytes of all texts in order and
    /// those of all AADs.
    pub fn draw(shape: Shape, parts: Parts, source: &mut dyn Source) -> Self {
        let seed = source.seed();
        let count = lengths::count(shape.count, source);
        let text_lens = TEXTS.lens(shape.text, count, source);
        let aad_lens = match shape.aad_form {
            // One, even where there is no message.
            AadForm::Common => {
                let len = AADS.lens(shape.aad, 1, source)[0];
                vec![len; count]
            }
            _ => AADS.lens(shape.aad, count, source),
        };
        let lens = text_lens.into_iter().zip(aad_lens).collect();
        Self { seed, ..Self::of_lens(shape, parts, lens, source) }
    }

    /// Draws messages of these lengths of text and AAD, with all other styles of a shape.
    ///
    /// # Panics
    ///
    /// If the AAD is common and there is more than one length of it.
    pub fn of_lens(
        shape: Shape,
        parts: Parts,
        lens: Vec<(usize, usize)>,
        source: &mut dyn Source,
    ) -> Self {
        let seed = source.seed();
        let count = lens.len();
        let nulls = nulls(shape.nulls, count, source);
        let forged = forged(shape.forged, count, source);
        let mut plans = Vec::with_capacity(count);
        for (i, (text_len, aad_len)) in lens.into_iter().enumerate() {
            let forgery = forged[i].then(|| forgery(&shape, parts, (text_len, aad_len), source));
            plans.push(Plan { text_len, aad_len, nonce: i, is_null: nulls[i], forgery });
        }
        let drawn = nonces(shape.nonce, parts, count, source);
        arrange(shape.order, &mut plans, source);
        let (margins, first_bit) = match shape.base {
            Base::Zero => ((0, 0), 0),
            Base::Later => ((1 + source.below(70), source.below(70)), 1 + source.below(20)),
        };
        let text_lens = plans.iter().map(|plan| plan.text_len);
        let texts = Laid::filled(margins, text_lens, source);
        let aads = aads(&shape, margins, &plans, source);
        let nonce = |plan: &Plan| &drawn[plan.nonce * parts.nonce_len..][..parts.nonce_len];
        Self {
            shape,
            parts,
            nonces: plans.iter().flat_map(nonce).copied().collect(),
            texts,
            aads,
            nulls: plans.iter().map(|plan| plan.is_null).collect(),
            forgeries: plans.iter().map(|plan| plan.forgery).collect(),
            margins,
            first_bit,
            seed,
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nulls.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nulls.is_empty()
    }

    /// The nonce of message `i`.
    #[must_use]
    pub fn nonce(&self, i: usize) -> &[u8] {
        &self.nonces[i * self.parts.nonce_len..][..self.parts.nonce_len]
    }

    /// The AAD of message `i`.
    #[must_use]
    pub fn aad(&self, i: usize) -> &[u8] {
        &self.aads.bytes[self.aad_place(i)]
    }

    /// Where the AAD of message `i` is. Of shared ones in a list, all begin at one place.
    #[must_use]
    pub fn aad_place(&self, i: usize) -> Range<usize> {
        match (self.shape.aad_form, self.shape.aad_bytes) {
            (AadForm::Common, _) => self.aads.place(0),
            (AadForm::List, AadBytes::Shared) => {
                let start = self.aads.offsets[0];
                start..start + self.aads.place(i).len()
            }
            _ => self.aads.place(i),
        }
    }

    /// The AAD of each.
    #[must_use]
    pub fn aad_list(&self) -> Vec<&[u8]> {
        (0..self.len()).map(|i| self.aad(i)).collect()
    }

    /// Message `i`.
    #[must_use]
    pub fn job(&self, i: usize) -> Job<'_> {
        Job {
            nonce: self.nonce(i),
            aad: self.aad(i),
            text: self.texts.get(i),
            is_null: self.nulls[i],
            forgery: self.forgeries[i],
        }
    }

    /// Each message.
    pub fn jobs(&self) -> impl Iterator<Item = Job<'_>> {
        (0..self.len()).map(|i| self.job(i))
    }

    /// The same with the nonces and AADs that a forger made of them. Texts and tags are
    /// forged once they are sealed, by [`Forgery::flip`].
    #[must_use]
    pub fn forged(&self) -> Self {
        let mut forged = self.clone();
        if self.shape.aad_form != AadForm::Common && self.shape.aad_bytes == AadBytes::Shared {
            // Each in a place of its own.
            let list = self.aad_list();
            forged.aads = Laid::new(self.margins, list.into_iter());
            forged.shape.aad_bytes = AadBytes::Own;
        }
        for (i, forgery) in self.forgeries.iter().enumerate() {
            if let Some(forgery) = forgery {
                let nonce_len = self.parts.nonce_len;
                forgery.flip(Part::Nonce, &mut forged.nonces[i * nonce_len..][..nonce_len]);
                if self.shape.aad_form != AadForm::Common {
                    forgery.flip(Part::Aad, forged.aads.get_mut(i));
                }
            }
        }
        forged
    }

    /// A column of `strings`, one for each message: a null has none, or unused bytes.
    #[must_use]
    pub fn column<'a>(&self, strings: impl Iterator<Item = &'a [u8]>) -> Laid {
        let is_hidden = |i: usize| self.nulls[i] && self.shape.gaps == Gaps::Nothing;
        let there = strings.enumerate();
        let there = there.map(|(i, string)| if is_hidden(i) { &[] } else { string });
        Laid::new(self.margins, there)
    }

    /// The bitmap of a column, with all bits set that are nobody's, if there is one.
    #[must_use]
    pub fn bitmap(&self) -> Option<Vec<u8>> {
        if self.shape.nulls == Nulls::Unsaid {
            return None;
        }
        let mut bitmap = vec![0xff; (self.first_bit + self.len()).div_ceil(8)];
        for i in (0..self.len()).filter(|i| self.nulls[*i]) {
            let bit = self.first_bit + i;
            bitmap[bit / 8] &= !(1 << (bit % 8));
        }
        Some(bitmap)
    }
}

/// The styles, what makes the messages again, and their lengths in runs.
impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} messages", self.len())?;
        if let Some(seed) = self.seed {
            write!(f, " of seed {seed:#x}")?;
        }
        write!(f, " for {:?}, {:?}; text + AAD:", self.parts, self.shape)?;
        let lens = |i: usize| (self.texts.get(i).len(), self.aad(i).len());
        let mut i = 0;
        while i < self.len() {
            let run = (i..self.len()).take_while(|j| lens(*j) == lens(i)).count();
            let (text_len, aad_len) = lens(i);
            write!(f, " {run} of {text_len} + {aad_len},")?;
            i += run;
        }
        write!(f, " forged:")?;
        for (i, forgery) in self.forgeries.iter().enumerate() {
            if let Some(Forgery { part, bit }) = forgery {
                write!(f, " {i} ({part:?} {bit})")?;
            }
        }
        Ok(())
    }
}

fn nulls(style: Nulls, count: usize, source: &mut dyn Source) -> Vec<bool> {
    match style {
        Nulls::Unsaid | Nulls::None => vec![false; count],
        Nulls::All => vec![true; count],
        Nulls::Runs => by_turns(count, source),
        Nulls::Outlier => one(count, source),
        Nulls::Independent => (0..count).map(|_| source.once_in(4)).collect(),
    }
}

fn forged(style: Forged, count: usize, source: &mut dyn Source) -> Vec<bool> {
    match style {
        Forged::None => vec![false; count],
        Forged::One => one(count, source),
        Forged::Runs => by_turns(count, source),
        Forged::Alternating => {
            let first = source.below(2);
            (0..count).map(|i| i % 2 == first).collect()
        }
        Forged::Independent => (0..count).map(|_| source.once_in(4)).collect(),
        Forged::All => vec![true; count],
    }
}

/// Runs of marks and of none.
fn by_turns(count: usize, source: &mut dyn Source) -> Vec<bool> {
    let first = source.below(2);
    runs(count, source, |_, i| i % 2 == first)
}

/// One of so many.
fn one(count: usize, source: &mut dyn Source) -> Vec<bool> {
    let place = outlier(count, source);
    (0..count).map(|i| i == place).collect()
}

fn forgery(
    shape: &Shape,
    parts: Parts,
    (text_len, aad_len): (usize, usize),
    source: &mut dyn Source,
) -> Forgery {
    let aad_len = if shape.aad_form == AadForm::Common { 0 } else { aad_len };
    let part = match shape.part {
        ForgedPart::Tag => Part::Tag,
        ForgedPart::Text => Part::Text,
        ForgedPart::Aad => Part::Aad,
        ForgedPart::Nonce => Part::Nonce,
        ForgedPart::Length => Part::Length,
        ForgedPart::Any => one_of(source, &[Part::Tag, Part::Text, Part::Aad, Part::Nonce]),
    };
    let len = |part| match part {
        Part::Tag => parts.tag_len,
        Part::Text => text_len,
        Part::Aad => aad_len,
        Part::Nonce => parts.nonce_len,
        Part::Length => parts.nonce_len + text_len + parts.tag_len,
    };
    let part = if len(part) == 0 { Part::Tag } else { part };
    let bits = 8 * len(part);
    let bit = match shape.bit {
        Bit::First => 0,
        Bit::Last => bits - 1,
        Bit::Random => source.below(bits),
    };
    Forgery { part, bit }
}

fn nonces(style: NonceStyle, parts: Parts, count: usize, source: &mut dyn Source) -> Vec<u8> {
    let len = parts.nonce_len;
    let mut nonces = vec![0; count * len];
    if len == 0 {
        return nonces;
    }
    let drawn = |source: &mut dyn Source| {
        let mut one = vec![0; len];
        source.fill(&mut one);
        one
    };
    match style {
        NonceStyle::Distinct | NonceStyle::Random => source.fill(&mut nonces),
        NonceStyle::Equal => nonces = drawn(source).repeat(count),
        NonceStyle::Runs => nonces = runs(count, source, |source, _| drawn(source)).concat(),
        NonceStyle::Counter => {
            let mut one = drawn(source);
            // So that it carries.
            let near_its_end = source.below(3).min(len - 1);
            one[len - near_its_end..].fill(0xff);
            for nonce in nonces.chunks_mut(len) {
                nonce.copy_from_slice(&one);
                count_up(one.iter_mut().rev());
            }
        }
        NonceStyle::Boundary => {
            for nonce in nonces.chunks_mut(len) {
                nonce.fill(one_of(source, &[0x00, 0x01, 0x7f, 0x80, 0xff]));
                nonce[len - 1] = one_of(source, &[0x00, 0x01, 0x7f, 0x80, 0xff]);
            }
            return nonces;
        }
    }
    let firsts = nonces.iter_mut().step_by(len);
    firsts.for_each(|first| *first &= parts.first_byte_mask);
    nonces
}

/// Adds one to a number whose lowest byte comes first.
pub(crate) fn count_up<'a>(bytes: impl Iterator<Item = &'a mut u8>) {
    for byte in bytes {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
}

fn arrange(order: Order, plans: &mut [Plan], source: &mut dyn Source) {
    match order {
        Order::Drawn => {}
        Order::Reversed => plans.reverse(),
        Order::Shuffled => {
            for i in (1..plans.len()).rev() {
                plans.swap(i, source.below(i + 1));
            }
        }
    }
}

fn aads(shape: &Shape, margins: (usize, usize), plans: &[Plan], source: &mut dyn Source) -> Laid {
    let mut lens = plans.iter().map(|plan| plan.aad_len);
    if shape.aad_form == AadForm::Common {
        let len = lens.next().unwrap_or(0);
        assert!(lens.all(|other| other == len), "one AAD has one length");
        return Laid::filled(margins, std::iter::once(len), source);
    }
    match shape.aad_bytes {
        AadBytes::Own => Laid::filled(margins, lens, source),
        AadBytes::Shared => {
            let mut one = vec![0; lens.clone().max().unwrap_or(0)];
            source.fill(&mut one);
            let mut laid = Laid::new(margins, lens.map(|len| &one[..len]));
            if shape.aad_form == AadForm::List {
                // All are tried with the AAD of the first; together they are as long as the
                // longest.
                laid.bytes[margins.0..][..one.len()].copy_from_slice(&one);
            }
            laid
        }
    }
}
