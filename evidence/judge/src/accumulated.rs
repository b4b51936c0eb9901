//! Accumulated vectors: a hundred thousand messages of an algorithm, drawn from one seed in batches
//! of many kinds, and one hash of all their sealed bytes.
//!
//! `docs/spec/accumulated-vectors.md` is the definition, with which each function here quotes its
//! section. It is frozen, so this shares nothing with the generators of other tests.

use crate::conformance::{Algorithm, Message};
use crate::shapes::{
    AadForm, BatchForm, Forgery, Job, Laid, Messages, Part, Shape, SingleForm, Style, Width,
    bounds, count_up,
};
use shake::digest::{ExtendableOutput, Update, XofReader};
use shake::{Shake128, Shake128Reader};
use sivka_oracle::objects;
use sivka_oracle::vectors::read_rows;
use std::iter;

/// How many messages each algorithm has.
pub const MESSAGES: usize = 100_000;

/// After how many batches the file has a row of its own.
pub const FIRST_BATCHES: usize = 4;

/// Section 1: `B`.
const BOUNDARIES: [usize; 20] =
    [1, 8, 12, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 256, 257];

/// Section 1.
struct Stream(Shake128Reader);

impl Stream {
    fn new(algorithm: &str) -> Self {
        let mut hash = Shake128::default();
        hash.update(b"Sivka accumulated vectors 1: ");
        hash.update(algorithm.as_bytes());
        Self(hash.finalize_xof())
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.0.read(&mut bytes);
        bytes
    }

    fn number(&mut self, below: usize) -> usize {
        let mut bytes = [0; 4];
        self.0.read(&mut bytes);
        ((u64::from(u32::from_le_bytes(bytes)) * below as u64) >> 32) as usize
    }

    fn length(&mut self) -> usize {
        match self.number(64) {
            0 => self.number(2001),
            1..=7 => self.boundary(),
            8..=11 => 0,
            _ => self.number(81),
        }
    }

    fn boundary(&mut self) -> usize {
        BOUNDARIES[self.number(BOUNDARIES.len())]
    }

    /// Section 2.
    fn lengths(&mut self, count: usize) -> Vec<usize> {
        let independent = |stream: &mut Self| (0..count).map(|_| stream.length()).collect();
        match self.number(10) {
            0 => vec![self.length(); count],
            1 => self.runs(count, false),
            2 => self.runs(count, true),
            style @ (3 | 4) => {
                let mut lengths: Vec<usize> = independent(self);
                lengths.sort_unstable();
                if style == 4 {
                    lengths.reverse();
                }
                lengths
            }
            5 => {
                let mut lengths = vec![self.length(); count];
                let place = self.number(count);
                lengths[place] = self.length();
                lengths
            }
            6 => vec![0; count],
            7 => (0..count).map(|_| self.boundary()).collect(),
            8 => {
                let two = [self.length(), self.length()];
                (0..count).map(|_| two[self.number(2)]).collect()
            }
            _ => independent(self),
        }
    }

    fn runs(&mut self, count: usize, empty_between: bool) -> Vec<usize> {
        let mut lengths = Vec::new();
        let mut empty = empty_between;
        while lengths.len() < count {
            let run = 1 + self.number(65);
            let length = if empty { 0 } else { self.length() };
            lengths.extend(iter::repeat_n(length, run.min(count - lengths.len())));
            empty = empty_between && !empty;
        }
        lengths
    }

    /// Strings of these lengths.
    fn laid(&mut self, lens: &[usize]) -> Laid {
        let bytes = self.bytes(lens.iter().sum());
        Laid { bytes, offsets: bounds(0, lens.iter().copied()) }
    }

    fn nonces(&mut self, count: usize, len: usize) -> Vec<u8> {
        let style = self.number(4);
        if style > 1 {
            return self.bytes(count * len);
        }
        let first = self.bytes(len);
        let next = |nonce: &Vec<u8>| {
            let mut next = nonce.clone();
            count_up(next.iter_mut().take(style * len));
            Some(next)
        };
        let nonces = iter::successors(Some(first), next).take(count);
        nonces.flatten().collect()
    }
}

/// Messages under one key.
#[allow(missing_docs)]
pub struct Batch {
    pub key: Vec<u8>,
    pub messages: Messages,
}

impl Batch {
    /// Section 3, with as many messages as are `left`.
    fn draw(stream: &mut Stream, algorithm: &Algorithm, left: usize) -> Self {
        let most = [8, 100, 100, 100, 100, 400, 400, 2200][stream.number(8)];
        let count = (1 + stream.number(most)).min(left);
        let key = stream.bytes(algorithm.key_len);
        let mut nonces = stream.nonces(count, algorithm.nonce_len);
        let one_aad = stream.number(4) == 0;
        let aad_lens = if one_aad { vec![stream.length(); count] } else { stream.lengths(count) };
        let mut text_lens = stream.lengths(count);
        if algorithm.name == "Kuznyechik-MGM" {
            let first_bytes = nonces.iter_mut().step_by(algorithm.nonce_len);
            first_bytes.for_each(|byte| *byte &= 0x7f);
            let empty = |(text, aad): &(&mut usize, &usize)| **text + **aad == 0;
            let both = text_lens.iter_mut().zip(&aad_lens).filter(empty);
            both.for_each(|(text_len, _)| *text_len = 1);
        }
        let aad_form = if one_aad { AadForm::Common } else { AadForm::Contiguous };
        let aads = stream.laid(&aad_lens[..if one_aad { 1 } else { count }]);
        let messages = Messages {
            shape: Shape { aad_form, ..Shape::PLAIN },
            parts: algorithm.parts(),
            nonces,
            texts: stream.laid(&text_lens),
            aads,
            nulls: vec![false; count],
            forgeries: vec![None; count],
            margins: (0, 0),
            first_bit: 0,
            seed: None,
        };
        Self { key, messages }
    }

