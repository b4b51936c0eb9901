//! Many messages of a [`Toy`], one after another, and what can go wrong between them.

use super::{Defect, Toy};
use sivka_oracle::conformance::{Aads, Column, Failure, Offsets, Outcome, Subject, Texts};

/// Messages that a kernel would work on at once.
const GROUP: usize = 16;

fn outcome(done: Result<(), Failure>) -> Outcome {
    match done {
        Ok(()) => Outcome::Done,
        Err(Failure::Open) => Outcome::NotOpened,
        Err(Failure::Misuse) => Outcome::Refused,
    }
}

fn slices<'a>(texts: Texts<'a, '_>, starts_at_zero: bool) -> Vec<&'a mut [u8]> {
    match texts {
        Texts::List(texts) => texts.iter_mut().map(|text| &mut **text).collect(),
        Texts::Contiguous(bytes, offsets) => {
            let start = if starts_at_zero { 0 } else { offsets[0] };
            let mut left = &mut bytes[start..];
            let lens = offsets.windows(2).map(|ends| ends[1] - ends[0]);
            lens.map(|len| left.split_off_mut(..len).expect("texts fill the buffer"))
                .collect()
        }
    }
}

fn offset(offsets: &Offsets, i: usize) -> usize {
    match offsets {
        Offsets::Bits32(offsets) => offsets[i] as usize,
        Offsets::Bits64(offsets) => offsets[i] as usize,
    }
}

fn set_offset(offsets: &mut Offsets, i: usize, end: usize) {
    match offsets {
        Offsets::Bits32(offsets) => offsets[i] = end as i32,
        Offsets::Bits64(offsets) => offsets[i] = end as i64,
    }
}

/// Values of a column; nothing where one is null.
fn values<'a>(column: &Column<'a>) -> Vec<Option<&'a [u8]>> {
    let value = |i: usize| {
        let is_there = column.validity.is_none_or(|(bitmap, first_bit)| {
            let bit = first_bit + i;
            bitmap[bit / 8] >> (bit % 8) & 1 == 1
        });
        let (start, end) = (offset(column.offsets, i), offset(column.offsets, i + 1));
        is_there.then(|| &column.bytes[start..end])
    };
    (0..column.offsets.count() - 1).map(value).collect()
}

