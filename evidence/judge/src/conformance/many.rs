//! Many messages in one call: the result for each is that of a call for one.

mod open;
mod seal;

use super::guarded::{Guarded, Place};
use super::offsets::Offsets;
use super::{Algorithm, Failure, Subject};
use crate::shapes::{AadForm, BatchForm, Laid, Messages, NonceStyle, Width};
use sivka::{BatchAad, BatchText, Column, Status, Validity};

/// The sealed messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The ciphertexts, in the memory of the plaintexts; refused ones are unchanged.
    pub texts: Laid,
    /// One after the other; 0x5a where a message was refused.
    pub tags: Vec<u8>,
    /// The status of each.
    pub statuses: Vec<Status>,
}

/// The content of a buffer before it is written.
const UNWRITTEN: u8 = 0x5a;

/// Messages, and how they are held against each other on any number of subjects.
pub struct Many<'a> {
    algorithm: &'a Algorithm,
    key: &'a [u8],
    messages: &'a Messages,
    /// With the nonces and AADs that a forger made.
    forged: Messages,
    sealed: Option<Sealed>,
}

impl<'a> Many<'a> {
    /// Messages of an algorithm, under a key.
    #[must_use]
    pub fn new(algorithm: &'a Algorithm, key: &'a [u8], messages: &'a Messages) -> Self {
        Self { algorithm, key, messages, forged: messages.forged(), sealed: None }
    }

    /// Seals and opens the messages one by one, as a batch and as a column. All must agree,
    /// and with every subject before this one. Returns how many messages were sealed or
    /// opened, each way counted.
    ///
    /// # Panics
    ///
    /// If two disagree.
    pub fn check(&mut self, subject: &dyn Subject) -> u64 {
        let sealed = self.seal_singly(subject);
        match &self.sealed {
            Some(first) => self.assert("seal singly, beside another tier", *first == sealed),
            None => self.sealed = Some(sealed),
        }
        let sealed = self.sealed.as_ref().expect("sealed above");
        self.check_seal_batch(subject, sealed);
        self.check_seal_column(subject, sealed);
        let mut ways = 3;
        if self.messages.shape.nonce == NonceStyle::Random {
            self.check_random_column(subject, sealed);
            ways += 1;
        }
        let (sent, tags) = self.sent(sealed);
        let opened = self.open_singly(subject, sealed, &sent, &tags);
        self.check_open_batch(subject, &sent, &tags, &opened);
        self.check_open_column(subject, &sent, &tags, &opened);
        (ways + 3) * self.messages.len() as u64
    }

    /// The expected sealed messages.
    #[must_use]
    pub fn sealed(&self) -> Option<&Sealed> {
        self.sealed.as_ref()
    }

    /// Holds message `i` against the reference, once the messages were sealed.
    ///
    /// # Panics
    ///
    /// If they disagree.
    pub fn check_reference(&self, i: usize) {
        let sealed = self.sealed.as_ref().expect("messages that were sealed");
        let job = self.messages.job(i);
        let message = super::Message {
            nonce: job.nonce.to_vec(),
            aad: job.aad.to_vec(),
            plaintext: job.text.to_vec(),
        };
        let agrees = match self.algorithm.seal(self.key, &message) {
            Some(expected) => {
                let ours = (sealed.texts.get(i), self.tag(&sealed.tags, i));
                self.algorithm.split(&expected) == ours
            }
            None => sealed.statuses[i] == Status::Refused,
        };
        self.assert("the reference", agrees);
    }

    #[track_caller]
    fn assert(&self, way: &str, agrees: bool) {
        assert!(agrees, "{way}, {}: {:?}", self.algorithm.name, self.messages);
    }

    fn tag<'t>(&self, tags: &'t [u8], i: usize) -> &'t [u8] {
        &tags[i * self.algorithm.tag_len..][..self.algorithm.tag_len]
    }

    /// Nonce, ciphertext and tag in one piece.
    fn row(&self, nonce: &[u8], text: &[u8], tag: &[u8]) -> Vec<u8> {
        if self.algorithm.tag_first {
            [nonce, tag, text].concat()
        } else {
            [nonce, text, tag].concat()
        }
    }

    /// Hands `call` the AADs and texts of a batch in their forms.
    fn with_batch<R>(
        given: &Messages,
        texts: &mut Laid,
        call: impl FnOnce(BatchAad<'_>, BatchText<'_, '_>) -> R,
    ) -> R {
        let mut bytes = guarded(&texts.bytes);
        let result = with_aads(given, |aads| match given.shape.batch {
            BatchForm::Contiguous => {
                let (bytes, offsets) = (&mut bytes[..], &texts.offsets[..]);
                call(aads, BatchText::Contiguous { bytes, offsets })
            }
            BatchForm::List => {
                let mut left = &mut bytes[texts.offsets[0]..];
                let lens = texts.offsets.windows(2).map(|ends| ends[1] - ends[0]);
                let mut slices: Vec<&mut [u8]> = lens
                    .map(|len| left.split_off_mut(..len).expect("texts fill the buffer"))
                    .collect();
                call(aads, BatchText::Slices(&mut slices))
            }
        });
        bytes.assert_surroundings_untouched();
        texts.bytes.copy_from_slice(&bytes);
        result
    }
}

/// A copy directly before memory that nobody may touch.
fn guarded(bytes: &[u8]) -> Guarded {
    Guarded::new(bytes, Place::Before)
}

/// Hands `call` the AADs in their form.
fn with_aads<R>(given: &Messages, call: impl FnOnce(BatchAad<'_>) -> R) -> R {
    let bytes = guarded(&given.aads.bytes);
    match given.shape.aad_form {
        AadForm::Common => call(BatchAad::Common(&bytes[given.aads.place(0)])),
        AadForm::List => {
            let places = (0..given.len()).map(|i| given.aad_place(i));
            let list: Vec<&[u8]> = places.map(|place| &bytes[place]).collect();
            call(BatchAad::Slices(&list))
        }
        AadForm::Contiguous => {
            let offsets = &given.aads.offsets[..];
            let bytes = &bytes[..];
            call(BatchAad::Contiguous { bytes, offsets })
        }
    }
}

fn status(done: Result<(), Failure>) -> Status {
    match done {
        Ok(()) => Status::Done,
        Err(Failure::Open) => Status::NotOpened,
        Err(Failure::Misuse) => Status::Refused,
    }
}

fn failures(statuses: &[Status]) -> usize {
    let failed = statuses.iter().filter(|status| **status != Status::Done);
    failed.count()
}

fn reads_wide(messages: &Messages) -> bool {
    matches!(messages.shape.width, Width::Bits64 | Width::Narrower)
}

fn writes_wide(messages: &Messages) -> bool {
    matches!(messages.shape.width, Width::Bits64 | Width::Wider)
}

/// A column of these bytes, with the nulls of the messages in `bitmap`.
fn column<'a>(
    messages: &Messages,
    bytes: &'a [u8],
    offsets: &'a Offsets,
    bitmap: Option<&'a [u8]>,
) -> Column<'a> {
    Column {
        bytes,
        offsets: offsets.get(),
        validity: bitmap.map(|bitmap| Validity { bitmap, first_bit: messages.first_bit }),
    }
}
