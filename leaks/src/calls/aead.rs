//! Keys and messages of every algorithm.

use super::forgery::forge;
use super::{Call, Watched, assert_forced, watched};
use crate::secret::{Secrets, Seed, publish};
use sivka::{
    Aead, Algorithm, BatchAad, BatchText, Column, ColumnNonces, Error, NonceRule, Offsets,
    OffsetsMut, Status,
};

/// Lengths in bytes that reach every path of the kernels.
const LENS: [usize; 9] = [0, 1, 15, 17, 64, 100, 256, 600, 2100];

/// Those of them that are watched instruction by instruction each time.
fn is_brief(algorithm: &Algorithm, len: usize) -> bool {
    // The cipher runs beside the hash in longer messages only.
    let stitched = len == 2100 && algorithm.name().contains("BLAKE2b");
    len == 17 || len == 600 || stitched
}

/// From 16 KiB on, AES-GCM-SIV looks its first rounds up.
const LONG_LEN: usize = 20_000;

/// The lengths of the messages of a batch.
const BATCHES: [&[usize]; 6] = [
    &[33],
    &[40, 40, 40],
    &[64; 17],
    &[
        1, 3, 5, 7, 16, 11, 13, 15, 17, 300, 21, 23, 48, 27, 29, 31, 33, 0, 56,
    ],
    &[256, 256, 255, 1024, 256, 700],
    &[2100, 20, 600, 2100, 1],
];

/// The same for batches: one of many lengths, and where messages of one length are another
/// matter, one of these.
fn is_brief_batch(algorithm: &Algorithm, count: usize) -> bool {
    count == 19 || (count == 17 && algorithm.name().contains("GCM-SIV"))
}

const AAD: &[u8] = b"associated data of 33 bytes, long";

pub(super) fn add(calls: &mut Vec<Call>) {
    for algorithm in Algorithm::all() {
        calls.push(set_up(algorithm));
        // Keys whose tags are longer differ in nothing but the length of a hash.
        let is_variant = algorithm.name().contains("-Tag");
        let lens = if is_variant { &LENS[4..6] } else { &LENS[..] };
        for len in lens
            .iter()
            .copied()
            .chain((!is_variant).then_some(LONG_LEN))
        {
            add_single(calls, algorithm, len);
        }
        for lens in BATCHES
            .iter()
            .take(if is_variant { 2 } else { BATCHES.len() })
        {
            add_batch(calls, algorithm, lens);
        }
    }
}

fn key_of(algorithm: &Algorithm, secrets: &Secrets) -> Box<dyn Aead> {
    let key = algorithm.new_key(&secrets.bytes(algorithm.key_len()));
    let key = key.expect("a key of that length");
    assert_forced(key.tier_name());
    key
}

/// Key set-up, and what wipes the key.
fn set_up(algorithm: &'static Algorithm) -> Call {
    Call::new(format!("{algorithm}: key set-up"), move |seed| {
        let bytes = seed.secrets().bytes(algorithm.key_len());
        watched(move || drop(algorithm.new_key(&bytes)), |()| ())
    })
}

/// How a single message goes through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    InPlace,
    Apart,
    ToVec,
    RandomNonce,
}

const WAYS: [(Way, &str); 4] = [
    (Way::InPlace, "in place"),
    (Way::Apart, "apart"),
    (Way::ToVec, "to a new vector"),
    (Way::RandomNonce, "with a random nonce"),
];

fn add_single(calls: &mut Vec<Call>, algorithm: &'static Algorithm, len: usize) {
    for (way, words) in WAYS {
        if way == Way::RandomNonce && algorithm.nonce_rule() == NonceRule::Counter {
            continue;
        }
        if way != Way::InPlace && !(len == 100 || len == 600) {
            continue;
        }
        let name = |verb: &str| format!("{algorithm}: {verb} {words}, {len} B");
        let brief = is_brief(algorithm, len) && way != Way::RandomNonce;
        let mut push = |verb, prepare: Box<dyn Fn(Seed) -> Watched>| {
            calls.push(Call::new(name(verb), prepare).brief(brief));
        };
        push(
            "seal",
            Box::new(move |seed| seal(algorithm, way, len, seed)),
        );
        push(
            "open",
            Box::new(move |seed| open(algorithm, way, len, false, seed)),
        );
        push(
            "open, forged,",
            Box::new(move |seed| open(algorithm, way, len, true, seed)),
        );
    }
}

