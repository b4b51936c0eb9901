//! The oracle computes every known answer, and no cipher with a fault gives one.

use super::*;
use crate::aead::key::*;
use crate::mode::batch::TagPlace;
use crate::tag::Tag;
use crate::tier::Tier;
use std::boxed::Box;
use std::vec;
use std::vec::Vec;

impl KnownAnswer {
    /// Has the oracle compute it. `seal` takes nonce, AAD and plaintext, and returns
    /// ciphertext and tag.
    pub(crate) fn is_the_oracles(
        &self,
        nonce_len: usize,
        seal: impl Fn(&[u8], &[u8], &[u8]) -> (Vec<u8>, Vec<u8>),
    ) {
        let last = end_of_chain(self.lens, self.tag.len(), nonce_len, &seal);
        assert_eq!(last, self.tag, "{last:02x?}");
        if let Some(answer) = self.very_long {
            let tag = second_tag(nonce_len, &seal);
            assert_eq!(tag, answer, "{tag:02x?}");
        }
    }
}

type Seal<'a> = &'a dyn Fn(&[u8], &[u8], &[u8]) -> (Vec<u8>, Vec<u8>);

fn end_of_chain(lens: &[usize], tag_len: usize, nonce_len: usize, seal: Seal<'_>) -> Vec<u8> {
    let mut message = painted::<LONGEST>();
    lens.iter().fold(vec![0; tag_len], |last, len| {
        let (sealed, tag) = seal(&last[..nonce_len], &last, &message[..*len]);
        message[..*len].copy_from_slice(&sealed);
        tag
    })
}

fn second_tag(nonce_len: usize, seal: Seal<'_>) -> Vec<u8> {
    let nonce = &[7; MAX_NONCE_LEN][..nonce_len];
    let (once, _) = seal(nonce, b"", &painted::<VERY_LONG>());
    seal(nonce, b"", &once).1
}

/// An enum with the list of its variants: one that is added is tried.
macro_rules! listed {
    ($(#[$meta:meta])* enum $name:ident { $($(#[$about:meta])* $fault:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        enum $name { $($(#[$about])* $fault,)* }

        impl $name {
            const ALL: &[Self] = &[$(Self::$fault),*];
        }
    };
}

/// What a cipher does wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Nothing,
    One(InOne),
    /// In messages of these lengths of AAD and text.
    Batch(InBatch, (usize, usize)),
}

listed! {
    /// What is wrong with one message. Where nothing else is said a cipher tells the truth of
    /// what it did.
    enum InOne {
        /// Every tag is another one, in sealing and in opening.
        Tag,
        SealRefuses,
        /// From one buffer to another; all of these are.
        SealApartRefusesAndSeals,
        SealApartText,
        SealApartTag,
        OpenApartRefusesAndOpens,
        OpenInPlaceRefusesAndOpens,
        OpenInPlaceText,
        ForgeryOpens,
        ForgeryOpensWiped,
        ForgeryRefusedAndLeft,
        VeryLongTag,
        /// What was sealed before; its tag is the one that is compared.
        VeryLongSealRefusesAndSeals,
        VeryLongOpenRefusesAndOpens,
        VeryLongOpenText,
        /// Only when what was sealed first is opened last: no tag comes after it.
        VeryLongPlaintext,
    }
}
use InOne::*;

listed! {
    /// What is wrong in a batch.
    enum InBatch {
        SealRefusesAndSeals,
        SealText,
        SealTag,
        OpenText,
        /// Messages that are right.
        OpenRefusesAndWipes,
        ForgeryOpens,
        ForgeryOpensWiped,
        ForgeryRefusedAndLeft,
    }
}

impl InBatch {
    /// Only the message in the middle is forged.
    fn is_of_a_forgery(self) -> bool {
        matches!(
            self,
            Self::ForgeryOpens | Self::ForgeryOpensWiped | Self::ForgeryRefusedAndLeft
        )
    }
}

const TAG_LEN: usize = 16;
const NONCE_LEN: usize = 12;

/// Encrypts nothing to speak of; its tag depends on every byte and length.
struct Toy(Fault);

impl Toy {
    fn keystream(nonce: &[u8], text: &mut [u8]) {
        let start = nonce
            .iter()
            .fold(0x5a_u8, |sum, byte| sum.rotate_left(1) ^ byte);
        for (byte, i) in text.iter_mut().zip(0_u32..) {
            *byte ^= start ^ i.to_le_bytes()[0];
        }
    }

