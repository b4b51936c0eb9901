//! The vectors of messages in one language: of algorithms, of lists, under keys of columns, and
//! those that others publish in forms of their own.

use super::case::Case;
use super::player::Player;
use super::{forge, hex, offers, painted, unhex};
use sivka_file::KeyFile;
use sivka_judge::conformance::{self, Message};
use sivka_judge::shapes::{AadForm, Forgery, Laid, Messages, Part, Shape};
use sivka_oracle::vectors::{self, published};

impl Player<'_> {
    /// One call for one message under a key: what is sealed, opened, and refused.
    fn message(
        &mut self,
        algorithm: &conformance::Algorithm,
        key: &str,
        [nonce, aad, text, sealed]: [&[u8]; 4],
    ) {
        let name = algorithm.name;
        let (aad, plaintext) = (hex(aad), hex(text));
        let zeros = hex(&vec![0; text.len()]);
        for form in offers::forms_of_one(self.name()) {
            let call = format!("{form} {name} {key} {} {aad}", hex(nonce));
            let sealed = hex(sealed);
            self.answers(&format!("seal {call} {plaintext}"), &sealed);
            self.answers(&format!("open {call} {sealed}"), &plaintext);
            let refused = match *form {
                "joined" => "forged".to_owned(),
                _ => format!("forged {zeros}"),
            };
            for forged in forgeries(&sealed) {
                self.answers(&format!("open {call} {forged}"), &refused);
            }
        }
        if !algorithm.counts_nonces {
            let call = format!("drawn {name} {key} - {aad}");
            let sealed = [nonce, sealed].concat();
            self.answers(&format!("open {call} {}", hex(&sealed)), &plaintext);
            let drawn = self.language.ask(&format!("seal {call} {plaintext}"));
            let is_drawn = nonce.is_empty() || unhex(&drawn)[..nonce.len()] != *nonce;
            assert!(is_drawn, "{}: {}: a nonce that is not drawn", self.name(), self.case);
            self.answers(&format!("open {call} {drawn}"), &plaintext);
            for forged in forgeries(&drawn) {
                self.answers(&format!("open {call} {forged}"), "forged");
            }
            for len in [0, algorithm.tag_len - 1, sealed.len() - 1] {
                self.answers(&format!("open {call} {}", hex(&sealed[..len])), "forged");
            }
        }
    }

    /// Every vector of an algorithm, as one message and as many; how many there were.
    pub(super) fn algorithm(&mut self, algorithm: &'static conformance::Algorithm) -> usize {
        let cases = algorithm.vectors();
        for case in &cases {
            self.case = case.name.clone();
            let sealed = algorithm.join(&case.ciphertext, &case.tag);
            let parts = [&case.nonce[..], &case.aad, &case.plaintext, &sealed];
            self.message(algorithm, &hex(&case.key), parts);
            self.many(algorithm, case);
        }
        cases.len()
    }

    /// A vector as often as it fills lanes and leaves some over, with one forgery, in every
    /// form for many messages.
    fn many(&mut self, algorithm: &conformance::Algorithm, vector: &vectors::Case) {
        const COUNT: usize = 19;
        let laid = |text: &[u8]| Laid::new((0, 0), [text; COUNT].into_iter());
        let mut forgeries = vec![None; COUNT];
        forgeries[17] = Some(Forgery { part: Part::Tag, bit: 3 });
        let messages = Messages {
            shape: Shape { aad_form: AadForm::Common, ..Shape::PLAIN },
            parts: algorithm.parts(),
            nonces: vector.nonce.repeat(COUNT),
            texts: laid(&vector.plaintext),
            aads: Laid::new((0, 0), [&vector.aad[..]].into_iter()),
            nulls: vec![false; COUNT],
            forgeries,
            margins: (0, 0),
            first_bit: 0,
            seed: None,
        };
        let found = sivka::Algorithm::find(algorithm.name).unwrap();
        let batch = Case::new(found, vector.key.clone(), messages).unwrap();
        let sealed = algorithm.join(&vector.ciphertext, &vector.tag);
        let rows = batch.rows(false, false);
        assert!(rows.strings().all(|row| *row == sealed), "{}", self.case);
        for form in offers::forms_of_many(self.name()) {
            if batch.takes(&form) {
                batch.ask(self.language, &form);
            }
        }
    }

    /// Cases that must seal and open, and those that must not open; how many there were.
    fn published(&mut self, cases: Vec<published::Case>) -> usize {
        let count = cases.len();
        for (number, case) in cases.into_iter().enumerate() {
            self.case = format!("published case {number}");
            let algorithm = conformance::algorithm(match case.key.len() {
                16 => "AES-128-GCM-SIV",
                _ => "AES-256-GCM-SIV",
            });
            let (key, nonce) = (hex(&case.key), hex(&case.nonce));
            if case.is_authentic {
                let parts = [&case.nonce[..], &case.aad, &case.plaintext, &case.sealed];
                self.message(algorithm, &key, parts);
                continue;
            }
            let (aad, sealed) = (hex(&case.aad), hex(&case.sealed));
            for form in offers::forms_of_one(self.name()) {
                let line = format!("open {form} {} {key} {nonce} {aad} {sealed}", algorithm.name);
                let answer = self.language.ask(&line);
                let zeros = hex(&vec![0; case.sealed.len() - algorithm.tag_len]);
                let refused = ["forged", &format!("forged {zeros}")[..]].contains(&&answer[..]);
                assert!(refused, "{}: {}: {answer}", self.name(), self.case);
            }
        }
        count
    }
}

