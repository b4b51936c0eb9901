//! The process that is looked at: does what it is asked, and waits to be searched.

pub(super) mod keyset;

use super::request::{
    AAD, Act, Ending, REQUEST_LEN, WORDS_LEN, batch_lens, nonce_of, to_letters, wrong,
};
use super::{FILE, IDENTITIES};
use crate::calls::batch::{Stored, offsets};
use sivka::{
    Aead, Aes128GcmSiv, Aes256GcmSiv, AesSiv256, AesSiv384, AesSiv512, Algorithm, BatchAad,
    BatchText, ChaCha20Blake2b, Error, Kuznyechik, KuznyechikCtr, KuznyechikCtrAcpkm,
    KuznyechikMgm, KuznyechikOmac, Status, XChaCha20Blake2b, XChaCha20Blake2bSiv,
};
use sivka_file::{
    Argon2Cost, Identity, KeyFile, Lock, OpenOptions, Passphrase, Reader, SealOptions, Suite,
    Unlock, Writer,
};
use std::env;
use std::fs::File;
use std::hint::black_box;
use std::io::{Read, Write, stdout};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::ExitCode;

/// Answers requests until there are none.
pub(crate) fn hold() -> ExitCode {
    set_hook(Box::new(|_| ()));
    // Without a buffer, in which a key would stay.
    let Ok(mut input) = File::open("/proc/self/fd/0") else {
        return ExitCode::FAILURE;
    };
    let mut request = Box::new([0; REQUEST_LEN]);
    while input.read_exact(&mut *request).is_ok() {
        let (words, key) = request.split_at_mut(WORDS_LEN);
        let words = String::from_utf8_lossy(words);
        let words: Vec<&str> = words.split_whitespace().collect();
        let [algorithm, act, len, key_len] = words[..] else {
            return ExitCode::FAILURE;
        };
        let (Some(act), Ok(len), Ok(key_len)) = (Act::of(act), len.parse(), key_len.parse()) else {
            return ExitCode::FAILURE;
        };
        let key: &mut [u8] = &mut key[..key_len];
        match algorithm.split_once(':') {
            Some(("typed", name)) => typed(name, act, len, key, &mut input),
            Some(("keyset", name)) => keyset::keyset(name, act, len, key, &mut input),
            Some((_, suite)) => file(suite, act, len, key, &mut input),
            None => boxed(algorithm, act, len, key, &mut input),
        }
    }
    ExitCode::SUCCESS
}

/// Wipes what the key was made of.
fn forget(key: &mut [u8]) {
    key.fill(0);
    black_box(&*key);
}

/// Says how far it is, and where the key is if it is still there; goes on when told to.
fn pause(input: &mut File, stage: &str, key: Option<(usize, usize)>) {
    let (start, len) = key.unwrap_or_default();
    println!("{stage} {start} {len}");
    let _ = stdout().flush();
    let _ = input.read_exact(&mut [0]);
}

/// A key behind a pointer, as C, Java and Python have it.
fn boxed(name: &str, act: Act, len: usize, key: &mut [u8], input: &mut File) {
    let algorithm = Algorithm::find(name).expect("an algorithm's name");
    let made = |key: &[u8]| {
        let key = &key[..algorithm.key_len()];
        algorithm.new_key(key).expect("a key of that length")
    };
    if act == Act::Panic {
        panics(|| made(key), |made| perform(&**made, Act::Seal, len));
        forget(key);
        return pause(input, "freed", None);
    }
    if act == Act::Refused {
        assert!(algorithm.new_key(&key[1..]).is_err());
        forget(key);
        return pause(input, "freed", None);
    }
    let made = made(key);
    forget(key);
    perform(&*made, act, len);
    if act == Act::Kept {
        std::mem::forget(made);
        return pause(input, "freed", None);
    }
    let place = std::ptr::from_ref(&*made).cast::<u8>().addr();
    pause(input, "used", Some((place, size_of_val(&*made))));
    drop(made);
    pause(input, "freed", None);
}

/// Seals a file and opens it, or fails to. Who searches needs it, to know what it was sealed
/// with.
fn file(suite: &str, act: Act, len: usize, key: &mut [u8], input: &mut File) {
    let suite = Suite::from_name(suite).expect("a suite's name");
    let sealed = match act {
        Act::Passphrase(ending) => {
            to_letters(key);
            let passphrase = passphrase_of(key);
            wrong(key);
            let other = passphrase_of(key);
            forget(key);
            let cost = Argon2Cost {
                memory_kib: if ending == Ending::Refused { 1 } else { 64 },
                ..CHEAP
            };
            let lock = Lock::Passphrase(&passphrase, cost);
            let unlock = [&passphrase, &other].map(Unlock::Passphrase);
            sealed_and_opened(suite, len, lock, unlock, ending)
        }
        Act::KeyFile(ending) => {
            let made = key_file_of(key);
            wrong(key);
            let other = key_file_of(key);
            forget(key);
            if ending == Ending::Refused {
                [&made, &other].into_iter().for_each(refused);
                Vec::new()
            } else {
                let unlock = [&made, &other].map(Unlock::KeyFile);
                sealed_and_opened(suite, len, Lock::KeyFile(&made), unlock, ending)
            }
        }
        Act::X25519(ending) | Act::PostQuantum(ending) => {
            forget(key);
            match IDENTITIES.map(identity_of) {
                [Some(made), Some(other)] => {
                    let unlock = [&made, &other].map(Unlock::Identity);
                    let lock = Lock::Recipient(made.recipient());
                    sealed_and_opened(suite, len, lock, unlock, ending)
                }
                refused => {
                    assert!(refused.iter().all(Option::is_none) && ending == Ending::Refused);
                    Vec::new()
                }
            }
        }
        _ => panic!("{act:?} is no file's"),
    };
    std::fs::write(env::var_os(FILE).unwrap_or_default(), sealed).expect("written");
    pause(input, "freed", None);
}