    fn tag(nonce: &[u8], aad: &[u8], ciphertext: &[u8]) -> [u8; TAG_LEN] {
        let len = [aad.len().to_le_bytes()[0]];
        let bytes = [nonce, &len, aad, ciphertext].concat();
        let hash = bytes.iter().fold(1_u128, |hash, byte| {
            (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        });
        (hash ^ (hash >> 64)).to_le_bytes()
    }

    fn seal(nonce: &[u8], aad: &[u8], text: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let mut sealed = text.to_vec();
        Self::keystream(nonce, &mut sealed);
        let tag = Self::tag(nonce, aad, &sealed);
        (sealed, tag.to_vec())
    }

    fn has(&self, fault: InOne, text: &[u8]) -> bool {
        self.0 == Fault::One(fault) && (!is_of_very_long(fault) || text.len() == VERY_LONG)
    }

    /// Whether a batch does this wrong with a message of these lengths.
    fn has_in_batch(&self, fault: InBatch, lens: (usize, usize)) -> bool {
        self.0 == Fault::Batch(fault, lens)
    }

    /// The tag as this one makes it.
    fn own_tag(&self, nonce: &[u8], aad: &[u8], ciphertext: &[u8]) -> [u8; TAG_LEN] {
        let mut tag = Self::tag(nonce, aad, ciphertext);
        tag[3] ^= u8::from(self.has(Tag, ciphertext) || self.has(VeryLongTag, ciphertext));
        tag
    }
}

fn is_of_very_long(fault: InOne) -> bool {
    matches!(
        fault,
        VeryLongTag
            | VeryLongSealRefusesAndSeals
            | VeryLongOpenRefusesAndOpens
            | VeryLongOpenText
            | VeryLongPlaintext
    )
}

impl Cipher for Toy {
    const KEY_LEN: usize = 0;
    const NONCE: NonceRule = NonceRule::Random {
        first_byte_mask: 0xff,
        may_repeat: false,
    };
    const LIMITS: Limits = Limits {
        text: u64::MAX,
        aad: u64::MAX,
        together: u64::MAX,
        empty: true,
    };
    type Nonce = [u8; NONCE_LEN];
    type Tag = [u8; TAG_LEN];

    fn tag_len(&self) -> usize {
        TAG_LEN
    }

    fn few(&self) -> Option<usize> {
        Some(0)
    }

    fn seal(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &mut [u8; TAG_LEN],
    ) -> Option<()> {
        let is_apart = from.is_some();
        if let Some(from) = from {
            in_out.copy_from_slice(from);
        }
        let is_second = *in_out != painted::<VERY_LONG>();
        Self::keystream(nonce, in_out);
        *tag = self.own_tag(nonce, aad, in_out);
        if is_apart && self.has(SealApartText, in_out) {
            in_out.iter_mut().for_each(|byte| *byte ^= 1);
        }
        tag[0] ^= u8::from(is_apart && self.has(SealApartTag, in_out));
        let refuses = self.has(SealRefuses, in_out)
            || (self.has(VeryLongSealRefusesAndSeals, in_out) && is_second)
            || (is_apart && self.has(SealApartRefusesAndSeals, in_out));
        (!refuses).then_some(())
    }

    fn open(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &[u8; TAG_LEN],
    ) -> Option<bool> {
        let is_apart = from.is_some();
        if let Some(from) = from {
            in_out.copy_from_slice(from);
        }
        let is_right = self.own_tag(nonce, aad, in_out) == *tag;
        Self::keystream(nonce, in_out);
        if !is_right {
            if !self.has(ForgeryRefusedAndLeft, in_out) && !self.has(ForgeryOpens, in_out) {
                in_out.fill(0);
            }
            let opens = self.has(ForgeryOpens, in_out) || self.has(ForgeryOpensWiped, in_out);
            return Some(opens);
        }
        let other_text = self.has(VeryLongOpenText, in_out)
            || (self.has(VeryLongPlaintext, in_out) && *in_out == painted::<VERY_LONG>())
            || (!is_apart && self.has(OpenInPlaceText, in_out));
        if other_text && let Some(last) = in_out.last_mut() {
            *last ^= 1;
        }
        let refuses = self.has(VeryLongOpenRefusesAndOpens, in_out)
            || (is_apart && self.has(OpenApartRefusesAndOpens, in_out))
            || (!is_apart && self.has(OpenInPlaceRefusesAndOpens, in_out));
        Some(!refuses)
    }

