//! Many messages in one call: what it makes of each is what a call for one makes of it.

use super::{Algorithm, Failure, Subject};
use crate::shapes::AadForm;
use crate::shapes::{
    BatchForm, Forgery, Laid, Messages, NonceStyle, Nulls, Part, SingleForm, Width,
};

/// What became of one message of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Sealed, or opened; or a null.
    Done,
    /// Does not open; its text is zeros.
    NotOpened,
    /// Longer than may be; its text is as it was.
    TooLong,
    /// Refused; its text is as it was.
    Refused,
}

/// The AADs of many messages.
#[derive(Clone, Copy, Debug)]
pub enum Aads<'a> {
    /// One for all.
    Common(&'a [u8]),
    /// One a message.
    List(&'a [&'a [u8]]),
    /// All in one buffer, from each offset to the next.
    Contiguous(&'a [u8], &'a [usize]),
}

/// The texts of many messages, in place.
#[derive(Debug)]
pub enum Texts<'a, 'b> {
    /// One a message.
    List(&'a mut [&'b mut [u8]]),
    /// All in one buffer, from each offset to the next.
    Contiguous(&'a mut [u8], &'a [usize]),
}

/// Offsets of a column, of either width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offsets {
    /// Of 32 bits.
    Bits32(Vec<i32>),
    /// Of 64 bits.
    Bits64(Vec<i64>),
}

/// The values of a column, or its rows.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// All, from each offset to the next.
    pub bytes: &'a [u8],
    /// One more than there are values.
    pub offsets: &'a Offsets,
    /// Which are there, as a bitmap and the number of the first value's bit in it.
    pub validity: Option<(&'a [u8], usize)>,
}

impl Offsets {
    fn of(offsets: &[usize], is_wide: bool) -> Self {
        if is_wide {
            Self::Bits64(offsets.iter().map(|offset| *offset as i64).collect())
        } else {
            Self::Bits32(offsets.iter().map(|offset| *offset as i32).collect())
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Bits32(offsets) => offsets.len(),
            Self::Bits64(offsets) => offsets.len(),
        }
    }
}

/// What many messages were sealed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The ciphertexts, in the places of the plaintexts; what is refused is as it was.
    pub texts: Laid,
    /// One after the other; 0x5a where a message was refused.
    pub tags: Vec<u8>,
    /// What became of each.
    pub outcomes: Vec<Outcome>,
}

/// What a buffer holds before it is written.
const UNWRITTEN: u8 = 0x5a;

/// Bytes on both sides of an output that must stay as they are.
const MARGIN: usize = 64;

