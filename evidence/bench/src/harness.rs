//! The measuring: contenders side by side in one process.
//!
//! To add an algorithm, write one file under `algorithms/` with an
//! [`Algorithm`](crate::algorithm::Algorithm) whose `contenders` function
//! returns a [`Contender`] for each implementation, and name it in
//! `algorithms::ALL`. To add a contender, implement [`Work`], or
//! [`Aead`](crate::aead::Aead) for something that handles one message at a time.
//!
//! A figure: each contender runs in many short batches, and the batches of all contenders alternate
//! (A B C A B C …). So a drifting clock or a noisy neighbour affects all alike. The minimum over
//! the batches is the figure; the median shows how quiet the machine was.

use crate::clock::{Clock, Stopwatch};
use crate::messages::{Interface, Messages, Shape};
use sivka::Tier;
use std::fmt;
use std::hint::black_box;
use std::time::Duration;

/// The timed work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Plaintext to ciphertext and tag.
    Seal,
    /// Ciphertext and tag to plaintext, the tag checked.
    Open,
    /// Blocks to blocks.
    Encrypt,
    /// The inverse.
    Decrypt,
}

impl Operation {
    /// Whether [`Work::forward`] does this.
    fn is_forward(self) -> bool {
        match self {
            Self::Seal | Self::Encrypt => true,
            Self::Open | Self::Decrypt => false,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Seal => "seal",
            Self::Open => "open",
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
        })
    }
}

/// One row: an operation on messages of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The algorithm in question, such as `aes-256-gcm-siv`.
    pub(crate) algorithm: &'static str,
    /// The timed work.
    pub(crate) operation: Operation,
    /// On what.
    pub(crate) shape: Shape,
}

impl Row {
    /// The operation, and in rows that measure an interface which.
    pub(crate) fn operation_name(&self) -> String {
        let interface = match self.shape.interface {
            None => "",
            Some(Interface::InPlace) => "-in-place",
            Some(Interface::Apart) => "-apart",
            Some(Interface::Chained) => "-chained",
        };
        format!("{}{interface}", self.operation)
    }
}

/// Whose code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Ours, on a tier.
    Ours(Tier),
    /// Another implementation of the same algorithm.
    Peer,
    /// Another algorithm that does a comparable job, to compare speed alone.
    Yardstick,
}

/// An implementation's work on all messages of a row, in place or from one buffer to another.
///
/// Keys are set up before, outside the time taken.
pub(crate) trait Work {
    /// Seals (encrypts, hashes) every message and writes its tag after it.
    fn forward(&mut self, messages: &mut Messages);

    /// Undoes [`Work::forward`]: opens (decrypts) every message.
    ///
    /// # Panics
    ///
    /// Panics if a message does not open: a benchmark of failures measures nothing.
    fn backward(&mut self, messages: &mut Messages);
}

/// One implementation in a row.
pub(crate) struct Contender {
    /// How reports call it; unique in its row.
    pub(crate) name: String,
    /// The algorithm: all contenders of one algorithm must agree on every byte.
    pub(crate) algorithm: &'static str,
    /// Whose it is.
    pub(crate) kind: Kind,
    /// The operation.
    pub(crate) work: Box<dyn Work>,
}

/// One contender's figures in one row.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// [`Contender::name`].
    pub(crate) name: String,
    /// [`Contender::algorithm`].
    pub(crate) algorithm: &'static str,
    /// [`Contender::kind`].
    pub(crate) kind: Kind,
    /// Time of one message in nanoseconds, in the fastest batch.
    pub(crate) min_ns: f64,
    /// The same in the median batch.
    pub(crate) median_ns: f64,
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Batches of each contender.
    pub(crate) rounds: usize,
    /// The time that a batch should take.
    pub(crate) batch: Duration,
    /// A row's batches of one contender take no longer than about this together,
    /// if that leaves [`Effort::LEAST_ROUNDS`].
    pub(crate) most: Duration,
}

impl Effort {
    /// Fewer rounds than this are no measurement.
    const LEAST_ROUNDS: usize = 5;

