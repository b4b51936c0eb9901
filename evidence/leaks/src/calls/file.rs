//! The file format: keys, slots, payloads.
//!
//! Passphrases are not here: Argon2id reads memory where they say (ADR 8).

use super::{Call, Watched, watched};
use crate::secret::{Seed, publish};
use sivka_file::{
    Error, KeyFile, Lock, OpenOptions, Reader, SealOptions, Suite, Unlock, Writer, change_slots_in,
};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

/// Plaintexts of one chunk, and of two that are whole and an end.
const LENS: [usize; 2] = [100, 2 * 16384 + 50];

const READABLE: &str = "made-up keys have names";

pub(super) fn add(calls: &mut Vec<Call>) {
    calls.push(Call::new("key file: make and id".to_owned(), |seed| {
        let key = seed.secrets().array();
        let call = move || KeyFile::from_bytes(&key, "name").map(|key| key.id());
        watched(call, |made| assert!(made.is_ok()))
    }));
    // valgrind takes the search for the ends of lines for a look at the digits.
    #[cfg(not(feature = "ctgrind"))]
    calls.push(Call::new("key file: write and parse".to_owned(), |seed| {
        let key = key_file(seed);
        let call = move || KeyFile::parse(&key.to_text()).map(drop);
        watched(call, |parsed| assert!(parsed.is_ok()))
    }));
    for suite in Suite::ALL {
        for len in LENS {
            add_payload(calls, *suite, len);
        }
        add_slots(calls, *suite);
    }
}

fn key_file(seed: Seed) -> KeyFile {
    KeyFile::from_bytes(&seed.secrets().array(), "name").expect(READABLE)
}

fn seal_options(suite: Suite) -> SealOptions {
    SealOptions {
        suite,
        ..SealOptions::default()
    }
}

fn sealed_for(key: &KeyFile, suite: Suite, text: &[u8]) -> Result<Vec<u8>, Error> {
    let mut writer = Writer::new(Vec::new(), &[Lock::KeyFile(key)], &seal_options(suite))?;
    writer.write_all(text)?;
    writer.finish()
}

/// A file that was sealed with a call that is not watched.
fn sealed(suite: Suite, len: usize, seed: Seed) -> Result<Vec<u8>, Error> {
    let (key, text) = (key_file(seed), seed.secrets().bytes(len));
    let file = sealed_for(&key, suite, &text)?;
    publish(file.as_slice());
    Ok(file)
}

fn add_payload(calls: &mut Vec<Call>, suite: Suite, len: usize) {
    let name = |verb: &str| format!("file, {suite}: {verb}, {len} B");
    let mut push = |verb: &str, prepare: Box<dyn Fn(Seed) -> Watched>| {
        // SHA-512 alone has a million instructions, none of which depends on the tier.
        calls.push(Call::new(name(verb), prepare).brief(false));
    };
    push(
        "seal",
        Box::new(move |seed| {
            let (key, text) = (key_file(seed), seed.secrets().bytes(len));
            let call = move || sealed_for(&key, suite, &text).map(drop);
            watched(call, |done| done.expect("sealed"))
        }),
    );
    type Opening = fn(&[u8], &KeyFile) -> Result<(), Error>;
    let openings: [(&str, Opening); 3] = [
        ("open", |file, key| {
            let (keys, options) = ([Unlock::KeyFile(key)], OpenOptions::default());
            let mut reader = Reader::new(file, &keys, &options)?;
            let mut text = Vec::with_capacity(file.len());
            Ok(reader.read_to_end(&mut text).map(drop)?)
        }),
        ("verify", |file, key| {
            let (keys, options) = ([Unlock::KeyFile(key)], OpenOptions::default());
            let mut reader = Reader::new(file, &keys, &options)?;
            Ok(io::copy(&mut reader, &mut io::sink()).map(drop)?)
        }),
        ("read a part", |file, key| {
            let (keys, options) = ([Unlock::KeyFile(key)], OpenOptions::default());
            let mut reader = Reader::new(Cursor::new(file), &keys, &options)?;
            reader.seek(SeekFrom::Start(30))?;
            Ok(reader.read_exact(&mut [0; 40])?)
        }),
    ];
    for (verb, opening) in openings {
        push(
            verb,
            Box::new(move |seed| {
                let (key, file) = (key_file(seed), sealed(suite, len, seed).expect("sealed"));
                watched(move || opening(&file, &key), |done| done.expect("it opens"))
            }),
        );
    }
    push(
        "open, damaged",
        Box::new(move |seed| {
            let (key, mut file) = (key_file(seed), sealed(suite, len, seed).expect("sealed"));
            *file.last_mut().expect("a file has bytes") ^= 0x40;
            let call = move || openings[0].1(&file, &key);
            watched(call, |done| assert!(done.is_err()))
        }),
    );
    push(
        "open with a wrong key",
        Box::new(move |seed| {
            let file = sealed(suite, len, seed).expect("sealed");
            let secrets = seed.secrets();
            let _ = secrets.bytes(32);
            let key = KeyFile::from_bytes(&secrets.array(), "name").expect(READABLE);
            let call = move || openings[0].1(&file, &key);
            watched(call, |done| assert!(done.is_err()))
        }),
    );
}

fn add_slots(calls: &mut Vec<Call>, suite: Suite) {
    calls.push(
        Call::new(
            format!("file, {suite}: add and remove a slot"),
            move |seed| {
                let (key, file) = (key_file(seed), sealed(suite, 10, seed).expect("sealed"));
                let secrets = seed.secrets();
                let _ = secrets.bytes(32);
                let new = KeyFile::from_bytes(&secrets.array(), "name").expect(READABLE);
                let call = move || {
                    let mut file = Cursor::new(file);
                    let options = OpenOptions::default();
                    let keys = [Unlock::KeyFile(&key)];
                    let lock = Lock::KeyFile(&new);
                    let index =
                        change_slots_in(&mut file, &keys, &options, |slots| slots.add(&lock))?;
                    publish(file.get_ref().as_slice());
                    file.set_position(0);
                    let keys = [Unlock::KeyFile(&new)];
                    change_slots_in(&mut file, &keys, &options, |slots| slots.remove(index - 1))
                };
                watched(call, |done| done.expect("changed"))
            },
        )
        .brief(false),
    );
}