fn seal(algorithm: &'static Algorithm, way: Way, len: usize, seed: Seed) -> Watched {
    let secrets = seed.secrets();
    let key = key_of(algorithm, &secrets);
    let mut text = secrets.bytes(len);
    let nonce = vec![1; algorithm.nonce_len()];
    let mut sealed = vec![0; len];
    let mut tag = vec![0; algorithm.tag_len()];
    let call = move || match way {
        Way::InPlace => {
            let done = key.seal_in_place(&nonce, AAD, &mut text, &mut tag);
            done.map(|()| (text, tag))
        }
        Way::Apart => {
            let done = key.seal_into(&nonce, &text, AAD, &mut sealed, &mut tag);
            done.map(|()| (sealed, tag))
        }
        Way::ToVec => {
            let done = key.seal_with_nonce(&nonce, &text, AAD);
            done.map(|sealed| (sealed, tag))
        }
        Way::RandomNonce => key.seal(&text, AAD).map(|sealed| (sealed, tag)),
    };
    watched(call, |sealed| assert!(sealed.is_ok()))
}

/// What was sealed with a call that is not watched.
struct Sealed {
    key: Box<dyn Aead>,
    nonce: Vec<u8>,
    text: Vec<u8>,
    tag: Vec<u8>,
}

impl Sealed {
    fn new(algorithm: &'static Algorithm, len: usize, seed: Seed) -> Self {
        let secrets = seed.secrets();
        let key = key_of(algorithm, &secrets);
        let nonce = vec![1; algorithm.nonce_len()];
        let (mut text, mut tag) = (secrets.bytes(len), vec![0; algorithm.tag_len()]);
        key.seal_in_place(&nonce, AAD, &mut text, &mut tag)
            .expect("within the limits");
        publish(text.as_slice());
        publish(tag.as_slice());
        Self {
            key,
            nonce,
            text,
            tag,
        }
    }
}

fn open(algorithm: &'static Algorithm, way: Way, len: usize, forged: bool, seed: Seed) -> Watched {
    let Sealed {
        key,
        nonce,
        mut text,
        mut tag,
    } = Sealed::new(algorithm, len, seed);
    if forged {
        forge(algorithm, seed, &nonce, len, &mut text, &mut tag);
    }
    let front = if way == Way::RandomNonce {
        &nonce[..]
    } else {
        &[]
    };
    let joined = if algorithm.tag_first() {
        [front, &tag, &text].concat()
    } else {
        [front, &text, &tag].concat()
    };
    let mut opened = vec![0; len];
    let call = move || match way {
        Way::InPlace => {
            let done = key.open_in_place(&nonce, AAD, &mut text, &tag);
            (done, text)
        }
        Way::Apart => {
            let done = key.open_into(&nonce, &text, AAD, &tag, &mut opened);
            (done, opened)
        }
        Way::ToVec => match key.open_with_nonce(&nonce, &joined, AAD) {
            Ok(text) => (Ok(()), text),
            Err(error) => (Err(error), opened),
        },
        Way::RandomNonce => match key.open(&joined, AAD) {
            Ok(text) => (Ok(()), text),
            Err(error) => (Err(error), opened),
        },
    };
    watched(call, move |(done, text)| {
        publish(text.as_slice());
        assert_eq!(done, if forged { Err(Error::Open) } else { Ok(()) });
        assert!(!forged || text.iter().all(|byte| *byte == 0));
    })
}

