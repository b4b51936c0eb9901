//! Columns beside the batches and the calls that do the same work, on one core.
//!
//! ```console
//! $ cargo run --release -p sivka-bench --example columns -- AES-256-GCM-SIV avx512 2000 100000
//! ```
//!
//! As many values of one length for each line as the numbers say, or 100,000; the algorithms and
//! tiers that are named, or all, one after the other. Two thousand are what engines hand over at
//! once, and stay in the caches of a core. Contenders take turns; a figure is the least of their
//! turns in nanoseconds a value, with the median after it.
//! `batch` is one call on contiguous texts, with the tags apart; `batch, stored` copies nonces,
//! texts and tags to rows after it, which is what a column is to save. All write the same bytes,
//! which is checked.

use sivka::{
    Aead, Algorithm, BatchAad, BatchText, Column, ColumnNonces, NonceRule, Offsets, OffsetsMut,
    Status, Tier,
};
use std::time::Instant;

/// Values of all turns of a contender together.
const ALL_TURNS: usize = 2_500_000;
const LENS: [usize; 5] = [16, 32, 64, 128, 256];
const AAD: &[u8] = b"table.column";

/// Everything that is read and written, made before.
struct Data<'a> {
    key: &'a dyn Aead,
    /// The length of a value in bytes.
    len: usize,
    values: Vec<u8>,
    nonces: Vec<u8>,
    value_ends: Vec<i32>,
    text_ends: Vec<usize>,
    texts: Vec<u8>,
    tags: Vec<u8>,
    statuses: Vec<Status>,
    /// What two passes make, and what a column makes.
    stored: Vec<u8>,
    rows: Vec<u8>,
    row_ends: Vec<i32>,
    opened: Vec<u8>,
    opened_ends: Vec<i32>,
}

impl<'a> Data<'a> {
    fn new(key: &'a dyn Aead, count: usize, len: usize) -> Self {
        let algorithm = key.algorithm();
        let (nonce_len, tag_len) = (algorithm.nonce_len(), algorithm.tag_len());
        let ends = |step: usize| (0..=count).map(move |i| i * step);
        let row_len = nonce_len + len + tag_len;
        // A first bit of zero, for MGM.
        let nonces = (0..count * nonce_len).map(|i| (i * 7 % 127) as u8);
        Self {
            key,
            len,
            values: (0..count * len).map(|i| (i * 31 % 251) as u8).collect(),
            nonces: nonces.collect(),
            value_ends: ends(len).map(|end| end as i32).collect(),
            text_ends: ends(len).collect(),
            texts: vec![0; count * len],
            tags: vec![0; count * tag_len],
            statuses: vec![Status::Done; count],
            stored: vec![0; count * row_len],
            rows: vec![0; count * row_len],
            row_ends: vec![0; count + 1],
            opened: vec![0; count * len],
            opened_ends: vec![0; count + 1],
        }
    }

    fn seal_batch(&mut self) {
        let (bytes, offsets) = (&mut self.texts[..], &self.text_ends[..]);
        let text = BatchText::Contiguous { bytes, offsets };
        let aad = BatchAad::Common(AAD);
        let sealed =
            self.key
                .seal_batch(&self.nonces, aad, text, &mut self.tags, &mut self.statuses);
        sealed.expect("within the limits");
    }

    fn open_batch(&mut self) {
        let (bytes, offsets) = (&mut self.texts[..], &self.text_ends[..]);
        let text = BatchText::Contiguous { bytes, offsets };
        let aad = BatchAad::Common(AAD);
        let opened = self
            .key
            .open_batch(&self.nonces, aad, text, &self.tags, &mut self.statuses);
        opened.expect("messages that were sealed");
    }

    /// The second pass.
    fn store(&mut self) {
        let algorithm = self.key.algorithm();
        let (nonce_len, tag_len) = (algorithm.nonce_len(), algorithm.tag_len());
        let (len, row_len) = (self.len, nonce_len + self.len + tag_len);
        for (i, row) in self.stored.chunks_exact_mut(row_len).enumerate() {
            let (nonce, rest) = row.split_at_mut(nonce_len);
            nonce.copy_from_slice(&self.nonces[i * nonce_len..][..nonce_len]);
            let (text, tag) = if algorithm.tag_first() {
                let (tag, text) = rest.split_at_mut(tag_len);
                (text, tag)
            } else {
                rest.split_at_mut(len)
            };
            text.copy_from_slice(&self.texts[i * len..][..len]);
            tag.copy_from_slice(&self.tags[i * tag_len..][..tag_len]);
        }
    }

    fn seal_column(&mut self, random: bool) {
        let values = Column {
            bytes: &self.values,
            offsets: Offsets::Bits32(&self.value_ends),
            validity: None,
        };
        let nonces = if random {
            ColumnNonces::Random
        } else {
            ColumnNonces::Given(&self.nonces)
        };
        let ends = OffsetsMut::Bits32(&mut self.row_ends);
        let aad = BatchAad::Common(AAD);
        let sealed = self
            .key
            .seal_column(nonces, &values, aad, &mut self.rows, ends);
        sealed.expect("within the limits");
    }