    fn crypt_batch(&self, batch: &mut Batch<'_, '_, [u8; NONCE_LEN], BatchTags<'_>>) -> Option<()> {
        let mut done = Some(());
        while batch.advance() {
            for i in 0..batch.count() {
                let lens = batch.lens(i);
                let message = batch.message_in_place(i);
                match message.tag {
                    TagPlace::Made(tag) => {
                        Self::keystream(message.nonce, message.in_out);
                        let made = self.own_tag(message.nonce, message.aad, message.in_out);
                        tag.copy_from_slice(&made);
                        if self.has_in_batch(InBatch::SealText, lens) {
                            message.in_out[0] ^= 1;
                        }
                        tag[0] ^= u8::from(self.has_in_batch(InBatch::SealTag, lens));
                        if self.has_in_batch(InBatch::SealRefusesAndSeals, lens) {
                            done = None;
                        }
                    }
                    TagPlace::Given(tag) => {
                        let made = self.own_tag(message.nonce, message.aad, message.in_out);
                        Self::keystream(message.nonce, message.in_out);
                        if !self.ends_in_batch(made == tag, lens, message.in_out) {
                            batch.set_status(i, Status::NotOpened);
                        }
                    }
                }
            }
        }
        done
    }
}

impl Toy {
    /// Whether an opened message of a batch is said to be open.
    fn ends_in_batch(&self, is_right: bool, lens: (usize, usize), text: &mut [u8]) -> bool {
        let has = |fault| self.has_in_batch(fault, lens);
        let (opens, wipes) = if is_right {
            let refuses = has(InBatch::OpenRefusesAndWipes);
            (!refuses, refuses)
        } else {
            let opens = has(InBatch::ForgeryOpens) || has(InBatch::ForgeryOpensWiped);
            let leaves = has(InBatch::ForgeryOpens) || has(InBatch::ForgeryRefusedAndLeft);
            (opens, !leaves)
        };
        if is_right && has(InBatch::OpenText) {
            text[0] ^= 1;
        }
        if wipes {
            text.fill(0);
        }
        opens
    }
}

#[expect(dead_code, unreachable_pub, reason = "it has all calls of a key")]
mod toy_key {
    use super::*;

    static TOY: Algorithm = Algorithm::of::<Toy>(
        "toy",
        TAG_LEN,
        #[cfg(feature = "alloc")]
        |_, _| None,
    );

    pub(super) struct ToyKey {
        pub(super) engine: Engine<Toy>,
    }

    impl std::fmt::Debug for ToyKey {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("ToyKey")
        }
    }

    aead_key! {
        ToyKey, Toy, Tag, 0, |_engine| &TOY, [nonce; 12],
        key: "", tag: "", nonces: "", once: "", refused: "", not_opened: "",
    }
}
use toy_key::ToyKey;

fn answer() -> KnownAnswer {
    let lens = &[0, 1, 33, 700, LONGEST];
    KnownAnswer {
        lens,
        tag: Box::leak(end_of_chain(lens, TAG_LEN, NONCE_LEN, &Toy::seal).into()),
        very_long: Some(Box::leak(second_tag(NONCE_LEN, &Toy::seal).into())),
    }
}

fn holds(fault: Fault) -> bool {
    let engine = Engine::new(Toy(fault), Tier::detect());
    answer().holds(&ToyKey { engine })
}

#[test]
fn a_cipher_without_fault_gives_its_answer() {
    assert!(holds(Fault::Nothing));
}

#[test]
fn one_message_done_wrong_in_any_way_is_found() {
    for &fault in InOne::ALL {
        assert!(!holds(Fault::One(fault)), "{fault:?}");
    }
}

/// The first message is too short for most ways, and the one in the middle is forged.
#[test]
fn a_batch_done_wrong_with_some_lengths_is_found() {
    for &fault in InBatch::ALL {
        let (many, long) = if fault.is_of_a_forgery() {
            (of_many_lengths(BATCH / 2), of_few_long(BATCH / 2))
        } else {
            (of_many_lengths(BATCH - 1), of_few_long(BATCH / 2 + 9))
        };
        for lens in [many, (5, 100), long] {
            assert!(!holds(Fault::Batch(fault, lens)), "{fault:?} of {lens:?}");
        }
    }
    assert_eq!(of_many_lengths(BATCH - 1), (26, 12 * 25));
}
