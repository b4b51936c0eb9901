//! The conformance tests of every AEAD.
//!
//! An [`Algorithm`] has the rules of a standard. A [`Subject`] is one key of one implementation on
//! one tier. [`Conformance::run`] checks the subject against the rules, and the caller repeats it
//! for every tier. Every check panics on failure.

mod algorithm;
mod algorithms;
mod counters;
mod forgeries;
mod guarded;
mod many;
mod messages;
mod offsets;
mod one;

pub use crate::key::{Failure, Subject};
pub use algorithm::{Algorithm, Message};
pub use algorithms::{ALGORITHMS, algorithm};
pub use many::{Many, Sealed};

use crate::shapes::{Count, Coverage, Messages, Source, SplitMix64};
use guarded::Place;
use one::{Expected, check};
use sivka_oracle::lengths::{borders, grid, painted};
use sivka_oracle::vectors::Case;

/// More batches than show every pair of styles.
const TOO_MANY_BATCHES: usize = 1000;

/// Makes a [`Subject`] from a key.
pub type MakeSubject<'a> = &'a dyn Fn(&[u8]) -> Box<dyn Subject>;

/// All that one algorithm is held to, computed once for all tiers.
pub struct Conformance {
    algorithm: Algorithm,
    seed: u64,
    key: Vec<u8>,
    /// Of its vector files, and constructed ones.
    cases: Vec<Case>,
    grid: Vec<Expected>,
}

impl Conformance {
    /// Asks the reference for every answer. Many messages are drawn from `seed`.
    #[must_use]
    pub fn new(algorithm: &Algorithm, seed: u64) -> Self {
        let key = painted(100, algorithm.key_len);
        let mut cases = algorithm.vectors();
        cases.extend((algorithm.constructed)(algorithm));
        let both = grid().flat_map(|len| both_of(algorithm, len));
        Self {
            algorithm: *algorithm,
            seed,
            cases,
            grid: both.map(|message| Expected::new(algorithm, &key, message)).collect(),
            key,
        }
    }

    /// Runs every check on one tier.
    ///
    /// # Panics
    ///
    /// If a check fails.
    pub fn run(&self, tier_name: &str, make: MakeSubject) {
        let subject = make(&self.key);
        assert_eq!(subject.tier_name(), tier_name, "the key runs on another tier");
        self.cases.iter().for_each(|case| self.check_case(case, make));
        for expected in &self.grid {
            check(&self.algorithm, &*subject, expected, Place::Before);
        }
        self.check_offsets(&*subject);
        self.check_long(&*subject);
        self.check_extreme_nonces(&*subject);
        self.check_random_nonce(&*subject);
        self.check_separation(make);
        self.check_forgeries(&*subject);
        self.check_many(&*subject);
    }

    /// A case of a vector file, under its own key.
    fn check_case(&self, case: &Case, make: MakeSubject) {
        let expected = Expected {
            name: format!("{}, ", case.name),
            message: Message {
                nonce: case.nonce.clone(),
                aad: case.aad.clone(),
                plaintext: case.plaintext.clone(),
            },
            sealed: Some(self.algorithm.join(&case.ciphertext, &case.tag)),
        };
        let reference = self.algorithm.seal(&case.key, &expected.message);
        assert_eq!(reference, expected.sealed, "{}: the reference is wrong", case.name);
        check(&self.algorithm, &*make(&case.key), &expected, Place::After(0));
    }

    /// Many messages in one call and one by one, in every pair of styles; of each batch one
    /// message beside the reference.
    fn check_many(&self, subject: &dyn Subject) {
        let parts = self.algorithm.parts();
        // A column's slabs are the same for all, and tested apart.
        let counts = [Count::Few, Count::Group, Count::Groups];
        let mut coverage = Coverage::new(parts, &counts);
        let mut source = SplitMix64::new(self.seed);
        for _ in 0..TOO_MANY_BATCHES {
            if coverage.left() == 0 {
                break;
            }
            let shape = coverage.draw(&mut source);
            let messages = Messages::draw(shape, parts, &mut source);
            let mut many = Many::new(&self.algorithm, &self.key, &messages);
            let executions = many.check(subject);
            if !messages.is_empty() {
                many.check_reference(source.below(messages.len()));
            }
            coverage.add(&messages, executions);
        }
        assert_eq!(coverage.missing(), [], "no batch showed them");
    }

    /// Every offset from the first page that may be touched, at lengths on both sides of every
    /// vector's width.
    fn check_offsets(&self, subject: &dyn Subject) {
        for offset in 0..=64 {
            for len in [1, 15, 16, 17, 63, 64, 65, 255, 257, 1025] {
                let message = Message::painted(&self.algorithm, offset, len / 2, len);
                self.check_message(subject, message, Place::After(offset));
            }
        }
    }

    /// Around the strides and groups of every tier, and many of them.
    fn check_long(&self, subject: &dyn Subject) {
        for len in [8191, 8192, 8193, 16_411, 40_000] {
            let message = Message::painted(&self.algorithm, len, 3, len);
            self.check_message(subject, message, Place::Before);
        }
    }

    fn check_message(&self, subject: &dyn Subject, message: Message, place: Place) {
        let expected = Expected::new(&self.algorithm, &self.key, message);
        check(&self.algorithm, subject, &expected, place);
    }

