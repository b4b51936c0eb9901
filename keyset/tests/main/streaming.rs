//! Streams: what others sealed, every length around a segment's end, and what is refused.

use crate::messages::{SYMMETRIC, key, keyset, number, read, refusal, stream};
use sivka_keyset::{Error, Keyset, KeysetStreamingAead, Misuse, Primitive, Template};
use std::io::{self, ErrorKind, Read, Write};
use std::time::Instant;

/// The bytes of a segment and of derived keys, and the hash of HKDF; the hash and the bytes of
/// the tag of AES-CTR-HMAC; the key.
#[derive(Clone, Copy)]
struct Key<'a>([u64; 3], Option<[u64; 2]>, &'a [u8]);

const GCM: Key<'_> = Key([64, 16, 3], None, &[b'k'; 16]);
const CTR_HMAC: Key<'_> = Key([64, 16, 3], Some([3, 20]), &[b'k'; 16]);

impl Key<'_> {
    fn name(self) -> &'static str {
        match self.1 {
            Some(_) => "AesCtrHmacStreamingKey",
            None => "AesGcmHkdfStreamingKey",
        }
    }

    fn value(self) -> Vec<u8> {
        stream(self.0, self.1, self.2)
    }

    fn keyset(self) -> Keyset {
        let binary = keyset(self.name(), &self.value(), SYMMETRIC);
        let keyset = read(&binary).unwrap();
        assert_eq!(*keyset.to_insecure_binary().unwrap(), binary);
        keyset
    }

    fn refused(self) -> String {
        refusal(self.name(), &self.value())
    }

    fn overheads(self) -> (usize, usize) {
        let tag_len = self.1.map_or(16, |[_, tag_len]| tag_len);
        (self.0[1] as usize + 8, tag_len as usize)
    }
}

/// A keyset with all of these, the first of which is the primary.
fn together(keys: &[Key<'_>]) -> Keyset {
    let keys = (1..).zip(keys);
    let keys = keys.flat_map(|(id, of)| key(of.name(), &of.value(), SYMMETRIC, id, 1));
    read(&[number(1, 1), keys.collect()].concat()).unwrap()
}

fn seal(streams: &KeysetStreamingAead, plaintext: &[u8], aad: &[u8]) -> Vec<u8> {
    let mut writer = streams.seal(Vec::new(), aad).unwrap();
    writer.write_all(plaintext).unwrap();
    writer.finish().unwrap()
}

/// What comes out before the end or an error, and which of both it is.
fn open(
    streams: &KeysetStreamingAead,
    sealed: impl Read,
    aad: &[u8],
) -> (Vec<u8>, io::Result<usize>) {
    let mut plaintext = Vec::new();
    let mut reader = streams.open(sealed, aad);
    let result = reader.read_to_end(&mut plaintext);
    if let Err(error) = &result {
        // It stays so.
        let again = reader.read(&mut [0; 9]).unwrap_err();
        assert_eq!(again.kind(), error.kind());
    }
    (plaintext, result)
}

/// Opens nothing further than some whole segments of `plaintext`.
fn assert_refused(streams: &KeysetStreamingAead, sealed: &[u8], aad: &[u8], plaintext: &[u8]) {
    let (before, result) = open(streams, sealed, aad);
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    let inner = error.get_ref().unwrap().downcast_ref::<Error>();
    assert_eq!(inner, Some(&Error::Open));
    assert!(plaintext.starts_with(&before));
}

/// Gives one byte at a time, and is interrupted before each.
struct Dripping<'a>(&'a [u8], bool);

impl Read for Dripping<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        match self.1 {
            true => Err(ErrorKind::Interrupted.into()),
            false => {
                let len = out.len().min(1);
                self.0.read(&mut out[..len])
            }
        }
    }
}

#[test]
fn every_length_and_every_cut() {
    for key in [GCM, CTR_HMAC] {
        let streams = key.keyset().streaming_aead().unwrap();
        let (header_len, tag_len) = key.overheads();
        let first = 64 - header_len - tag_len;
        let rest = 64 - tag_len;
        for len in 0..first + 2 * rest + 3 {
            let plaintext: Vec<u8> = (0..len).map(|at| at as u8).collect();
            let sealed = seal(&streams, &plaintext, b"aad");
            // No segment is empty, but the only one.
            let segments = 1 + len.saturating_sub(first).div_ceil(rest);
            assert_eq!(sealed.len(), header_len + len + segments * tag_len);
            let (opened, result) = open(&streams, Dripping(&sealed, false), b"aad");
            assert_eq!(result.unwrap(), len);
            assert_eq!(opened, plaintext);
            // At segments' ends and anywhere else.
            for cut in 0..sealed.len() {
                assert_refused(&streams, &sealed[..cut], b"aad", &plaintext);
            }
            for more in [1, tag_len, 64] {
                let longer = [&sealed[..], &vec![0; more]].concat();
                assert_refused(&streams, &longer, b"aad", &plaintext);
            }
        }
    }
}

