//! What was covered, by algorithm and tier.

use sivka::{Algorithm, Tier};
use sivka_judge::conformance;
use sivka_judge::shapes::{Count, Coverage, Style};

/// What one tier has executed of an algorithm.
pub(crate) struct OnTier {
    pub(crate) tier: Tier,
    pub(crate) coverage: Coverage,
    pub(crate) executions: u64,
}

/// What was executed of an algorithm.
pub(crate) struct OfAlgorithm {
    pub(crate) algorithm: &'static Algorithm,
    /// In the order of [`Tier::available`]: the slow one first.
    pub(crate) tiers: Vec<OnTier>,
    /// Messages that were held against the oracle.
    pub(crate) beside_the_oracle: u64,
}

/// What was executed of every algorithm, in their order.
pub(crate) struct Covered(pub(crate) Vec<OfAlgorithm>);

/// The tier that takes a hundred times as long as the others.
pub(crate) fn is_slow(tier: Tier) -> bool {
    tier.name() == "portable" && Tier::available().count() > 1
}

impl Covered {
    pub(crate) fn new() -> Self {
        let of_algorithm = |algorithm: &&'static Algorithm| {
            let parts = conformance::algorithm(algorithm.name()).parts();
            let tiers = Tier::available().map(|tier| {
                // What cuts a column into slabs is the same on every tier.
                let fast = [Count::Few, Count::Group, Count::Groups];
                let counts = if is_slow(tier) { &fast } else { Count::ALL };
                OnTier {
                    tier,
                    coverage: Coverage::new(parts, counts),
                    executions: 0,
                }
            });
            OfAlgorithm {
                algorithm,
                tiers: tiers.collect(),
                beside_the_oracle: 0,
            }
        };
        Self(Algorithm::all().iter().map(of_algorithm).collect())
    }

    pub(crate) fn executions(&self) -> u64 {
        let tiers = self.0.iter().flat_map(|of| &of.tiers);
        tiers.map(|on| on.executions).sum()
    }

    /// The number of the first algorithm with pairs that were not covered.
    pub(crate) fn incomplete(&self) -> Option<usize> {
        let is_incomplete = |of: &OfAlgorithm| of.tiers.iter().any(|on| on.coverage.left() > 0);
        self.0.iter().position(is_incomplete)
    }

    /// Every pair of styles that was not covered, with its algorithm and tier.
    pub(crate) fn missing(&self) -> Vec<String> {
        let on_tiers = self
            .0
            .iter()
            .flat_map(|of| of.tiers.iter().map(move |on| (of, on)));
        let missing = on_tiers.flat_map(|(of, on)| {
            let missing = on.coverage.missing().into_iter();
            missing.map(move |pair| format!("{} on {}: {pair}", of.algorithm, on.tier))
        });
        missing.collect()
    }

    pub(crate) fn print(&self) {
        for of in &self.0 {
            for on in &of.tiers {
                let pairs = || on.coverage.pairs().map(|pair| pair.executions);
                println!(
                    "{:>15} executions, {} of {} pairs of styles, least {}: {} on {}",
                    numbers(on.executions),
                    pairs().filter(|executions| *executions > 0).count(),
                    pairs().count(),
                    numbers(pairs().min().unwrap_or(0)),
                    of.algorithm,
                    on.tier
                );
            }
            println!(
                "{:>15} messages beside the oracle: {}",
                numbers(of.beside_the_oracle),
                of.algorithm
            );
        }
    }
}

/// With a comma between thousands.
pub(crate) fn numbers(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}