fn add_batch(calls: &mut Vec<Call>, algorithm: &'static Algorithm, lens: &'static [usize]) {
    let of = if lens.windows(2).all(|pair| pair[0] == pair[1]) {
        format!("{} of {} B", lens.len(), lens[0])
    } else {
        format!("{} of mixed lengths", lens.len())
    };
    let brief = is_brief_batch(algorithm, lens.len());
    for (ending, verb) in [
        (Ending::Seal, "seal"),
        (Ending::Open, "open"),
        (Ending::Forged, "open, one forged,"),
    ] {
        let name = format!("{algorithm}: {verb} a batch, {of}");
        let prepare = move |seed| batch(algorithm, lens, seed, ending);
        calls.push(Call::new(name, prepare).brief(brief));
        let name = format!("{algorithm}: {verb} a column, {of}");
        let prepare = move |seed| column(algorithm, lens, seed, ending);
        calls.push(Call::new(name, prepare).brief(brief));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Seal,
    Open,
    Forged,
}

fn batch(
    algorithm: &'static Algorithm,
    lens: &'static [usize],
    seed: Seed,
    ending: Ending,
) -> Watched {
    let secrets = seed.secrets();
    let key = key_of(algorithm, &secrets);
    let ends = lens.iter().scan(0, |end, len| {
        *end += len;
        Some(*end)
    });
    let offsets: Vec<usize> = [0].into_iter().chain(ends).collect();
    let mut bytes = secrets.bytes(offsets[lens.len()]);
    let nonces = nonces(algorithm, lens.len());
    let mut tags = vec![0; lens.len() * algorithm.tag_len()];
    let mut statuses = vec![Status::Done; lens.len()];
    let aad = BatchAad::Common(AAD);
    if ending != Ending::Seal {
        let text = BatchText::Contiguous {
            bytes: &mut bytes,
            offsets: &offsets,
        };
        key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses)
            .expect("within the limits");
        publish(bytes.as_slice());
        publish(tags.as_slice());
    }
    if ending == Ending::Forged {
        let (nonce, len) = (&nonces[..algorithm.nonce_len()], bytes.len());
        let (text, tag) = (&mut bytes[..lens[0]], &mut tags[..algorithm.tag_len()]);
        forge(algorithm, seed, nonce, len, text, tag);
    }
    let call = move || {
        let text = BatchText::Contiguous {
            bytes: &mut bytes,
            offsets: &offsets,
        };
        let done = match ending {
            Ending::Seal => key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses),
            _ => key.open_batch(&nonces, aad, text, &tags, &mut statuses),
        };
        (done, bytes, tags)
    };
    watched(call, move |(done, _, _)| {
        let failed = Err(Error::Batch { failed: 1 });
        assert_eq!(
            done,
            if ending == Ending::Forged {
                failed
            } else {
                Ok(())
            }
        );
    })
}

/// The values of a column and where each ends; or its rows.
struct Stored {
    bytes: Vec<u8>,
    ends: Vec<i32>,
}

impl Stored {
    fn column(&self) -> Column<'_> {
        Column {
            bytes: &self.bytes,
            offsets: Offsets::Bits32(&self.ends),
            validity: None,
        }
    }

    fn seal(&self, key: &dyn Aead, nonces: &[u8]) -> Result<Self, Error> {
        let mut bytes = vec![0; key.sealed_column_len(&self.column())?];
        let mut ends = vec![0; self.ends.len()];
        let (given, aad) = (ColumnNonces::Given(nonces), BatchAad::Common(AAD));
        let out = OffsetsMut::Bits32(&mut ends);
        key.seal_column(given, &self.column(), aad, &mut bytes, out)?;
        Ok(Self { bytes, ends })
    }

    fn open(&self, key: &dyn Aead) -> (Result<(), Error>, Self) {
        let len = key.opened_column_len(&self.column()).unwrap_or(0);
        let (mut bytes, mut ends) = (vec![0; len], vec![0; self.ends.len()]);
        let mut statuses = vec![Status::Done; ends.len() - 1];
        let (aad, out) = (BatchAad::Common(AAD), OffsetsMut::Bits32(&mut ends));
        let done = key.open_column(&self.column(), aad, &mut bytes, out, &mut statuses);
        (done, Self { bytes, ends })
    }
}

fn column(
    algorithm: &'static Algorithm,
    lens: &'static [usize],
    seed: Seed,
    ending: Ending,
) -> Watched {
    let secrets = seed.secrets();
    let key = key_of(algorithm, &secrets);
    let ends = lens.iter().scan(0, |end, len| {
        *end += *len as i32;
        Some(*end)
    });
    let ends: Vec<i32> = [0].into_iter().chain(ends).collect();
    let bytes = secrets.bytes(lens.iter().sum());
    let text_len = bytes.len();
    let values = Stored { bytes, ends };
    let nonces = nonces(algorithm, lens.len());
    if ending == Ending::Seal {
        let call = move || values.seal(&*key, &nonces);
        return watched(call, |sealed| assert!(sealed.is_ok()));
    }
    let mut rows = values.seal(&*key, &nonces).expect("within the limits");
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
    let call = move || rows.open(&*key);
    watched(call, move |(done, _)| {
        let failed = Err(Error::Batch { failed: 1 });
        let expected = if ending == Ending::Forged {
            failed
        } else {
            Ok(())
        };
        assert_eq!(done, expected);
    })
}

/// A nonce for each message, the first byte of which every algorithm allows.
fn nonces(algorithm: &Algorithm, count: usize) -> Vec<u8> {
    let each = (0..count).map(|i| vec![i as u8; algorithm.nonce_len()]);
    each.flatten().collect()
}