#[test]
fn segments_stay_in_their_places() {
    for key in [GCM, CTR_HMAC] {
        let streams = key.keyset().streaming_aead().unwrap();
        let plaintext = [7; 300];
        let sealed = seal(&streams, &plaintext, b"");
        let segments: Vec<&[u8]> = sealed.chunks(64).collect();
        let count = segments.len();
        assert!(count > 4);
        let mut swapped = segments.clone();
        swapped.swap(1, 2);
        let mut doubled = segments.clone();
        doubled.insert(1, segments[1]);
        let mut missing = segments.clone();
        missing.remove(2);
        // After this one come others that are right.
        let mut replaced = segments.clone();
        replaced[1] = segments[2];
        let mut ended = segments.clone();
        ended[1] = segments[count - 1];
        for changed in [swapped, doubled, missing, replaced, ended] {
            assert_refused(&streams, &changed.concat(), b"", &plaintext);
        }
        // Segments of another stream of the same key.
        let other = seal(&streams, &plaintext, b"");
        let mixed = [&sealed[..64], &other[64..]].concat();
        assert_refused(&streams, &mixed, b"", &plaintext);
    }
}

/// A reader that goes on after its end, as terminals and growing files do, and counts.
struct GoesOn<'a> {
    parts: Vec<&'a [u8]>,
    reads_after_end: usize,
    has_ended: bool,
}

impl Read for GoesOn<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.reads_after_end += usize::from(self.has_ended);
        let Some(part) = self.parts.first_mut() else {
            return Ok(0);
        };
        let read = part.read(out)?;
        if read == 0 && !out.is_empty() {
            self.has_ended = true;
            self.parts.remove(0);
        }
        Ok(read)
    }
}

/// And what follows the end of a reader is no part of the stream, whichever keys are tried.
#[test]
fn every_enabled_key_is_tried_on_the_first_segment() {
    let keys = [
        Key([100, 32, 3], None, &[1; 32]),
        Key([4096, 32, 3], Some([4, 64]), &[2; 32]),
        Key([73, 32, 3], None, &[3; 32]),
        Key([1 << 20, 32, 3], None, &[4; 32]),
    ];
    let mut keyset = together(&keys);
    let streams = keyset.streaming_aead().unwrap();
    for of in keys {
        let alone = of.keyset().streaming_aead().unwrap();
        for len in [0, 20, 200, 5000] {
            let plaintext = vec![len as u8; len];
            let sealed = seal(&alone, &plaintext, b"aad");
            for cut in [sealed.len(), sealed.len() / 2] {
                let mut reader = GoesOn {
                    parts: vec![&sealed[..cut], &sealed[cut..], b"more"],
                    reads_after_end: 0,
                    has_ended: false,
                };
                let (opened, result) = open(&streams, &mut reader, b"aad");
                assert!(plaintext.starts_with(&opened));
                let (is_whole, reads) = (result.is_ok(), reader.reads_after_end);
                assert_eq!((is_whole, reads), (cut == sealed.len(), 0), "{len}, {cut}");
                assert!(!is_whole || opened == plaintext, "{len}");
            }
            assert_refused(&streams, &sealed, b"", &plaintext);
        }
    }
    // The primary seals.
    let sealed = seal(&streams, b"text", b"");
    let alone = keys[0].keyset().streaming_aead().unwrap();
    assert_eq!(open(&alone, &sealed[..], b"").0, b"text");
    let sealed = seal(&keys[2].keyset().streaming_aead().unwrap(), b"text", b"");
    keyset.disable(3).unwrap();
    assert_refused(&keyset.streaming_aead().unwrap(), &sealed, b"", b"text");
}

