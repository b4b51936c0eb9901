//! Which styles, and which pairs of styles of two dimensions, were tested.

use super::messages::Messages;
use super::parts::Parts;
use super::source::{Source, one_of};
use super::style::{Count, Shape};
use core::fmt;

const DIMENSIONS: usize = Shape::DIMENSIONS.len();

/// The dimension of [`Shape::count`].
const COUNT: usize = 0;

/// Batches with fewer messages show little of the other styles, and count for the styles of
/// their count alone.
const ENOUGH: usize = 15;

/// So many shapes are drawn to find one with many new pairs.
const CANDIDATES: usize = 48;

/// How often each pair of styles was tested.
#[derive(Clone, Debug)]
pub struct Coverage {
    parts: Parts,
    counts: Vec<Count>,
    /// Of each dimension, the number of its first style among those of all.
    starts: [usize; DIMENSIONS],
    /// How many styles there are.
    styles: usize,
    /// Executions of each pair of styles, at `first * styles + second`, the first being of an
    /// earlier dimension; `None` where they do not go together.
    pairs: Vec<Option<u64>>,
    /// The pairs that were not tested.
    left: usize,
}

/// Two styles of two dimensions, by their numbers in [`Shape::DIMENSIONS`], and how often messages
/// with both were executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The dimensions, the earlier one first.
    pub dimensions: [usize; 2],
    /// The style of each.
    pub styles: [usize; 2],
    /// Messages, each way that they were sealed or opened counted.
    pub executions: u64,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = [0, 1].map(|i| {
            let (name, styles) = Shape::DIMENSIONS[self.dimensions[i]];
            (name, styles[self.styles[i]])
        });
        write!(f, "{}: {} × {}: {}", first.0, first.1, second.0, second.1)
    }
}

impl Coverage {
    /// Nothing yet, of batches for an algorithm with these parts and with these counts.
    #[must_use]
    pub fn new(parts: Parts, counts: &[Count]) -> Self {
        let mut styles = 0;
        let starts = Shape::DIMENSIONS.map(|(_, names)| {
            styles += names.len();
            styles - names.len()
        });
        let mut coverage = Self {
            parts,
            counts: counts.to_vec(),
            starts,
            styles,
            pairs: vec![None; styles * styles],
            left: 0,
        };
        for (a, b) in pairs_of_dimensions() {
            for (i, j) in styles_of(a, b) {
                let shape = Shape::PLAIN.with(a, i).with(b, j);
                let has_count = a != COUNT || counts.contains(&shape.count);
                if has_count && shape == shape.fitted(parts) {
                    let pair = coverage.place((a, i), (b, j));
                    coverage.pairs[pair] = Some(0);
                    coverage.left += 1;
                }
            }
        }
        coverage
    }

    fn place(&self, (a, i): (usize, usize), (b, j): (usize, usize)) -> usize {
        (self.starts[a] + i) * self.styles + self.starts[b] + j
    }

    /// Every pair of a shape; only those of its count if it has few messages.
    fn shown(&self, shape: &Shape, has_enough: bool) -> impl Iterator<Item = usize> {
        let styles = shape.indices();
        let pairs = pairs_of_dimensions().filter(move |(a, _)| has_enough || *a == COUNT);
        pairs.map(move |(a, b)| self.place((a, styles[a]), (b, styles[b])))
    }

    /// Draws a shape. Until every pair was tested, it is the one of several with the most new
    /// pairs.
    pub fn draw(&self, source: &mut dyn Source) -> Shape {
        let candidates = if self.left == 0 { 1 } else { CANDIDATES };
        let drawn = (0..candidates).map(|_| {
            let mut shape = Shape::draw(self.parts, source);
            if !self.counts.contains(&shape.count) {
                shape.count = one_of(source, &self.counts);
            }
            shape
        });
        let shapes: Vec<Shape> = drawn.collect();
        let best = shapes.into_iter().max_by_key(|shape| self.new_in(shape));
        best.unwrap_or(Shape::PLAIN)
    }

    /// How many pairs of a shape were not tested yet.
    #[must_use]
    pub fn new_in(&self, shape: &Shape) -> usize {
        if self.left == 0 {
            return 0;
        }
        let shown = self.shown(shape, shape.count != Count::Few);
        shown.filter(|pair| self.pairs[*pair] == Some(0)).count()
    }

    /// Notes that messages were executed so many times, all together.
    pub fn add(&mut self, messages: &Messages, executions: u64) {
        let shown = self.shown(&messages.shape, messages.len() >= ENOUGH);
        for pair in shown.collect::<Vec<_>>() {
            if let Some(count) = &mut self.pairs[pair] {
                self.left -= usize::from(*count == 0 && executions > 0);
                *count += executions;
            }
        }
    }

    /// Every pair of styles that go together.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> {
        let styles = pairs_of_dimensions()
            .flat_map(|(a, b)| styles_of(a, b).map(move |(i, j)| ([a, b], [i, j])));
        styles.filter_map(|(dimensions, styles)| {
            let [first, second] = [0, 1].map(|i| (dimensions[i], styles[i]));
            let executions = self.pairs[self.place(first, second)]?;
            Some(Pair { dimensions, styles, executions })
        })
    }

    /// Those of them that were not tested.
    #[must_use]
    pub fn missing(&self) -> Vec<Pair> {
        let pairs = self.pairs();
        pairs.filter(|pair| pair.executions == 0).collect()
    }

    /// How many were not tested.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }
}

/// Each two dimensions, the earlier one first.
fn pairs_of_dimensions() -> impl Iterator<Item = (usize, usize)> {
    (0..DIMENSIONS).flat_map(|a| (a + 1..DIMENSIONS).map(move |b| (a, b)))
}

/// Each two styles of two dimensions.
fn styles_of(a: usize, b: usize) -> impl Iterator<Item = (usize, usize)> {
    let [of_a, of_b] = [a, b].map(|dimension| Shape::DIMENSIONS[dimension].1.len());
    (0..of_a).flat_map(move |i| (0..of_b).map(move |j| (i, j)))
}