fn passphrase_of(letters: &[u8]) -> Passphrase {
    Passphrase::new(String::from_utf8(letters.to_vec()).expect("letters"))
}

/// The identity that who searches wrote beside the sealed file; `None` if it is refused. Its text
/// is wiped, as a program does that has read one.
fn identity_of(ending: &str) -> Option<Identity> {
    let mut path = env::var_os(FILE).unwrap_or_default();
    path.push(ending);
    let mut text = std::fs::read(path).expect("an identity's text");
    let parsed = std::str::from_utf8(&text).map(Identity::parse_list);
    forget(&mut text);
    parsed.expect("letters").ok()?.pop()
}

fn key_file_of(key: &[u8]) -> KeyFile {
    let bytes = key.first_chunk().expect("a request has a whole key");
    KeyFile::from_bytes(bytes, "name").expect("a good name")
}

/// Reads a key file of which a digit is another one.
fn refused(key: &KeyFile) {
    let mut text = key.to_text();
    let last = text.trim_end().len() - 1;
    let end = text.split_off(last);
    text.push(if end.starts_with('0') { '1' } else { '0' });
    assert!(KeyFile::parse(&text).is_err());
}

/// A cost far below what anybody should use.
const CHEAP: Argon2Cost = Argon2Cost {
    memory_kib: 64,
    passes: 1,
    lanes: 1,
};

/// What was sealed, nothing if that was refused. The first of `unlock` opens it.
#[inline(never)]
fn sealed_and_opened(
    suite: Suite,
    len: usize,
    lock: Lock<'_>,
    unlock: [Unlock<'_>; 2],
    ending: Ending,
) -> Vec<u8> {
    let text = vec![0; len];
    let options = SealOptions {
        suite,
        ..SealOptions::default()
    };
    let writer = Writer::new(Vec::new(), &[lock], &options);
    assert_eq!(writer.is_err(), ending == Ending::Refused);
    let Ok(mut writer) = writer else {
        return Vec::new();
    };
    writer.write_all(&text).expect("written");
    let sealed = writer.finish().expect("sealed");
    let mut opened = Vec::new();
    let options = OpenOptions::default();
    let key = [unlock[usize::from(ending == Ending::Wrong)]];
    let mut given = sealed.clone();
    *given.last_mut().expect("a file has bytes") ^= u8::from(ending == Ending::Forged);
    let done = Reader::new(&given[..], &key, &options)
        .and_then(|mut reader| Ok(reader.read_to_end(&mut opened)?));
    assert_eq!(done.is_ok(), ending == Ending::Opened);
    assert!(done.is_err() || opened == text);
    sealed
}

/// A key on the stack, as Rust programs have it: every type of them.
fn typed(name: &str, act: Act, len: usize, key: &mut [u8], input: &mut File) {
    macro_rules! aead {
        ($key:ident) => {
            held(key, input, act, $key::new, |key, act| {
                perform(key, act, len)
            })
        };
    }
    macro_rules! other {
        ($key:ident, $new:expr, $use:expr) => {
            held(key, input, act, $new, |made: &mut $key, act| {
                if act != Act::SetUp {
                    $use(made, &mut vec![0; len]);
                }
            })
        };
    }
    match name {
        "AES-128-GCM-SIV" => aead!(Aes128GcmSiv),
        "AES-256-GCM-SIV" => aead!(Aes256GcmSiv),
        "ChaCha20-BLAKE2b" => aead!(ChaCha20Blake2b),
        "XChaCha20-BLAKE2b" => aead!(XChaCha20Blake2b),
        "XChaCha20-BLAKE2b-SIV" => aead!(XChaCha20Blake2bSiv),
        "AES-SIV-256" => aead!(AesSiv256),
        "AES-SIV-384" => aead!(AesSiv384),
        "AES-SIV-512" => aead!(AesSiv512),
        "Kuznyechik-MGM" => aead!(KuznyechikMgm),
        "Kuznyechik" => other!(
            Kuznyechik,
            Kuznyechik::new,
            |key: &mut Kuznyechik, text: &mut [u8]| {
                let (blocks, _) = text.as_chunks_mut();
                let _ = black_box(key.encrypt_blocks(blocks));
                let _ = black_box(key.decrypt_blocks(blocks));
            }
        ),
        "Kuznyechik-CTR" => other!(
            KuznyechikCtr,
            |key| KuznyechikCtr::new(key, &[1; 8]),
            |key: &mut KuznyechikCtr, text: &mut [u8]| {
                let _ = black_box(key.apply_keystream(text));
            }
        ),
        "Kuznyechik-CTR-ACPKM" => other!(
            Acpkm,
            |key| KuznyechikCtrAcpkm::new(key, &[1; 8], 4096),
            |key: &mut Acpkm, text: &mut [u8]| {
                let key = key.as_mut().expect("sections of whole blocks");
                let _ = black_box(key.apply_keystream(text));
            }
        ),
        "Kuznyechik-OMAC" => other!(Omac, Omac::new, |key: &mut Omac, text: &mut [u8]| {
            let _ = black_box(key.tag(text));
        }),
        _ => panic!("no key `{name}`"),
    }
}

type Omac = KuznyechikOmac<16>;

/// As it is returned: to take the key out would move it.
type Acpkm = Result<KuznyechikCtrAcpkm, Error>;

/// Makes a key, uses it, frees it.
fn held<K, const KEY_LEN: usize>(
    key: &mut [u8],
    input: &mut File,
    act: Act,
    new: impl Fn(&[u8; KEY_LEN]) -> K,
    perform: impl Fn(&mut K, Act),
) {
    let first: &mut [u8; KEY_LEN] = key.first_chunk_mut().expect("a request has a whole key");
    if act == Act::Panic {
        panics(|| new(first), |made| perform(made, Act::Seal));
        forget(first);
        return pause(input, "freed", None);
    }
    {
        // Freed where it was made: a move leaves a copy behind, of which a key knows nothing.
        let mut made = new(first);
        forget(first);
        perform(&mut made, act);
        let place = std::ptr::from_ref(&made).addr();
        pause(input, "used", Some((place, size_of::<K>())));
    }
    pause(input, "freed", None);
}

/// Uses a key, and unwinds while it is alive.
#[inline(never)]
fn panics<K>(make: impl FnOnce() -> K, perform: impl FnOnce(&mut K)) {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut made = make();
        perform(&mut made);
        panic!("with a key in hand");
    }));
    assert!(result.is_err());
}

