//! Keys and single messages of every algorithm.

use super::forgery::forge;
use super::{AAD, Call, SHORT_AAD, Watched, assert_forced, watched};
use crate::secret::{Secrets, Seed, publish};
use sivka::{Aead, Algorithm, Error, NonceRule};

/// The lengths of a text and of its AAD, in bytes.
#[derive(Clone, Copy)]
struct Lens {
    text: usize,
    aad: usize,
}

/// Lengths that reach every path of the kernels, and whether they are watched instruction by
/// instruction each time.
const LENS: [(usize, usize, bool); 23] = [
    (0, SHORT_AAD, false),
    (1, SHORT_AAD, false),
    (15, SHORT_AAD, false),
    (17, SHORT_AAD, true),
    (64, SHORT_AAD, false),
    (100, SHORT_AAD, false),
    (256, SHORT_AAD, false),
    (600, SHORT_AAD, true),
    (2100, SHORT_AAD, false),
    // At most one block, and no AAD, for which there are kernels of their own.
    (0, 0, false),
    (1, 0, false),
    (9, 0, true),
    (16, 0, true),
    (17, 0, false),
    (600, 0, false),
    // AADs within a block, of one, and a little longer.
    (0, 1, false),
    (7, 5, true),
    (16, 16, false),
    (31, 17, false),
    // More AAD than the kernels for short messages take.
    (0, AAD.len(), false),
    (15, AAD.len(), true),
    (100, AAD.len(), false),
    (600, AAD.len(), false),
];

/// A text that is long for every kernel.
const LONG_LEN: usize = 20_000;

/// Lengths after whose whole strides of vectors AES-GCM-SIV has as many vectors left as there
/// are kernels for, on every tier. From 16 KiB on, it looks its first rounds up.
const RESTS: [usize; 12] = [
    690, 740, 850, 950, 1050, 16_394, 16_434, 16_474, 16_532, 16_584, 16_714, 16_834,
];

pub(super) fn add(calls: &mut Vec<Call>) {
    for algorithm in Algorithm::all() {
        calls.push(set_up(algorithm));
        // Keys whose tags are longer differ in nothing but the length of a hash.
        let lens = match is_variant(algorithm) {
            true => &LENS[4..6],
            false => &LENS,
        };
        let long = (!is_variant(algorithm)).then_some((LONG_LEN, SHORT_AAD, false));
        for (text, aad, brief) in lens.iter().copied().chain(long) {
            if text + aad == 0 && refuses_nothing(algorithm) {
                continue;
            }
            let lens = Lens { text, aad };
            add_single(
                calls,
                algorithm,
                lens,
                brief || has_kernels(algorithm, lens),
            );
        }
        if algorithm.name().ends_with("GCM-SIV") {
            let aad = SHORT_AAD;
            for text in RESTS {
                add_single(calls, algorithm, Lens { text, aad }, true);
            }
        }
    }
}

/// Whether there are kernels for messages of these lengths.
fn has_kernels(algorithm: &Algorithm, lens: Lens) -> bool {
    let name = algorithm.name();
    lens.aad == SHORT_AAD
        && match lens.text {
            // No cipher runs beside the hashes of the MAC key.
            0 => name.contains("BLAKE2b"),
            64 | 100 => name.contains("GCM-SIV"),
            256 => name.starts_with("AES-"),
            // The cipher runs beside the hash in longer messages only.
            2100 => name.contains("BLAKE2b"),
            _ => false,
        }
}

/// Whether an algorithm is another one with longer tags.
pub(super) fn is_variant(algorithm: &Algorithm) -> bool {
    algorithm.name().contains("-Tag")
}

/// Whether an algorithm refuses a message that is empty in every part.
pub(super) fn refuses_nothing(algorithm: &Algorithm) -> bool {
    algorithm.name().ends_with("-MGM")
}

pub(super) fn key_of(algorithm: &Algorithm, secrets: &Secrets) -> Box<dyn Aead> {
    let key = algorithm.new_key(&secrets.bytes(algorithm.key_len()));
    let key = key.expect("a key of that length");
    assert_forced(key.tier_name());
    key
}