    /// For figures that are recorded.
    pub(crate) const FULL: Self =
        Self { rounds: 80, batch: Duration::from_micros(1500), most: Duration::from_secs(1) };

    /// For a look while working.
    pub(crate) const QUICK: Self =
        Self { rounds: 25, batch: Duration::from_micros(1000), most: Duration::from_millis(300) };
}

/// Runs every contender forwards and backwards once and compares all bytes, then returns the
/// results of [`Work::forward`] on `messages` for each algorithm.
///
/// # Panics
///
/// Panics if two contenders of one algorithm disagree, or one does not get the
/// plaintext back.
pub(crate) fn agree(
    contenders: &mut [Contender],
    messages: &mut Messages,
) -> Vec<(&'static str, Vec<u8>)> {
    let plaintext = messages.bytes().to_vec();
    let mut outputs: Vec<(&'static str, Vec<u8>)> = Vec::new();
    for contender in contenders {
        messages.restore(&plaintext);
        contender.work.forward(messages);
        match outputs.iter().find(|(name, _)| *name == contender.algorithm) {
            Some((_, output)) => assert!(
                messages.equal(output, true),
                "{} disagrees on {}: {:?}",
                contender.name,
                contender.algorithm,
                messages.shape()
            ),
            None => {
                // A yardstick may be a hash alone, which writes nothing but the tag.
                let hash_alone = contender.kind == Kind::Yardstick;
                assert!(
                    messages.shape().len < 16 || !messages.equal(&plaintext, hash_alone),
                    "{} leaves the plaintext as it is",
                    contender.name
                );
                outputs.push((contender.algorithm, messages.bytes().to_vec()));
            }
        }
        let output = messages.bytes().to_vec();
        messages.restore(&output);
        contender.work.backward(messages);
        assert!(
            messages.equal(&plaintext, false),
            "{} does not get the plaintext of {} back: {:?}",
            contender.name,
            contender.algorithm,
            messages.shape()
        );
    }
    outputs
}

/// Measures one row: first [`agree`], then the time of every contender.
pub(crate) fn measure(
    row: &Row,
    contenders: &mut [Contender],
    effort: Effort,
    clock: Clock,
) -> Vec<Figure> {
    let mut messages = Messages::new(row.shape);
    let outputs = agree(contenders, &mut messages);
    let stopwatch = Stopwatch::new(clock);
    let mut runs: Vec<Run> = contenders
        .iter_mut()
        .map(|contender| {
            let output = outputs
                .iter()
                .find(|(name, _)| *name == contender.algorithm)
                .filter(|_| !row.operation.is_forward());
            Run {
                contender,
                input: output.map(|(_, bytes)| &bytes[..]),
                walks: 1,
                rounds: 0,
                stopwatch,
            }
        })
        .collect();

    // Three batches of one walk tell how many walks fill a batch, and how many
    // batches the row can afford.
    for run in &mut runs {
        let walk = (0..3).map(|_| run.batch(&mut messages)).min();
        let walk = walk.unwrap_or_default().max(Duration::from_nanos(1));
        let walks = effort.batch.as_nanos() / walk.as_nanos();
        run.walks = u32::try_from(walks).unwrap_or(u32::MAX).max(1);
        let batch = walk * run.walks;
        let consumes = run.input.is_some() && !row.shape.is_apart();
        run.stopwatch = stopwatch.for_span(if consumes { walk } else { batch });
        let affordable = effort.most.as_nanos() / batch.as_nanos();
        run.rounds = usize::try_from(affordable)
            .unwrap_or(usize::MAX)
            .clamp(Effort::LEAST_ROUNDS, effort.rounds);
    }

    // Contenders with fewer batches take part in rounds spread evenly over all.
    let rounds = runs.iter().map(|run| run.rounds).max().unwrap_or_default();
    let mut samples = vec![Vec::with_capacity(rounds); runs.len()];
    for round in 0..rounds {
        for (run, samples) in runs.iter_mut().zip(&mut samples) {
            if round * run.rounds / rounds == (round + 1) * run.rounds / rounds {
                continue;
            }
            let calls = f64::from(run.walks) * messages.count() as f64;
            samples.push(run.batch(&mut messages).as_secs_f64() * 1e9 / calls);
        }
    }
    runs.iter()
        .zip(samples)
        .map(|(run, mut samples)| {
            samples.sort_by(f64::total_cmp);
            Figure {
                name: run.contender.name.clone(),
                algorithm: run.contender.algorithm,
                kind: run.contender.kind,
                min_ns: samples[0],
                median_ns: samples[samples.len() / 2],
            }
        })
        .collect()
}

/// One contender with the memory for a batch.
struct Run<'a> {
    contender: &'a mut Contender,
    /// The input of opening; sealing continues with any content.
    input: Option<&'a [u8]>,
    /// Walks over the messages in a batch.
    walks: u32,
    /// Batches in the row.
    rounds: usize,
    stopwatch: Stopwatch,
}

