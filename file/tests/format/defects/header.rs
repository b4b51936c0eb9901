//! Files that fail before their payload.

use super::*;

pub(crate) fn beginnings(list: &mut List) {
    let file = file_of(&[key_slot()], 100);
    let changed = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] = byte;
        file
    };
    list.add(
        "fail_empty_file",
        "not-sivka",
        0,
        "no bytes at all",
        Vec::new(),
    );
    list.add(
        "fail_magic_cut",
        "not-sivka",
        0,
        "seven bytes of the magic",
        file[..7].to_vec(),
    );
    list.add(
        "fail_magic_wrong",
        "not-sivka",
        0,
        "the magic's last byte is wrong",
        changed(7, b'\r'),
    );
    list.add(
        "fail_only_magic",
        "truncated",
        0,
        "the file ends after the magic",
        file[..8].to_vec(),
    );
    list.add(
        "fail_version_0",
        "unknown-version",
        0,
        "version 0",
        changed(11, 0),
    );
    list.add(
        "fail_version_2",
        "unknown-version",
        0,
        "version 2",
        changed(11, 2),
    );
    let about = "version 2, and nothing after it";
    list.add(
        "fail_version_2_cut",
        "unknown-version",
        0,
        about,
        changed(11, 2)[..12].to_vec(),
    );
    list.add(
        "fail_suite_0",
        "unknown-suite",
        0,
        "suite 0",
        changed(15, 0),
    );
    list.add(
        "fail_suite_high",
        "unknown-suite",
        0,
        "suite 0xff000001",
        changed(12, 0xff),
    );
    let about = "the header's last byte is missing";
    list.add(
        "fail_header_cut",
        "truncated",
        0,
        about,
        file[..HEADER_LEN - 1].to_vec(),
    );
}

pub(crate) fn slots(list: &mut List) {
    let file = file_of(&[key_slot()], 100);
    let flipped = |at: usize| {
        let mut file = file.clone();
        file[at] ^= 1;
        file
    };
    // Offsets of sections 4.2 and 5.2: the first slot begins at byte 20.
    let about = "the slot's salt has a flipped bit: another wrapping key";
    list.add(
        "fail_slot_salt",
        "no-slot-opens",
        0,
        about,
        flipped(20 + 11),
    );
    let about = "the slot's commitment has a flipped bit";
    list.add(
        "fail_slot_commitment",
        "no-slot-opens",
        0,
        about,
        flipped(20 + 43),
    );
    let about = "the wrapped key has a flipped bit";
    list.add(
        "fail_slot_wrapped_key",
        "header-damaged",
        0,
        about,
        flipped(20 + 75),
    );
    let about = "the wrapped key's tag has a flipped bit";
    list.add(
        "fail_slot_tag",
        "header-damaged",
        0,
        about,
        flipped(20 + 122),
    );
    let about = "the key id has a flipped bit: the wrapping binds it";
    list.add(
        "fail_slot_key_id",
        "header-damaged",
        0,
        about,
        flipped(20 + 3),
    );

    let mut unknown = key_slot();
    unknown.kind = 255;
    let about = "slot 0 is of kind 255";
    list.add(
        "fail_slot_kind",
        "unknown-slot",
        0,
        about,
        file_of(&[unknown.clone()], 100),
    );
    let about = "slot 1 opens, slot 0 is of kind 255 and another length";
    let mut longer = unknown.clone();
    longer.parameters.push(7);
    let file = file_of(&[longer.clone(), key_slot()], 100);
    list.add("ok_unknown_slot_before", "success", 100, about, file);
    let about = "slot 0 opens, slot 1 is of kind 255 and has only its head";
    let prefix = prefix(1, 1);
    let short = [key_slot().encode(&prefix), vec![255, 0, 0]];
    let file = header(&prefix, &short, &file_key());
    let file = [file, payload_of(100).to_bytes()].concat();
    list.add("ok_unknown_slot_after", "success", 100, about, file);
    let about = "slot 0 opens, slot 1 is of kind 255, and a bit of it was flipped";
    let mut file = file_of(&[key_slot(), longer], 100);
    file[20 + SLOT_LEN + 50] ^= 1;
    list.add(
        "fail_unknown_slot_changed",
        "header-damaged",
        0,
        about,
        file,
    );

    let other = Slot::key_file(fixed("another key"), salt(0), file_key());
    let about = "the only slot is another key's";
    list.add(
        "fail_wrong_key",
        "no-slot-opens",
        0,
        about,
        file_of(std::slice::from_ref(&other), 100),
    );
    let mut pretender = other;
    pretender.parameters = key_slot().parameters;
    let about = "another key's slot with this key's id";
    list.add(
        "fail_wrong_key_right_id",
        "no-slot-opens",
        0,
        about,
        file_of(&[pretender], 100),
    );
    let about = "a key file for a passphrase slot";
    list.add(
        "fail_key_for_passphrase_slot",
        "no-slot-opens",
        0,
        about,
        file_of(&[passphrase_slot()], 100),
    );
}

