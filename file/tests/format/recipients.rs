//! Keys of age's, as texts, and slots that do not say whose they are. Slots of every kind are
//! opened in `rekey`.

use super::support::{FIRST_SLOT, sealed_for};
use sivka_file::{AgeKeyError, Identity, Lock, Recipient};

/// Of C2SP's age specification, section "The X25519 recipient type".
const X25519: [&str; 2] = [
    "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX",
    "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj",
];

/// Two slots for one person differ in every part: nothing says that they are the same one's.
#[test]
fn slots_do_not_say_whose_they_are() {
    for person in [Identity::generate_x25519(), Identity::generate()] {
        let person = person.unwrap();
        let file = sealed_for(&[Lock::Recipient(person.recipient()); 2], b"");
        let slots = &file[FIRST_SLOT..];
        let len = usize::from(u16::from_be_bytes([slots[1], slots[2]])) + 3;
        let (one, other) = (&slots[..len], &slots[len..2 * len]);
        assert_eq!(one[..3], other[..3]);
        let same = one[3..].iter().zip(&other[3..]).filter(|(a, b)| a == b);
        assert!(same.count() < len / 20);
    }
}

#[test]
fn keys_are_those_that_age_writes() {
    let [identity, recipient] = X25519;
    let read: Identity = identity.parse().unwrap();
    assert_eq!(read.recipient().to_string(), recipient);
    assert_eq!(read.to_text().as_str(), identity);
    let small: Identity = identity.to_lowercase().parse().unwrap();
    let large: Recipient = recipient.to_uppercase().parse().unwrap();
    assert_eq!(
        (small.recipient(), &large),
        (read.recipient(), read.recipient())
    );
    let shown = format!("Identity {{ recipient: Recipient({recipient}), .. }}");
    assert_eq!(format!("{read:?}"), shown);

    let pq = Identity::generate().unwrap();
    assert!(pq.to_text().starts_with("AGE-SECRET-KEY-PQ-1"));
    let text = pq.recipient().to_string();
    assert!(text.starts_with("age1pq1") && text.len() == 1959);
    assert_eq!(text.parse::<Recipient>().unwrap(), *pq.recipient());
    assert!(pq.recipient().is_post_quantum() && !large.is_post_quantum());
}

#[test]
fn lists_have_comments_and_a_place_for_an_error() {
    let [identity, recipient] = X25519;
    let list = format!("\u{feff}# alice\r\n{recipient}\r\n\n  {recipient}  \n#end");
    assert_eq!(Recipient::parse_list(&list).unwrap().len(), 2);
    let list = format!("# created: today\n# public key: {recipient}\n{identity}\n");
    assert_eq!(Identity::parse_list(&list).unwrap().len(), 1);

    let refused = |text: &str| Recipient::parse_list(text).unwrap_err();
    assert_eq!(refused("# nobody\n\n"), AgeKeyError::None);
    let at = |line, error| AgeKeyError::Line {
        line,
        error: Box::new(error),
    };
    let third = refused(&format!("{recipient}\n\n{identity}"));
    assert_eq!(third, at(3, AgeKeyError::NotARecipient));
    for other in [
        "ssh-ed25519 AAAA",
        "age1tag1qt8lw0ual",
        "age1yubikey1qt8lw0ual",
    ] {
        assert_eq!(refused(other), at(1, AgeKeyError::UnknownKind));
    }
    let wrong = recipient.replace("zvk", "zvq");
    assert_eq!(refused(&wrong), at(1, AgeKeyError::Checksum));
    let named = format!("{recipient} alice");
    assert_eq!(refused(&named), at(1, AgeKeyError::Malformed));
    // Keys of the right form and checksum, but of no length, and with a point of low order.
    let name = bech32::Hrp::parse("age").unwrap();
    for len in [0, 31, 32, 33] {
        let text = bech32::encode::<bech32::Bech32>(name, &vec![0; len]).unwrap();
        assert_eq!(refused(&text), at(1, AgeKeyError::Malformed), "{len}");
    }
    let refused = |text: &str| Identity::parse_list(text).unwrap_err();
    for other in [recipient, "AGE-PLUGIN-YUBIKEY-1QQ"] {
        assert_eq!(refused(other), at(1, AgeKeyError::NotAnIdentity));
    }
    let said = refused(&identity.replace("GFPQ", "GFQQ")).to_string();
    assert!(
        said.contains("line 1") && !said.to_uppercase().contains("GFPYY"),
        "{said}"
    );
}