impl Run<'_> {
    /// The time that `walks` walks over the messages take.
    ///
    /// Opening in place consumes its input, so each walk is preceded by a copy
    /// that is not timed.
    fn batch(&mut self, messages: &mut Messages) -> Duration {
        let (work, walks) = (&mut self.contender.work, self.walks);
        let Some(input) = self.input else {
            return self.stopwatch.time(|| {
                for _ in 0..walks {
                    work.forward(black_box(messages));
                }
            });
        };
        if messages.shape().is_apart() {
            messages.restore(input);
            return self.stopwatch.time(|| {
                for _ in 0..walks {
                    work.backward(black_box(messages));
                }
            });
        }
        let mut total = Duration::ZERO;
        for _ in 0..walks {
            messages.restore(input);
            total += self.stopwatch.time(|| work.backward(black_box(messages)));
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::{Contender, Effort, Kind, Operation, Row, Work, agree, measure};
    use crate::clock::Clock;
    use crate::messages::{Messages, Shape};
    use std::time::Duration;

    const SHAPE: Shape =
        Shape { len: 32, aad_len: 0, nonce_len: 0, tag_len: 4, batch: 1, interface: None };

    /// Inverts all bits and writes a constant tag: enough of a cipher to be measured.
    struct Invert {
        tag: u8,
        repeats: u32,
    }

    impl Work for Invert {
        fn forward(&mut self, messages: &mut Messages) {
            for (_, _, message) in messages.each() {
                for _ in 0..self.repeats {
                    message[..32].iter_mut().for_each(|byte| *byte = !*byte);
                    std::hint::black_box(&mut *message);
                }
                message[32..].fill(self.tag);
            }
        }

        fn backward(&mut self, messages: &mut Messages) {
            self.forward(messages);
        }
    }

    fn contender(name: &str, tag: u8, repeats: u32) -> Contender {
        Contender {
            name: name.to_owned(),
            algorithm: "invert",
            kind: Kind::Peer,
            work: Box::new(Invert { tag, repeats }),
        }
    }

    #[test]
    #[should_panic(expected = "b disagrees on invert")]
    fn one_wrong_byte_stops_the_bench() {
        let mut contenders = [contender("a", 1, 1), contender("b", 2, 1)];
        agree(&mut contenders, &mut Messages::new(SHAPE));
    }

    #[test]
    #[should_panic(expected = "leaves the plaintext as it is")]
    fn work_that_does_nothing_stops_the_bench() {
        agree(&mut [contender("a", 1, 2)], &mut Messages::new(SHAPE));
    }

    /// Both directions give a figure for everyone, and a hundred times the work
    /// takes longer.
    #[test]
    fn more_work_takes_longer() {
        let effort =
            Effort { rounds: 9, batch: Duration::from_micros(50), most: Duration::from_millis(5) };
        for operation in [Operation::Seal, Operation::Open] {
            let row = Row { algorithm: "invert", operation, shape: SHAPE };
            let mut contenders = [contender("short", 1, 1), contender("long", 1, 101)];
            let figures = measure(&row, &mut contenders, effort, Clock::Wall);
            assert_eq!(figures.len(), 2);
            assert!(figures.iter().all(|figure| figure.min_ns <= figure.median_ns));
            assert!(figures[0].min_ns * 2.0 < figures[1].min_ns, "{figures:?}");
        }
    }
}