/// What many messages opened to.
#[derive(PartialEq, Eq)]
struct Opened {
    texts: Laid,
    outcomes: Vec<Outcome>,
}

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
        Self {
            algorithm,
            key,
            messages,
            forged: messages.forged(),
            sealed: None,
        }
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

    /// What the messages are sealed to, once they were.
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
            None => sealed.outcomes[i] == Outcome::Refused,
        };
        self.assert("the reference", agrees);
    }

    #[track_caller]
    fn assert(&self, way: &str, agrees: bool) {
        assert!(
            agrees,
            "{way}, {}: {:?}",
            self.algorithm.name, self.messages
        );
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

    fn seal_singly(&self, subject: &dyn Subject) -> Sealed {
        let tag_len = self.algorithm.tag_len;
        let mut texts = self.messages.texts.clone();
        let mut tags = vec![UNWRITTEN; self.messages.len() * tag_len];
        let seal = |(i, tag): (usize, &mut [u8])| {
            let job = self.messages.job(i);
            let text = texts.get_mut(i);
            let sealed = match self.messages.shape.single {
                SingleForm::InPlace => subject.seal_in_place(job.nonce, job.aad, text, tag),
                SingleForm::Apart => subject.seal_into(job.nonce, job.text, job.aad, text, tag),
                SingleForm::Joined => {
                    let sealed = subject.seal_with_nonce(job.nonce, job.text, job.aad);
                    sealed.map(|sealed| {
                        let (ciphertext, made) = self.algorithm.split(&sealed);
                        text.copy_from_slice(ciphertext);
                        tag.copy_from_slice(made);
                    })
                }
            };
            match sealed {
                Ok(()) => Outcome::Done,
                Err(Failure::Misuse) => Outcome::Refused,
                Err(Failure::Open) => Outcome::NotOpened,
            }
        };
        let outcomes = tags
            .chunks_exact_mut(tag_len)
            .enumerate()
            .map(seal)
            .collect();
        Sealed {
            texts,
            tags,
            outcomes,
        }
    }

    /// Hands `call` the AADs and texts of a batch in their forms.
    fn with_batch<R>(
        given: &Messages,
        texts: &mut Laid,
        call: impl FnOnce(Aads<'_>, Texts<'_, '_>) -> R,
    ) -> R {
        let list = given.aad_list();
        let aads = aads(given, &list);
        match given.shape.batch {
            BatchForm::Contiguous => {
                call(aads, Texts::Contiguous(&mut texts.bytes, &texts.offsets))
            }
            BatchForm::List => {
                let mut left = &mut texts.bytes[texts.offsets[0]..];
                let lens = texts.offsets.windows(2).map(|ends| ends[1] - ends[0]);
                let mut slices: Vec<&mut [u8]> = lens
                    .map(|len| left.split_off_mut(..len).expect("texts fill the buffer"))
                    .collect();
                call(aads, Texts::List(&mut slices))
            }
        }
    }

    fn check_seal_batch(&self, subject: &dyn Subject, expected: &Sealed) {
        let mut texts = self.messages.texts.clone();
        let mut tags = vec![UNWRITTEN; expected.tags.len()];
        let mut outcomes = vec![Outcome::NotOpened; expected.outcomes.len()];
        let failed = Self::with_batch(self.messages, &mut texts, |aads, texts| {
            subject.seal_batch(&self.messages.nonces, aads, texts, &mut tags, &mut outcomes)
        });
        self.assert("outcomes of seal_batch", outcomes == expected.outcomes);
        self.assert("verdict of seal_batch", failed == Ok(failures(&outcomes)));
        self.assert("texts of seal_batch", texts == expected.texts);
        self.assert("tags of seal_batch", tags == expected.tags);
    }

    /// The rows of what was sealed, one after the other, and where they end. A null has none.
    fn rows(&self, messages: &Messages, sealed: &Sealed) -> Laid {
        let rows: Vec<Vec<u8>> = (0..messages.len())
            .map(|i| match messages.nulls[i] {
                true => Vec::new(),
                false => {
                    let tag = self.tag(&sealed.tags, i);
                    self.row(messages.nonce(i), sealed.texts.get(i), tag)
                }
            })
            .collect();
        Laid::new((0, 0), rows.iter().map(Vec::as_slice))
    }

    fn check_seal_column(&self, subject: &dyn Subject, sealed: &Sealed) {
        let refused = sealed
            .outcomes
            .iter()
            .map(|outcome| *outcome != Outcome::Done);
        let refused: Vec<bool> = refused.collect();
        let nulls = &self.messages.nulls;
        if !refused
            .iter()
            .zip(nulls)
            .any(|(refused, null)| *refused && !null)
        {
            return self.check_sealed_column(subject, self.messages, sealed);
        }
        let room = seal_column(subject, self.messages, false);
        self.assert("a column with a value that is refused", room.is_err());
        // The others are sealed where these are null.
        let mut others = self.messages.clone();
        if others.shape.nulls == Nulls::Unsaid {
            others.shape.nulls = Nulls::None;
        }
        others
            .nulls
            .iter_mut()
            .zip(&refused)
            .for_each(|(null, refused)| *null |= refused);
        self.check_sealed_column(subject, &others, sealed);
    }

    fn check_sealed_column(&self, subject: &dyn Subject, messages: &Messages, sealed: &Sealed) {
        let expected = self.rows(messages, sealed);
        match seal_column(subject, messages, false) {
            Ok((rows, offsets)) => {
                self.assert("rows of seal_column", rows == expected.bytes);
                let is_wide = writes_wide(messages);
                let expected = Offsets::of(&expected.offsets, is_wide);
                self.assert("offsets of seal_column", offsets == expected);
            }
            Err(failure) => panic!("seal_column: {failure:?}: {messages:?}"),
        }
    }

    /// A column whose nonces the call draws: each row opens by itself, and no nonce repeats.
    fn check_random_column(&self, subject: &dyn Subject, sealed: &Sealed) {
        let messages = self.messages;
        let is_refused = |i: usize| !messages.nulls[i] && sealed.outcomes[i] != Outcome::Done;
        let (rows, offsets) = match seal_column(subject, messages, true) {
            Ok(sealed) => sealed,
            Err(_) if self.algorithm.counts_nonces => return,
            Err(_) if (0..messages.len()).any(is_refused) => return,
            Err(failure) => panic!("seal_column: {failure:?}: {messages:?}"),
        };
        self.assert(
            "a column drew nonces to count",
            !self.algorithm.counts_nonces || messages.is_empty(),
        );
        let overhead = self.algorithm.nonce_len + self.algorithm.tag_len;
        let lens = messages.jobs().map(|job| match job.is_null {
            true => 0,
            false => overhead + job.text.len(),
        });
        let ends = lens.scan(0, |end, len| {
            *end += len;
            Some(*end)
        });
        let bounds: Vec<usize> = std::iter::once(0).chain(ends).collect();
        let expected = Offsets::of(&bounds, writes_wide(messages));
        self.assert(
            "offsets of seal_column with random nonces",
            offsets == expected,
        );
        let mut nonces = Vec::new();
        for (job, ends) in messages.jobs().zip(bounds.windows(2)) {
            if !job.is_null {
                let row = &rows[ends[0]..ends[1]];
                let opened = subject.open(row, job.aad);
                self.assert(
                    "a row with a random nonce",
                    opened.as_deref() == Ok(job.text),
                );
                nonces.push(&row[..self.algorithm.nonce_len]);
            }
        }
        if self.algorithm.nonce_len > 0 {
            let drawn = nonces.len();
            nonces.sort_unstable();
            nonces.dedup();
            self.assert("a nonce was drawn twice", nonces.len() == drawn);
        }
    }

    /// Ciphertexts and tags as the forger sends them.
    fn sent(&self, sealed: &Sealed) -> (Laid, Vec<u8>) {
        let (mut texts, mut tags) = (sealed.texts.clone(), sealed.tags.clone());
        let each_tag = tags.chunks_exact_mut(self.algorithm.tag_len);
        for (i, tag) in each_tag.enumerate() {
            if let Some(forgery) = self.messages.forgeries[i] {
                forgery.flip(Part::Text, texts.get_mut(i));
                forgery.flip(Part::Tag, tag);
            }
        }
        (texts, tags)
    }

    fn open_singly(
        &self,
        subject: &dyn Subject,
        sealed: &Sealed,
        sent: &Laid,
        tags: &[u8],
    ) -> Opened {
        let mut texts = sent.clone();
        let open = |i: usize| {
            let (nonce, aad) = (self.forged.nonce(i), self.forged.aad(i));
            let (from, tag) = (sent.get(i), self.tag(tags, i));
            let text = texts.get_mut(i);
            let opened = match self.messages.shape.single {
                SingleForm::InPlace => subject.open_in_place(nonce, aad, text, tag),
                SingleForm::Apart => subject.open_into(nonce, from, aad, tag, text),
                SingleForm::Joined => {
                    let joined = self.algorithm.join(from, tag);
                    match subject.open_with_nonce(nonce, &joined, aad) {
                        Ok(opened) => {
                            text.copy_from_slice(&opened);
                            Ok(())
                        }
                        Err(failure) => {
                            if failure == Failure::Open {
                                text.fill(0);
                            }
                            Err(failure)
                        }
                    }
                }
            };
            match opened {
                Ok(()) => Outcome::Done,
                Err(Failure::Open) => Outcome::NotOpened,
                Err(Failure::Misuse) => Outcome::Refused,
            }
        };
        let outcomes: Vec<Outcome> = (0..sent.len()).map(open).collect();
        for (i, outcome) in outcomes.iter().enumerate() {
            let job = self.messages.job(i);
            let opens = sealed.outcomes[i] == Outcome::Done && job.forgery.is_none();
            let right = match outcome {
                Outcome::Done => opens && texts.get(i) == job.text,
                Outcome::NotOpened => !opens && texts.get(i).iter().all(|byte| *byte == 0),
                _ => !opens && texts.get(i) == sent.get(i),
            };
            self.assert("open singly", right);
        }
        self.assert(
            "bytes beside texts that were opened singly",
            texts.is_framed(),
        );
        Opened { texts, outcomes }
    }

    fn check_open_batch(&self, subject: &dyn Subject, sent: &Laid, tags: &[u8], expected: &Opened) {
        let mut texts = sent.clone();
        let mut outcomes = vec![Outcome::TooLong; sent.len()];
        let failed = Self::with_batch(&self.forged, &mut texts, |aads, texts| {
            subject.open_batch(&self.forged.nonces, aads, texts, tags, &mut outcomes)
        });
        self.assert("outcomes of open_batch", outcomes == expected.outcomes);
        self.assert("verdict of open_batch", failed == Ok(failures(&outcomes)));
        self.assert("texts of open_batch", texts == expected.texts);
    }

    fn check_open_column(
        &self,
        subject: &dyn Subject,
        sent: &Laid,
        tags: &[u8],
        expected: &Opened,
    ) {
        let messages = self.messages;
        let overhead = self.algorithm.nonce_len + self.algorithm.tag_len;
        let mut rows = Vec::with_capacity(sent.len());
        let (mut values, mut ends) = (Vec::new(), vec![0]);
        let mut outcomes = Vec::with_capacity(sent.len());
        for i in 0..sent.len() {
            let mut row = self.row(self.forged.nonce(i), sent.get(i), self.tag(tags, i));
            match messages.forgeries[i] {
                Some(
                    forgery @ Forgery {
                        part: Part::Length, ..
                    },
                ) => {
                    row.truncate(forgery.left(row.len()));
                    let len = row.len().saturating_sub(overhead);
                    if !messages.nulls[i] {
                        values.resize(values.len() + len, 0);
                    }
                    outcomes.push(Outcome::NotOpened);
                }
                _ => {
                    let opened = expected.outcomes[i] == Outcome::Done;
                    outcomes.push(if opened {
                        Outcome::Done
                    } else {
                        Outcome::NotOpened
                    });
                    if !messages.nulls[i] {
                        match opened {
                            true => values.extend_from_slice(expected.texts.get(i)),
                            false => values.resize(values.len() + sent.get(i).len(), 0),
                        }
                    }
                }
            }
            if messages.nulls[i] {
                outcomes[i] = Outcome::Done;
            }
            ends.push(values.len());
            rows.push(row);
        }
        let rows = messages.column(rows.iter().map(Vec::as_slice));
        let (offsets, bitmap) = (
            Offsets::of(&rows.offsets, reads_wide(messages)),
            messages.bitmap(),
        );
        let column = Column {
            bytes: &rows.bytes,
            offsets: &offsets,
            validity: bitmap.as_deref().map(|bitmap| (bitmap, messages.first_bit)),
        };
        let len = subject.opened_column_len(&column);
        self.assert("opened_column_len", len == Ok(values.len()));
        let mut room = vec![UNWRITTEN; MARGIN + values.len() + MARGIN];
        let mut found = Offsets::of(&vec![7; ends.len()], writes_wide(messages));
        let mut given = vec![Outcome::TooLong; sent.len()];
        let list = self.forged.aad_list();
        let failed = subject.open_column(
            &column,
            aads(&self.forged, &list),
            &mut room[MARGIN..][..values.len()],
            &mut found,
            &mut given,
        );
        self.assert("outcomes of open_column", given == outcomes);
        self.assert("verdict of open_column", failed == Ok(failures(&outcomes)));
        self.assert(
            "values of open_column",
            room[MARGIN..][..values.len()] == values,
        );
        self.assert("bytes beside the values of a column", is_framed(&room));
        let ends = Offsets::of(&ends, writes_wide(messages));
        self.assert("offsets of open_column", found == ends);
    }
}

fn aads<'a>(given: &'a Messages, list: &'a [&'a [u8]]) -> Aads<'a> {
    match given.shape.aad_form {
        AadForm::Common => Aads::Common(given.aads.get(0)),
        AadForm::List => Aads::List(list),
        AadForm::Contiguous => Aads::Contiguous(&given.aads.bytes, &given.aads.offsets),
    }
}

