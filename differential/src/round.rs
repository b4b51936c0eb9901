//! One round: a batch of messages under one key, on every tier.

use crate::Counts;
use crate::draw::Draw;
use sivka::{
    Aead, Algorithm, BatchAad, BatchText, Column, ColumnNonces, Error, Offsets, OffsetsMut, Status,
    Tier,
};
use sivka_oracle::gcm_siv;
use sivka_oracle::suite::{self, Message};

/// One key on every tier, the widest first.
pub(crate) struct Keys {
    algorithm: &'static Algorithm,
    bytes: Vec<u8>,
    tiers: Vec<(&'static str, Box<dyn Aead>)>,
}

/// The portable tier takes a hundred times as long as the others, and the oracle as long again.
const PORTABLE_ONCE_IN: usize = 128;
const ORACLE_ONCE_IN: usize = 1024;

impl Keys {
    pub(crate) fn draw(draw: &mut Draw) -> Self {
        // AES-GCM-SIV has the kernels of which there are most, and is the fastest.
        let algorithm = match Algorithm::all() {
            all if draw.once_in(16) => all[draw.below(all.len())],
            all => all[draw.below(2)],
        };
        let bytes = draw.bytes(algorithm.key_len());
        let mut tiers: Vec<_> = Tier::available()
            .map(|tier| {
                let key = algorithm.new_key_with_tier(&bytes, tier);
                (tier.name(), key.expect("a key of that length"))
            })
            .collect();
        tiers.reverse();
        Self {
            algorithm,
            bytes,
            tiers,
        }
    }

    /// Seals and opens a batch on every tier, in one call and in many. How many executions
    /// that is.
    pub(crate) fn round(&self, draw: &mut Draw, counts: &mut Counts) -> u64 {
        let messages = self.messages(draw);
        let has_portable = self.tiers.len() == 1 || draw.once_in(PORTABLE_ONCE_IN);
        let tiers = self.tiers.iter();
        let tiers = tiers.filter(|(name, _)| has_portable || *name != "portable");
        let mut sealed: Option<Sealed> = None;
        let mut executions = 0;
        for (tier, key) in tiers {
            let batch = messages.seal_at_once(&**key);
            let first = sealed.get_or_insert_with(|| batch.clone());
            let forged = draw.below(messages.lens.len());
            let agree = [
                ("seal at once", *first == batch),
                ("seal singly", *first == messages.seal_singly(&**key)),
                (
                    "seal a column",
                    messages.seal_column(&**key) == messages.rows(first),
                ),
                ("open a column", messages.open_column(&**key, first, forged)),
                ("open at once", messages.open_at_once(&**key, first, forged)),
                ("open singly", messages.open_singly(&**key, first, forged)),
            ];
            for (way, agrees) in agree {
                let Self {
                    algorithm, bytes, ..
                } = self;
                assert!(
                    agrees,
                    "{algorithm}, {tier}, {way}: key {bytes:x?}, {messages:x?}"
                );
                let count = counts.entry((algorithm.name(), *tier, way)).or_default();
                *count += messages.lens.len() as u64;
                executions += messages.lens.len() as u64;
            }
        }
        if let Some(sealed) = sealed.filter(|_| draw.once_in(ORACLE_ONCE_IN)) {
            let which = draw.below(messages.lens.len());
            let reference = suite::algorithm(self.algorithm.name());
            let expected = reference
                .seal(&self.bytes, &messages.message(which))
                .expect("no message that is refused is drawn");
            assert!(
                sealed.of(&messages, which) == reference.split(&expected),
                "the oracle: {messages:x?}"
            );
            let count = counts
                .entry((self.algorithm.name(), "the oracle", "seal"))
                .or_default();
            *count += 1;
        }
        executions
    }

