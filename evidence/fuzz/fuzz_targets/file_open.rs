//! Any bytes as a file, and a good file with any changes. The output is a prefix of the content,
//! all of it only if nothing was changed, the same from every reader.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sivka_file::{
    Argon2Cost, KeyFile, Lock, OpenOptions, Passphrase, Reader, SealOptions, Unlock, Writer,
    salvage,
};
use std::io::{Cursor, Read, Write};
use std::num::NonZeroUsize;
use std::sync::LazyLock;

#[derive(Arbitrary, Debug)]
enum Input {
    /// These bytes as they are.
    Any(Vec<u8>),
    /// One of the good files, changed.
    Changed {
        which: u8,
        xor: Vec<(u16, u8)>,
        cut: Option<u16>,
        appended: Vec<u8>,
        /// One piece of the file written over another.
        copied: Option<(u16, u16, u16)>,
    },
}

struct Good {
    key: KeyFile,
    passphrase: Passphrase,
    /// Plaintext and file.
    files: Vec<(Vec<u8>, Vec<u8>)>,
}

static GOOD: LazyLock<Good> = LazyLock::new(|| {
    let key = KeyFile::from_bytes(&[7; 32], "fuzz").expect("a good name");
    let passphrase = Passphrase::new("fuzz".to_owned());
    let cheap = Argon2Cost { memory_kib: 8, passes: 1, lanes: 1 };
    let locks = [Lock::KeyFile(&key), Lock::Passphrase(&passphrase, cheap)];
    let files = [0, 1, 100, 16384, 33000].map(|len| {
        let plaintext: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        let writer = Writer::new(Vec::new(), &locks, &SealOptions::default());
        let mut writer = writer.expect("it seals");
        writer.write_all(&plaintext).expect("it seals");
        let file = writer.finish().expect("it seals");
        (plaintext, file)
    });
    Good { key, passphrase, files: files.into() }
});

/// The file to try, the plaintext it may release, and whether it is unchanged.
fn build(input: Input) -> (Vec<u8>, &'static [u8], bool) {
    let (which, xor, cut, appended, copied) = match input {
        Input::Any(file) => return (file, &[], false),
        Input::Changed { which, xor, cut, appended, copied } => (which, xor, cut, appended, copied),
    };
    let (plaintext, original) = &GOOD.files[usize::from(which) % GOOD.files.len()];
    let mut file = original.clone();
    let len = file.len();
    for (at, change) in xor {
        file[usize::from(at) % len] ^= change;
    }
    if let Some((from, to, copy_len)) = copied {
        let (from, to) = (usize::from(from) % len, usize::from(to) % len);
        let copy_len = usize::from(copy_len).min(len - from.max(to));
        file.copy_within(from..from + copy_len, to);
    }
    if let Some(cut) = cut {
        file.truncate(usize::from(cut));
    }
    file.extend(appended);
    let is_unchanged = file == *original;
    (file, plaintext, is_unchanged)
}

fuzz_target!(|input: Input| {
    let (file, plaintext, is_unchanged) = build(input);
    let keys = [Unlock::KeyFile(&GOOD.key), Unlock::Passphrase(&GOOD.passphrase)];
    let options = OpenOptions {
        max_cost: Argon2Cost { memory_kib: 64, passes: 2, lanes: 4 },
        threads: NonZeroUsize::new(1 + file.len() % 2),
    };

    // Changes in one copy of the header alone do no harm.
    let mut released = Vec::new();
    let opened = Reader::new(&file[..], &keys, &options)
        .is_ok_and(|mut reader| reader.read_to_end(&mut released).is_ok());
    assert!(opened || !is_unchanged);
    assert!(plaintext.starts_with(&released));
    assert!(!opened || released.len() == plaintext.len());

    let mut through = Vec::new();
    let read = Reader::new(Cursor::new(&file), &keys, &options)
        .is_ok_and(|mut reader| reader.len().is_ok() && reader.read_to_end(&mut through).is_ok());
    assert_eq!(read, opened);
    assert!(plaintext.starts_with(&through));

    let (mut rescued, mut lost) = (Vec::new(), Vec::new());
    let mut note = |range| lost.push(range);
    if let Ok(found) = salvage(Cursor::new(&file), &mut rescued, &keys, &options, &mut note, |_| {})
    {
        assert_eq!(found.is_whole(), opened);
        assert_eq!(found.intact_len + found.lost_len, rescued.len() as u64);
        // A file cannot give more than was sealed, so a longer rescue is all lost there.
        let mut expected = plaintext.to_vec();
        expected.resize(rescued.len(), 0xff);
        for range in lost {
            expected[range.start as usize..range.end as usize].fill(0);
        }
        assert_eq!(rescued, expected);
    } else {
        assert!(!opened);
    }
});
