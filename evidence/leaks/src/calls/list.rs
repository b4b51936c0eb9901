//! AES-SIV with lists of associated data.

use super::forgery::forge;
use super::{AAD, Call, ENDINGS, Ending, Of, Watched, watched};
use crate::secret::{Seed, array, publish, used};
use sivka::{AesSiv256, AesSiv384, AesSiv512, Algorithm, Error, Tag};

/// The lengths of the strings of a list, in bytes.
const LISTS: [&[usize]; 5] = [&[], &[0], &[33, 12], &[16, 0, 5, 100, 15], &[3; 126]];

/// The lengths of the text, in bytes.
const LENS: [usize; 3] = [5, 16, 100];

/// A call with a list, and its input.
type WithList = fn(&[u8], &[&[u8]], &mut [u8], Tag) -> Result<Tag, Error>;

/// The algorithm, the operation, and whether in place.
type Row = (&'static str, Ending, &'static str, WithList);

macro_rules! rows {
    ($($name:literal $key:ident)*) => {
        [$(
            ($name, Ending::Seal, "in place", |key, list, text, _| {
                let key = $key::new(array(key));
                let done = key.seal_in_place_with_list(list, text);
                used(&key, false);
                done
            }),
            ($name, Ending::Open, "in place", |key, list, text, tag| {
                let key = $key::new(array(key));
                let done = key.open_in_place_with_list(list, text, &tag);
                used(&key, false);
                done.map(|()| tag)
            }),
            ($name, Ending::Seal, "to a vector", |key, list, text, tag| {
                $key::new(array(key)).seal_with_list(text, list).map(|_| tag)
            }),
            ($name, Ending::Open, "to a vector", |key, list, text, tag| {
                let sealed = [tag.as_bytes(), &*text].concat();
                $key::new(array(key)).open_with_list(&sealed, list).map(|_| tag)
            }),
        )*]
    };
}

const ROWS: [Row; 12] =
    rows!("AES-SIV-256" AesSiv256 "AES-SIV-384" AesSiv384 "AES-SIV-512" AesSiv512);

pub(super) fn add(calls: &mut Vec<Call>) {
    for list in LISTS {
        for len in LENS {
            for ((name, of, how, call), (ending, verb)) in
                ROWS.iter().flat_map(|row| ENDINGS.map(|ending| (row, ending)))
            {
                if (*of == Ending::Seal) != (ending == Ending::Seal) {
                    continue;
                }
                let brief = list.len() == 5 && len == 100 && *how == "in place";
                let prepare = move |seed| with_list(name, *call, (list, len), seed, ending);
                let strings = list.len();
                let said = format!("{name}: {verb} with a list {how}, {len} B, {strings} strings");
                calls.push(Call::new(said, Of::Key(name, 0), prepare).brief(brief));
            }
        }
    }
}

fn with_list(
    name: &str,
    call: WithList,
    (list, len): (&'static [usize], usize),
    seed: Seed,
    ending: Ending,
) -> Watched {
    let algorithm = Algorithm::find(name).expect("an algorithm's name");
    let secrets = seed.secrets();
    let (key, mut text) = (secrets.bytes(algorithm.key_len()), secrets.bytes(len));
    let strings: Vec<&[u8]> = list.iter().map(|len| &AAD[..*len]).collect();
    let mut tag = [0; Tag::LEN];
    if ending != Ending::Seal {
        // Sealing here is not watched.
        let (.., seal) = ROWS.iter().find(|row| row.0 == name).expect("a key's name");
        let sealed = seal(&key, &strings, &mut text, Tag::from(tag));
        tag = *sealed.expect("within the limits").as_bytes();
        publish(text.as_slice());
        publish(&tag);
    }
    if ending == Ending::Forged {
        forge(algorithm, seed, &[], len, &mut text, &mut tag);
    }
    watched(
        move || call(&key, &strings, &mut text, Tag::from(tag)),
        move |done| assert_eq!(done.is_err(), ending == Ending::Forged),
    )
}
