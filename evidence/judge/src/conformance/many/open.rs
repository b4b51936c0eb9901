//! Opening what many messages were sealed to, one by one, as a batch and as a column.

use super::{
    Many, Offsets, Sealed, UNWRITTEN, column, failures, guarded, reads_wide, status, with_aads,
    writes_wide,
};
use crate::conformance::{Failure, Subject};
use crate::shapes::{Laid, Part, SingleForm};
use sivka::Status;

/// The opened messages.
#[derive(PartialEq, Eq)]
pub(super) struct Opened {
    texts: Laid,
    statuses: Vec<Status>,
}

impl Many<'_> {
    /// Ciphertexts and tags as the forger sends them.
    pub(super) fn sent(&self, sealed: &Sealed) -> (Laid, Vec<u8>) {
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

    pub(super) fn open_singly(
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
                    let opened = subject.open_with_nonce(nonce, &joined, aad);
                    match &opened {
                        Ok(opened) => text.copy_from_slice(opened),
                        Err(Failure::Open) => text.fill(0),
                        Err(Failure::Misuse) => {}
                    }
                    opened.map(drop)
                }
            };
            status(opened)
        };
        let statuses: Vec<Status> = (0..sent.len()).map(open).collect();
        for (i, status) in statuses.iter().enumerate() {
            let job = self.messages.job(i);
            let opens = sealed.statuses[i] == Status::Done && job.forgery.is_none();
            let right = match status {
                Status::Done => opens && texts.get(i) == job.text,
                Status::NotOpened => !opens && texts.get(i).iter().all(|byte| *byte == 0),
                _ => !opens && texts.get(i) == sent.get(i),
            };
            self.assert("open singly", right);
        }
        self.assert("bytes beside texts that were opened singly", texts.is_framed());
        Opened { texts, statuses }
    }

    pub(super) fn check_open_batch(
        &self,
        subject: &dyn Subject,
        sent: &Laid,
        tags: &[u8],
        expected: &Opened,
    ) {
        let mut texts = sent.clone();
        let mut statuses = vec![Status::TooLong; sent.len()];
        let failed = Self::with_batch(&self.forged, &mut texts, |aads, texts| {
            let (nonces, tags) = (guarded(&self.forged.nonces), guarded(tags));
            subject.open_batch(&nonces, aads, texts, &tags, &mut statuses)
        });
        self.assert("statuses of open_batch", statuses == expected.statuses);
        self.assert("verdict of open_batch", failed == Ok(failures(&statuses)));
        self.assert("texts of open_batch", texts == expected.texts);
    }

    pub(super) fn check_open_column(
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
        let mut statuses = Vec::with_capacity(sent.len());
        for i in 0..sent.len() {
            let mut row = self.row(self.forged.nonce(i), sent.get(i), self.tag(tags, i));
            let opened = expected.statuses[i] == Status::Done;
            let (status, value) = match messages.forgeries[i] {
                Some(forgery) if forgery.part == Part::Length => {
                    row.truncate(forgery.left(row.len()));
                    let len = row.len().saturating_sub(overhead);
                    (Status::NotOpened, vec![0; len])
                }
                _ if opened => (Status::Done, expected.texts.get(i).to_vec()),
                _ => (Status::NotOpened, vec![0; sent.get(i).len()]),
            };
            if messages.nulls[i] {
                statuses.push(Status::Done);
            } else {
                statuses.push(status);
                values.extend(value);
            }
            ends.push(values.len());
            rows.push(row);
        }
        let rows = messages.column(rows.iter().map(Vec::as_slice));
        let (offsets, bitmap) =
            (Offsets::of(&rows.offsets, reads_wide(messages)), messages.bitmap());
        let bytes = guarded(&rows.bytes);
        let column = column(messages, &bytes, &offsets, bitmap.as_deref());
        let len = subject.opened_column_len(&column);
        self.assert("opened_column_len", len == Ok(values.len()));
        let mut room = guarded(&vec![UNWRITTEN; values.len()]);
        let mut found = Offsets::of(&vec![7; ends.len()], writes_wide(messages));
        let mut given = vec![Status::TooLong; sent.len()];
        let failed = with_aads(&self.forged, |aads| {
            subject.open_column(&column, aads, &mut room, found.get_mut(), &mut given)
        });
        self.assert("statuses of open_column", given == statuses);
        self.assert("verdict of open_column", failed == Ok(failures(&statuses)));
        self.assert("values of open_column", *room == values);
        room.assert_surroundings_untouched();
        let ends = Offsets::of(&ends, writes_wide(messages));
        self.assert("offsets of open_column", found == ends);
    }
}
