//! Rounds of drawn messages until there are so many executions. A message that is sealed or opened
//! once is one execution. Coverage is counted in pairs of styles.
#![forbid(unsafe_code)]

use sivka::{Algorithm, Tier};
use sivka_judge::shapes::{Count, Coverage, Messages, Source, SplitMix64, Style};
use sivka_judge::{EveryTier, conformance};
use sivka_oracle::gcm_siv;
use std::env;
use std::process::ExitCode;
use std::time::Instant;

/// So many rounds with the same key.
const ROUNDS_OF_A_KEY: usize = 16;

/// After so many executions every pair of styles was covered on the slow tier too, or
/// something is wrong.
const ENOUGH: u64 = 200_000_000;

/// The slow tier takes a hundred times as long as the others, and the oracle as long again.
const SLOW_TIER_ONCE_IN: usize = 128;
const ORACLE_ONCE_IN: usize = 1024;

/// Where the slow tier lacks pairs of styles.
const SLOW_TIER_BEFORE: usize = 8;

/// The coverage of one algorithm.
struct Covered {
    algorithm: &'static Algorithm,
    /// In the order of [`Tier::available`]: the slow one first.
    tiers: Vec<(Tier, Coverage)>,
    executions: u64,
}

/// The tier that takes a hundred times as long as the others.
fn is_slow(tier: Tier) -> bool {
    tier.name() == "portable" && Tier::available().count() > 1
}

impl Covered {
    fn new(algorithm: &'static Algorithm) -> Self {
        let parts = conformance::algorithm(algorithm.name()).parts();
        let tiers = Tier::available().map(|tier| {
            // The code that cuts a column into slabs is the same on every tier.
            let fast = [Count::Few, Count::Group, Count::Groups];
            let counts = if is_slow(tier) { &fast } else { Count::ALL };
            (tier, Coverage::new(parts, counts))
        });
        Self { algorithm, tiers: tiers.collect(), executions: 0 }
    }

    fn is_complete(&self) -> bool {
        self.tiers.iter().all(|(_, coverage)| coverage.left() == 0)
    }

    /// Seals and opens messages under one key on every tier. How many executions that is.
    fn rounds(&mut self, source: &mut SplitMix64) -> u64 {
        let mut key = vec![0; self.algorithm.key_len()];
        source.fill(&mut key);
        let of_key = EveryTier::new(self.algorithm, &key);
        let reference = of_key.reference();
        let before = self.executions;
        for _ in 0..ROUNDS_OF_A_KEY {
            let (first, of_first) = &self.tiers[0];
            let once_in = match of_first.left() {
                0 => SLOW_TIER_ONCE_IN,
                _ => SLOW_TIER_BEFORE,
            };
            // Where the slow tier takes part, its pairs come first.
            let left_out = usize::from(is_slow(*first) && !source.once_in(once_in));
            let leading = left_out * (self.tiers.len() - 1);
            let shape = self.tiers[leading].1.draw(source);
            let mut messages = Messages::draw(shape, reference.parts(), source);
            if reference.name.ends_with("GCM-SIV") && source.once_in(ORACLE_ONCE_IN) {
                wrap_a_counter(&mut messages, &key, source);
            }
            let beside_the_oracle = usize::from(source.once_in(ORACLE_ONCE_IN));
            let executions = of_key.check(&messages, left_out, beside_the_oracle, source);
            for ((_, coverage), executions) in self.tiers[left_out..].iter_mut().zip(executions) {
                coverage.add(&messages, executions);
                self.executions += executions;
            }
        }
        self.executions - before
    }

    /// Every pair of styles that was not covered, with its tier.
    fn missing(&self) -> impl Iterator<Item = String> {
        self.tiers.iter().flat_map(move |(tier, coverage)| {
            let missing = coverage.missing().into_iter();
            missing.map(move |pair| format!("{} on {tier}: {pair}", self.algorithm))
        })
    }

    fn print(&self) {
        println!("{} executions of {}", self.executions, self.algorithm);
        for (tier, coverage) in &self.tiers {
            let (all, left) = (coverage.pairs().count(), coverage.left());
            let least = coverage.pairs().map(|pair| pair.executions).min();
            println!(
                "    on {tier}: {} of {all} pairs of styles, least {}",
                all - left,
                least.unwrap_or(0)
            );
        }
    }
}

/// Changes a text so that its tag, which is the initial counter, makes the counter wrap within
/// the message.
fn wrap_a_counter(messages: &mut Messages, key: &[u8], source: &mut SplitMix64) {
    let Some(i) = messages.jobs().position(|job| job.text.len() >= 16) else {
        return;
    };
    let job = messages.job(i);
    let blocks = job.text.len().div_ceil(16);
    // One tag in two cannot be had.
    let made = (0..64).find_map(|_| {
        let mut tag = [0; 16];
        source.fill(&mut tag);
        let start = u32::MAX - source.below(blocks) as u32;
        tag[..4].copy_from_slice(&start.to_le_bytes());
        gcm_siv::plaintext_with_tag(key, job.nonce, job.aad, job.text, tag)
    });
    let made = made.expect("a tag that can be had");
    messages.texts.get_mut(i).copy_from_slice(&made);
    // No seed alone makes them again.
    messages.seed = None;
}

/// Rounds until there are so many executions. Panics where two disagree.
fn run(executions: u64, source: &mut SplitMix64) -> Vec<Covered> {
    let all = Algorithm::all().iter().copied();
    let mut covered: Vec<Covered> = all.map(Covered::new).collect();
    let mut done = 0;
    while done < executions {
        let incomplete = covered.iter().position(|of| !of.is_complete());
        // AES-GCM-SIV has the most kernels, and is the fastest.
        let number = match incomplete {
            Some(number) if source.once_in(2) => number,
            _ if source.once_in(16) => source.below(covered.len()),
            _ => source.below(2),
        };
        let before = done;
        done += covered[number].rounds(source);
        if done / 100_000_000 > before / 100_000_000 {
            println!("{done} executions");
        }
    }
    covered
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let executions = match words[..] {
        [] => Some(ENOUGH),
        ["--messages", number] => number.parse::<f64>().ok().map(|number| number as u64),
        _ => None,
    };
    let Some(executions) = executions else {
        eprintln!("usage: sivka-judge [--messages N], such as 1e8");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let covered = run(executions, &mut SplitMix64::new(sivka_judge::seed()));
    covered.iter().for_each(Covered::print);
    let total: u64 = covered.iter().map(|of| of.executions).sum();
    let seconds = start.elapsed().as_secs_f64();
    println!("{total} executions in {seconds:.0} s, all of which agree");
    let missing: Vec<String> = covered.iter().flat_map(Covered::missing).collect();
    if total < ENOUGH || missing.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("pairs of styles that were not covered:");
    missing.iter().for_each(|pair| eprintln!("  {pair}"));
    ExitCode::FAILURE
}
