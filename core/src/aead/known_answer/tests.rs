//! The oracle computes every known answer, and a cipher with a fault gives none.

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

/// What a cipher does wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Nothing,
    /// Every tag is another one.
    Tag,
    ForgeryOpens,
    /// The ciphertext of a message of these lengths of AAD and text, in a batch.
    TextInBatch((usize, usize)),
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

    /// The tag as this one makes it.
    fn own_tag(&self, nonce: &[u8], aad: &[u8], ciphertext: &[u8]) -> [u8; TAG_LEN] {
        let mut tag = Self::tag(nonce, aad, ciphertext);
        tag[3] ^= u8::from(self.0 == Fault::Tag);
        tag
    }
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
        if let Some(from) = from {
            in_out.copy_from_slice(from);
        }
        Self::keystream(nonce, in_out);
        *tag = self.own_tag(nonce, aad, in_out);
        Some(())
    }

    fn open(
        &self,
        nonce: &[u8; NONCE_LEN],
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &[u8; TAG_LEN],
    ) -> Option<bool> {
        if let Some(from) = from {
            in_out.copy_from_slice(from);
        }
        let opens = self.own_tag(nonce, aad, in_out) == *tag || self.0 == Fault::ForgeryOpens;
        Self::keystream(nonce, in_out);
        if !opens {
            in_out.fill(0);
        }
        Some(opens)
    }

    fn crypt_batch(&self, batch: &mut Batch<'_, '_, [u8; NONCE_LEN], BatchTags<'_>>) -> Option<()> {
        while batch.advance() {
            for i in 0..batch.count() {
                let lens = batch.lens(i);
                let message = batch.message_in_place(i);
                let (nonce, aad, text) = (message.nonce, message.aad, message.in_out);
                match message.tag {
                    TagPlace::Made(tag) => {
                        self.seal(nonce, aad, None, text, tag.try_into().ok()?)?;
                        text.iter_mut()
                            .take(usize::from(self.0 == Fault::TextInBatch(lens)))
                            .for_each(|byte| *byte ^= 1);
                    }
                    TagPlace::Given(tag) => {
                        if !self.open(nonce, aad, None, text, tag.try_into().ok()?)? {
                            batch.set_status(i, Status::NotOpened);
                        }
                    }
                }
            }
        }
        Some(())
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

#[test]
fn only_a_cipher_without_fault_gives_its_answer() {
    let holds = |fault| {
        let engine = Engine::new(Toy(fault), Tier::detect());
        answer().holds(&ToyKey { engine })
    };
    assert!(holds(Fault::Nothing));
    // The first message of a batch is empty, and the one in the middle is forged.
    let of_batch = Fault::TextInBatch(of_many_lengths(BATCH - 1));
    for fault in [Fault::Tag, Fault::ForgeryOpens, of_batch] {
        assert!(!holds(fault), "{fault:?}");
    }
}
