//! The measuring: contenders side by side in one process.
//!
//! To add an algorithm, write one file under `algorithm/` with an
//! [`Algorithm`](crate::algorithm::Algorithm) whose `contenders` function
//! returns a [`Contender`] for each implementation, and name it in
//! `algorithm::ALL`. To add a contender, implement [`Work`], or
//! [`Aead`](crate::aead::Aead) for something that handles one message at a time.
//!
//! What a figure is: each contender runs in many short batches, and the batches
//! of all contenders alternate (A B C A B C …), so that a drifting clock or a
//! noisy neighbour meets all alike. The minimum over the batches is the figure,
//! the median says how quiet the machine was.

use crate::messages::{Messages, Shape};
use sivka::Tier;
use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Plaintext to ciphertext and tag.
    Seal,
    /// Ciphertext and tag to plaintext, the tag checked.
    Open,
}

impl Operation {
    /// Whether [`Work::forward`] does this.
    fn is_forward(self) -> bool {
        match self {
            Self::Seal => true,
            Self::Open => false,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Seal => "seal",
            Self::Open => "open",
        })
    }
}

/// One line of the questions asked: an operation on messages of one shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The algorithm in question, such as `aes-256-gcm-siv`.
    pub(crate) algorithm: &'static str,
    /// What is timed.
    pub(crate) operation: Operation,
    /// On what.
    pub(crate) shape: Shape,
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

/// An implementation's work on all messages of a row, in place.
///
/// Keys are set up before, outside the time taken.
pub(crate) trait Work {
    /// Seals (encrypts, hashes) every message and writes its tag behind it.
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
    /// What it computes: all contenders of one algorithm must agree on every byte.
    pub(crate) algorithm: &'static str,
    /// Whose it is.
    pub(crate) kind: Kind,
    /// What it does.
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
    const LEAST_ROUNDS: usize = 7;

    /// For figures that are recorded.
    pub(crate) const FULL: Self = Self {
        rounds: 80,
        batch: Duration::from_micros(1500),
        most: Duration::from_millis(800),
    };

    /// For a look while working.
    pub(crate) const QUICK: Self = Self {
        rounds: 25,
        batch: Duration::from_micros(1000),
        most: Duration::from_millis(200),
    };
}

/// Runs every contender forwards and backwards once and compares all bytes,
/// then gives what [`Work::forward`] makes of `messages` for each algorithm.
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
        match outputs
            .iter()
            .find(|(name, _)| *name == contender.algorithm)
        {
            Some((_, output)) => assert!(
                messages.equal(output, true),
                "{} disagrees on {}: {:?}",
                contender.name,
                contender.algorithm,
                messages.shape()
            ),
            None => {
                assert!(
                    messages.shape().len < 16 || !messages.equal(&plaintext, false),
                    "{} leaves the plaintext as it is",
                    contender.name
                );
                outputs.push((contender.algorithm, messages.bytes().to_vec()));
            }
        }
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
pub(crate) fn measure(row: &Row, contenders: &mut [Contender], effort: Effort) -> Vec<Figure> {
    let mut messages = Messages::new(row.shape);
    let outputs = agree(contenders, &mut messages);
    let clock = clock_cost();

    // One walk over the messages of each contender, three times, tells how many fill a batch.
    let mut runs: Vec<Run> = contenders
        .iter_mut()
        .map(|contender| {
            let output = outputs
                .iter()
                .find(|(name, _)| *name == contender.algorithm);
            let input = match row.operation.is_forward() {
                true => None,
                false => output.map(|(_, bytes)| &bytes[..]),
            };
            Run {
                contender,
                input,
                walks: 1,
                clock,
            }
        })
        .collect();
    let mut longest = effort.batch;
    for run in &mut runs {
        let walk = (0..3)
            .map(|_| run.batch(&mut messages))
            .min()
            .unwrap_or_default();
        let walks = effort.batch.as_nanos() / walk.as_nanos().max(1);
        run.walks = u32::try_from(walks).unwrap_or(u32::MAX).max(1);
        longest = longest.max(walk);
    }

    let affordable = effort.most.as_nanos() / longest.as_nanos().max(1);
    let rounds = usize::try_from(affordable).unwrap_or(usize::MAX).clamp(
        Effort::LEAST_ROUNDS,
        effort.rounds.max(Effort::LEAST_ROUNDS),
    );
    let mut samples = vec![Vec::with_capacity(rounds); runs.len()];
    for _ in 0..rounds {
        for (run, samples) in runs.iter_mut().zip(&mut samples) {
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

/// One contender with what a batch of it needs.
struct Run<'a> {
    contender: &'a mut Contender,
    /// What opening starts from; sealing goes on from whatever is there.
    input: Option<&'a [u8]>,
    walks: u32,
    clock: Duration,
}

impl Run<'_> {
    /// The time that `walks` walks over the messages take.
    ///
    /// Opening in place consumes its input, so each walk is preceded by a copy
    /// that is not timed, and the clock's own cost is taken off.
    fn batch(&mut self, messages: &mut Messages) -> Duration {
        let work = &mut self.contender.work;
        let Some(input) = self.input else {
            let start = Instant::now();
            for _ in 0..self.walks {
                work.forward(black_box(messages));
            }
            return start.elapsed().saturating_sub(self.clock);
        };
        let mut total = Duration::ZERO;
        for _ in 0..self.walks {
            messages.restore(input);
            let start = Instant::now();
            work.backward(black_box(messages));
            total += start.elapsed().saturating_sub(self.clock);
        }
        total
    }
}

/// What reading the clock twice takes.
fn clock_cost() -> Duration {
    let once = |_| {
        let start = Instant::now();
        start.elapsed()
    };
    (0..10_000).map(once).min().unwrap_or_default()
}
