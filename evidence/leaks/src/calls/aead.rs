//! Keys and single messages of every algorithm.

use super::forgery::forge;
use super::{
    AAD, Call, ENDINGS, Ending, OVERWRITTEN_LEN, Of, SHORT_AAD, Watched, assert_forced, nonce_of,
    watched,
};
use crate::secret::{Secrets, Seed, publish, used};
use sivka::{Aead, Algorithm, Error, NonceRule};

/// The lengths of a text and of its AAD, in bytes.
#[derive(Clone, Copy)]
struct Lens {
    text: usize,
    aad: usize,
}

/// Lengths that reach every path of the kernels: of an AAD, of the texts beside it, and of the
/// texts that are always watched instruction by instruction.
const LENS: [(usize, &[usize], &[usize]); 7] = [
    (SHORT_AAD, &[0, 1, 15, 17, 64, 100, 256, 600, 2100], &[17, 600]),
    // At most one block, and no AAD, for which there are kernels of their own.
    (0, &[0, 1, 9, 16, 17, 600], &[9, 16]),
    // AADs within a block, of one, and a little longer.
    (1, &[0], &[]),
    (5, &[7], &[7]),
    (16, &[16], &[]),
    (17, &[31], &[]),
    // More AAD than the kernels for short messages take.
    (AAD.len(), &[0, 15, 100, 600], &[15]),
];

/// A text that is long for every kernel, and overwrites its stack.
const LONG_LEN: usize = 70_000;

/// Lengths after whose whole strides of vectors AES-GCM-SIV has as many vectors left as there
/// are kernels for, on every tier. From 16 KiB on, it looks its first rounds up.
const RESTS: [usize; 12] =
    [690, 740, 850, 950, 1050, 16_394, 16_434, 16_474, 16_532, 16_584, 16_714, 16_834];

pub(super) fn add(calls: &mut Vec<Call>) {
    for algorithm in Algorithm::all() {
        add_set_up(calls, algorithm);
        for (aad, texts, brief) in LENS {
            for &text in texts {
                let lens = Lens { text, aad };
                // Keys whose tags are longer differ in nothing but the length of a hash.
                let is_enough = aad == SHORT_AAD && matches!(text, 64 | 100);
                let is_refused = refuses_nothing(algorithm) && text + aad == 0;
                if !is_refused && (is_enough || !is_variant(algorithm)) {
                    let brief = brief.contains(&text) || has_kernels(algorithm, lens);
                    add_single(calls, algorithm, lens, brief);
                }
            }
        }
        if !is_variant(algorithm) {
            let (text, aad) = (LONG_LEN, SHORT_AAD);
            add_single(calls, algorithm, Lens { text, aad }, false);
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

/// Key set-up, and what wipes the key; and what refuses a key that is a byte too short.
fn add_set_up(calls: &mut Vec<Call>, algorithm: &'static Algorithm) {
    let (name, brief) = (algorithm.name(), !is_variant(algorithm));
    let set_up = move |seed: Seed| {
        let bytes = seed.secrets().bytes(algorithm.key_len());
        let call = move || {
            algorithm.new_key(&bytes).map(|key| {
                drop(bytes);
                used(&*key, true);
            })
        };
        watched(call, |made| assert!(made.is_ok()))
    };
    let refused = move |seed: Seed| {
        let bytes = seed.secrets().bytes(algorithm.key_len());
        let call = move || algorithm.new_key(&bytes[1..]).is_err();
        watched(call, |refused| assert!(refused))
    };
    let of = Of::Key(name, 0);
    calls.push(Call::new(format!("{name}: key set-up"), of, set_up).brief(brief));
    calls.push(Call::new(format!("{name}: key refused"), of, refused).brief(false));
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
        // Separate inputs go through the same kernels.
        let brief = brief && (way == Way::InPlace || way == Way::Apart && text == 600);
        for (ending, verb) in ENDINGS {
            let name = format!("{algorithm}: {verb} {words}, {text} B, {aad} B of AAD");
            let of = Of::Key(algorithm.name(), 1);
            let prepare = move |seed| single(algorithm, way, lens, seed, ending);
            calls.push(Call::new(name, of, prepare).brief(brief));
        }
    }
}

fn single(
    algorithm: &'static Algorithm,
    way: Way,
    lens: Lens,
    seed: Seed,
    ending: Ending,
) -> Watched {
    let secrets = seed.secrets();
    let key = key_of(algorithm, &secrets);
    let (nonce, aad) = (nonce_of(0, algorithm.nonce_len()), &AAD[..lens.aad]);
    let (mut text, mut tag) = (secrets.bytes(lens.text), vec![0; algorithm.tag_len()]);
    let mut other = vec![0; lens.text];
    let overwrites = lens.text >= OVERWRITTEN_LEN;
    if ending == Ending::Seal {
        let call = move || {
            let done = match way {
                Way::InPlace => key.seal_in_place(&nonce, aad, &mut text, &mut tag),
                Way::Apart => key.seal_into(&nonce, &text, aad, &mut other, &mut tag),
                Way::ToVec => key.seal_with_nonce(&nonce, &text, aad).map(drop),
                Way::RandomNonce => key.seal(&text, aad).map(drop),
            };
            used(&*key, overwrites);
            done
        };
        return watched(call, |done| done.expect("within the limits"));
    }
    // Sealing here is not watched.
    let sealed = key.seal_in_place(&nonce, aad, &mut text, &mut tag);
    sealed.expect("within the limits");
    publish(text.as_slice());
    publish(tag.as_slice());
    if ending == Ending::Forged {
        forge(algorithm, seed, &nonce, lens.text, &mut text, &mut tag);
    }
    let front = match way {
        Way::RandomNonce => &nonce[..],
        _ => &[],
    };
    let joined = match algorithm.tag_first() {
        true => [front, &tag, &text].concat(),
        false => [front, &text, &tag].concat(),
    };
    let call = move || {
        let done = match way {
            Way::InPlace => {
                let done = key.open_in_place(&nonce, aad, &mut text, &tag);
                other.copy_from_slice(&text);
                done
            }
            Way::Apart => key.open_into(&nonce, &text, aad, &tag, &mut other),
            Way::ToVec => key.open_with_nonce(&nonce, &joined, aad).map(drop),
            Way::RandomNonce => key.open(&joined, aad).map(drop),
        };
        used(&*key, overwrites);
        (done, other)
    };
    watched(call, move |(done, text)| match ending {
        Ending::Forged => {
            publish(text.as_slice());
            assert_eq!(done, Err(Error::Open));
            assert!(text.iter().all(|byte| *byte == 0));
        }
        _ => done.expect("what was sealed"),
    })
}