    /// Nonces of zeros and of ones, which an algorithm may forbid.
    fn check_extreme_nonces(&self, subject: &dyn Subject) {
        for fill in [0x00, 0xff] {
            for len in [0, 1, 16, 1000] {
                let mut message = Message::painted(&self.algorithm, 0, len, len);
                message.nonce.fill(fill);
                self.check_message(subject, message, Place::Before);
            }
        }
    }

    /// The level that draws its nonce: the reference must agree under the nonce
    /// that was drawn, and no nonce may come twice.
    fn check_random_nonce(&self, subject: &dyn Subject) {
        let mut nonces = Vec::new();
        for len in borders() {
            let mut message = Message::painted(&self.algorithm, len, len / 3, len);
            let sealed = subject.seal(&message.plaintext, &message.aad);
            if self.algorithm.counts_nonces {
                assert_eq!(sealed, Err(Failure::Misuse), "drew a nonce to count");
                continue;
            }
            if (self.algorithm.refuses)(&message) {
                assert_eq!(sealed, Err(Failure::Misuse), "seal of {message:?}");
                continue;
            }
            let sealed = sealed.expect("seal with a random nonce");
            let (nonce, rest) = sealed.split_at(self.algorithm.nonce_len);
            message.nonce = nonce.to_vec();
            let expected = self.algorithm.seal(&self.key, &message);
            let expected = expected.unwrap_or_else(|| panic!("a forbidden nonce: {message:?}"));
            assert_eq!(rest, expected, "{message:?}");
            let opened = subject.open(&sealed, &message.aad);
            assert_eq!(opened.as_ref(), Ok(&message.plaintext), "{message:?}");
            nonces.push(message.nonce);
        }
        let distinct = if self.algorithm.nonce_len == 0 { 1 } else { nonces.len() };
        nonces.sort_unstable();
        nonces.dedup();
        assert_eq!(nonces.len(), distinct, "a nonce was drawn twice");
    }

    /// The sealed message of an allowed message under the tests' key.
    fn reference(&self, message: &Message) -> Vec<u8> {
        let sealed = self.algorithm.seal(&self.key, message);
        sealed.expect("a message that may be sealed")
    }

    /// The level that draws its nonce; where nonces are counted, it must refuse, and the
    /// caller's part is done here.
    fn open_after_nonce(
        &self,
        subject: &dyn Subject,
        sealed: &[u8],
        aad: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        let opened = subject.open(sealed, aad);
        if !self.algorithm.counts_nonces {
            return opened;
        }
        assert_eq!(opened, Err(Failure::Misuse), "opened by itself");
        let (nonce, sealed) =
            sealed.split_at_checked(self.algorithm.nonce_len).ok_or(Failure::Open)?;
        subject.open_with_nonce(nonce, sealed, aad)
    }

    /// A call must depend on its own inputs alone, all of them, and on nothing
    /// that an earlier call of the same key left behind.
    fn check_separation(&self, make: MakeSubject) {
        let subject = make(&self.key);
        let other_subject = make(&painted(7, self.algorithm.key_len));
        let messages = messages::neighbours(&self.algorithm);
        let mut tags = Vec::new();
        for message in &messages {
            let expected = self.reference(message);
            let ours = subject.seal_with_nonce(&message.nonce, &message.plaintext, &message.aad);
            assert_eq!(ours.as_ref(), Ok(&expected), "after another message: {message:?}");
            tags.push(self.algorithm.split(&expected).1.to_vec());
        }
        for message in &messages {
            let Message { nonce, aad, plaintext } = message;
            let expected = self.reference(message);
            let broken = vec![0x55; 100 + self.algorithm.tag_len];
            let opened = subject.open_with_nonce(nonce, &broken, b"another aad");
            assert_eq!(opened, Err(Failure::Open), "opened what nobody sealed");
            let opened = other_subject.open_with_nonce(nonce, &expected, aad);
            assert_eq!(opened, Err(Failure::Open), "opened under another key: {message:?}");
            let opened = subject.open_with_nonce(nonce, &expected, aad);
            assert_eq!(opened.as_ref(), Ok(plaintext), "after a failure: {message:?}");
        }
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), messages.len(), "two messages have one tag");
    }
}

/// A text of this length and an AAD of this length; the other input stays short and changes its
/// length as well.
fn both_of(algorithm: &Algorithm, len: usize) -> [Message; 2] {
    [(len % 19, len), (len, len % 23)]
        .map(|(aad_len, text_len)| Message::painted(algorithm, len, aad_len, text_len))
}

/// Holds plaintexts and AADs of these lengths against the reference, on each of the given tiers.
///
/// # Panics
///
/// If a check fails.
pub fn run_lengths(algorithm: &Algorithm, makes: &[MakeSubject], lens: &[usize]) {
    let key = painted(100, algorithm.key_len);
    let subjects: Vec<_> = makes.iter().map(|make| make(&key)).collect();
    for message in lens.iter().flat_map(|len| both_of(algorithm, *len)) {
        let expected = Expected::new(algorithm, &key, message);
        for subject in &subjects {
            check(algorithm, &**subject, &expected, Place::Before);
        }
    }
}
