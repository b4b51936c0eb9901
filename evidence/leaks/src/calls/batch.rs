//! Batches and columns under every algorithm.

use super::aead::{is_variant, key_of, refuses_nothing};
use super::forgery::forge;
use super::{AAD, Call, ENDINGS, Ending, Of, SHORT_AAD, Watched, nonce_of, watched};
use crate::secret::{Seed, publish, used};
use sivka::{
    Aead, Algorithm, BatchAad, BatchText, Column, ColumnNonces, Error, Offsets, OffsetsMut, Status,
    Validity,
};
use zeroize::Zeroizing;

/// The lengths of the messages of a batch.
const BATCHES: [&[usize]; 12] = [
    &[33],
    // Two messages that share lanes with no other.
    &[2100, 20],
    // More than AES-SIV encrypts in one go.
    &[9000; 2],
    &[40, 40, 40],
    &[64; 17],
    &[1, 3, 5, 7, 16, 11, 13, 15, 17, 300, 21, 23, 48, 27, 29, 31, 33, 56, 0],
    &[256, 256, 255, 1024, 256, 700],
    // Long ones, sealed two at a time.
    &[2100, 20, 1100, 2100, 1],
    // Whole groups of one length on every tier. Then come as many as only one tier has in lanes:
    // half a group of `vaes256`, which ends within a block, half one of `avx2`, and no whole half.
    &[37; 38],
    &[3; 36],
    &[0; 47],
    // As many of one length as a group has, and others after them.
    &[
        16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
        16, 16, 16, 16, 16, 16, 16, 16, 16, 7, 130, 64, 64, 20,
    ],
];

/// The AADs of a batch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aads {
    Common,
    None,
    /// A long one in common.
    Long,
    /// One each, of one length.
    Alike,
    /// One each, of other lengths, some of none.
    Mixed,
}

const AADS: [(Aads, &str); 5] = [
    (Aads::Common, "one AAD"),
    (Aads::None, "no AAD"),
    (Aads::Long, "one long AAD"),
    (Aads::Alike, "AADs of one length"),
    (Aads::Mixed, "AADs of mixed lengths"),
];

impl Aads {
    /// Where that of each message begins and ends in [`AAD`].
    fn bounds(self, count: usize) -> Vec<usize> {
        (0..=count)
            .map(|i| match self {
                Self::Common | Self::None | Self::Long => 0,
                Self::Alike => 7 * i,
                // Lengths of 0, 0, 5, 11 and again.
                Self::Mixed => i / 4 * 16 + [0, 0, 0, 5][i % 4],
            })
            .collect()
    }

    /// Whether one of these texts is empty, and its AAD as well.
    fn leave_nothing(self, lens: &[usize]) -> bool {
        let bounds = self.bounds(lens.len());
        let mut all = lens.iter().zip(bounds.windows(2));
        !matches!(self, Self::Common | Self::Long)
            && all.any(|(len, aad)| len + aad[1] - aad[0] == 0)
    }
}

/// Those of so many messages.
struct Given {
    aads: Aads,
    bounds: Vec<usize>,
    slices: Vec<&'static [u8]>,
}

impl Given {
    fn new(aads: Aads, count: usize) -> Self {
        let bounds = aads.bounds(count);
        let slices = bounds.windows(2).map(|ends| &AAD[ends[0]..ends[1]]);
        Self { aads, slices: slices.collect(), bounds }
    }

    fn batch(&self) -> BatchAad<'_> {
        match self.aads {
            Aads::Common => BatchAad::Common(&AAD[..SHORT_AAD]),
            Aads::None => BatchAad::Common(&[]),
            Aads::Long => BatchAad::Common(&AAD),
            Aads::Alike => BatchAad::Slices(&self.slices),
            Aads::Mixed => BatchAad::Contiguous { bytes: &AAD, offsets: &self.bounds },
        }
    }
}

/// Which of the calls of a batch are watched instruction by instruction each time: one of many
/// lengths, and where messages of one length are another matter, of these.
fn is_brief(algorithm: &Algorithm, lens: &[usize], aads: Aads) -> bool {
    let name = algorithm.name();
    let in_groups = name.contains("GCM-SIV");
    match (lens.len(), aads) {
        // The longer messages of a batch.
        (2, Aads::Common) | (5, Aads::Common | Aads::Alike) if name.starts_with("AES-SIV") => true,
        (5, Aads::Common | Aads::Long) if in_groups => true,
        (5 | 6, Aads::Common) if name.contains("BLAKE2b") => !is_variant(algorithm),
        _ if is_variant(algorithm) => false,
        (1, Aads::Common) => true,
        (19, Aads::Mixed) => true,
        (19, Aads::Common) | (38, Aads::Common | Aads::Alike | Aads::None) => in_groups,
        (36 | 47, Aads::None) | (37, Aads::Common | Aads::Alike) => in_groups,
        _ => false,
    }
}

