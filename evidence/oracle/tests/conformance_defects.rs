//! The conformance tests are tested themselves: a toy AEAD passes them, and the same toy with one
//! defect of a kind that real libraries have had is caught, by the check that
//! is there for it.

#[path = "conformance_defects/many.rs"]
mod many;

use sivka_oracle::conformance::{
    Aads, Algorithm, Column, Conformance, Failure, Message, Offsets, Outcome, Report, Subject,
    Texts,
};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is wrong with a [`Toy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    None,
    RunsOnAnotherTier,
    LeavesPlaintext,
    LeavesPlaintextApart,
    DrawsNoncesToCount,
    KeepsAadWhenOnlyTheNonceChanges,
    ComparesAllButTheLastTagBit,
    IgnoresTheLastNonceBit,
    PanicsOnShortInput,
    TakesShortTags,
    SealsTheForbidden,
    WritesBeforeRefusing,
    RepeatsItsNonce,
    DrawsForbiddenNonces,
    WrongFromByte4096,
    DrawnNonceIsNotUsed,
    ForgetsTheKey,
    TakesNoAadsOfAGroupWithout,
    LeavesOutTheLastGroup,
    PutsStatusesBesideTheirMessages,
    CountsNoMoreThanAGroup,
    BeginsAtZero,
    WipesNoTextOfABatch,
    CountsNoNulls,
    EndsNoShortRow,
}

/// Mixes every input into one word, each step a bijection, so that no single
/// change is lost. Nothing about it is secure.
fn digest(key: &[u8], message: &Message) -> u64 {
    let Message {
        nonce,
        aad,
        plaintext,
    } = message;
    let lengths = (aad.len() as u64).to_le_bytes();
    let bytes = [key, &lengths, nonce, aad, plaintext].into_iter().flatten();
    bytes.fold(0xcbf2_9ce4_8422_2325, |word: u64, byte| {
        (word ^ u64::from(*byte))
            .wrapping_mul(0x0100_0000_01b3)
            .rotate_left(23)
    })
}

/// `len` bytes that depend on `seed`.
fn stretch(seed: u64, len: usize) -> impl Iterator<Item = u8> {
    (0..len.div_ceil(8) as u64)
        .flat_map(move |i| {
            let word = (seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (word ^ word >> 29).to_le_bytes()
        })
        .take(len)
}

fn toy_tag(key: &[u8], message: &Message, tag_len: usize) -> Vec<u8> {
    let digest = digest(key, message);
    let mut tag: Vec<u8> = stretch(digest, tag_len).collect();
    // The whole digest is in the tag, which makes different ones differ.
    tag[..8].copy_from_slice(&digest.to_le_bytes());
    tag
}

fn toy_keystream(key: &[u8], nonce: &[u8], tag: &[u8], in_out: &mut [u8]) {
    let message = Message {
        nonce: nonce.to_vec(),
        aad: vec![],
        plaintext: tag.to_vec(),
    };
    let len = in_out.len();
    for (byte, key) in in_out.iter_mut().zip(stretch(digest(key, &message), len)) {
        *byte ^= key;
    }
}

fn toy_seal(key: &[u8], message: &Message, tag_len: usize) -> Vec<u8> {
    let tag = toy_tag(key, message, tag_len);
    let mut sealed = message.plaintext.clone();
    toy_keystream(key, &message.nonce, &tag, &mut sealed);
    sealed.extend(tag);
    sealed
}

/// A nonce whose first bit is clear, and no message that is empty altogether.
const FUSSY: Algorithm = Algorithm {
    name: "fussy toy",
    key_len: 32,
    nonce_len: 16,
    tag_len: 32,
    counts_nonces: false,
    tag_first: false,
    reference: toy_seal,
    refuses: |message| {
        message.nonce[0] & 0x80 != 0 || message.aad.is_empty() && message.plaintext.is_empty()
    },
    vector_files: &[],
    constructed: |_| vec![],
    all_of_it: Report {
        vectors: 0,
        constructed: 0,
        plaintext_lengths: 1295,
        aad_lengths: 1295,
        offsets: 65,
        refusals: 8,
        forgeries: 7259,
        truncations: 1302,
        pairs_of_styles: 2172,
    },
};

/// No nonce at all.
const NONCELESS: Algorithm = Algorithm {
    name: "nonceless toy",
    key_len: 64,
    nonce_len: 0,
    tag_len: 48,
    refuses: |_| false,
    all_of_it: Report {
        refusals: 0,
        forgeries: 7643,
        truncations: 1526,
        pairs_of_styles: 1862,
        ..FUSSY.all_of_it
    },
    ..FUSSY
};

/// A nonce that the caller counts.
const COUNTING: Algorithm = Algorithm {
    name: "counting toy",
    nonce_len: 8,
    counts_nonces: true,
    refuses: |_| false,
    all_of_it: Report {
        refusals: 0,
        forgeries: 7064,
        truncations: 1310,
        ..FUSSY.all_of_it
    },
    ..FUSSY
};

struct Toy {
    algorithm: Algorithm,
    key: Vec<u8>,
    defect: Defect,
    drawn: Cell<u64>,
    last: RefCell<Message>,
}

impl Toy {
    fn message(&self, nonce: &[u8], aad: &[u8], plaintext: &[u8]) -> Result<Message, Failure> {
        let mut message = Message {
            nonce: nonce.to_vec(),
            aad: aad.to_vec(),
            plaintext: plaintext.to_vec(),
        };
        if (self.algorithm.refuses)(&message) && self.defect != Defect::SealsTheForbidden {
            return Err(Failure::Misuse);
        }
        if self.defect == Defect::IgnoresTheLastNonceBit {
            message.nonce[self.algorithm.nonce_len - 1] &= 0xfe;
        }
        let mut last = self.last.borrow_mut();
        if self.defect == Defect::KeepsAadWhenOnlyTheNonceChanges
            && (&message.plaintext, message.aad.len()) == (&last.plaintext, last.aad.len())
            && message.nonce != last.nonce
        {
            message.aad.clone_from(&last.aad);
        }
        last.clone_from(&message);
        Ok(message)
    }

    fn draw_nonce(&self) -> Vec<u8> {
        let mut nonce = vec![0; self.algorithm.nonce_len];
        if self.defect != Defect::RepeatsItsNonce {
            self.drawn.set(self.drawn.get() + 1);
        }
        if let Some(last) = nonce.last_chunk_mut() {
            *last = self.drawn.get().to_be_bytes();
        }
        nonce
    }
}

impl Subject for Toy {
    fn tier_name(&self) -> &str {
        if self.defect == Defect::RunsOnAnotherTier {
            "abacus"
        } else {
            "toy"
        }
    }

    fn seal(&self, plaintext: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        if self.algorithm.counts_nonces && self.defect != Defect::DrawsNoncesToCount {
            return Err(Failure::Misuse);
        }
        let mut nonce = self.draw_nonce();
        let sealed = self.seal_with_nonce(&nonce, plaintext, aad)?;
        if self.defect == Defect::DrawsForbiddenNonces {
            nonce[0] = 0x80;
        }
        if self.defect == Defect::DrawnNonceIsNotUsed {
            nonce[3] ^= 1;
        }
        nonce.extend(sealed);
        Ok(nonce)
    }

    fn open(&self, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Failure> {
        if self.algorithm.counts_nonces {
            return Err(Failure::Misuse);
        }
        let nonce_len = self.algorithm.nonce_len;
        let (nonce, rest) = sealed.split_at_checked(nonce_len).ok_or(Failure::Open)?;
        self.open_with_nonce(nonce, rest, aad)
    }

    fn seal_with_nonce(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        let mut sealed = vec![0; plaintext.len() + self.algorithm.tag_len];
        let (ciphertext, tag) = sealed.split_at_mut(plaintext.len());
        self.seal_into(nonce, plaintext, aad, ciphertext, tag)?;
        Ok(sealed)
    }

    fn open_with_nonce(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        let tag_len = self.algorithm.tag_len;
        if self.defect == Defect::TakesShortTags && ciphertext.len() + 1 == tag_len {
            return Ok(vec![]);
        }
        if ciphertext.len() < tag_len && self.defect != Defect::PanicsOnShortInput {
            return Err(Failure::Open);
        }
        let (ciphertext, tag) = ciphertext.split_at(ciphertext.len() - tag_len);
        let mut plaintext = ciphertext.to_vec();
        self.open_in_place(nonce, aad, &mut plaintext, tag)?;
        Ok(plaintext)
    }

    fn seal_into(
        &self,
        nonce: &[u8],
        plaintext: &[u8],
        aad: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Failure> {
        ciphertext.copy_from_slice(plaintext);
        self.seal_in_place(nonce, aad, ciphertext, tag)
    }

    fn open_into(
        &self,
        nonce: &[u8],
        ciphertext: &[u8],
        aad: &[u8],
        tag: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Failure> {
        plaintext.copy_from_slice(ciphertext);
        let opened = self.open_in_place(nonce, aad, plaintext, tag);
        if opened.is_err() && self.defect == Defect::LeavesPlaintextApart {
            plaintext.fill(7);
        }
        opened
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Failure> {
        let message = self.message(nonce, aad, in_out).inspect_err(|_| {
            if self.defect == Defect::WritesBeforeRefusing {
                in_out.fill(0);
            }
        })?;
        let sealed = (self.algorithm.reference)(&self.key, &message, tag.len());
        let (ciphertext, made) = sealed.split_at(in_out.len());
        in_out.copy_from_slice(ciphertext);
        tag.copy_from_slice(made);
        if let (Defect::WrongFromByte4096, Some(byte)) = (self.defect, in_out.get_mut(4096)) {
            *byte ^= 1;
        }
        Ok(())
    }

    fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        in_out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Failure> {
        self.message(nonce, aad, in_out)?;
        let mut used_nonce = nonce.to_vec();
        if self.defect == Defect::IgnoresTheLastNonceBit {
            used_nonce[self.algorithm.nonce_len - 1] &= 0xfe;
        }
        toy_keystream(&self.key, &used_nonce, tag, in_out);
        let message = self.message(nonce, aad, in_out)?;
        let sealed = (self.algorithm.reference)(&self.key, &message, tag.len());
        let mut difference: Vec<u8> = sealed[in_out.len()..]
            .iter()
            .zip(tag)
            .map(|(ours, given)| ours ^ given)
            .collect();
        if self.defect == Defect::ComparesAllButTheLastTagBit {
            difference[self.algorithm.tag_len - 1] &= 0x7f;
        }
        if difference.iter().all(|byte| *byte == 0) {
            return Ok(());
        }
        if self.defect != Defect::LeavesPlaintext {
            in_out.fill(0);
        }
        Err(Failure::Open)
    }

    fn seal_batch(
        &self,
        nonces: &[u8],
        aads: Aads<'_>,
        texts: Texts<'_, '_>,
        tags: &mut [u8],
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure> {
        Ok(self.toy_seal_batch(nonces, aads, texts, tags, outcomes))
    }

    fn open_batch(
        &self,
        nonces: &[u8],
        aads: Aads<'_>,
        texts: Texts<'_, '_>,
        tags: &[u8],
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure> {
        Ok(self.toy_open_batch(nonces, aads, texts, tags, outcomes))
    }

    fn sealed_column_len(&self, values: &Column<'_>) -> Result<usize, Failure> {
        Ok(self.toy_sealed_len(values))
    }

    fn seal_column(
        &self,
        nonces: Option<&[u8]>,
        values: &Column<'_>,
        aads: Aads<'_>,
        rows: &mut [u8],
        offsets: &mut Offsets,
    ) -> Result<(), Failure> {
        self.toy_seal_column(nonces, values, aads, rows, offsets)
    }

    fn opened_column_len(&self, rows: &Column<'_>) -> Result<usize, Failure> {
        Ok(self.toy_opened_len(rows))
    }

    fn open_column(
        &self,
        rows: &Column<'_>,
        aads: Aads<'_>,
        values: &mut [u8],
        offsets: &mut Offsets,
        outcomes: &mut [Outcome],
    ) -> Result<usize, Failure> {
        Ok(self.toy_open_column(rows, aads, values, offsets, outcomes))
    }
}

fn run(algorithm: Algorithm, conformance: &Conformance, defect: Defect) -> Report {
    conformance.run("toy", &|key| {
        let mut key = key.to_vec();
        if defect == Defect::ForgetsTheKey {
            key.fill(0);
        }
        let nothing = Message {
            nonce: vec![],
            aad: vec![],
            plaintext: vec![],
        };
        Box::new(Toy {
            algorithm,
            key,
            defect,
            drawn: Cell::new(0),
            last: RefCell::new(nothing),
        })
    })
}

#[test]
fn a_sound_aead_passes() {
    for algorithm in [FUSSY, NONCELESS, COUNTING] {
        let report = run(algorithm, &Conformance::new(&algorithm), Defect::None);
        assert_eq!(report, algorithm.all_of_it, "{}", algorithm.name);
    }
}

#[test]
fn every_defect_is_caught() {
    use Defect::*;
    let fussy = Conformance::new(&FUSSY);
    for (defect, check) in [
        (RunsOnAnotherTier, "the key runs on another tier"),
        (LeavesPlaintext, "not wiped: nonce"),
        (LeavesPlaintextApart, "not wiped apart"),
        (DrawsNoncesToCount, "drew a nonce to count"),
        (KeepsAadWhenOnlyTheNonceChanges, "after another message"),
        (ComparesAllButTheLastTagBit, "took a forgery"),
        (IgnoresTheLastNonceBit, "seal_with_nonce of"),
        (PanicsOnShortInput, "subtract with overflow"),
        (TakesShortTags, "Ok([]) where None bytes"),
        (SealsTheForbidden, "seal_with_nonce of"),
        (WritesBeforeRefusing, "written to in spite of misuse"),
        (RepeatsItsNonce, "a nonce was drawn twice"),
        (DrawsForbiddenNonces, "a forbidden nonce"),
        (WrongFromByte4096, "plaintext of 4097 bytes"),
        (
            DrawnNonceIsNotUsed,
            "assertion `left == right` failed: nonce",
        ),
        (ForgetsTheKey, "seal_with_nonce of"),
        (TakesNoAadsOfAGroupWithout, " of seal_batch"),
        (LeavesOutTheLastGroup, " of seal_batch"),
        (PutsStatusesBesideTheirMessages, "outcomes of "),
        (CountsNoMoreThanAGroup, "verdict of "),
        (BeginsAtZero, " of seal_batch"),
        (WipesNoTextOfABatch, " of open_batch"),
        (CountsNoNulls, "seal_column"),
        (EndsNoShortRow, " of open_column"),
    ] {
        let outcome = catch_unwind(AssertUnwindSafe(|| match defect {
            DrawsNoncesToCount => run(COUNTING, &Conformance::new(&COUNTING), defect),
            _ => run(FUSSY, &fussy, defect),
        }));
        let panic = outcome.expect_err(&format!("{defect:?} passed"));
        let text = panic.downcast_ref::<String>().map_or_else(
            || {
                panic
                    .downcast_ref::<&str>()
                    .copied()
                    .unwrap_or_default()
                    .to_owned()
            },
            Clone::clone,
        );
        assert!(
            text.contains(check),
            "{defect:?} was caught by another check: {text}"
        );
    }
}
