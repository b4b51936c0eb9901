//! Tink itself judges: what each of its libraries writes and seals, we read and open, and the
//! reverse, for every type, prefix and status that it has.
//!
//! Each library has a small program in `judges`, which reads lines and answers each with one.
//! Words are separated by a space, bytes are hexadecimal digits, `-` is none of them, and
//! keysets are JSON in the clear:
//!
//! | line | answer |
//! |---|---|
//! | `make` template | a new keyset, or `unknown` |
//! | `binary` keyset | the same keyset in binary |
//! | `seal` keyset aad text, `seal-daead` … | what the keyset's primary seals |
//! | `open` keyset aad sealed, `open-daead` … | the text, or `forged` |
//! | `encrypt` master aad keyset | the keyset encrypted under another's AEAD, as JSON |
//! | `decrypt` master aad encrypted | the keyset, or `forged` |
//!
//! Any of them may be answered with `refused`: the library does not take the keyset.
//! `SIVKA_TINK` names the programs, as `cargo xtask tink` sets it: a line for each, with the
//! library and the words of the command that starts it, separated by tabs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use sivka_keyset::{
    EncryptedKeyset, Error, Keyset, OutputPrefix, Primitive, ReadOptions, Template,
};
use std::env;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const PREFIXES: [OutputPrefix; 4] = [
    OutputPrefix::Tink,
    OutputPrefix::Crunchy,
    OutputPrefix::Legacy,
    OutputPrefix::Raw,
];
const TEXT_LENS: [usize; 7] = [0, 1, 15, 16, 17, 64, 1025];
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
    let pairs = word.strip_prefix('-').unwrap_or(word).as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    pairs.map(byte).collect()
}

fn json(keyset: &Keyset) -> String {
    hex(keyset.to_insecure_json().unwrap().as_bytes())
}

fn read(word: &str) -> Keyset {
    Keyset::from_insecure_json(&unhex(word), ReadOptions::default()).unwrap()
}

fn seal(keyset: &Keyset, text: &[u8], aad: &[u8]) -> Vec<u8> {
    match keyset.primitive().unwrap() {
        Primitive::Aead => keyset.aead().unwrap().seal(text, aad).unwrap(),
        _ => keyset
            .deterministic_aead()
            .unwrap()
            .seal(text, aad)
            .unwrap(),
    }
}

fn open(keyset: &Keyset, sealed: &[u8], aad: &[u8]) -> Result<Vec<u8>, Error> {
    match keyset.primitive().unwrap() {
        Primitive::Aead => keyset.aead().unwrap().open(sealed, aad),
        _ => keyset.deterministic_aead().unwrap().open(sealed, aad),
    }
}

struct Judge {
    name: String,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    asked: usize,
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
            asked: 0,
        }
    }

    fn ask(&mut self, question: &str) -> String {
        writeln!(self.questions, "{question}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        assert!(
            answer.ends_with('\n'),
            "{}: no answer to {question}",
            self.name
        );
        self.asked += 1;
        answer.trim_end().to_owned()
    }

    /// Asks to seal or open.
    fn work(&mut self, verb: &str, keyset: &Keyset, aad: &[u8], text: &[u8]) -> String {
        let suffix = match keyset.primitive().unwrap() {
            Primitive::Aead => "",
            _ => "-daead",
        };
        self.ask(&format!(
            "{verb}{suffix} {} {} {}",
            json(keyset),
            hex(aad),
            hex(text)
        ))
    }

    /// Messages of every length go both ways; `false` if it does not take the keyset.
    fn exchange(&mut self, keyset: &Keyset) -> bool {
        for len in TEXT_LENS {
            for aad in AADS {
                let text = vec![len as u8; len];
                let theirs = self.work("seal", keyset, aad, &text);
                if theirs == "refused" {
                    return false;
                }
                let (theirs, ours) = (unhex(&theirs), seal(keyset, &text, aad));
                assert_eq!(
                    open(keyset, &theirs, aad),
                    Ok(text.clone()),
                    "{}",
                    self.name
                );
                assert_eq!(
                    self.work("open", keyset, aad, &ours),
                    hex(&text),
                    "{}",
                    self.name
                );
                if keyset.primitive().unwrap() == Primitive::DeterministicAead {
                    assert_eq!(theirs, ours, "{}", self.name);
                }
                let mut forged = ours.clone();
                forged[len * 7 % ours.len()] ^= 1;
                assert_eq!(
                    self.work("open", keyset, aad, &forged),
                    "forged",
                    "{}",
                    self.name
                );
                assert_eq!(self.work("open", keyset, b"other", &ours), "forged");
            }
        }
        true
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
        assert_eq!(
            self.work("open", &keyset, b"", &old),
            hex(b"old"),
            "{}",
            self.name
        );
        assert_eq!(
            self.work("open", &keyset, b"", &of_disabled),
            "forged",
            "{}",
            self.name
        );
        assert_eq!(open(&keyset, &of_disabled, b""), Err(Error::Open));
        keyset.enable(disabled).unwrap();
        let opened = self.work("open", &keyset, b"", &of_disabled);
        assert_eq!(opened, hex(b"disabled"), "{}", self.name);
    }

    /// The forms of a keyset: its binary, and both encrypted.
    fn forms(&mut self, keyset: &Keyset) {
        let options = ReadOptions::default();
        let binary = unhex(&self.ask(&format!("binary {}", json(keyset))));
        let again = Keyset::from_insecure_binary(&binary, options).unwrap();
        // Java and Go write CRUNCHY for LEGACY, and else what they read.
        let legacy = keyset
            .info()
            .keys
            .iter()
            .any(|key| key.output_prefix == OutputPrefix::Legacy);
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
            let decrypt = |aad: &[u8]| {
                format!(
                    "decrypt {} {} {}",
                    json(&master),
                    hex(aad),
                    hex(ours.as_bytes())
                )
            };
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
        let (mut exchanged, mut made) = (Vec::new(), 0);
        for (name, template) in Template::all() {
            for prefix in PREFIXES {
                let Ok(keyset) = Keyset::generate(template.with_output_prefix(prefix)) else {
                    continue; // XAES-256-GCM has no such prefix.
                };
                if judge.exchange(&keyset) {
                    judge.statuses(*template, prefix);
                    judge.forms(&keyset);
                    exchanged.push(format!("{name} {prefix}"));
                }
            }
            match judge.ask(&format!("make {name}")).as_str() {
                "unknown" | "refused" => {}
                keyset => {
                    let keyset = read(keyset);
                    assert!(judge.exchange(&keyset), "{name}");
                    made += 1;
                }
            }
        }
        println!(
            "{}: {} questions; {}; {made} templates",
            judge.name,
            judge.asked,
            exchanged.join(", ")
        );
        // What every Tink has.
        for prefix in PREFIXES {
            for name in [
                "AES256_GCM_SIV",
                "AES128_GCM_SIV",
                "AES256_SIV",
                "AES256_GCM",
                "AES128_GCM",
                "XCHACHA20_POLY1305",
            ] {
                let wanted = format!("{name} {prefix}");
                assert!(exchanged.contains(&wanted), "{}: {wanted}", judge.name);
            }
        }
        assert!(made >= 5, "{}: {made} templates", judge.name);
        drop(judge.questions);
        assert!(judge.child.wait().unwrap().success(), "{}", judge.name);
    }
}