/// With a bit flipped in the middle, and in the first and the last byte.
fn forgeries(sealed: &str) -> [String; 3] {
    let flipped = |at: usize| {
        let mut bytes = unhex(sealed);
        bytes[at] ^= 1;
        hex(&bytes)
    };
    [forge(sealed), flipped(0), flipped(sealed.len() / 2 - 1)]
}

pub(super) fn boringssl(player: &mut Player<'_>, text: &str) -> usize {
    player.published(published::boringssl(text))
}

pub(super) fn acvp(player: &mut Player<'_>, text: &str) -> usize {
    player.published(published::acvp(text))
}

pub(super) fn lists(player: &mut Player<'_>, text: &str) -> usize {
    let cases = vectors::read_lists(text).unwrap();
    for case in &cases {
        player.case = case.name.clone();
        let (key, plaintext) = (hex(&case.key), hex(&case.plaintext));
        let sealed = hex(&[&case.tag[..], &case.ciphertext].concat());
        let strings: String =
            case.associated_data.iter().map(|string| format!(" {}", hex(string))).collect();
        player.answers(&format!("seal-strings {key} {plaintext}{strings}"), &sealed);
        player.answers(&format!("open-strings {key} {sealed}{strings}"), &plaintext);
        for forged in forgeries(&sealed) {
            player.answers(&format!("open-strings {key} {forged}{strings}"), "forged");
        }
        // One string more, though it is empty, is another list.
        if case.associated_data.len() < 126 {
            player.answers(&format!("open-strings {key} {sealed}{strings} -"), "forged");
        }
    }
    cases.len()
}

/// The key that a key file gives columns seals as the key that the vector says.
pub(super) fn column_keys(player: &mut Player<'_>, text: &str) -> usize {
    let mut played = 0;
    for (number, case) in vectors::read_column_keys(text).unwrap().iter().enumerate() {
        if !offers::has_key_of_columns(player.name(), &case.algorithm) {
            continue;
        }
        player.case = format!("key {number} of columns");
        let algorithm = conformance::algorithm(&case.algorithm);
        let mut message = Message {
            nonce: painted(number, algorithm.nonce_len),
            aad: b"table.column".to_vec(),
            plaintext: painted(number, 40),
        };
        // MGM needs the first bit clear.
        message.nonce.iter_mut().take(1).for_each(|byte| *byte &= 0x7f);
        let sealed = algorithm.seal(&case.column_key, &message).unwrap();
        let key = format!("column:{}", hex(case.key_file.as_bytes()));
        let parts = [&message.nonce[..], &message.aad, &message.plaintext, &sealed];
        player.message(algorithm, &key, parts);
        played += 1;
    }
    played
}

/// What functions in SQL have stored.
pub(super) fn column_rows(player: &mut Player<'_>, text: &str) -> usize {
    let secret: [u8; 32] = std::array::from_fn(|i| i as u8);
    let key_file = KeyFile::from_bytes(&secret, "rows").unwrap();
    let key = format!("column:{}", hex(key_file.to_text().as_bytes()));
    let (head, rows) = text.split_once('\n').unwrap();
    assert_eq!(head, "function,context,value,sealed");
    for row in rows.lines() {
        player.case = row.to_owned();
        let fields: Vec<&str> = row.split(',').collect();
        let [function, aad, value, sealed] = fields[..].try_into().unwrap();
        let [aad, value] = [aad, value].map(|digits| hex(&unhex(digits)));
        let algorithm = match function {
            "sivka_seal" => "AES-256-GCM-SIV",
            "sivka_token" => "XChaCha20-BLAKE2b-SIV",
            other => panic!("{other}: say here what it seals with"),
        };
        let call = format!("drawn {algorithm} {key} - {aad}");
        player.answers(&format!("open {call} {sealed}"), &value);
        for forged in forgeries(sealed) {
            player.answers(&format!("open {call} {forged}"), "forged");
        }
        if function == "sivka_token" {
            player.answers(&format!("seal {call} {value}"), sealed);
        }
    }
    rows.lines().count()
}
