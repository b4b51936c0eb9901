//! AES-SIV with lists of associated data.

use super::forgery::forge;
use super::{AAD, Call, Watched, watched};
use crate::secret::{Seed, publish};
use sivka::{AesSiv256, AesSiv384, AesSiv512, Algorithm, Error, Tag};

/// The lengths of the strings of a list, in bytes.
const LISTS: [&[usize]; 5] = [&[], &[0], &[33, 12], &[16, 0, 5, 100, 15], &[3; 126]];

/// The lengths of the text, in bytes.
const LENS: [usize; 3] = [5, 16, 100];

pub(super) fn add(calls: &mut Vec<Call>) {
    for list in LISTS {
        for len in LENS {
            add_key(calls, "AES-SIV-256", AesSiv256::new, list, len);
            add_key(calls, "AES-SIV-384", AesSiv384::new, list, len);
            add_key(calls, "AES-SIV-512", AesSiv512::new, list, len);
        }
    }
}

/// What keys of each length do with a list.
trait TakesLists: 'static {
    fn seal(&self, list: &[&[u8]], in_out: &mut [u8]) -> Result<Tag, Error>;
    fn open(&self, list: &[&[u8]], in_out: &mut [u8], tag: &Tag) -> Result<(), Error>;
    fn seal_to_vec(&self, list: &[&[u8]], plaintext: &[u8]) -> Result<Vec<u8>, Error>;
    fn open_to_vec(&self, list: &[&[u8]], sealed: &[u8]) -> Result<Vec<u8>, Error>;
}

macro_rules! takes_lists {
    ($($key:ident)*) => {
        $(impl TakesLists for $key {
            fn seal(&self, list: &[&[u8]], in_out: &mut [u8]) -> Result<Tag, Error> {
                self.seal_in_place_with_list(list, in_out)
            }

            fn open(&self, list: &[&[u8]], in_out: &mut [u8], tag: &Tag) -> Result<(), Error> {
                self.open_in_place_with_list(list, in_out, tag)
            }

            fn seal_to_vec(&self, list: &[&[u8]], plaintext: &[u8]) -> Result<Vec<u8>, Error> {
                self.seal_with_list(plaintext, list)
            }

            fn open_to_vec(&self, list: &[&[u8]], sealed: &[u8]) -> Result<Vec<u8>, Error> {
                self.open_with_list(sealed, list)
            }
        })*
    };
}
takes_lists!(AesSiv256 AesSiv384 AesSiv512);

fn strings(list: &[usize]) -> Vec<&'static [u8]> {
    list.iter().map(|len| &AAD[..*len]).collect()
}

fn add_key<K: TakesLists, const KEY_LEN: usize>(
    calls: &mut Vec<Call>,
    name: &'static str,
    new: fn(&[u8; KEY_LEN]) -> K,
    list: &'static [usize],
    len: usize,
) {
    let brief = list.len() == 5 && len == 100;
    let mut push = |verb: &str, brief, prepare: Box<dyn Fn(Seed) -> Watched>| {
        let name = format!("{name}: {verb}, {len} B, {} strings", list.len());
        calls.push(Call::new(name, prepare).brief(brief));
    };
    push(
        "seal with a list in place",
        brief,
        Box::new(move |seed| {
            let secrets = seed.secrets();
            let (key, mut text) = (new(&secrets.array()), secrets.bytes(len));
            watched(
                move || key.seal(&strings(list), &mut text),
                |done| assert!(done.is_ok()),
            )
        }),
    );
    push(
        "seal with a list",
        false,
        Box::new(move |seed| {
            let secrets = seed.secrets();
            let (key, text) = (new(&secrets.array()), secrets.bytes(len));
            watched(
                move || key.seal_to_vec(&strings(list), &text),
                |done| assert!(done.is_ok()),
            )
        }),
    );
    for forged in [false, true] {
        let what = if forged { ", forged," } else { "" };
        push(
            &format!("open{what} with a list in place"),
            brief,
            Box::new(move |seed| {
                let (key, mut text, tag) = sealed(name, new, list, len, forged, seed);
                watched(
                    move || key.open(&strings(list), &mut text, &Tag::from(tag)),
                    move |done| assert_eq!(done.is_err(), forged),
                )
            }),
        );
        push(
            &format!("open{what} with a list"),
            false,
            Box::new(move |seed| {
                let (key, text, tag) = sealed(name, new, list, len, forged, seed);
                let joined = [&tag[..], &text].concat();
                watched(
                    move || key.open_to_vec(&strings(list), &joined),
                    move |done| assert_eq!(done.is_err(), forged),
                )
            }),
        );
    }
}

/// What was sealed with a call that is not watched: the key, the ciphertext, the tag.
fn sealed<K: TakesLists, const KEY_LEN: usize>(
    name: &str,
    new: fn(&[u8; KEY_LEN]) -> K,
    list: &[usize],
    len: usize,
    forged: bool,
    seed: Seed,
) -> (K, Vec<u8>, [u8; Tag::LEN]) {
    let secrets = seed.secrets();
    let (key, mut text) = (new(&secrets.array()), secrets.bytes(len));
    let tag = key.seal(&strings(list), &mut text);
    let mut tag = *tag.expect("within the limits").as_bytes();
    publish(text.as_slice());
    publish(&tag);
    if forged {
        let algorithm = Algorithm::find(name).expect("an algorithm's name");
        forge(algorithm, seed, &[], len, &mut text, &mut tag);
    }
    (key, text, tag)
}
