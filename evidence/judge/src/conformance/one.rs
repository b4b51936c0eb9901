//! One message with a given nonce, in every way of the interface.

use super::guarded::{Guarded, Place};
use super::{Algorithm, Failure, Message, Subject};
use core::fmt;

/// A message and the reference's sealed message; `None` if it must refuse.
pub(super) struct Expected {
    /// The name of a vector's case; empty for a message of ours.
    pub(super) name: String,
    pub(super) message: Message,
    pub(super) sealed: Option<Vec<u8>>,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.name, self.message)
    }
}

impl Expected {
    pub(super) fn new(algorithm: &Algorithm, key: &[u8], message: Message) -> Self {
        Self { name: String::new(), sealed: algorithm.seal(key, &message), message }
    }
}

/// One message with a given nonce: apart, in place, and forged, in buffers that lie as `place`
/// says.
pub(super) fn check(
    algorithm: &Algorithm,
    subject: &dyn Subject,
    expected: &Expected,
    place: Place,
) {
    let message = &expected.message;
    let Some(sealed) = &expected.sealed else {
        check_refusal(subject, message, algorithm.tag_len);
        return;
    };
    let (ciphertext, tag) = algorithm.split(sealed);
    let nonce = Guarded::new(&message.nonce, place.times(1, 7));
    let aad = Guarded::new(&message.aad, place.times(1, 61));
    let plaintext = Guarded::new(&message.plaintext, place);

    let ours = subject.seal_with_nonce(&nonce, &plaintext, &aad);
    assert_eq!(ours.as_ref(), Ok(sealed), "seal_with_nonce of {expected}");
    let opened = subject.open_with_nonce(&nonce, &Guarded::new(sealed, place), &aad);
    assert_eq!(opened.as_ref(), Ok(&message.plaintext), "open_with_nonce of {expected}");

    let mut output = Guarded::new(&vec![0x5a; plaintext.len()], place.times(7, 67));
    let mut made = Guarded::new(&vec![0x5a; tag.len()], place.times(1, 5));
    let ours = subject.seal_into(&nonce, &plaintext, &aad, &mut output, &mut made);
    assert_eq!(ours, Ok(()), "seal_into of {expected}");
    assert_eq!(*output, *ciphertext, "seal_into of {expected}");
    assert_eq!(*made, *tag, "tag of seal_into of {expected}");
    output.assert_surroundings_untouched();
    made.assert_surroundings_untouched();

    let mut in_out = plaintext;
    made.fill(0x5a);
    let ours = subject.seal_in_place(&nonce, &aad, &mut in_out, &mut made);
    assert_eq!(ours, Ok(()), "seal_in_place of {expected}");
    assert_eq!(*in_out, *ciphertext, "seal_in_place of {expected}");
    assert_eq!(*made, *tag, "tag of seal_in_place of {expected}");
    in_out.assert_surroundings_untouched();
    made.assert_surroundings_untouched();

    let opened = subject.open_into(&nonce, &in_out, &aad, tag, &mut output);
    assert_eq!(opened, Ok(()), "open_into of {expected}");
    assert_eq!(*output, *message.plaintext, "open_into of {expected}");
    output.assert_surroundings_untouched();
    let opened = subject.open_in_place(&nonce, &aad, &mut in_out, tag);
    assert_eq!(opened, Ok(()), "open_in_place of {expected}");
    assert_eq!(*in_out, *message.plaintext, "open_in_place of {expected}");
    in_out.assert_surroundings_untouched();

    // Each length fails once; `check_forgeries` tries every bit.
    let mut forged_tag = tag.to_vec();
    let bit = message.plaintext.len() * 5 % (8 * tag.len());
    forged_tag[bit / 8] ^= 1 << (bit % 8);
    in_out.copy_from_slice(ciphertext);
    let opened = subject.open_in_place(&nonce, &aad, &mut in_out, &forged_tag);
    assert_eq!(opened, Err(Failure::Open), "forged tag of {expected}");
    assert!(in_out.iter().all(|byte| *byte == 0), "not wiped: {expected}");
    in_out.assert_surroundings_untouched();
}

/// A message that the standard forbids: no level may seal or open it, and
/// nothing may be written.
fn check_refusal(subject: &dyn Subject, message: &Message, tag_len: usize) {
    let sealed = subject.seal_with_nonce(&message.nonce, &message.plaintext, &message.aad);
    assert_eq!(sealed, Err(Failure::Misuse), "seal_with_nonce of {message:?}");
    let mut in_out = Guarded::new(&message.plaintext, Place::Before);
    let mut tag = Guarded::new(&vec![0x5a; tag_len], Place::Before);
    let sealed = subject.seal_in_place(&message.nonce, &message.aad, &mut in_out, &mut tag);
    assert_eq!(sealed, Err(Failure::Misuse), "seal_in_place of {message:?}");
    let Message { nonce, aad, plaintext } = message;
    let mut output = plaintext.clone();
    let sealed = subject.seal_into(nonce, plaintext, aad, &mut output, &mut tag);
    assert_eq!(sealed, Err(Failure::Misuse), "seal_into of {message:?}");
    assert!(
        *in_out == **plaintext && output == *plaintext && tag.iter().all(|byte| *byte == 0x5a),
        "written to in spite of misuse: {message:?}"
    );
    in_out.assert_surroundings_untouched();
    tag.assert_surroundings_untouched();
    let sealed = vec![0; message.plaintext.len() + tag_len];
    let opened = subject.open_with_nonce(&message.nonce, &sealed, &message.aad);
    assert!(opened.is_err(), "opened what cannot be sealed: {message:?}");
}
