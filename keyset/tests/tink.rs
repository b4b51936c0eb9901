//! Tink itself judges: what each of its libraries writes and seals, we read and open, and the
//! reverse, for every type, prefix and status that it has.
//!
//! Each library has a small program in `judges`, which reads lines and answers each with one.
//! Words are separated by a space, bytes are hexadecimal digits, `-` is none of them, and
//! keysets are JSON in the clear:
//!
//! | line | answer |
//! |---|---|
//! | `binary` keyset | the same keyset in binary |
//! | `seal` keyset aad text, `seal-daead` …, `seal-stream` … | what the keyset's primary seals |
//! | `open` keyset aad sealed, `open-daead` …, `open-stream` … | the text, or `forged` |
//! | `encrypt` master aad keyset | the keyset encrypted under another's AEAD, as JSON |
//! | `decrypt` master aad encrypted | the keyset, or `forged` |
//!
//! A key-management service is behind URIs with `fake-kms://`, as in Tink's own tests: what
//! follows is a keyset in the clear, in binary, in URL-safe Base64 without padding.
//!
//! Any of them may be answered with `refused`: the library does not take the keyset.
//! `SIVKA_TINK` names the programs, as `cargo xtask tink` sets it: a line for each, with the
//! library and the words of the command that starts it, separated by tabs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "data/differences.rs"]
mod differences;
#[path = "data/messages.rs"]
mod messages;

use base64ct::{Base64UrlUnpadded, Encoding as _};
use messages::{FAKE_KMS, PREFIXES, of_digits, open, seal};
use sivka_keyset::{
    EncryptedKeyset, Error, Keyset, OutputPrefix, Primitive, ReadOptions, Template,
};
use std::env;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const TEXT_LENS: [usize; 7] = [0, 1, 15, 16, 17, 64, 1025];
/// Around the ends of the first two segments of 4 KiB, with headers of 24 and 40 bytes and tags
/// of 16 and 32.
const STREAM_LENS: [usize; 10] = [0, 1, 4024, 4025, 4040, 4056, 4057, 8120, 8136, 8137];
const AADS: [&[u8]; 2] = [b"", b"users.email"];

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".into();
    }
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn unhex(word: &str) -> Vec<u8> {
    of_digits(word.strip_prefix('-').unwrap_or(word))
}

fn json(keyset: &Keyset) -> String {
    hex(keyset.to_insecure_json().unwrap().as_bytes())
}

fn read(word: &str) -> Keyset {
    Keyset::from_insecure_json(&unhex(word), ReadOptions::default()).unwrap()
}

