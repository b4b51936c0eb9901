//! What must not open.

use super::guarded::Guarded;
use super::{Failure, Message, Report, Subject, Suite};

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

impl Suite {
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
                check_truncations(subject, &sealed, report);
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
        if (self.algorithm.refuses)(&message) {
            return None;
        }
        let mut ciphertext = (self.algorithm.seal)(&self.key, &message);
        let tag = ciphertext.split_off(plaintext_len);
        Some(Sealed {
            nonce: message.nonce,
            aad: message.aad,
            ciphertext,
            tag,
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

        let mut in_out = Guarded::new(ciphertext, bit % 65);
        match subject.open_in_place(nonce, aad, &mut in_out, tag) {
            Ok(()) => panic!("open_in_place took a forgery: bit {bit} of {message:?}"),
            Err(failure) => rejected(failure),
        }
        assert!(
            refused || in_out.iter().all(|byte| *byte == 0),
            "not wiped: {message:?}"
        );
        in_out.assert_surroundings_untouched();
        let attached = [&ciphertext[..], tag].concat();
        match subject.open_with_nonce(nonce, &attached, aad) {
            Ok(_) => panic!("open_with_nonce took a forgery: bit {bit} of {message:?}"),
            Err(failure) => rejected(failure),
        }
        match subject.open(&[&nonce[..], &attached].concat(), aad) {
            Ok(_) => panic!("open took a forgery: bit {bit} of {message:?}"),
            Err(failure) => rejected(failure),
        }
        report.forgeries += 1;
    }
}

/// Every shorter sealed message, down to nothing, and one byte more.
fn check_truncations(subject: &dyn Subject, sealed: &Sealed, report: &mut Report) {
    let Sealed {
        nonce,
        aad,
        ciphertext,
        tag,
    } = sealed;
    let attached = [&ciphertext[..], tag].concat();
    let whole = [&nonce[..], &attached].concat();
    assert!(
        subject.open(&whole, aad).is_ok(),
        "the untruncated message opens"
    );
    for len in 0..attached.len() {
        let opened = subject.open_with_nonce(nonce, &attached[..len], aad);
        assert_eq!(opened, Err(Failure::Open), "open_with_nonce of {len} bytes");
        report.truncations += 1;
    }
    for len in 0..whole.len() {
        let opened = subject.open(&whole[..len], aad);
        assert_eq!(opened, Err(Failure::Open), "open of {len} bytes");
        report.truncations += 1;
    }
    let longer = [&attached[..], &[0]].concat();
    assert_eq!(
        subject.open_with_nonce(nonce, &longer, aad),
        Err(Failure::Open)
    );
    assert_eq!(
        subject.open(&[&whole[..], &[0]].concat(), aad),
        Err(Failure::Open)
    );
    if !aad.is_empty() {
        let shorter = subject.open(&whole, &aad[..aad.len() - 1]);
        assert_eq!(shorter, Err(Failure::Open), "truncated aad");
    }
    let longer = subject.open(&whole, &[&aad[..], &[0]].concat());
    assert_eq!(longer, Err(Failure::Open), "extended aad");
}
