//! Messages in the matrix: what they seal to, and what is opened of them, in a form.

use super::Language;
use super::offers::Form;
use sivka::{Algorithm, Error, NonceRule};
use sivka_judge::shapes::{AadForm, Laid, Messages, Nulls, Part};

/// Messages, what they seal to, and what is sent to be opened.
pub(super) struct Case {
    pub(super) algorithm: &'static Algorithm,
    key: Vec<u8>,
    pub(super) messages: Messages,
    /// The ciphertexts, in the places of the texts.
    sealed: Laid,
    tags: Vec<u8>,
    /// All with what a forger made of it.
    forged: Messages,
    sent: Laid,
    sent_tags: Vec<u8>,
}

impl Case {
    /// Seals one by one; nothing if the algorithm refuses a message.
    pub(super) fn new(
        algorithm: &'static Algorithm,
        key: Vec<u8>,
        mut messages: Messages,
    ) -> Option<Self> {
        if let NonceRule::Random { first_byte_mask, .. } = algorithm.nonce_rule() {
            let firsts = messages.nonces.iter_mut().step_by(algorithm.nonce_len());
            firsts.for_each(|first| *first &= first_byte_mask);
        }
        let sealer = algorithm.new_key(&key).unwrap();
        let mut sealed = messages.texts.clone();
        let mut tags = vec![0; messages.len() * algorithm.tag_len()];
        let each_tag = tags.chunks_exact_mut(algorithm.tag_len());
        for (i, tag) in each_tag.enumerate() {
            let (nonce, aad) = (messages.nonce(i), messages.aad(i));
            let done = sealer.seal_in_place(nonce, aad, sealed.get_mut(i), tag);
            if matches!(done, Err(Error::Nonce | Error::Empty)) {
                return None;
            }
            assert_eq!(done, Ok(()), "message {i} of {messages:?}");
        }
        let forged = messages.forged();
        let allows = |nonce| algorithm.nonce_rule().allows(nonce);
        if !forged.jobs().all(|job| allows(job.nonce)) {
            return None;
        }
        let (mut sent, mut sent_tags) = (sealed.clone(), tags.clone());
        let each_tag = sent_tags.chunks_exact_mut(algorithm.tag_len());
        for (i, tag) in each_tag.enumerate() {
            if let Some(forgery) = messages.forgeries[i] {
                forgery.flip(Part::Text, sent.get_mut(i));
                forgery.flip(Part::Tag, tag);
            }
        }
        Some(Self { algorithm, key, forged, messages, sealed, tags, sent, sent_tags })
    }

    pub(super) fn takes(&self, form: &Form) -> bool {
        let counts = self.algorithm.nonce_rule() == NonceRule::Counter;
        let one_aad = self.messages.shape.aad_form == AadForm::Common;
        // In C, a column without nonces has random ones, also if it is empty.
        let draws = form.draws || form.name == "column" && self.messages.is_empty();
        (one_aad || !form.one_aad) && !(draws && counts)
    }

    /// Seals and opens in a form.
    pub(super) fn ask(&self, language: &mut Language, form: &Form) {
        let is_column = form.name == "column";
        let values = match is_column {
            true => &self.messages.column(self.messages.texts.strings()),
            false => &self.messages.texts,
        };
        let nonces = if form.draws { &[] } else { &self.messages.nonces[..] };
        let more = if is_column { &self.bitmap(form) } else { &Vec::new() };
        let answer = self.send(language, form, "seal", &self.messages, [nonces, more], values);
        self.check_sealed(language, form, &answer);

        let rows = self.rows(true, is_column);
        let (nonces, texts, more) = match (is_column, form.joined) {
            (true, _) => (&[][..], self.messages.column(rows.strings()), more),
            (_, true) => {
                let texts = Laid::new(self.messages.margins, rows.strings());
                (&self.forged.nonces[..], texts, more)
            }
            _ => (&self.forged.nonces[..], self.sent.clone(), &self.sent_tags),
        };
        let answer = self.send(language, form, "open", &self.forged, [nonces, more], &texts);
        self.check_opened(language, form, &answer);
    }

    fn send(
        &self,
        language: &mut Language,
        form: &Form,
        verb: &str,
        given: &Messages,
        [nonces, more]: [&[u8]; 2],
        texts: &Laid,
    ) -> Vec<Vec<u8>> {
        let mut aads = Laid::new(given.margins, given.aad_list().into_iter());
        let aad_ends = match given.shape.aad_form {
            AadForm::Common => {
                aads.bytes = given.aads.get(0).to_vec();
                Vec::new()
            }
            _ => offsets(form.aad_bits, &aads.offsets),
        };
        let ends = offsets(form.bits, &texts.offsets);
        let (name, bits, first_bit) = (self.algorithm.name(), form.bits, self.first_bit(form));
        language.ask_with_parts(
            &format!("{verb}-{} {name} {bits} {first_bit}", form.name),
            &[&self.key, nonces, &aads.bytes, &aad_ends, &texts.bytes, &ends, more],
        )
    }

    fn first_bit(&self, form: &Form) -> usize {
        if form.any_first_bit { self.messages.first_bit } else { 0 }
    }