struct Judge {
    name: String,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Judge {
    fn start(line: &str) -> Self {
        let (name, command) = line.split_once('\t').unwrap();
        let mut words = command.split('\t');
        let mut child = Command::new(words.next().unwrap())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        Self {
            name: name.to_owned(),
            questions: child.stdin.take().unwrap(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn ask(&mut self, question: &str) -> String {
        writeln!(self.questions, "{question}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        let no_answer = || panic!("{}: no answer to {question}", self.name);
        let answer = answer.strip_suffix('\n').unwrap_or_else(no_answer);
        answer.trim_end().to_owned()
    }

    /// Asks to seal or open.
    fn work(&mut self, verb: &str, keyset: &Keyset, aad: &[u8], text: &[u8]) -> String {
        let suffix = match keyset.primitive().unwrap() {
            Primitive::Aead => "",
            Primitive::StreamingAead => "-stream",
            _ => "-daead",
        };
        let words = [json(keyset), hex(aad), hex(text)].join(" ");
        self.ask(&format!("{verb}{suffix} {words}"))
    }

    /// Messages of every length go both ways; `false` if it does not take the keyset.
    fn exchange(&mut self, keyset: &Keyset) -> bool {
        let lens = match keyset.primitive().unwrap() {
            Primitive::StreamingAead => &STREAM_LENS[..],
            _ => &TEXT_LENS,
        };
        for len in lens.iter().copied() {
            for aad in AADS {
                let text = vec![len as u8; len];
                let theirs = self.work("seal", keyset, aad, &text);
                if theirs == "refused" {
                    return false;
                }
                let (theirs, ours) = (unhex(&theirs), seal(keyset, &text, aad));
                let opened = open(keyset, &theirs, aad);
                assert_eq!(opened.as_ref(), Ok(&text), "{}", self.name);
                self.assert_opens(keyset, aad, &ours, Some(&text));
                if keyset.primitive().unwrap() == Primitive::DeterministicAead {
                    assert_eq!(theirs, ours, "{}", self.name);
                }
                let mut forged = ours.clone();
                forged[len * 7 % ours.len()] ^= 1;
                self.assert_opens(keyset, aad, &forged, None);
                self.assert_opens(keyset, b"other", &ours, None);
            }
        }
        true
    }

    /// It opens to a text, or says that it is forged.
    fn assert_opens(&mut self, keyset: &Keyset, aad: &[u8], sealed: &[u8], text: Option<&[u8]>) {
        let wanted = text.map_or("forged".into(), hex);
        let answer = self.work("open", keyset, aad, sealed);
        assert_eq!(answer, wanted, "{}", self.name);
    }

    /// A keyset as it is after some rotation: an old key, the primary, and one that is
    /// disabled; who opens what is the same for both.
    fn statuses(&mut self, template: Template, prefix: OutputPrefix) {
        let mut keyset = Keyset::generate(template).unwrap();
        let old = seal(&keyset, b"old", b"");
        let disabled = keyset.rotate(template.with_output_prefix(prefix)).unwrap();
        let of_disabled = seal(&keyset, b"disabled", b"");
        keyset.rotate(template.with_output_prefix(prefix)).unwrap();
        keyset.disable(disabled).unwrap();
        assert!(self.exchange(&keyset), "{}", self.name);
        self.assert_opens(&keyset, b"", &old, Some(b"old"));
        self.assert_opens(&keyset, b"", &of_disabled, None);
        assert_eq!(open(&keyset, &of_disabled, b""), Err(Error::Open));
        keyset.enable(disabled).unwrap();
        self.assert_opens(&keyset, b"", &of_disabled, Some(b"disabled"));
    }

    /// JSON that not every library reads: what the table in the README says.
    fn differences(&mut self) {
        let column = match self.name.as_str() {
            "tink-go" => "Go",
            "tink-java" => "Java",
            _ => "Python",
        };
        for (row, text) in differences::texts() {
            let said = differences::said(row, column);
            let answer = self.ask(&format!("seal {} - -", hex(text.as_bytes())));
            let (reads, is_read) = (said.starts_with("read"), answer != "refused");
            assert_eq!(reads, is_read, "{}, {row}: {said}", self.name);
        }
    }

    /// Envelopes of every key that they may have, and messages that a service encrypts.
    fn kms(&mut self) -> usize {
        let service = Keyset::generate(Template::AES128_GCM).unwrap();
        let service = service.to_insecure_binary().unwrap();
        let uri = format!("{FAKE_KMS}{}", Base64UrlUnpadded::encode_string(&service));
        let deks = Template::all().iter().map(|(_, template)| Some(*template));
        let mut exchanged = 0;
        for dek in deks.chain([None]) {
            if let Ok(keyset) = Keyset::from_kms_key(&uri, dek) {
                exchanged += usize::from(self.exchange(&keyset));
            }
        }
        exchanged
    }

    /// The forms of a keyset: its binary, and both encrypted.
    fn forms(&mut self, keyset: &Keyset) {
        let options = ReadOptions::default();
        let binary = unhex(&self.ask(&format!("binary {}", json(keyset))));
        let again = Keyset::from_insecure_binary(&binary, options).unwrap();
        // Java and Go write CRUNCHY for LEGACY, and else what they read.
        let legacy = keyset.info().keys.iter().any(|key| key.output_prefix == OutputPrefix::Legacy);
        assert!(legacy || again == *keyset, "{}", self.name);

        let master = Keyset::generate(Template::AES256_GCM).unwrap();
        for aad in AADS {
            let (key, aad_word) = (master.aead().unwrap(), hex(aad));
            let question = format!("encrypt {} {aad_word} {}", json(&master), json(keyset));
            let theirs = unhex(&self.ask(&question));
            let theirs = EncryptedKeyset::from_json(&theirs, options).unwrap();
            let decrypted = theirs.decrypt(&key, aad).unwrap();
            assert!(theirs.info_agrees_with(&decrypted), "{}", self.name);
            assert!(legacy || decrypted == *keyset, "{}", self.name);

            let ours = keyset.encrypt(&key, aad).unwrap().to_json().unwrap();
            let words = |aad: &[u8]| [json(&master), hex(aad), hex(ours.as_bytes())].join(" ");
            let decrypt = |aad: &[u8]| format!("decrypt {}", words(aad));
            let decrypted = read(&self.ask(&decrypt(aad)));
            assert!(legacy || decrypted == *keyset, "{}", self.name);
            assert_eq!(self.ask(&decrypt(b"other")), "forged", "{}", self.name);
        }
    }
}

#[test]
#[ignore = "needs Tink's libraries: cargo xtask tink"]
fn tink_agrees() {
    let judges = env::var("SIVKA_TINK").expect("the judges, as cargo xtask tink names them");
    for line in judges.lines() {
        let mut judge = Judge::start(line);
        let mut exchanged = Vec::new();
        for (name, template) in Template::all() {
            for prefix in PREFIXES {
                let Ok(keyset) = Keyset::generate(template.with_output_prefix(prefix)) else {
                    continue; // XAES-256-GCM has no such prefix.
                };
                let streams = keyset.primitive() == Ok(Primitive::StreamingAead);
                if streams && prefix != OutputPrefix::Raw {
                    continue; // Streams have none.
                }
                if judge.exchange(&keyset) {
                    judge.statuses(*template, prefix);
                    judge.forms(&keyset);
                    exchanged.push(format!("{name} {prefix}"));
                }
            }
        }
        judge.differences();
        let kms = judge.kms();
        println!("{}: {}; {kms} under a KMS", judge.name, exchanged.join(", "));
        assert!(kms >= 8, "{}: {kms}", judge.name);
        for (name, template) in Template::all() {
            if name.contains("EAX") || name.contains("XAES") || *name == "CHACHA20_POLY1305" {
                continue; // Not every Tink has these.
            }
            let is_stream = template.key_type().primitive() == Primitive::StreamingAead;
            for prefix in if is_stream { &PREFIXES[3..] } else { &PREFIXES } {
                let wanted = format!("{name} {prefix}");
                assert!(exchanged.contains(&wanted), "{}: {wanted}", judge.name);
            }
        }
        drop(judge.questions);
        assert!(judge.child.wait().unwrap().success(), "{}", judge.name);
    }
}
