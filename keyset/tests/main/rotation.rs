//! Keysets that begin and change, and who opens what then.

use crate::messages::{PREFIXES, open, read, seal};
use sivka_keyset::{Error, KeyStatus, KeyType, Keyset, Misuse, OutputPrefix, Primitive, Template};

#[test]
fn every_template_makes_keysets_with_every_prefix() {
    let mut made = 0;
    for (name, template) in Template::all() {
        assert_eq!(Template::find(name), Some(*template));
        let is_stream = template.key_type().primitive() == Primitive::StreamingAead;
        for prefix in PREFIXES {
            let Ok(keyset) = Keyset::generate(template.with_output_prefix(prefix)) else {
                assert!(name.starts_with("XAES"), "{name} {prefix}");
                continue;
            };
            let like_it = keyset.primary_template();
            assert_eq!(like_it, Some(template.with_output_prefix(prefix)));
            let id = keyset.primary_key_id().to_be_bytes();
            for len in [0, 1, 15, 16, 17, 1000] {
                let plaintext = vec![7; len];
                let sealed = seal(&keyset, &plaintext, b"aad");
                match prefix {
                    _ if is_stream => assert!([24, 40].contains(&sealed[0])),
                    OutputPrefix::Tink => assert!(sealed.starts_with(&[&[1][..], &id].concat())),
                    OutputPrefix::Raw => {}
                    _ => assert!(sealed.starts_with(&[&[0][..], &id].concat())),
                }
                let opened = open(&keyset, &sealed, b"aad");
                assert_eq!(opened, Ok(plaintext), "{name} {prefix}");
                assert_eq!(open(&keyset, &sealed, b""), Err(Error::Open));
            }
            made += 1;
        }
    }
    assert_eq!(made, 80);
    assert_eq!(Template::find("AES256_GCM_SIVE"), None);
    let raw = Template::AES256_SIV.with_output_prefix(OutputPrefix::Raw);
    assert_eq!(Template::find("aes256_siv_raw"), Some(raw));
}

#[test]
fn a_key_is_replaced_step_by_step() {
    let mut keyset = Keyset::generate(Template::AES128_GCM_SIV).unwrap();
    let old = keyset.primary_key_id();
    let first = seal(&keyset, b"first", b"");

    let new = keyset.add(Template::AES256_GCM_SIV).unwrap();
    assert_ne!(new, old);
    assert_eq!(keyset.primary_key_id(), old);
    keyset.promote(new).unwrap();
    let second = seal(&keyset, b"second", b"");
    assert!(second[1..].starts_with(&new.to_be_bytes()));
    assert_eq!(open(&keyset, &first, b""), Ok(b"first".to_vec()));

    keyset.disable(old).unwrap();
    assert_eq!(open(&keyset, &first, b""), Err(Error::Open));
    assert_eq!(open(&keyset, &second, b""), Ok(b"second".to_vec()));
    keyset.enable(old).unwrap();
    assert_eq!(open(&keyset, &first, b""), Ok(b"first".to_vec()));
    keyset.enable(old).unwrap();

    let mut destroyed = keyset.clone();
    destroyed.destroy(old).unwrap();
    assert_eq!(open(&destroyed, &first, b""), Err(Error::Open));
    assert_eq!(destroyed.info().keys[0].status, KeyStatus::Destroyed);
    assert_eq!(destroyed.info().keys[0].type_url, "", "the key is there");
    let one_by_one = (0..).map_while(|index| destroyed.key_info(index));
    assert_eq!(one_by_one.collect::<Vec<_>>(), destroyed.info().keys);
    for refused in [destroyed.enable(old), destroyed.disable(old)] {
        assert_eq!(refused, Err(Misuse::Destroyed(old).into()));
    }
    assert_eq!(destroyed.promote(old), Err(Misuse::NotEnabled(old).into()));
    let bytes = destroyed.to_insecure_binary().unwrap();
    assert_eq!(read(&bytes), Ok(destroyed));

    keyset.remove(old).unwrap();
    assert_eq!(keyset.info().keys.len(), 1);
    assert_eq!(open(&keyset, &second, b""), Ok(b"second".to_vec()));
    let rotated = keyset.rotate(Template::AES256_GCM_SIV).unwrap();
    assert_eq!(keyset.primary_key_id(), rotated);
}

#[test]
fn what_is_not_allowed_changes_nothing() {
    let mut keyset = Keyset::generate(Template::AES256_GCM_SIV).unwrap();
    let id = keyset.primary_key_id();
    let (before, none) = (keyset.clone(), id ^ 1);
    let primary = Err(Misuse::Primary(id).into());
    let no_such_key = Err(Misuse::NoSuchKey(none).into());
    for change in [Keyset::disable, Keyset::destroy, Keyset::remove] {
        assert_eq!(change(&mut keyset, id), primary);
        assert_eq!(change(&mut keyset, none), no_such_key);
    }
    assert_eq!(keyset.enable(none), no_such_key);
    assert_eq!(keyset.promote(none), no_such_key);
    let other = Err(Misuse::OtherPrimitive(Primitive::Aead).into());
    assert_eq!(keyset.add(Template::AES256_SIV), other);
    let mut import =
        |len, id| keyset.import(KeyType::AesGcmSiv, &vec![1; len], OutputPrefix::Raw, id);
    assert_eq!(import(32, Some(0)), Err(Misuse::NewId(0).into()));
    assert_eq!(import(32, Some(id)), Err(Misuse::NewId(id).into()));
    let said = "a new key breaks a rule: keys of this type do not have 24 bytes";
    assert_eq!(import(24, None).unwrap_err().to_string(), said);
    assert_eq!(keyset, before);
    let imported = keyset.import(KeyType::AesGcmSiv, &[1; 32], OutputPrefix::Raw, Some(none));
    assert_eq!(imported, Ok(none));
    keyset.disable(none).unwrap();
    assert_eq!(keyset.promote(none), Err(Misuse::NotEnabled(none).into()));
}