    fn open_column(&mut self) {
        let rows = Column {
            bytes: &self.rows,
            offsets: Offsets::Bits32(&self.row_ends),
            validity: None,
        };
        let ends = OffsetsMut::Bits32(&mut self.opened_ends);
        let (aad, statuses) = (BatchAad::Common(AAD), &mut self.statuses);
        let opened = self
            .key
            .open_column(&rows, aad, &mut self.opened, ends, statuses);
        opened.expect("rows that were sealed");
    }

    /// Seals each value by a call of its own, to a vector of its own, one after the other.
    fn seal_in_a_loop(&mut self) {
        let nonces = self.nonces.chunks_exact(self.key.algorithm().nonce_len());
        let mut rest = &mut self.rows[..];
        for (nonce, value) in nonces.zip(self.values.chunks_exact(self.len)) {
            let sealed = self.key.seal_with_nonce(nonce, value, AAD);
            let sealed = sealed.expect("within the limits");
            let row = rest.split_off_mut(..nonce.len() + sealed.len());
            let (place, text) = row.expect("room for every row").split_at_mut(nonce.len());
            place.copy_from_slice(nonce);
            text.copy_from_slice(&sealed);
        }
    }
}

/// The time of every turn of one contender.
#[derive(Default)]
struct Turns(Vec<f64>);

impl Turns {
    fn time(&mut self, count: usize, work: impl FnOnce()) {
        let start = Instant::now();
        work();
        self.0
            .push(start.elapsed().as_secs_f64() * 1e9 / count as f64);
    }

    fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

fn measure(key: &dyn Aead, count: usize, len: usize) {
    let mut data = Data::new(key, count, len);
    let random = key.algorithm().nonce_rule() != NonceRule::Counter;
    let has_nonce = key.algorithm().nonce_len() > 0;
    let names = [
        "seal batch",
        "seal batch, stored",
        "seal column",
        "seal column, random nonces",
        "seal in a loop",
        "open batch",
        "open column",
    ];
    let mut turns = names.map(|_| Turns::default());
    for _ in 0..(ALL_TURNS / count).max(1) {
        data.texts.copy_from_slice(&data.values);
        let [
            batch,
            stored,
            column,
            drawn,
            looped,
            open_batch,
            open_column,
        ] = &mut turns;
        batch.time(count, || data.seal_batch());
        let mut second = Turns::default();
        second.time(count, || data.store());
        stored
            .0
            .extend(batch.0.last().map(|first| first + second.0[0]));
        if random && has_nonce {
            drawn.time(count, || data.seal_column(true));
        }
        if has_nonce {
            looped.time(count, || data.seal_in_a_loop());
            assert!(data.rows == data.stored, "a loop differs");
        }
        // AES-SIV and its like draw no nonces: the call takes them as none.
        column.time(count, || data.seal_column(!has_nonce));
        assert!(data.rows == data.stored, "a column differs");
        open_batch.time(count, || data.open_batch());
        open_column.time(count, || data.open_column());
        assert!(data.opened == data.values && data.texts == data.values);
    }
    let of_batch = [0, 0, 0, 0, 0, 5, 5].map(|i| turns[i].least());
    for ((name, turns), batch) in names.iter().zip(&turns).zip(of_batch) {
        if !turns.0.is_empty() {
            println!(
                "{},{},{count},{len},{name},{:.1},{:.1},{:.2}",
                key.algorithm().name(),
                key.tier_name(),
                turns.least(),
                turns.median(),
                turns.least() / batch
            );
        }
    }
}

fn main() {
    let (numbers, words): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|word| word.parse::<usize>().is_ok());
    let mut counts: Vec<usize> = numbers.iter().flat_map(|word| word.parse()).collect();
    if counts.is_empty() {
        counts.push(100_000);
    }
    assert!(!counts.contains(&0), "no values to measure");
    let is_named = |names: &[&str], name: &str| {
        let mut named = words.iter().filter(|word| names.contains(&word.as_str()));
        named.clone().next().is_none() || named.any(|word| word == name)
    };
    let algorithms: Vec<&str> = Algorithm::all().iter().map(|one| one.name()).collect();
    let tiers: Vec<&str> = Tier::available().map(|tier| tier.name()).collect();
    let known =
        |word: &String| algorithms.contains(&word.as_str()) || tiers.contains(&word.as_str());
    assert!(words.iter().all(known), "{words:?}: no such name");
    println!("algorithm,tier,count,len,contender,least_ns,median_ns,of_batch");
    for algorithm in Algorithm::all() {
        if !is_named(&algorithms, algorithm.name()) {
            continue;
        }
        let key = vec![7; algorithm.key_len()];
        for tier in Tier::available() {
            if !is_named(&tiers, tier.name()) {
                continue;
            }
            let key = algorithm.new_key_with_tier(&key, tier);
            let key = key.expect("a key of the algorithm's length");
            for count in &counts {
                LENS.iter().for_each(|len| measure(&*key, *count, *len));
            }
        }
    }
}
