//! What was measured, for people and for programs.

pub(crate) mod csv;
pub(crate) mod record;
pub(crate) mod table;

use crate::harness::{Figure, Kind, Row};

/// A row with its contenders' figures.
pub(crate) struct Measured {
    /// What was asked.
    pub(crate) row: Row,
    /// The answers, in the order of the contenders.
    pub(crate) figures: Vec<Figure>,
    /// Which of them ratios refer to.
    pub(crate) reference: usize,
}

impl Measured {
    /// Ratios refer to the contender called `reference`, else to the first
    /// peer, else to the first contender.
    pub(crate) fn new(row: Row, figures: Vec<Figure>, reference: Option<&str>) -> Self {
        let named = |figure: &Figure| reference.is_some_and(|name| figure.name == name);
        let reference = figures
            .iter()
            .position(named)
            .or_else(|| figures.iter().position(|figure| figure.kind == Kind::Peer))
            .unwrap_or_default();
        Self {
            row,
            figures,
            reference,
        }
    }

    /// How many times as fast as the reference, by the fastest batches.
    pub(crate) fn ratio(&self, figure: &Figure) -> f64 {
        self.figures[self.reference].min_ns / figure.min_ns
    }

    /// 10^9 bytes of plaintext a second for `ns` nanoseconds a message; of AAD, where there
    /// is nothing else.
    pub(crate) fn gigabytes(&self, ns: f64) -> f64 {
        let shape = self.row.shape;
        let len = if shape.len == 0 {
            shape.aad_len
        } else {
            shape.len
        };
        len as f64 / ns
    }
}