pub(super) fn add(calls: &mut Vec<Call>) {
    for algorithm in Algorithm::all() {
        // Keys whose tags are longer differ in nothing but the length of a hash.
        let is_enough = |lens: &&&[usize]| !is_variant(algorithm) || ***lens == [40; 3];
        for lens in BATCHES.iter().filter(is_enough) {
            for (aads, of_aads) in AADS {
                // Beside long texts only.
                if aads == Aads::Long && lens.len() != 5 {
                    continue;
                }
                let is_long = **lens == [9000; 2];
                if is_long && (aads != Aads::Common || !algorithm.name().starts_with("AES-SIV")) {
                    continue;
                }
                if refuses_nothing(algorithm) && aads.leave_nothing(lens) {
                    continue;
                }
                let brief = is_brief(algorithm, lens, aads);
                add_batch(calls, algorithm, (lens, aads), of_aads, brief);
            }
        }
    }
}

/// The lengths of texts, and the AADs.
type Shape = (&'static [usize], Aads);

fn add_batch(
    calls: &mut Vec<Call>,
    algorithm: &'static Algorithm,
    shape: Shape,
    of_aads: &str,
    brief: bool,
) {
    let (lens, aads) = shape;
    let of = if lens.iter().all(|len| *len == lens[0]) {
        format!("{} of {} B, {of_aads}", lens.len(), lens[0])
    } else {
        format!("{} of mixed lengths, {of_aads}", lens.len())
    };
    for (ending, verb) in ENDINGS {
        let of_key = Of::Key(algorithm.name(), lens.len());
        let in_slices = aads == Aads::Alike;
        let what = if in_slices { "a list" } else { "a batch" };
        let name = format!("{algorithm}: {verb} {what}, {of}");
        let prepare = move |seed| batch(algorithm, shape, in_slices, seed, ending);
        calls.push(Call::new(name, of_key, prepare).brief(brief));
        // In a column of one length the same is done as in a batch, but for rows.
        let brief = brief && (matches!(lens.len(), 5 | 38 | 47) || aads == Aads::Mixed);
        for (nulls, what) in [(false, "a column"), (true, "a column with nulls")] {
            if nulls && (lens.len() < 5 || aads == Aads::Common) {
                continue;
            }
            let name = format!("{algorithm}: {verb} {what}, {of}");
            let prepare = move |seed| column(algorithm, shape, nulls, seed, ending);
            let brief = brief && (nulls || lens.len() == 47 || aads == Aads::Common);
            calls.push(Call::new(name, of_key, prepare).brief(brief));
        }
    }
}

impl Ending {
    fn verdict(self) -> Result<(), Error> {
        match self {
            Self::Seal | Self::Open => Ok(()),
            Self::Forged => Err(Error::Batch { failed: 1 }),
        }
    }
}

/// Where each text ends, from zero on.
fn offsets(lens: &[usize]) -> Vec<usize> {
    let ends = lens.iter().scan(0, |end, len| {
        *end += len;
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

/// The texts of a batch, in place.
struct Texts {
    bytes: Zeroizing<Vec<u8>>,
    offsets: Vec<usize>,
    in_slices: bool,
}

impl Texts {
    fn with<R>(&mut self, call: impl FnOnce(BatchText<'_, '_>) -> R) -> R {
        if !self.in_slices {
            return call(BatchText::Contiguous { bytes: &mut self.bytes, offsets: &self.offsets });
        }
        let mut rest = &mut self.bytes[..];
        let mut slices = Vec::new();
        for bounds in self.offsets.windows(2) {
            let (text, after) = rest.split_at_mut(bounds[1] - bounds[0]);
            slices.push(text);
            rest = after;
        }
        call(BatchText::Slices(&mut slices))
    }
}

fn batch(
    algorithm: &'static Algorithm,
    (lens, aads): Shape,
    in_slices: bool,
    seed: Seed,
    ending: Ending,
) -> Watched {
    let secrets = seed.secrets();
    let key = key_of(algorithm, &secrets);
    let offsets = offsets(lens);
    let mut texts = Texts { bytes: secrets.bytes(offsets[lens.len()]), offsets, in_slices };
    let nonces = nonces(algorithm, lens.len());
    let mut tags = vec![0; lens.len() * algorithm.tag_len()];
    let mut statuses = vec![Status::Done; lens.len()];
    let aads = Given::new(aads, lens.len());
    if ending != Ending::Seal {
        let aad = aads.batch();
        texts
            .with(|text| key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses))
            .expect("within the limits");
        publish(texts.bytes.as_slice());
        publish(tags.as_slice());
    }
    if ending == Ending::Forged {
        let (nonce, len) = (&nonces[..algorithm.nonce_len()], texts.bytes.len());
        let text = &mut texts.bytes[..lens[0]];
        let tag = &mut tags[..algorithm.tag_len()];
        forge(algorithm, seed, nonce, len, text, tag);
    }
    let call = move || {
        let aad = aads.batch();
        let done = texts.with(|text| match ending {
            Ending::Seal => key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses),
            _ => key.open_batch(&nonces, aad, text, &tags, &mut statuses),
        });
        used(&*key, true);
        (done, texts, tags)
    };
    watched(call, move |(done, _, _)| assert_eq!(done, ending.verdict()))
}

/// The values of a column and where each ends; or its rows.
struct Stored {
    bytes: Zeroizing<Vec<u8>>,
    ends: Vec<i32>,
    /// From its third bit on.
    bitmap: Option<Vec<u8>>,
}

/// The bits of a bitmap before the first value's.
const FIRST_BIT: usize = 2;

impl Stored {
    fn column(&self) -> Column<'_> {
        Column {
            bytes: &self.bytes,
            offsets: Offsets::Bits32(&self.ends),
            validity: self.bitmap.as_ref().map(|bitmap| Validity { bitmap, first_bit: FIRST_BIT }),
        }
    }

    /// The output, with space for so many bytes.
    fn made(&self, len: usize) -> Self {
        Self {
            bytes: Zeroizing::new(vec![0; len]),
            ends: vec![0; self.ends.len()],
            bitmap: self.bitmap.clone(),
        }
    }

    fn seal(&self, key: &dyn Aead, nonces: &[u8], aad: BatchAad<'_>) -> Result<Self, Error> {
        let mut made = self.made(key.sealed_column_len(&self.column())?);
        let (nonces, ends) = (ColumnNonces::Given(nonces), OffsetsMut::Bits32(&mut made.ends));
        key.seal_column(nonces, &self.column(), aad, &mut made.bytes, ends)?;
        Ok(made)
    }

    fn open(&self, key: &dyn Aead, aad: BatchAad<'_>) -> (Result<(), Error>, Self) {
        let mut made = self.made(key.opened_column_len(&self.column()).unwrap_or(0));
        let mut statuses = vec![Status::Done; made.ends.len() - 1];
        let ends = OffsetsMut::Bits32(&mut made.ends);
        let done = key.open_column(&self.column(), aad, &mut made.bytes, ends, &mut statuses);
        (done, made)
    }
}

/// A bitmap in which every fifth value, from the third on, and four in a row are null.
fn with_nulls(count: usize) -> Vec<u8> {
    let mut bitmap = vec![0; (FIRST_BIT + count).div_ceil(8)];
    let there = (0..count).filter(|i| i % 5 != 2 && !(7..11).contains(i));
    for bit in there.map(|i| FIRST_BIT + i) {
        bitmap[bit / 8] |= 1 << (bit % 8);
    }
    bitmap
}

fn column(
    algorithm: &'static Algorithm,
    (lens, aads): Shape,
    nulls: bool,
    seed: Seed,
    ending: Ending,
) -> Watched {
    let secrets = seed.secrets();
    let key = key_of(algorithm, &secrets);
    let bytes = secrets.bytes(lens.iter().sum());
    let text_len = bytes.len();
    let values = Stored {
        bytes,
        ends: offsets(lens).iter().map(|end| *end as i32).collect(),
        bitmap: nulls.then(|| with_nulls(lens.len())),
    };
    let nonces = nonces(algorithm, lens.len());
    let aads = Given::new(aads, lens.len());
    if ending == Ending::Seal {
        let call = move || {
            let sealed = values.seal(&*key, &nonces, aads.batch());
            used(&*key, true);
            sealed
        };
        return watched(call, |sealed| assert!(sealed.is_ok()));
    }
    let rows = values.seal(&*key, &nonces, aads.batch());
    let mut rows = rows.expect("within the limits");
    publish(rows.bytes.as_slice());
    if ending == Ending::Forged {
        let nonce = &nonces[..algorithm.nonce_len()];
        let row = &mut rows.bytes[nonce.len()..rows.ends[1] as usize];
        let (text, tag) = if algorithm.tag_first() {
            let (tag, text) = row.split_at_mut(algorithm.tag_len());
            (text, tag)
        } else {
            row.split_at_mut(lens[0])
        };
        forge(algorithm, seed, nonce, text_len, text, tag);
    }
    let call = move || {
        let opened = rows.open(&*key, aads.batch());
        used(&*key, true);
        opened
    };
    watched(call, move |(done, _)| assert_eq!(done, ending.verdict()))
}

/// A nonce for each message.
fn nonces(algorithm: &Algorithm, count: usize) -> Vec<u8> {
    let each = (0..count).map(|i| nonce_of(i, algorithm.nonce_len()));
    each.flatten().collect()
}