    /// Which values of a column are there; nothing, if there is no bitmap.
    fn bitmap(&self, form: &Form) -> Vec<u8> {
        if self.messages.shape.nulls == Nulls::Unsaid {
            return Vec::new();
        }
        let first_bit = self.first_bit(form);
        let len = (first_bit + self.messages.len()).div_ceil(8);
        let mut bitmap = vec![0; len];
        for (i, is_null) in self.messages.nulls.iter().enumerate() {
            bitmap[(first_bit + i) / 8] |= u8::from(!is_null) << ((first_bit + i) % 8);
        }
        bitmap
    }

    /// Messages in one piece, as they were sealed or as a forger sends them: of a column with
    /// their nonces, and nothing for a null.
    pub(super) fn rows(&self, is_forged: bool, of_column: bool) -> Laid {
        let (given, texts, tags) = match is_forged {
            true => (&self.forged, &self.sent, &self.sent_tags),
            false => (&self.messages, &self.sealed, &self.tags),
        };
        let row = |(i, tag): (usize, &[u8])| {
            let text = texts.get(i);
            let nonce = if of_column { given.nonce(i) } else { &[] };
            let mut row = match self.algorithm.tag_first() {
                true => [nonce, tag, text].concat(),
                false => [nonce, text, tag].concat(),
            };
            if let (true, true, Some(forgery)) = (is_forged, of_column, given.forgeries[i]) {
                row.truncate(forgery.left(row.len()));
            }
            if of_column && given.nulls[i] {
                row.clear();
            }
            row
        };
        let tags = tags.chunks_exact(self.algorithm.tag_len());
        let rows: Vec<Vec<u8>> = tags.enumerate().map(row).collect();
        Laid::new((0, 0), rows.iter().map(Vec::as_slice))
    }

    #[track_caller]
    fn assert(&self, language: &Language, form: &Form, what: &str, holds: bool) {
        let (name, form, algorithm) = (&language.name, form.name, self.algorithm);
        assert!(holds, "{name}, {form}, {what}, {algorithm}: {:?}", self.messages);
    }

    fn check_sealed(&self, language: &Language, form: &Form, answer: &[Vec<u8>]) {
        let assert = |what: &str, holds| self.assert(language, form, what, holds);
        let messages = &self.messages;
        match (form.name, answer) {
            ("column", [rows, ends]) => {
                let expected = self.rows(false, true);
                assert("ends", *ends == offsets(form.bits, &expected.offsets));
                assert("length", rows.len() == expected.bytes.len());
                if !form.draws || self.algorithm.nonce_len() == 0 {
                    return assert("rows", *rows == expected.bytes);
                }
                let key = self.algorithm.new_key(&self.key).unwrap();
                for (i, job) in messages.jobs().enumerate().filter(|(_, job)| !job.is_null) {
                    let opened = key.open(&rows[expected.place(i)], job.aad);
                    assert("a row", opened.as_deref() == Ok(job.text));
                }
            }
            ("list", [sealed]) if form.joined => {
                let expected = self.rows(false, false);
                assert("sealed", *sealed == expected.bytes);
            }
            (_, [texts, tags]) if !form.joined => {
                assert("sealed", self.is_at_their_places(texts, &self.sealed));
                assert("tags", *tags == self.tags);
            }
            _ => panic!("{}: an answer of {} parts", language.name, answer.len()),
        }
    }

    /// Whether texts are those expected; what is beside them is nobody's.
    fn is_at_their_places(&self, texts: &[u8], expected: &Laid) -> bool {
        let place = expected.offsets[0]..expected.offsets[expected.len()];
        texts.len() == expected.bytes.len() && texts[place.clone()] == expected.bytes[place]
    }

    fn check_opened(&self, language: &Language, form: &Form, answer: &[Vec<u8>]) {
        let assert = |what: &str, holds| self.assert(language, form, what, holds);
        let (is_column, overhead) =
            (form.name == "column", self.algorithm.nonce_len() + self.algorithm.tag_len());
        let (mut opened, mut flags) = (Vec::new(), Vec::new());
        for job in self.messages.jobs() {
            let is_null = is_column && job.is_null;
            flags.push(u8::from(is_null || job.forgery.is_none()));
            opened.push(match job.forgery {
                _ if is_null => Vec::new(),
                None => job.text.to_vec(),
                Some(_) if form.joined => Vec::new(),
                Some(forgery) if is_column => {
                    let left = forgery.left(overhead + job.text.len());
                    vec![0; left.saturating_sub(overhead)]
                }
                Some(_) => vec![0; job.text.len()],
            });
        }
        let strings = opened.iter().map(Vec::as_slice);
        match answer {
            [values, ends, found] if is_column => {
                let expected = Laid::new((0, 0), strings);
                assert("values", *values == expected.bytes);
                assert("ends", *ends == offsets(form.bits, &expected.offsets));
                assert("statuses", *found == flags);
            }
            [texts, found] if !is_column => {
                let margins = if form.joined { (0, 0) } else { self.messages.margins };
                let expected = Laid::new(margins, strings);
                assert("opened", self.is_at_their_places(texts, &expected));
                assert("statuses", *found == flags);
            }
            _ => panic!("{}: an answer of {} parts", language.name, answer.len()),
        }
    }
}

/// Offsets as bytes, the lowest first.
fn offsets(bits: u32, offsets: &[usize]) -> Vec<u8> {
    let bytes = |offset: &usize| (*offset as u64).to_le_bytes();
    let each = offsets.iter().map(bytes);
    each.flat_map(|bytes| bytes.into_iter().take(bits as usize / 8)).collect()
}