pub(crate) fn passphrases(list: &mut List) {
    let mut add = |name, expect, about, file| {
        let key = Key::Passphrase(PASSPHRASE.to_owned());
        list.add_for(key, name, expect, 0, about, file);
    };
    let about = "the only slot is another passphrase's";
    let other = Slot::passphrase("incorrect horse", CHEAP, salt(0), file_key());
    add(
        "fail_wrong_passphrase",
        "no-slot-opens",
        about,
        file_of(&[other], 100),
    );
    let about = "a passphrase for a key-file slot";
    add(
        "fail_passphrase_for_key_slot",
        "no-slot-opens",
        about,
        file_of(&[key_slot()], 100),
    );
    let about = "the slot's memory was changed from 64 to 65 KiB: another secret";
    let mut file = file_of(&[passphrase_slot()], 100);
    file[20 + 6] = 65;
    add("fail_argon2_cost_changed", "no-slot-opens", about, file);

    let about = "the wrapped key is authentic under this passphrase too, but the slot commits \
                 to another; MAC and payload are right for this one";
    let file = two_keys::file(
        ["another passphrase", PASSPHRASE],
        PASSPHRASE,
        &plaintext(100),
    );
    add("fail_second_passphrase", "no-slot-opens", about, file);

    let asking = |cost| {
        file_of(
            &[Slot::passphrase_cost_only(cost, salt(0), file_key())],
            100,
        )
    };
    let about = "the slot asks for 100 GiB";
    add(
        "fail_argon2_100_gib",
        "cost-too-high",
        about,
        asking([100 << 20, 3, 4]),
    );
    let about = "the slot asks for 2^32 - 1 passes";
    add(
        "fail_argon2_endless",
        "cost-too-high",
        about,
        asking([64, u32::MAX, 1]),
    );
    let about = "no passes";
    add(
        "fail_argon2_no_passes",
        "header-damaged",
        about,
        asking([64, 0, 1]),
    );
    add(
        "fail_argon2_no_lanes",
        "header-damaged",
        "no lanes",
        asking([64, 1, 0]),
    );
    let about = "256 lanes, one more than the format allows";
    add(
        "fail_argon2_256_lanes",
        "header-damaged",
        about,
        asking([4096, 1, 256]),
    );
    let about = "less than 8 KiB a lane";
    add(
        "fail_argon2_little_memory",
        "header-damaged",
        about,
        asking([31, 1, 4]),
    );
    let about = "2^29 lanes, of which eight times wraps to 0";
    add(
        "fail_argon2_lanes_wrap",
        "header-damaged",
        about,
        asking([64, 1, 1 << 29]),
    );
    let about = "the slot's passphrase was not normalised when it was set, and is typed so now";
    let decomposed = Slot::passphrase("zo\u{301}\u{142}w", CHEAP, salt(0), file_key());
    list.add_for(
        Key::Passphrase("z\u{f3}\u{142}w".to_owned()),
        "fail_passphrase_decomposed",
        "no-slot-opens",
        0,
        about,
        file_of(&[decomposed], 100),
    );
}