    /// Draws messages. Once in a while the first has a tag, which is the initial counter, that
    /// makes the counter wrap within it.
    fn messages(&self, draw: &mut Draw) -> Messages {
        let mut lens = draw.lens();
        let aad_len = draw.below(40);
        let is_mgm = self.algorithm.name() == "Kuznyechik-MGM";
        // MGM refuses a message without AAD and text.
        let least = usize::from(is_mgm && aad_len == 0);
        lens.iter_mut().for_each(|len| *len = (*len).max(least));
        let mut nonces = draw.bytes(lens.len() * self.algorithm.nonce_len());
        if is_mgm {
            let firsts = nonces.iter_mut().step_by(self.algorithm.nonce_len());
            firsts.for_each(|first| *first &= 0x7f);
        }
        let ends = lens.iter().scan(0, |end, len| {
            *end += len;
            Some(*end)
        });
        let offsets: Vec<usize> = [0].into_iter().chain(ends).collect();
        let mut messages = Messages {
            aad: draw.bytes(aad_len),
            text: draw.bytes(offsets[lens.len()]),
            tag_len: self.algorithm.tag_len(),
            nonce_len: self.algorithm.nonce_len(),
            tag_first: self.algorithm.tag_first(),
            lens,
            nonces,
            offsets,
        };
        if self.algorithm.name().ends_with("GCM-SIV") && draw.once_in(ORACLE_ONCE_IN) {
            messages.wrap_a_counter(&self.bytes, draw);
        }
        messages
    }
}

/// Messages as a batch has them, with one AAD.
#[derive(Debug)]
struct Messages {
    aad: Vec<u8>,
    text: Vec<u8>,
    lens: Vec<usize>,
    offsets: Vec<usize>,
    nonces: Vec<u8>,
    nonce_len: usize,
    tag_len: usize,
    tag_first: bool,
}

/// Their ciphertexts and tags.
#[derive(Clone, PartialEq, Eq)]
struct Sealed {
    text: Vec<u8>,
    tags: Vec<u8>,
}

impl Sealed {
    /// Ciphertext and tag of one message.
    fn of(&self, messages: &Messages, i: usize) -> (&[u8], &[u8]) {
        let text = &self.text[messages.offsets[i]..messages.offsets[i + 1]];
        let tag = &self.tags[i * messages.tag_len..][..messages.tag_len];
        (text, tag)
    }
}

impl Messages {
    fn nonce(&self, i: usize) -> &[u8] {
        &self.nonces[i * self.nonce_len..][..self.nonce_len]
    }

    fn message(&self, i: usize) -> Message {
        Message {
            nonce: self.nonce(i).to_vec(),
            aad: self.aad.clone(),
            plaintext: self.text[self.offsets[i]..self.offsets[i + 1]].to_vec(),
        }
    }

    fn wrap_a_counter(&mut self, key: &[u8], draw: &mut Draw) {
        let Some(i) = self.lens.iter().position(|len| *len >= 16) else {
            return;
        };
        let message = self.message(i);
        let Message {
            nonce,
            aad,
            plaintext,
        } = &message;
        let blocks = plaintext.len().div_ceil(16);
        // One tag in two cannot be had.
        let made = (0..64).find_map(|_| {
            let mut tag = [0; 16];
            draw.fill(&mut tag);
            let start = u32::MAX - draw.below(blocks) as u32;
            tag[..4].copy_from_slice(&start.to_le_bytes());
            gcm_siv::plaintext_with_tag(key, nonce, aad, plaintext, tag)
        });
        let made = made.expect("a tag that can be had");
        self.text[self.offsets[i]..self.offsets[i + 1]].copy_from_slice(&made);
    }

    fn seal_at_once(&self, key: &dyn Aead) -> Sealed {
        let (mut text, mut tags) = (self.text.clone(), vec![0; self.lens.len() * self.tag_len]);
        let mut statuses = vec![Status::Done; self.lens.len()];
        let in_out = BatchText::Contiguous {
            bytes: &mut text,
            offsets: &self.offsets,
        };
        let aad = BatchAad::Common(&self.aad);
        let sealed = key.seal_batch(&self.nonces, aad, in_out, &mut tags, &mut statuses);
        sealed.expect("no message that is refused is drawn");
        Sealed { text, tags }
    }

    fn row_ends(&self) -> Vec<i64> {
        let overhead = self.nonce_len + self.tag_len;
        let ends = self.offsets.iter().enumerate();
        ends.map(|(i, end)| (end + i * overhead) as i64).collect()
    }

    /// Nonce, ciphertext and tag of each, as they are stored.
    fn rows(&self, sealed: &Sealed) -> Vec<u8> {
        let row = |i: usize| {
            let (text, tag) = sealed.of(self, i);
            let (first, second) = if self.tag_first {
                (tag, text)
            } else {
                (text, tag)
            };
            [self.nonce(i), first, second].concat()
        };
        (0..self.lens.len()).flat_map(row).collect()
    }

