//! Files that are sealed to public keys.

use super::super::reference::exported;
use super::*;

const KEMS: [(Kem, &str); 2] = [
    (Kem::X25519, "x25519"),
    (Kem::MlKem768X25519, "mlkem768_x25519"),
];

fn secret(kem: Kem) -> [u8; 32] {
    fixed(&format!("identity {kem:?}"))
}

fn slot(kem: Kem, secret: &[u8; 32], number: usize) -> Slot {
    let random = fixed(&format!("encapsulation {number}"));
    Slot::recipient(kem, &kem.public(secret), &random, file_key())
}

/// A file of these slots, with as long a header as they need.
fn long_file_of(slots: &[Slot], len: usize) -> Vec<u8> {
    let prefix = prefix_of(1, 1, len);
    let slots: Vec<_> = slots.iter().map(|slot| slot.encode(&prefix)).collect();
    let header = header(&prefix, &slots, &file_key());
    [header, payload_of(100).to_bytes()].concat()
}

pub(crate) fn recipients(list: &mut List) {
    for (kem, name) in KEMS {
        one_recipient(list, kem, name);
    }
    let (x25519, pq) = (secret(Kem::X25519), secret(Kem::MlKem768X25519));
    let mixed = [
        key_slot(),
        slot(Kem::X25519, &x25519, 1),
        slot(Kem::MlKem768X25519, &pq, 2),
        passphrase_slot(),
    ];
    for (kem, name) in KEMS {
        let key = Key::Identity(kem, secret(kem));
        let about = "a slot of each kind, of which the one for this identity opens";
        let name = format!("ok_{name}_among_others");
        list.add_for(key, &name, "success", 100, about, file_of(&mixed, 100));
    }
    let twenty: Vec<_> = (0..20_u8)
        .map(|i| match i {
            19 => pq,
            _ => fixed(&format!("other identity {i}")),
        })
        .zip(0..)
        .map(|(secret, number)| slot(Kem::MlKem768X25519, &secret, number))
        .collect();
    let about = "20 post-quantum recipients, of whom the last opens";
    let key = Key::Identity(Kem::MlKem768X25519, pq);
    let file = long_file_of(&twenty, 24576);
    list.add_for(key, "ok_twenty_recipients", "success", 100, about, file);

    // RFC 7748 section 6.1: with this point every secret of X25519 is zero. All else is right.
    for (kem, name) in KEMS {
        let secret = secret(kem);
        let mut low_order = slot(kem, &secret, 0);
        let share = low_order.parameters.len() - 32;
        low_order.parameters[share..].fill(0);
        low_order.keys = exported(kem, &kem.decapsulate(&secret, &low_order.parameters));
        let about = "X25519's part of the encapsulated key is a point of low order";
        let (key, name) = (Key::Identity(kem, secret), format!("fail_{name}_low_order"));
        list.add_for(
            key,
            &name,
            "no-slot-opens",
            0,
            about,
            file_of(&[low_order], 100),
        );
    }
    let key = Key::Identity(Kem::X25519, pq);
    let about = "an identity of X25519 with the seed of the recipient's post-quantum one";
    let file = file_of(&[slot(Kem::MlKem768X25519, &pq, 0)], 100);
    list.add_for(
        key,
        "fail_x25519_for_mlkem768",
        "no-slot-opens",
        0,
        about,
        file,
    );
}

fn one_recipient(list: &mut List, kem: Kem, name: &str) {
    let secret = secret(kem);
    let file = file_of(&[slot(kem, &secret, 0)], 100);
    let encapsulated_len = slot(kem, &secret, 0).parameters.len();
    let flipped = |at: usize| {
        let mut file = file.clone();
        file[20 + 3 + at] ^= 1;
        file
    };
    let mut add = |what: &str, expect, released, about, file| {
        let key = Key::Identity(kem, secret);
        let name = format!(
            "{}_{name}{what}",
            if expect == "success" { "ok" } else { "fail" }
        );
        list.add_for(key, &name, expect, released, about, file);
    };
    add("", "success", 100, "one recipient", file.clone());
    let about = "the encapsulated key has a flipped bit";
    add("_encapsulated", "no-slot-opens", 0, about, flipped(0));
    let about = "the encapsulated key's last byte has a flipped bit";
    add(
        "_encapsulated_end",
        "no-slot-opens",
        0,
        about,
        flipped(encapsulated_len - 1),
    );
    let about = "the slot's commitment has a flipped bit";
    add(
        "_commitment",
        "no-slot-opens",
        0,
        about,
        flipped(encapsulated_len + 31),
    );
    let about = "the wrapped key has a flipped bit";
    add(
        "_wrapped_key",
        "header-damaged",
        0,
        about,
        flipped(encapsulated_len + 32),
    );
    let other = file_of(&[slot(kem, &fixed("another identity"), 0)], 100);
    let about = "the only slot is another recipient's";
    add("_wrong_identity", "no-slot-opens", 0, about, other);
    let about = "an identity for a key-file slot";
    add(
        "_for_key_slot",
        "no-slot-opens",
        0,
        about,
        file_of(&[key_slot()], 100),
    );
}
