//! Forgeries.

use super::guarded::{Guarded, Place};
use super::{Conformance, Failure, Message, Subject};

/// Nonce, ciphertext, tag and AAD of a sealed message, which an attacker may change one by one.
type Sealed = [Vec<u8>; 4];

fn bits(sealed: &Sealed) -> usize {
    8 * sealed.iter().map(Vec::len).sum::<usize>()
}

impl Conformance {
    /// Every single-bit flip of short messages and a sample of long ones, every
    /// truncation, and every extension by one byte.
    pub(super) fn check_forgeries(&self, subject: &dyn Subject) {
        for (aad_len, plaintext_len) in
            [(0, 0), (0, 1), (1, 0), (16, 0), (0, 16), (5, 17), (20, 33), (64, 64), (17, 200)]
        {
            if let Some(sealed) = self.sealed(aad_len, plaintext_len) {
                (0..bits(&sealed)).for_each(|bit| self.check_flip(subject, &sealed, bit));
                self.check_truncations(subject, &sealed);
            }
        }
        for (aad_len, plaintext_len) in [(40, 1041), (1041, 40), (300, 4097)] {
            let sealed = self.sealed(aad_len, plaintext_len);
            let sealed = sealed.expect("what has a text is not refused");
            // A prime step walks over all bit and byte positions of a vector.
            let bits = (0..bits(&sealed)).step_by(97);
            bits.for_each(|bit| self.check_flip(subject, &sealed, bit));
        }
    }

    fn sealed(&self, aad_len: usize, plaintext_len: usize) -> Option<Sealed> {
        let message = Message::painted(&self.algorithm, aad_len, aad_len, plaintext_len);
        let sealed = self.algorithm.seal(&self.key, &message)?;
        let (ciphertext, tag) = self.algorithm.split(&sealed);
        let (ciphertext, tag) = (ciphertext.to_vec(), tag.to_vec());
        Some([message.nonce, ciphertext, tag, message.aad])
    }

    fn check_flip(&self, subject: &dyn Subject, sealed: &Sealed, bit: usize) {
        let mut forged = sealed.clone();
        let byte = forged.iter_mut().flatten().nth(bit / 8);
        *byte.expect("a bit of the message") ^= 1 << (bit % 8);
        let [nonce, ciphertext, tag, aad] = &forged;
        // A flip can make a nonce that the algorithm forbids; either answer is right then.
        let message =
            Message { nonce: nonce.clone(), aad: aad.clone(), plaintext: ciphertext.clone() };
        let refused = (self.algorithm.refuses)(&message);
        let rejected = |way: &str, opened: Result<(), Failure>| {
            let right = opened == Err(Failure::Open) || refused && opened == Err(Failure::Misuse);
            assert!(right, "{way}: {opened:?} for bit {bit} of {message:?}");
        };
        let wiped = |way: &str, output: Guarded| {
            let wiped = output.iter().all(|byte| *byte == 0);
            assert!(refused || wiped, "{way}: not wiped: {message:?}");
            output.assert_surroundings_untouched();
        };
        let mut in_out = Guarded::new(ciphertext, Place::After(bit % 65));
        let opened = subject.open_in_place(nonce, aad, &mut in_out, tag);
        rejected("open_in_place", opened);
        wiped("open_in_place", in_out);
        let mut output = Guarded::new(ciphertext, Place::Before);
        let opened = subject.open_into(nonce, ciphertext, aad, tag, &mut output);
        rejected("open_into", opened);
        wiped("open_into", output);
        let attached = self.algorithm.join(ciphertext, tag);
        let opened = subject.open_with_nonce(nonce, &attached, aad);
        rejected("open_with_nonce", opened.map(drop));
        let opened = self.open_after_nonce(subject, &[&nonce[..], &attached].concat(), aad);
        rejected("open", opened.map(drop));
    }

    /// Every shorter sealed message, down to nothing, and one byte more; and AADs of one byte
    /// more and less.
    fn check_truncations(&self, subject: &dyn Subject, sealed: &Sealed) {
        let [nonce, ciphertext, tag, aad] = sealed;
        let attached = self.algorithm.join(ciphertext, tag);
        let longer = [&nonce[..], &attached, &[0]].concat();
        let (whole, overhead) = (longer.len() - 1, nonce.len() + tag.len());
        let opened = self.open_after_nonce(subject, &longer[..whole], aad);
        assert!(opened.is_ok(), "the untruncated message opens");
        for len in (0..=longer.len()).filter(|len| *len != whole) {
            let left = len.checked_sub(overhead);
            let opened = self.open_after_nonce(subject, &longer[..len], aad);
            self.assert_rejected(&opened, nonce, left, aad);
            if let Some(attached) = longer[..len].get(nonce.len()..) {
                let opened = subject.open_with_nonce(nonce, attached, aad);
                self.assert_rejected(&opened, nonce, left, aad);
            }
        }
        let longer_aad = [&aad[..], &[0]].concat();
        let shorter_aad = aad.split_last().map(|(_, shorter)| shorter);
        for other_aad in [Some(&longer_aad[..]), shorter_aad].into_iter().flatten() {
            let opened = self.open_after_nonce(subject, &longer[..whole], other_aad);
            self.assert_rejected(&opened, nonce, Some(ciphertext.len()), other_aad);
        }
    }

    /// A cut or lengthened message must fail to open; if the algorithm forbids its length, that
    /// error is right as well. `ciphertext_len` is `None` if it is shorter than a tag.
    fn assert_rejected(
        &self,
        opened: &Result<Vec<u8>, Failure>,
        nonce: &[u8],
        ciphertext_len: Option<usize>,
        aad: &[u8],
    ) {
        let forbidden = ciphertext_len.is_some_and(|len| {
            let (nonce, aad, plaintext) = (nonce.to_vec(), aad.to_vec(), vec![0; len]);
            (self.algorithm.refuses)(&Message { nonce, aad, plaintext })
        });
        assert!(
            *opened == Err(Failure::Open) || forbidden && *opened == Err(Failure::Misuse),
            "{opened:?} where {ciphertext_len:?} bytes of ciphertext were left, aad of {}",
            aad.len()
        );
    }
}
