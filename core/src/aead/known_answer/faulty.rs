//! A cipher with a fault does not give its known answer.

use super::*;
use crate::aead::keys::*;
use crate::aes_gcm_siv::KNOWN_ANSWER_256;
use crate::aes_gcm_siv::aes256::TierKeys as Gcm;
use crate::tag::Tag;
use crate::tier::Tier;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The fault of a cipher.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Nothing,
    /// Every tag is another one.
    Tag,
    ForgeryOpens,
    /// A message of these lengths of AAD and text is sealed to another ciphertext after the first
    /// time, as if a batch did that.
    TextInBatch((usize, usize)),
}

/// A cipher with a fault, and whether it sealed the message that the fault is about.
struct Faulty(Gcm, Fault, AtomicBool);

type Nonce = <Gcm as Cipher>::Nonce;
type Tag16 = [u8; Tag::LEN];

impl Cipher for Faulty {
    const NONCE: NonceRule = Gcm::NONCE;
    const LIMITS: Limits = Gcm::LIMITS;
    type Key = <Gcm as Cipher>::Key;
    type Nonce = Nonce;
    type Tag = Tag;

    fn new(key: &Self::Key, tag_len: usize, tier: Tier) -> Self {
        Self(Gcm::new(key, tag_len, tier), Fault::Nothing, AtomicBool::new(false))
    }

    fn gives_known_answers(_tier: Tier) -> bool {
        true
    }

    fn algorithm(&self) -> &'static Algorithm {
        self.0.algorithm()
    }

    fn few(&self) -> Option<usize> {
        Some(usize::MAX)
    }

    fn seal(
        &self,
        nonce: &Nonce,
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &mut Tag16,
    ) -> Option<()> {
        self.0.seal(nonce, aad, from, in_out, tag)?;
        tag[3] ^= u8::from(self.1 == Fault::Tag);
        if self.1 == Fault::TextInBatch((aad.len(), in_out.len())) && self.2.swap(true, Relaxed) {
            in_out[0] ^= 1;
        }
        Some(())
    }

    fn open(
        &self,
        nonce: &Nonce,
        aad: &[u8],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &Tag16,
    ) -> Option<bool> {
        let opens = self.0.open(nonce, aad, from, in_out, tag)?;
        Some(opens || self.1 == Fault::ForgeryOpens)
    }

    fn crypt_batch(&self, _batch: &mut Batch<'_, '_, Nonce>) -> Option<()> {
        unreachable!("few messages")
    }
}

calls!(Faulty);

#[test]
fn only_a_cipher_without_fault_gives_its_answer() {
    let tier = Tier::detect();
    let holds = |fault| {
        let cipher = Faulty(Gcm::new(&key(), Tag::LEN, tier), fault, AtomicBool::new(false));
        KNOWN_ANSWER_256.holds(&Key { engine: Engine::new(cipher, tier) })
    };
    assert!(holds(Fault::Nothing));
    // The first message of a batch is empty, and the one in the middle is forged.
    let of_batch = Fault::TextInBatch(of_many_lengths(BATCH - 1));
    for fault in [Fault::Tag, Fault::ForgeryOpens, of_batch] {
        assert!(!holds(fault), "{fault:?}");
    }
}
