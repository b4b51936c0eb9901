//! What must not open.

use super::guarded::{Guarded, Place};
use super::{Conformance, Failure, Message, Report, Subject};

/// A sealed message in the parts that an attacker may change one by one.
#[derive(Clone)]
struct Sealed {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    ciphertext: Vec<u8>,
    tag: Vec<u8>,
}

impl Sealed {
    fn bits(&self) -> usize {
        8 * (self.nonce.len() + self.aad.len() + self.ciphertext.len() + self.tag.len())
    }

    fn flip(&mut self, bit: usize) {
        let Self {
            nonce,
            aad,
            ciphertext,
            tag,
        } = self;
        let byte = [nonce, ciphertext, tag, aad]
            .into_iter()
            .flatten()
            .nth(bit / 8);
        *byte.expect("a bit of the message") ^= 1 << (bit % 8);
    }
}

impl Conformance {
    /// Every single-bit flip of short messages and a sample of long ones, every
    /// truncation, and every extension by one byte.
    pub(super) fn check_forgeries(&self, subject: &dyn Subject, report: &mut Report) {
        for (aad_len, plaintext_len) in [
            (0, 0),
            (0, 1),
            (1, 0),
            (16, 0),
            (0, 16),
            (5, 17),
            (20, 33),
            (64, 64),
            (17, 200),
        ] {
            if let Some(sealed) = self.sealed(aad_len, plaintext_len) {
                for bit in 0..sealed.bits() {
                    self.check_flip(subject, &sealed, bit, report);
                }
                self.check_truncations(subject, &sealed, report);
            }
        }
        for (aad_len, plaintext_len) in [(40, 1041), (1041, 40), (300, 4097)] {
            if let Some(sealed) = self.sealed(aad_len, plaintext_len) {
                // A prime step walks over all bit and byte positions of a vector.
                for bit in (0..sealed.bits()).step_by(97) {
                    self.check_flip(subject, &sealed, bit, report);
                }
            }
        }
    }

    fn sealed(&self, aad_len: usize, plaintext_len: usize) -> Option<Sealed> {
        let message = Message::painted(&self.algorithm, aad_len, aad_len, plaintext_len);
        let sealed = self.algorithm.seal(&self.key, &message)?;
        let (ciphertext, tag) = self.algorithm.split(&sealed);
        Some(Sealed {
            nonce: message.nonce,
            aad: message.aad,
            ciphertext: ciphertext.to_vec(),
            tag: tag.to_vec(),
        })
    }

    fn check_flip(&self, subject: &dyn Subject, sealed: &Sealed, bit: usize, report: &mut Report) {
        let mut forged = sealed.clone();
        forged.flip(bit);
        let Sealed {
            nonce,
            aad,
            ciphertext,
            tag,
        } = &forged;
        // A flip can make a nonce that the algorithm forbids; either answer is right then.
        let message = Message {
            nonce: nonce.clone(),
            aad: aad.clone(),
            plaintext: ciphertext.clone(),
        };
        let refused = (self.algorithm.refuses)(&message);
        let rejected = |failure: Failure| {
            assert!(
                failure == Failure::Open || refused && failure == Failure::Misuse,
                "{failure:?} for bit {bit} of {message:?}"
            );
        };

        let mut in_out = Guarded::new(ciphertext, Place::After(bit % 65));
        match subject.open_in_place(nonce, aad, &mut in_out, tag) {
            Ok(()) => panic!("open_in_place took a forgery: bit {bit} of {message:?}"),
            Err(failure) => rejected(failure),
        }
        assert!(
            refused || in_out.iter().all(|byte| *byte == 0),
            "not wiped: {message:?}"
        );
        in_out.assert_surroundings_untouched();
        let mut output = Guarded::new(ciphertext, Place::Before);
        match subject.open_into(nonce, ciphertext, aad, tag, &mut output) {
            Ok(()) => panic!("open_into took a forgery: bit {bit} of {message:?}"),
            Err(failure) => rejected(failure),
        }
        assert!(
            refused || output.iter().all(|byte| *byte == 0),
            "not wiped apart: {message:?}"
        );
        output.assert_surroundings_untouched();
        let attached = self.algorithm.join(ciphertext, tag);
        match subject.open_with_nonce(nonce, &attached, aad) {
            Ok(_) => panic!("open_with_nonce took a forgery: bit {bit} of {message:?}"),
            Err(failure) => rejected(failure),
        }
        match self.open_after_nonce(subject, &[&nonce[..], &attached].concat(), aad) {
            Ok(_) => panic!("open took a forgery: bit {bit} of {message:?}"),
            Err(failure) => rejected(failure),
        }
        report.forgeries += 1;
    }

    /// Every shorter sealed message, down to nothing, and one byte more.
    fn check_truncations(&self, subject: &dyn Subject, sealed: &Sealed, report: &mut Report) {
        let Sealed {
            nonce,
            aad,
            ciphertext,
            tag,
        } = sealed;
        let attached = self.algorithm.join(ciphertext, tag);
        let whole = [&nonce[..], &attached].concat();
        assert!(
            self.open_after_nonce(subject, &whole, aad).is_ok(),
            "the untruncated message opens"
        );
        for len in 0..attached.len() {
            let opened = subject.open_with_nonce(nonce, &attached[..len], aad);
            self.assert_rejected(&opened, nonce, len.checked_sub(tag.len()), aad);
            report.truncations += 1;
        }
        for len in 0..whole.len() {
            let opened = self.open_after_nonce(subject, &whole[..len], aad);
            let ciphertext_len = len.checked_sub(nonce.len() + tag.len());
            self.assert_rejected(&opened, nonce, ciphertext_len, aad);
            report.truncations += 1;
        }
        let longer = [&attached[..], &[0]].concat();
        let opened = subject.open_with_nonce(nonce, &longer, aad);
        self.assert_rejected(&opened, nonce, Some(ciphertext.len() + 1), aad);
        let opened = self.open_after_nonce(subject, &[&whole[..], &[0]].concat(), aad);
        self.assert_rejected(&opened, nonce, Some(ciphertext.len() + 1), aad);
        let longer_aad = [&aad[..], &[0]].concat();
        let shorter_aad = &aad[..aad.len().saturating_sub(1)];
        for other_aad in [&longer_aad[..], shorter_aad] {
            if other_aad.len() != aad.len() {
                let opened = self.open_after_nonce(subject, &whole, other_aad);
                self.assert_rejected(&opened, nonce, Some(ciphertext.len()), other_aad);
            }
        }
    }

    /// What was cut or lengthened must fail to open; where that made a message
    /// that the algorithm forbids, saying so is right as well. `ciphertext_len`
    /// is `None` where not even a tag is left.
    fn assert_rejected(
        &self,
        opened: &Result<Vec<u8>, Failure>,
        nonce: &[u8],
        ciphertext_len: Option<usize>,
        aad: &[u8],
    ) {
        let forbidden = ciphertext_len.is_some_and(|len| {
            let (nonce, aad, plaintext) = (nonce.to_vec(), aad.to_vec(), vec![0; len]);
            (self.algorithm.refuses)(&Message {
                nonce,
                aad,
                plaintext,
            })
        });
        assert!(
            *opened == Err(Failure::Open) || forbidden && *opened == Err(Failure::Misuse),
            "{opened:?} where {ciphertext_len:?} bytes of ciphertext were left, aad of {}",
            aad.len()
        );
    }
}