/// Makes a call. What it gives is public.
#[inline(never)]
fn perform(key: &dyn Aead, act: Act, len: usize) {
    let algorithm = key.algorithm();
    let (nonce, mut text) = (nonce_of(0, algorithm.nonce_len()), vec![0; len]);
    let mut tag = vec![0; algorithm.tag_len()];
    match act {
        Act::SetUp => return,
        Act::Batch | Act::BatchForged => return batch(key, act, &batch_lens(len)),
        _ => {}
    }
    let sealed = key.seal_in_place(&nonce, AAD, &mut text, &mut tag);
    sealed.expect("within the limits");
    if act == Act::Seal {
        return;
    }
    tag[0] ^= u8::from(act == Act::Forged);
    let opened = key.open_in_place(&nonce, AAD, &mut text, &tag);
    assert_eq!(opened.is_err(), act == Act::Forged);
}

/// Seals a batch, and opens it.
fn batch(key: &dyn Aead, act: Act, lens: &[usize]) {
    let algorithm = key.algorithm();
    let offsets = offsets(lens);
    let mut bytes = vec![0; offsets[lens.len()]];
    let nonces = (0..lens.len()).flat_map(|i| nonce_of(i, algorithm.nonce_len()));
    let nonces: Vec<u8> = nonces.collect();
    let mut tags = vec![0; lens.len() * algorithm.tag_len()];
    let mut statuses = vec![Status::Done; lens.len()];
    let (aad, offsets) = (BatchAad::Common(AAD), &offsets[..]);
    let text = BatchText::Contiguous {
        bytes: &mut bytes,
        offsets,
    };
    let sealed = key.seal_batch(&nonces, aad, text, &mut tags, &mut statuses);
    sealed.expect("within the limits");
    tags[0] ^= u8::from(act == Act::BatchForged);
    let text = BatchText::Contiguous {
        bytes: &mut bytes,
        offsets,
    };
    let opened = key.open_batch(&nonces, aad, text, &tags, &mut statuses);
    assert_eq!(opened.is_ok(), act == Act::Batch);
    column(key, act, &bytes, offsets, &nonces);
}

/// The same for a column of these values.
fn column(key: &dyn Aead, act: Act, bytes: &[u8], offsets: &[usize], nonces: &[u8]) {
    let values = Stored {
        bytes: bytes.to_vec(),
        ends: offsets.iter().map(|end| *end as i32).collect(),
        bitmap: None,
    };
    let aad = BatchAad::Common(AAD);
    let rows = values.seal(key, nonces, aad);
    let mut rows = rows.expect("within the limits");
    rows.bytes[rows.ends[1] as usize - 1] ^= u8::from(act == Act::BatchForged);
    let (done, _) = rows.open(key, aad);
    assert_eq!(done.is_ok(), act == Act::Batch);
}