fn failures(outcomes: &[Outcome]) -> usize {
    let failed = outcomes.iter().filter(|outcome| **outcome != Outcome::Done);
    failed.count()
}

fn reads_wide(messages: &Messages) -> bool {
    matches!(messages.shape.width, Width::Bits64 | Width::Narrower)
}

fn writes_wide(messages: &Messages) -> bool {
    matches!(messages.shape.width, Width::Bits64 | Width::Wider)
}

/// Whether the margins of an output are as they were.
fn is_framed(room: &[u8]) -> bool {
    let (before, after) = (&room[..MARGIN], &room[room.len() - MARGIN..]);
    before.iter().chain(after).all(|byte| *byte == UNWRITTEN)
}

/// Seals the plaintexts as a column, and gives the rows with their offsets. Where it fails
/// nothing was written.
fn seal_column(
    subject: &dyn Subject,
    messages: &Messages,
    draws_nonces: bool,
) -> Result<(Vec<u8>, Offsets), Failure> {
    let values = messages.column(messages.texts.strings());
    let (offsets, bitmap) = (
        Offsets::of(&values.offsets, reads_wide(messages)),
        messages.bitmap(),
    );
    let column = Column {
        bytes: &values.bytes,
        offsets: &offsets,
        validity: bitmap.as_deref().map(|bitmap| (bitmap, messages.first_bit)),
    };
    let len = subject.sealed_column_len(&column)?;
    let mut room = vec![UNWRITTEN; MARGIN + len + MARGIN];
    let unwritten = Offsets::of(&vec![7; messages.len() + 1], writes_wide(messages));
    let mut found = unwritten.clone();
    let nonces = (!draws_nonces).then_some(&messages.nonces[..]);
    let list = messages.aad_list();
    let rows = &mut room[MARGIN..][..len];
    let done = subject.seal_column(nonces, &column, aads(messages, &list), rows, &mut found);
    assert!(
        is_framed(&room),
        "bytes beside the rows of a column: {messages:?}"
    );
    if let Err(failure) = done {
        let is_untouched = found == unwritten && room.iter().all(|byte| *byte == UNWRITTEN);
        assert!(is_untouched, "a column that is refused: {messages:?}");
        return Err(failure);
    }
    room.truncate(MARGIN + len);
    room.drain(..MARGIN);
    Ok((room, found))
}