    fn seal_column(&self, key: &dyn Aead) -> Vec<u8> {
        let offsets: Vec<i64> = self.offsets.iter().map(|offset| *offset as i64).collect();
        let values = Column {
            bytes: &self.text,
            offsets: Offsets::Bits64(&offsets),
            validity: None,
        };
        let ends = self.row_ends();
        let mut rows = vec![0; ends[self.lens.len()] as usize];
        let mut found = vec![0; ends.len()];
        let (given, aad) = (
            ColumnNonces::Given(&self.nonces),
            BatchAad::Common(&self.aad),
        );
        let out = OffsetsMut::Bits64(&mut found);
        let sealed = key.seal_column(given, &values, aad, &mut rows, out);
        sealed.expect("no message that is refused is drawn");
        assert_eq!(found, ends);
        rows
    }

    /// As [`open_at_once`](Self::open_at_once); one row has another last bit.
    fn open_column(&self, key: &dyn Aead, sealed: &Sealed, forged: usize) -> bool {
        let (mut bytes, ends) = (self.rows(sealed), self.row_ends());
        bytes[ends[forged + 1] as usize - 1] ^= 1;
        let rows = Column {
            bytes: &bytes,
            offsets: Offsets::Bits64(&ends),
            validity: None,
        };
        let mut text = vec![0x55; self.text.len()];
        let mut found = vec![0; ends.len()];
        let mut statuses = vec![Status::Done; self.lens.len()];
        let (aad, out) = (BatchAad::Common(&self.aad), OffsetsMut::Bits64(&mut found));
        let opened = key.open_column(&rows, aad, &mut text, out, &mut statuses);
        let mut as_told = statuses.iter().enumerate();
        opened == Err(Error::Batch { failed: 1 })
            && as_told.all(|(i, status)| (*status == Status::Done) == (i != forged))
            && found
                .iter()
                .zip(&self.offsets)
                .all(|(end, offset)| *end as usize == *offset)
            && self.is_opened(&text, forged)
    }

    fn seal_singly(&self, key: &dyn Aead) -> Sealed {
        let (mut text, mut tags) = (self.text.clone(), vec![0; self.lens.len() * self.tag_len]);
        for (i, tag) in tags.chunks_mut(self.tag_len).enumerate() {
            let in_out = &mut text[self.offsets[i]..self.offsets[i + 1]];
            let sealed = key.seal_in_place(self.nonce(i), &self.aad, in_out, tag);
            sealed.expect("no message that is refused is drawn");
        }
        Sealed { text, tags }
    }

    /// Whether all open to what they were but one whose tag has another bit.
    fn open_at_once(&self, key: &dyn Aead, sealed: &Sealed, forged: usize) -> bool {
        let Sealed { mut text, mut tags } = sealed.clone();
        tags[forged * self.tag_len] ^= 1;
        let mut statuses = vec![Status::Done; self.lens.len()];
        let in_out = BatchText::Contiguous {
            bytes: &mut text,
            offsets: &self.offsets,
        };
        let aad = BatchAad::Common(&self.aad);
        let opened = key.open_batch(&self.nonces, aad, in_out, &tags, &mut statuses);
        let mut as_told = statuses.iter().enumerate();
        opened == Err(Error::Batch { failed: 1 })
            && as_told.all(|(i, status)| (*status == Status::Done) == (i != forged))
            && self.is_opened(&text, forged)
    }

    fn open_singly(&self, key: &dyn Aead, sealed: &Sealed, forged: usize) -> bool {
        let Sealed { mut text, mut tags } = sealed.clone();
        tags[forged * self.tag_len] ^= 1;
        let mut each = tags.chunks(self.tag_len).enumerate();
        each.all(|(i, tag)| {
            let in_out = &mut text[self.offsets[i]..self.offsets[i + 1]];
            let opened = key.open_in_place(self.nonce(i), &self.aad, in_out, tag);
            opened
                == if i == forged {
                    Err(Error::Open)
                } else {
                    Ok(())
                }
        }) && self.is_opened(&text, forged)
    }

    /// Whether `text` is the plaintexts, with zeros in the place of one.
    fn is_opened(&self, text: &[u8], forged: usize) -> bool {
        let (start, end) = (self.offsets[forged], self.offsets[forged + 1]);
        text[..start] == self.text[..start]
            && text[start..end].iter().all(|byte| *byte == 0)
            && text[end..] == self.text[end..]
    }
}