#[test]
fn keys_with_the_prefix_come_first_and_keys_without_one_last() {
    let raw = |key: u8, id| {
        let prefix = OutputPrefix::Raw;
        Keyset::from_key(KeyType::AesSiv, &[key; 64], prefix, Some(id)).unwrap()
    };
    // What another program has sealed opens with a key without a prefix, wherever it is,
    // and however many others were tried.
    let mut many = Keyset::generate(Template::AES256_SIV).unwrap();
    for key in 1..=9 {
        many.import(KeyType::AesSiv, &[key; 64], OutputPrefix::Raw, Some(u32::from(key))).unwrap();
    }
    for key in 1..=9 {
        let sealed = seal(&raw(key, 77), b"from elsewhere", b"");
        assert_eq!(open(&many, &sealed, b""), Ok(b"from elsewhere".to_vec()));
        many.disable(u32::from(key)).unwrap();
        assert_eq!(open(&many, &sealed, b""), Err(Error::Open));
    }
    // A key with a prefix is not tried without it, and none with another's.
    let sealed = seal(&many, b"x", b"");
    assert_eq!(open(&many, &sealed[5..], b""), Err(Error::Open));
    for byte in 0..5 {
        let mut other = sealed.clone();
        other[byte] ^= 1;
        assert_eq!(open(&many, &other, b""), Err(Error::Open));
    }
    // Crunchy and legacy prefixes are the same.
    let of = |prefix| Keyset::from_key(KeyType::AesSiv, &[1; 64], prefix, Some(9)).unwrap();
    let (legacy, crunchy) = (of(OutputPrefix::Legacy), of(OutputPrefix::Crunchy));
    assert_eq!(seal(&legacy, b"x", b""), seal(&crunchy, b"x", b""));
    let tink = of(OutputPrefix::Tink);
    assert_ne!(seal(&legacy, b"x", b""), seal(&tink, b"x", b""));
    assert_ne!(legacy, crunchy);
}

#[test]
fn ids_and_keys_are_drawn_anew() {
    let mut ids = std::collections::HashSet::new();
    let mut keyset = Keyset::generate(Template::AES128_GCM_SIV).unwrap();
    ids.insert(keyset.primary_key_id());
    while ids.len() < 1000 {
        assert!(ids.insert(keyset.add(Template::AES128_GCM_SIV).unwrap()));
    }
    assert!(!ids.contains(&0));
    let refused = keyset.add(Template::AES128_GCM_SIV);
    assert_eq!(refused, Err(Misuse::TooManyKeys.into()));
    // Of 32 bits each is set in about half of them; 16 standard deviations off is a bug.
    for bit in 0..32 {
        let set = ids.iter().filter(|id| *id >> bit & 1 == 1).count();
        assert!((250..750).contains(&set), "bit {bit}: {set}");
    }
}

#[test]
fn buffers_of_the_caller_have_the_length_that_is_asked_for() {
    let mut keyset = Keyset::generate(Template::AES256_GCM_SIV).unwrap();
    let longer = keyset.aead().unwrap().seal(b"plaintext", b"aad").unwrap();
    let raw = Template::AES256_GCM_SIV.with_output_prefix(OutputPrefix::Raw);
    keyset.rotate(raw).unwrap();
    let aead = keyset.aead().unwrap();
    let lens = [9, usize::MAX].map(|len| aead.seal_len(len));
    assert_eq!(lens, [37, usize::MAX]);

    let mut sealed = [7; 37];
    aead.seal_into(b"plaintext", b"aad", &mut sealed).unwrap();
    assert_eq!(aead.open(&sealed, b"aad").unwrap(), b"plaintext");
    let wrong = aead.seal_into(b"plaintext", b"aad", &mut [7; 38]);
    assert!(matches!(wrong, Err(Error::Aead(_))), "{wrong:?}");

    // The room is that of the key with the shortest overhead, whichever opens.
    let mut room = [7; 14];
    assert_eq!(aead.open_len(longer.len()), room.len());
    assert_eq!(aead.open_into(&longer, b"aad", &mut room), Ok(9));
    assert_eq!(&room[..9], b"plaintext");
    room = [7; 14];
    assert_eq!(aead.open_into(&longer, b"", &mut room), Err(Error::Open));
    assert_eq!(room, [0; 14]);
    let wrong = aead.open_into(&longer, b"aad", &mut room[1..]);
    assert!(matches!(wrong, Err(Error::Aead(_))), "{wrong:?}");
    assert_eq!((aead.open_len(27), aead.open_len(28)), (0, 0));
    assert_eq!(aead.open_into(&[1; 27], b"", &mut []), Err(Error::Open));

    let (what, limit, given) = ("plaintext", 1, 2);
    let too_long = sivka::Error::TooLong { what, limit, given };
    assert_eq!(Error::from(too_long), Misuse::TooLong(too_long).into());

    // Where no key is tried, for none has the prefix, nothing is left either.
    let aead = Keyset::generate(Template::AES256_GCM_SIV).unwrap();
    let (aead, mut room) = (aead.aead().unwrap(), [7; 20]);
    assert_eq!(aead.open_into(&[9; 53], b"", &mut room), Err(Error::Open));
    assert_eq!(room, [0; 20]);
}
