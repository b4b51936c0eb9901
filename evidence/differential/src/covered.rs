//! What was covered, by algorithm and tier.

use sivka::{Algorithm, Tier};
use sivka_oracle::conformance;
use sivka_oracle::shapes::{Count, Coverage, Pair, Shape, Style};

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
        let pairs = self.pairs().filter(|(_, pair)| pair.executions == 0);
        pairs.map(|(on, pair)| format!("{on}: {pair}")).collect()
    }

    /// Every pair of styles, with its algorithm and tier.
    fn pairs(&self) -> impl Iterator<Item = (String, Pair)> {
        let tiers = self
            .0
            .iter()
            .flat_map(|of| of.tiers.iter().map(move |on| (of, on)));
        tiers.flat_map(|(of, on)| {
            let name = format!("{} on {}", of.algorithm, on.tier);
            on.coverage.pairs().map(move |pair| (name.clone(), pair))
        })
    }

    pub(crate) fn print(&self) {
        for of in &self.0 {
            for on in &of.tiers {
                let name = format!("{} on {}", of.algorithm, on.tier);
                let pairs = on.coverage.pairs().map(|pair| (name.clone(), pair));
                println!(
                    "{:>15} executions, {}: {name}",
                    numbers(on.executions),
                    Tally::of(pairs)
                );
            }
            println!(
                "{:>15} messages beside the oracle: {}",
                numbers(of.beside_the_oracle),
                of.algorithm
            );
        }
        println!("\nOf every algorithm and tier, each style with those of every other dimension:");
        for (dimension, (name, styles)) in Shape::DIMENSIONS.iter().enumerate() {
            let pairs = self.pairs();
            let pairs = pairs.filter(|(_, pair)| pair.dimensions.contains(&dimension));
            let tally = Tally::of(pairs);
            println!(
                "{name:>15}, {} styles: {tally}, {}",
                styles.len(),
                tally.where_least
            );
        }
        let pairs = self.pairs();
        let lengths = pairs.filter(|(_, pair)| pair.dimensions == [1, 2]);
        println!("{:>15}: {}", "texts × AADs", Tally::of(lengths));
        println!("{:>15}: {}\n", "all", Tally::of(self.pairs()));
    }
}

/// How many of some pairs were covered.
struct Tally {
    all: usize,
    covered: usize,
    least: u64,
    where_least: String,
}

impl Tally {
    fn of(pairs: impl Iterator<Item = (String, Pair)>) -> Self {
        let mut tally = Self {
            all: 0,
            covered: 0,
            least: u64::MAX,
            where_least: String::new(),
        };
        for (on, pair) in pairs {
            tally.all += 1;
            tally.covered += usize::from(pair.executions > 0);
            if pair.executions < tally.least {
                tally.least = pair.executions;
                tally.where_least = format!("{pair}, {on}");
            }
        }
        tally
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [covered, all] = [self.covered, self.all].map(|count| numbers(count as u64));
        let least = numbers(self.least);
        write!(f, "{covered} of {all} pairs, least {least} executions")
    }
}

/// With a comma between thousands.
pub(crate) fn numbers(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}
