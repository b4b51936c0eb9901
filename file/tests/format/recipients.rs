//! Files sealed for people by their public keys, and age's keys and vectors.

use super::support::{CHEAP, FIRST_SLOT, add_slot, key, opened, opening, painted, seal, sealing};
use sivka_file::{
    AgeKeyError, Error, Identity, Lock, Passphrase, Recipient, SlotInfo, Unlock, inspect,
};
use std::io::Cursor;

/// Of C2SP's age specification, section "The X25519 recipient type".
const X25519: [&str; 2] = [
    "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX",
    "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj",
];

fn people() -> [Identity; 2] {
    [
        Identity::generate_x25519().unwrap(),
        Identity::generate().unwrap(),
    ]
}

#[test]
fn whoever_has_an_identity_opens_and_nobody_else() {
    let (people, others) = (people(), people());
    for (person, other) in people.iter().zip(&others) {
        let recipient: Recipient = person.recipient().to_string().parse().unwrap();
        let mut file = Vec::new();
        let locks = [Lock::Recipient(&recipient)];
        seal(&painted(50_000)[..], &mut file, &locks, &sealing(2)).unwrap();
        let again: Identity = person.to_text().parse().unwrap();
        for identity in [person, &again] {
            let (released, outcome) = opened(&file, &[Unlock::Identity(identity)], 1);
            outcome.unwrap();
            assert_eq!(released, painted(50_000));
        }
        let (mut keys, key) = (others.each_ref().map(Unlock::Identity).to_vec(), key());
        keys.push(Unlock::KeyFile(&key));
        assert!(matches!(
            opened(&file, &keys, 1),
            (_, Err(Error::NoSlotOpens))
        ));
        keys.push(Unlock::Identity(person));
        opened(&file, &keys, 1).1.unwrap();
        assert_ne!(person.recipient(), other.recipient());
    }
}

#[test]
fn slots_of_every_kind_are_shown_and_open() {
    let (key, people) = (key(), people());
    let passphrase = Passphrase::new("backup".to_owned());
    let mut file = Vec::new();
    let locks = [
        Lock::KeyFile(&key),
        Lock::Recipient(people[0].recipient()),
        Lock::Recipient(people[1].recipient()),
    ];
    seal(&b"text"[..], &mut file, &locks, &sealing(1)).unwrap();
    let mut file = Cursor::new(file);
    let lock = Lock::Passphrase(&passphrase, CHEAP);
    add_slot(
        &mut file,
        &[Unlock::Identity(&people[1])],
        &lock,
        &opening(1),
    )
    .unwrap();
    let file = file.into_inner();
    let slots = inspect(&file[..]).unwrap().slots;
    assert_eq!(
        slots,
        [
            SlotInfo::KeyFile { id: key.id() },
            SlotInfo::X25519,
            SlotInfo::MlKem768X25519,
            SlotInfo::Passphrase { cost: CHEAP },
        ]
    );
    let post_quantum: Vec<_> = slots.iter().map(SlotInfo::is_post_quantum).collect();
    assert_eq!(
        post_quantum,
        [Some(true), Some(false), Some(true), Some(true)]
    );
    for unlock in [
        Unlock::KeyFile(&key),
        Unlock::Identity(&people[0]),
        Unlock::Identity(&people[1]),
        Unlock::Passphrase(&passphrase),
    ] {
        assert_eq!(opened(&file, &[unlock], 1).0, b"text");
    }
}

/// Two slots for one person differ in every part: nothing says that they are the same one's.
#[test]
fn slots_do_not_say_whose_they_are() {
    for person in &people() {
        let mut file = Vec::new();
        let locks = [Lock::Recipient(person.recipient()); 2];
        seal(&b""[..], &mut file, &locks, &sealing(1)).unwrap();
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
    assert!(!read.recipient().is_post_quantum());
    assert_eq!(read.to_text().as_str(), identity);
    assert_eq!(
        identity
            .to_lowercase()
            .parse::<Identity>()
            .unwrap()
            .recipient(),
        read.recipient()
    );
    assert_eq!(
        &recipient.to_uppercase().parse::<Recipient>().unwrap(),
        read.recipient()
    );
    assert_eq!(
        format!("{read:?}"),
        format!("Identity {{ recipient: Recipient({recipient}), .. }}")
    );

    for person in people() {
        let text = person.to_text();
        let recipient = person.recipient().to_string();
        let is_pq = person.recipient().is_post_quantum();
        assert_eq!(
            text.starts_with("AGE-SECRET-KEY-PQ-1"),
            is_pq,
            "{}",
            text.len()
        );
        assert_eq!(recipient.starts_with("age1pq1"), is_pq);
        assert_eq!(recipient.len(), if is_pq { 1959 } else { 62 });
    }
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
    assert_eq!(
        refused(&format!("{recipient}\n\n{identity}")),
        at(3, AgeKeyError::NotARecipient)
    );
    assert_eq!(refused("ssh-ed25519 AAAA"), at(1, AgeKeyError::UnknownKind));
    assert_eq!(
        refused("age1tag1qt8lw0ual"),
        at(1, AgeKeyError::UnknownKind)
    );
    assert_eq!(
        refused("age1yubikey1qt8lw0ual"),
        at(1, AgeKeyError::UnknownKind)
    );
    let wrong = recipient.replace("zvk", "zvq");
    assert_eq!(refused(&wrong), at(1, AgeKeyError::Checksum));
    assert_eq!(
        refused(&format!("{recipient} alice")),
        at(1, AgeKeyError::Malformed)
    );
    // Keys of the right form and checksum, but of no length, and with a point of low order.
    let zero = bech32::Hrp::parse("age").unwrap();
    for len in [0, 31, 32, 33] {
        let text = bech32::encode::<bech32::Bech32>(zero, &vec![0; len]).unwrap();
        assert_eq!(refused(&text), at(1, AgeKeyError::Malformed), "{len}");
    }
    let refused = |text: &str| Identity::parse_list(text).unwrap_err();
    assert_eq!(refused(recipient), at(1, AgeKeyError::NotAnIdentity));
    assert_eq!(
        refused("AGE-PLUGIN-YUBIKEY-1QQ"),
        at(1, AgeKeyError::NotAnIdentity)
    );
    let said = refused(&identity.replace("GFPQ", "GFQQ")).to_string();
    assert!(
        said.contains("line 1") && !said.to_uppercase().contains("GFPYY"),
        "{said}"
    );
}