/// What was read for the long segments of another key was moved once for every segment: 10 MB
/// took 38 seconds.
#[test]
fn a_stream_of_a_later_key_opens_in_linear_time() {
    let long = Key([64 << 20, 16, 3], None, &[1; 16]);
    let short = Key([64, 16, 3], None, &[2; 16]);
    let plaintext = vec![7; 2 << 20];
    let sealed = seal(&short.keyset().streaming_aead().unwrap(), &plaintext, b"");
    let time = |keys: &[Key<'_>]| {
        let streams = together(keys).streaming_aead().unwrap();
        let begin = Instant::now();
        let (opened, result) = open(&streams, &sealed[..], b"");
        assert_eq!(result.unwrap(), plaintext.len());
        assert!(opened == plaintext);
        begin.elapsed()
    };
    let (alone, second) = (time(&[short]), time(&[long, short]));
    assert!(second < alone * 8, "{second:?}, and {alone:?} alone");
}

#[test]
fn parameters_out_of_range_are_refused() {
    let (short, long) = (&[b'k'; 16][..], &[b'k'; 99][..]);
    let hmac = Some([3, 20]);
    // The least and the most segments that Tink has, and one byte less and more.
    for (len, hmac) in [(16 + 25, None), ((1 << 31) - 1, None), (16 + 20 + 9, hmac)] {
        Key([len, 16, 3], hmac, short).keyset();
    }
    let of_segments = [(0, None), (40, None), (1 << 31, None), (44, hmac)];
    let of_segments = of_segments.map(|(len, hmac)| ([len, 16, 3], hmac, "segments of", len));
    let of_keys = [0, 15, 24, 33].map(|len| ([64, len, 3], None, "derive keys of", len));
    let of_hashes = [0, 2, 5, 6].map(|hash| ([64, 16, hash], None, "the hash", hash));
    let of_hmac = [0, 2, 5, 6].map(|hash| ([64, 16, 3], Some([hash, 20]), "the hash", hash));
    let of_tags = [[1, 9], [1, 21], [3, 33], [4, 65]];
    let of_tags = of_tags.map(|hmac| ([64, 16, 3], Some(hmac), "a tag of", hmac[1]));
    let cases = [&of_segments[..], &of_keys, &of_hashes, &of_hmac, &of_tags].concat();
    for (parameters, hmac, what, number) in cases {
        let said = Key(parameters, hmac, short).refused();
        assert!(said.contains(&format!("{what} {number}")), "{said}");
    }
    for (derived, len) in [(16, 15), (32, 31)] {
        let said = Key([64, derived, 3], None, &long[..len]).refused();
        assert_eq!(said, format!("keys of this type do not have {len} bytes"));
    }
    Key([64, 16, 3], None, long).keyset();
}

#[test]
fn primitives_are_not_mixed() {
    let mut keyset = GCM.keyset();
    let refused = keyset.aead().unwrap_err();
    let wanted = Misuse::OtherPrimitive(Primitive::StreamingAead);
    assert_eq!(refused, wanted.clone().into());
    assert_eq!(refused.to_string(), "the keyset is for streaming AEAD");
    assert_eq!(keyset.add(Template::AES256_GCM), Err(wanted.into()));
    let aead = Keyset::generate(Template::AES256_GCM).unwrap();
    let refused = aead.streaming_aead().unwrap_err();
    assert_eq!(refused, Misuse::OtherPrimitive(Primitive::Aead).into());
}

/// Fails after some bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = bytes.len().min(self.0);
        self.0 -= len;
        match len {
            0 => Err(ErrorKind::StorageFull.into()),
            _ => Ok(len),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {
            0 => Err(ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }
}

#[test]
fn an_error_of_the_writer_stays() {
    let streams = GCM.keyset().streaming_aead().unwrap();
    assert!(format!("{streams:?}").starts_with("KeysetStreamingAead"));
    let mut writer = streams.seal(Full(70), b"").unwrap();
    writer.flush().unwrap();
    let failed = writer.write_all(&[7; 1000]).unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::StorageFull);
    // What was half written is not written again, and nothing more is taken.
    for len in [1, 1000] {
        let failed = writer.write_all(&vec![7; len]).unwrap_err();
        assert_eq!(failed.kind(), ErrorKind::StorageFull);
    }
    assert!(writer.flush().is_err());
    assert!(writer.finish().is_err());
}

/// What is dropped before its end is no stream that looks whole, however long it is.
#[test]
fn a_writer_that_is_dropped_leaves_no_end() {
    let streams = GCM.keyset().streaming_aead().unwrap();
    for len in 0..300 {
        let mut sealed = Vec::new();
        let mut writer = streams.seal(&mut sealed, b"").unwrap();
        writer.write_all(&vec![7; len]).unwrap();
        drop(writer);
        assert_refused(&streams, &sealed, b"", &[7; 300]);
    }
}