impl Toy {
    /// The AAD of each of so many messages.
    fn each_aad<'a>(&self, aads: Aads<'a>, count: usize) -> Vec<&'a [u8]> {
        let mut each: Vec<&[u8]> = match aads {
            Aads::Common(aad) => vec![aad; count],
            Aads::List(aads) => aads.to_vec(),
            Aads::Contiguous(bytes, offsets) => {
                let ends = offsets.windows(2);
                ends.map(|ends| &bytes[ends[0]..ends[1]]).collect()
            }
        };
        if self.defect == Defect::TakesNoAadsOfAGroupWithout {
            let mut left = each.clone();
            for group in each.chunks_mut(GROUP) {
                if left[..group.len()].iter().any(|aad| !aad.is_empty()) {
                    let taken: Vec<_> = left.drain(..group.len()).collect();
                    group.copy_from_slice(&taken);
                } else {
                    group.fill(&[]);
                }
            }
        }
        each
    }

    /// The number of the first message that is not worked on.
    fn end_of(&self, count: usize) -> usize {
        if self.defect == Defect::LeavesOutTheLastGroup {
            count - count % GROUP % 5
        } else {
            count
        }
    }

    /// How many failed, as it is told.
    fn verdict(&self, outcomes: &mut [Outcome]) -> usize {
        if self.defect == Defect::PutsStatusesBesideTheirMessages && outcomes.len() > GROUP {
            outcomes[GROUP..].rotate_right(1);
        }
        let failed = outcomes.iter().filter(|outcome| **outcome != Outcome::Done);
        match failed.count() {
            all if all == outcomes.len() && self.defect == Defect::CountsNoMoreThanAGroup => {
                all.min(GROUP)
            }
            failed => failed,
        }
    }

    pub(super) fn toy_seal_batch(
        &self,
        nonces: &[u8],
        aads: Aads<'_>,
        texts: Texts<'_, '_>,
        tags: &mut [u8],
        outcomes: &mut [Outcome],
    ) -> usize {
        let (nonce_len, tag_len) = (self.algorithm.nonce_len, self.algorithm.tag_len);
        let aads = self.each_aad(aads, outcomes.len());
        let mut texts = slices(texts, self.defect == Defect::BeginsAtZero);
        outcomes.fill(Outcome::Done);
        for i in 0..self.end_of(outcomes.len()) {
            let nonce = &nonces[i * nonce_len..][..nonce_len];
            let tag = &mut tags[i * tag_len..][..tag_len];
            outcomes[i] = outcome(self.seal_in_place(nonce, aads[i], texts[i], tag));
        }
        self.verdict(outcomes)
    }

    pub(super) fn toy_open_batch(
        &self,
        nonces: &[u8],
        aads: Aads<'_>,
        texts: Texts<'_, '_>,
        tags: &[u8],
        outcomes: &mut [Outcome],
    ) -> usize {
        let (nonce_len, tag_len) = (self.algorithm.nonce_len, self.algorithm.tag_len);
        let aads = self.each_aad(aads, outcomes.len());
        let mut texts = slices(texts, false);
        for (i, place) in outcomes.iter_mut().enumerate() {
            let nonce = &nonces[i * nonce_len..][..nonce_len];
            let tag = &tags[i * tag_len..][..tag_len];
            let sealed = texts[i].to_vec();
            *place = outcome(self.open_in_place(nonce, aads[i], texts[i], tag));
            if self.defect == Defect::WipesNoTextOfABatch && *place == Outcome::NotOpened {
                texts[i].copy_from_slice(&sealed);
            }
        }
        self.verdict(outcomes)
    }

    pub(super) fn toy_sealed_len(&self, column: &Column<'_>) -> usize {
        let overhead = self.algorithm.nonce_len + self.algorithm.tag_len;
        let there = values(column).into_iter().flatten();
        there.map(|value| overhead + value.len()).sum()
    }

    pub(super) fn toy_seal_column(
        &self,
        nonces: Option<&[u8]>,
        column: &Column<'_>,
        aads: Aads<'_>,
        rows: &mut [u8],
        offsets: &mut Offsets,
    ) -> Result<(), Failure> {
        let nonce_len = self.algorithm.nonce_len;
        if nonces.is_none() && self.algorithm.counts_nonces {
            return Err(Failure::Misuse);
        }
        let values = values(column);
        let aads = self.each_aad(aads, values.len());
        let (mut sealed, mut ends, mut there) = (Vec::new(), vec![0], 0);
        for (i, value) in values.into_iter().enumerate() {
            if let Some(value) = value {
                let of_values = self.defect == Defect::CountsNoNulls;
                let place = if of_values { there } else { i } * nonce_len;
                let nonce = match nonces {
                    Some(nonces) => nonces[place..][..nonce_len].to_vec(),
                    None => self.draw_nonce(),
                };
                let row = self.seal_with_nonce(&nonce, value, aads[i])?;
                sealed.extend(nonce);
                sealed.extend(row);
                there += 1;
            }
            ends.push(sealed.len());
        }
        rows.copy_from_slice(&sealed);
        for (i, end) in ends.into_iter().enumerate() {
            set_offset(offsets, i, end);
        }
        Ok(())
    }

    /// The text of a row, or nothing if it is too short to have one.
    fn text_len(&self, row: &[u8]) -> Option<usize> {
        row.len()
            .checked_sub(self.algorithm.nonce_len + self.algorithm.tag_len)
    }

    pub(super) fn toy_opened_len(&self, column: &Column<'_>) -> usize {
        let there = values(column).into_iter().flatten();
        there.filter_map(|row| self.text_len(row)).sum()
    }

    pub(super) fn toy_open_column(
        &self,
        column: &Column<'_>,
        aads: Aads<'_>,
        opened: &mut [u8],
        offsets: &mut Offsets,
        outcomes: &mut [Outcome],
    ) -> usize {
        let rows = values(column);
        let aads = self.each_aad(aads, rows.len());
        let mut texts = Vec::new();
        set_offset(offsets, 0, 0);
        for (i, row) in rows.into_iter().enumerate() {
            outcomes[i] = Outcome::Done;
            if let Some(row) = row {
                let (nonce, rest) = row.split_at(self.algorithm.nonce_len.min(row.len()));
                match self.open_with_nonce(nonce, rest, aads[i]) {
                    Ok(text) => texts.extend(text),
                    Err(_) => {
                        outcomes[i] = Outcome::NotOpened;
                        texts.resize(texts.len() + self.text_len(row).unwrap_or(0), 0);
                    }
                }
            }
            let hidden =
                self.defect == Defect::EndsNoShortRow && row.is_some_and(|row| row.is_empty());
            if !hidden {
                set_offset(offsets, i + 1, texts.len());
            }
        }
        opened.copy_from_slice(&texts);
        self.verdict(outcomes)
    }
}