pub(crate) fn headers(list: &mut List) {
    let payload = payload_of(100).to_bytes();
    let prefix = prefix(1, 1);
    let first = key_slot().encode(&prefix);
    let second = Slot::key_file(fixed("another key"), salt(1), file_key()).encode(&prefix);
    let mut add = |name: &str, about, header: Vec<u8>| {
        list.add(
            name,
            "header-damaged",
            0,
            about,
            [header, payload.clone()].concat(),
        );
    };
    add(
        "fail_no_slot",
        "every slot is empty",
        header(&prefix, &[], &file_key()),
    );
    let with = |slots: &[&[u8]]| {
        let slots: Vec<_> = slots.iter().map(|slot| slot.to_vec()).collect();
        header(&prefix, &slots, &file_key())
    };
    let gap = with(&[&first, &[0; 3], &second]);
    add(
        "fail_slot_after_room",
        "three zeros are between two slots",
        gap,
    );
    let leading = with(&[&[0], &first]);
    add(
        "fail_no_slot_at_first",
        "a zero is before the only slot",
        leading,
    );
    let about = "a byte of the room after the slots is not zero";
    add("fail_room_not_zero", about, with(&[&first, &[0; 99], &[1]]));
    let about = "the room's last two bytes are a slot's kind and half of its length";
    let filled = vec![0; HEADER_LEN - 32 - PREFIX_LEN - SLOT_LEN - 2];
    add(
        "fail_slot_head_cut",
        about,
        with(&[&first, &filled, &[9, 0]]),
    );
    let about = "slot 1 is longer than what is left of the header";
    add("fail_slot_too_long", about, with(&[&first, &[255, 8, 0]]));
    for (kind, len) in [(1, 119), (1, 121), (2, 120), (3, 113), (4, 112)] {
        let slot = [&[kind, 0, len][..], &vec![7; usize::from(len)]].concat();
        let name = format!("fail_slot_kind_{kind}_of_{len}");
        add(
            &name,
            "slot 1 has a length that its kind does not have",
            with(&[&first, &slot]),
        );
    }
    let slots: Vec<_> = (0..65).map(|_| vec![255, 0, 1, 1]).collect();
    add(
        "fail_sixty_five_slots",
        "65 slots of kind 255",
        header(&prefix, &slots, &file_key()),
    );

    let whole = with(&[&first, &second]);
    let flipped = |at: usize| {
        let mut header = whole.clone();
        header[at] ^= 0x80;
        header
    };
    add(
        "fail_header_mac",
        "the header's MAC has a flipped bit",
        flipped(HEADER_LEN - 1),
    );
    add(
        "fail_other_slot",
        "slot 0 opens, slot 1 has a flipped bit",
        flipped(20 + SLOT_LEN + 122),
    );
    let resealed = |slots: &[&[u8]], old: &[u8]| {
        let mut header = with(slots);
        header[HEADER_LEN - 32..].copy_from_slice(&old[HEADER_LEN - 32..]);
        header
    };
    add(
        "fail_slot_removed",
        "slot 1 was emptied, and the MAC is the old one",
        resealed(&[&first], &whole),
    );
    add(
        "fail_slots_swapped",
        "slots 0 and 1 are swapped, and the MAC is the old one",
        resealed(&[&second, &first], &whole),
    );
    let about = "slot 0 is this key's slot of another file, with another file key";
    let foreign = Slot::key_file(key(), salt(0), fixed("another file key")).encode(&prefix);
    add(
        "fail_slot_of_another_file",
        about,
        resealed(&[&foreign], &whole),
    );
    let mut foreign_mac = with(&[&first]);
    let mac = header_mac(&foreign_mac[..HEADER_LEN - 32], &fixed("another file key"));
    foreign_mac[HEADER_LEN - 32..].copy_from_slice(&mac);
    add(
        "fail_header_mac_of_another_key",
        "the MAC is right under another file key",
        foreign_mac,
    );
}

/// Headers of other lengths.
pub(crate) fn lengths(list: &mut List) {
    let of_len = |len: usize, slot: &Slot| {
        let prefix = prefix_of(1, 1, len);
        let header = header(&prefix, &[slot.encode(&prefix)], &file_key());
        [header, payload_of(100).to_bytes()].concat()
    };
    for (name, len, about) in [
        ("ok_header_of_2049", 2049, "a header of 2,049 bytes"),
        ("ok_header_of_65536", 65536, "the longest header"),
    ] {
        list.add(name, "success", 100, about, of_len(len, &key_slot()));
    }
    for (name, len, about) in [
        ("fail_header_of_2047", 2047, "a header of 2,047 bytes"),
        ("fail_header_of_65537", 65537, "a header of 65,537 bytes"),
    ] {
        list.add(name, "header-damaged", 0, about, of_len(len, &key_slot()));
    }
    let file = of_len(HEADER_LEN, &key_slot());
    let changed = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] = byte;
        file
    };
    let about = "a header of 2^24 bytes more than it has";
    list.add(
        "fail_header_of_16_mib",
        "header-damaged",
        0,
        about,
        changed(16, 1),
    );
    let about = "the length was changed from 2,048 to 2,049: the wrapping binds it";
    list.add(
        "fail_header_len_changed",
        "header-damaged",
        0,
        about,
        changed(19, 1),
    );
    let about = "the file ends within the header's length";
    list.add(
        "fail_header_len_cut",
        "truncated",
        0,
        about,
        file[..19].to_vec(),
    );
    let about = "a header of 4,096 bytes lacks its last one";
    let longer = of_len(4096, &key_slot());
    list.add(
        "fail_long_header_cut",
        "truncated",
        0,
        about,
        longer[..4095].to_vec(),
    );

    let others =
        (0..63).map(|i| Slot::key_file(fixed(&format!("other key {i}")), salt(i), file_key()));
    let prefix = prefix_of(1, 1, 8192);
    let slots: Vec<_> = others
        .chain([key_slot()])
        .map(|slot| slot.encode(&prefix))
        .collect();
    let file = [
        header(&prefix, &slots, &file_key()),
        payload_of(100).to_bytes(),
    ]
    .concat();
    list.add(
        "ok_sixty_four_slots",
        "success",
        100,
        "64 slots, of which the last opens",
        file,
    );
}