    /// The parts of batch `number` that are not drawn: the next of all forms, and the forgery
    /// before opening, in every third run of messages.
    #[must_use]
    pub fn in_forms(mut self, number: usize) -> Self {
        let shape = &mut self.messages.shape;
        shape.batch = BatchForm::ALL[number % 2];
        if shape.batch == BatchForm::List && shape.aad_form != AadForm::Common {
            shape.aad_form = AadForm::List;
        }
        shape.single = SingleForm::ALL[number % 3];
        shape.width = Width::ALL[number % 4];
        let one_aad = shape.aad_form == AadForm::Common;
        let run = 1 + number % 40;
        for i in (0..self.messages.len()).filter(|i| i / run % 3 == 1) {
            let job = self.messages.job(i);
            let part = match number % 5 {
                0 if !job.text.is_empty() => Part::Text,
                1 if !job.nonce.is_empty() => Part::Nonce,
                2 if !job.aad.is_empty() && !one_aad => Part::Aad,
                _ => Part::Tag,
            };
            self.messages.forgeries[i] = Some(Forgery { part, bit: i % 7 });
        }
        self
    }

    /// The reference's sealed messages, one after another.
    ///
    /// # Panics
    ///
    /// If the standard forbids one of them; such messages are not drawn.
    #[must_use]
    pub fn sealed(&self, algorithm: &Algorithm) -> Vec<u8> {
        let sealed = self.messages.jobs().map(|job| {
            let message = Message {
                nonce: job.nonce.to_vec(),
                aad: job.aad.to_vec(),
                plaintext: job.text.to_vec(),
            };
            let sealed = algorithm.seal(&self.key, &message);
            sealed.expect("a message to seal")
        });
        sealed.flatten().collect()
    }
}

/// All batches of an algorithm, in order.
pub struct Batches {
    algorithm: &'static Algorithm,
    stream: Stream,
    left: usize,
}

impl Batches {
    /// From the first on.
    #[must_use]
    pub fn of(algorithm: &'static Algorithm) -> Self {
        Self { algorithm, stream: Stream::new(algorithm.name), left: MESSAGES }
    }
}

impl Iterator for Batches {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        if self.left == 0 {
            return None;
        }
        let batch = Batch::draw(&mut self.stream, self.algorithm, self.left);
        self.left -= batch.messages.len();
        Some(batch)
    }
}

/// Section 4: the hashed bytes of some batches of one algorithm.
#[derive(Clone, Default)]
pub struct Accumulator {
    batches: usize,
    messages: usize,
    inputs: Shake128,
    sealed: Shake128,
}

impl Accumulator {
    /// Adds a batch and its sealed messages, one after another.
    pub fn add(&mut self, batch: &Batch, sealed: &[u8]) {
        let messages = &batch.messages;
        self.batches += 1;
        self.messages += messages.len();
        let lens = |bytes: fn(Job<'_>) -> &[u8]| messages.jobs().map(move |job| bytes(job).len());
        let numbers =
            iter::once(messages.len()).chain(lens(|job| job.aad)).chain(lens(|job| job.text));
        let numbers: Vec<[u8; 4]> = numbers.map(|number| (number as u32).to_le_bytes()).collect();
        self.inputs.update(&numbers[0]);
        self.inputs.update(&batch.key);
        self.inputs.update(&messages.nonces);
        self.inputs.update(numbers[1..].as_flattened());
        messages.jobs().for_each(|job| self.inputs.update(job.aad));
        messages.jobs().for_each(|job| self.inputs.update(job.text));
        self.sealed.update(sealed);
    }

    /// The row of the file for the batches so far.
    #[must_use]
    pub fn row(&self, algorithm: &str) -> Row {
        let digest = |hash: &Shake128| {
            let mut digest = vec![0; 32];
            hash.clone().finalize_xof().read(&mut digest);
            digest
        };
        Row {
            algorithm: algorithm.to_owned(),
            batches: self.batches,
            messages: self.messages,
            inputs: digest(&self.inputs),
            sealed: digest(&self.sealed),
        }
    }
}

objects! {
    /// A row of the file.
    pub struct Row {
        algorithm: String,
        batches: usize,
        messages: usize,
        inputs: Vec<u8>,
        sealed: Vec<u8>,
    }
}

/// The rows of the file for an algorithm: after the first batches, and after all.
///
/// # Panics
///
/// If the file is malformed.
#[must_use]
pub fn rows(algorithm: &str) -> [Row; 2] {
    let text = include_str!("../../../vectors/accumulated/accumulated.json");
    let mut rows: Vec<Row> = read_rows(text).expect("a well-formed vector file");
    rows.retain(|row| row.algorithm == algorithm);
    rows.try_into().expect("two rows of an algorithm")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::ALGORITHMS;

    /// The example writes the whole file, which takes a minute.
    #[test]
    fn the_first_batches_are_those_of_the_file() {
        for algorithm in &ALGORITHMS {
            let mut found = Accumulator::default();
            for batch in Batches::of(algorithm).take(FIRST_BATCHES) {
                found.add(&batch, &batch.sealed(algorithm));
            }
            let [first, all] = rows(algorithm.name);
            assert_eq!(found.row(algorithm.name), first);
            assert_eq!(all.messages, MESSAGES, "{}", algorithm.name);
        }
    }
}
