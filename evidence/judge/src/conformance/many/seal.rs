//! Sealing many messages, one by one, as a batch and as a column.

use super::{
    Many, Offsets, Sealed, UNWRITTEN, column, failures, guarded, reads_wide, status, with_aads,
    writes_wide,
};
use crate::conformance::{Failure, Subject};
use crate::shapes::{Laid, Messages, Nulls, SingleForm, bounds};
use sivka::Status;

impl Many<'_> {
    pub(super) fn seal_singly(&self, subject: &dyn Subject) -> Sealed {
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
            status(sealed)
        };
        let each_tag = tags.chunks_exact_mut(tag_len);
        let statuses = each_tag.enumerate().map(seal).collect();
        Sealed { texts, tags, statuses }
    }

    pub(super) fn check_seal_batch(&self, subject: &dyn Subject, expected: &Sealed) {
        let mut texts = self.messages.texts.clone();
        let nonces = guarded(&self.messages.nonces);
        let mut tags = guarded(&vec![UNWRITTEN; expected.tags.len()]);
        let mut statuses = vec![Status::NotOpened; expected.statuses.len()];
        let failed = Self::with_batch(self.messages, &mut texts, |aads, texts| {
            subject.seal_batch(&nonces, aads, texts, &mut tags, &mut statuses)
        });
        self.assert("statuses of seal_batch", statuses == expected.statuses);
        self.assert("verdict of seal_batch", failed == Ok(failures(&statuses)));
        self.assert("texts of seal_batch", texts == expected.texts);
        self.assert("tags of seal_batch", *tags == expected.tags);
    }

    /// The sealed rows, one after the other, and their ends. A null has none.
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

    pub(super) fn check_seal_column(&self, subject: &dyn Subject, sealed: &Sealed) {
        // A value that is refused spoils its column; the others are sealed where it is null.
        let mut messages = self.messages.clone();
        for (null, status) in messages.nulls.iter_mut().zip(&sealed.statuses) {
            *null |= *status != Status::Done;
        }
        if messages.nulls != self.messages.nulls {
            let column = seal_column(subject, self.messages, false);
            self.assert("a column with a value that is refused", column.is_err());
            if messages.shape.nulls == Nulls::Unsaid {
                messages.shape.nulls = Nulls::None;
            }
        }
        let expected = self.rows(&messages, sealed);
        match seal_column(subject, &messages, false) {
            Ok((rows, offsets)) => {
                self.assert("rows of seal_column", rows == expected.bytes);
                let expected = Offsets::of(&expected.offsets, writes_wide(&messages));
                self.assert("offsets of seal_column", offsets == expected);
            }
            Err(failure) => panic!("seal_column: {failure:?}: {messages:?}"),
        }
    }

    /// A column whose nonces the call draws: each row opens by itself, and no nonce repeats.
    pub(super) fn check_random_column(&self, subject: &dyn Subject, sealed: &Sealed) {
        let messages = self.messages;
        let is_refused = |i: usize| !messages.nulls[i] && sealed.statuses[i] != Status::Done;
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
        let bounds = bounds(0, lens);
        let expected = Offsets::of(&bounds, writes_wide(messages));
        self.assert("offsets of seal_column with random nonces", offsets == expected);
        let mut nonces = Vec::new();
        for (job, ends) in messages.jobs().zip(bounds.windows(2)) {
            if !job.is_null {
                let row = &rows[ends[0]..ends[1]];
                let opened = subject.open(row, job.aad);
                self.assert("a row with a random nonce", opened.as_deref() == Ok(job.text));
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
}

/// Seals the plaintexts as a column, and gives the rows with their offsets. Where it fails
/// nothing was written.
fn seal_column(
    subject: &dyn Subject,
    messages: &Messages,
    draws_nonces: bool,
) -> Result<(Vec<u8>, Offsets), Failure> {
    let values = messages.column(messages.texts.strings());
    let (offsets, bitmap) = (Offsets::of(&values.offsets, reads_wide(messages)), messages.bitmap());
    let bytes = guarded(&values.bytes);
    let column = column(messages, &bytes, &offsets, bitmap.as_deref());
    let len = subject.sealed_column_len(&column)?;
    let mut rows = guarded(&vec![UNWRITTEN; len]);
    let unwritten = Offsets::of(&vec![7; messages.len() + 1], writes_wide(messages));
    let mut found = unwritten.clone();
    let given = guarded(&messages.nonces);
    let nonces = (!draws_nonces).then_some(&*given);
    let done = with_aads(messages, |aads| {
        subject.seal_column(nonces, &column, aads, &mut rows, found.get_mut())
    });
    rows.assert_surroundings_untouched();
    if let Err(failure) = done {
        let is_untouched = found == unwritten && rows.iter().all(|byte| *byte == UNWRITTEN);
        assert!(is_untouched, "a column that is refused: {messages:?}");
        return Err(failure);
    }
    Ok((rows.to_vec(), found))
}