/// Key set-up, and what wipes the key.
fn set_up(algorithm: &'static Algorithm) -> Call {
    let call = Call::new(format!("{algorithm}: key set-up"), move |seed| {
        let bytes = seed.secrets().bytes(algorithm.key_len());
        watched(move || drop(algorithm.new_key(&bytes)), |()| ())
    });
    call.brief(!is_variant(algorithm))
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

fn add_single(calls: &mut Vec<Call>, algorithm: &'static Algorithm, lens: Lens, brief: bool) {
    for (way, words) in WAYS {
        if way == Way::RandomNonce && algorithm.nonce_rule() == NonceRule::Counter {
            continue;
        }
        let both_ways = matches!((lens.text, lens.aad), (100 | 600, SHORT_AAD) | (9 | 600, 0));
        if way != Way::InPlace && !both_ways {
            continue;
        }
        let Lens { text, aad } = lens;
        let name = |verb: &str| format!("{algorithm}: {verb} {words}, {text} B, {aad} B of AAD");
        // What is read elsewhere goes through the same kernels.
        let brief = brief && (way == Way::InPlace || way == Way::Apart && text == 600);
        let mut push = |verb, prepare: Box<dyn Fn(Seed) -> Watched>| {
            calls.push(Call::new(name(verb), prepare).brief(brief));
        };
        push(
            "seal",
            Box::new(move |seed| seal(algorithm, way, lens, seed)),
        );
        push(
            "open",
            Box::new(move |seed| open(algorithm, way, lens, false, seed)),
        );
        push(
            "open, forged,",
            Box::new(move |seed| open(algorithm, way, lens, true, seed)),
        );
    }
}

fn seal(algorithm: &'static Algorithm, way: Way, lens: Lens, seed: Seed) -> Watched {
    let secrets = seed.secrets();
    let key = key_of(algorithm, &secrets);
    let mut text = secrets.bytes(lens.text);
    let (nonce, aad) = (vec![1; algorithm.nonce_len()], &AAD[..lens.aad]);
    let mut sealed = vec![0; lens.text];
    let mut tag = vec![0; algorithm.tag_len()];
    let call = move || match way {
        Way::InPlace => {
            let done = key.seal_in_place(&nonce, aad, &mut text, &mut tag);
            done.map(|()| (text, tag))
        }
        Way::Apart => {
            let done = key.seal_into(&nonce, &text, aad, &mut sealed, &mut tag);
            done.map(|()| (sealed, tag))
        }
        Way::ToVec => {
            let done = key.seal_with_nonce(&nonce, &text, aad);
            done.map(|sealed| (sealed, tag))
        }
        Way::RandomNonce => key.seal(&text, aad).map(|sealed| (sealed, tag)),
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
    fn new(algorithm: &'static Algorithm, lens: Lens, seed: Seed) -> Self {
        let secrets = seed.secrets();
        let key = key_of(algorithm, &secrets);
        let nonce = vec![1; algorithm.nonce_len()];
        let (mut text, mut tag) = (secrets.bytes(lens.text), vec![0; algorithm.tag_len()]);
        key.seal_in_place(&nonce, &AAD[..lens.aad], &mut text, &mut tag)
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

fn open(algorithm: &'static Algorithm, way: Way, lens: Lens, forged: bool, seed: Seed) -> Watched {
    let Sealed {
        key,
        nonce,
        mut text,
        mut tag,
    } = Sealed::new(algorithm, lens, seed);
    if forged {
        forge(algorithm, seed, &nonce, lens.text, &mut text, &mut tag);
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
    let (aad, mut opened) = (&AAD[..lens.aad], vec![0; lens.text]);
    let call = move || match way {
        Way::InPlace => {
            let done = key.open_in_place(&nonce, aad, &mut text, &tag);
            (done, text)
        }
        Way::Apart => {
            let done = key.open_into(&nonce, &text, aad, &tag, &mut opened);
            (done, opened)
        }
        Way::ToVec => match key.open_with_nonce(&nonce, &joined, aad) {
            Ok(text) => (Ok(()), text),
            Err(error) => (Err(error), opened),
        },
        Way::RandomNonce => match key.open(&joined, aad) {
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
