//! OpenSSL judges AES-SIV: what it seals we open and the reverse, to the byte, with keys of all
//! lengths and lists of associated data.
//!
//! `judges/aes_siv.py` reads lines and answers each with one. Words are separated by a space,
//! bytes are hexadecimal digits, and `-` is none of them: `seal` key text string …, answered
//! with the sealed text; `open` key sealed string …, with the text, or `forged`.
//! `SIVKA_OPENSSL` is the command that starts it, its words separated by tabs, as
//! `cargo xtask tink` sets it.

use crate::aes_siv::with_key;
use sivka::{Error, Tier};
use sivka_oracle::lengths::painted;
use std::env;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const TEXT_LENS: [usize; 12] = [0, 1, 15, 16, 17, 31, 32, 33, 100, 255, 1024, 4099];
/// The lengths of the strings of a list: none is another list than one that is empty.
const LISTS: [&[usize]; 10] = [
    &[],
    &[0],
    &[0, 0],
    &[1],
    &[16],
    &[17, 0],
    &[0, 32],
    &[15, 16, 17],
    &[100, 1, 0, 1000],
    &[3; 126],
];

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".into();
    }
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

struct Judge {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    asked: usize,
}

impl Judge {
    fn start() -> Self {
        let command = env::var("SIVKA_OPENSSL").expect("as cargo xtask tink sets it");
        let mut words = command.split('\t');
        let mut child = Command::new(words.next().unwrap())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            questions: child.stdin.take().unwrap(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            child,
            asked: 0,
        }
    }

    fn ask(&mut self, verb: &str, key: &[u8], text: &[u8], list: &[&[u8]]) -> String {
        let strings = list.iter().map(|string| hex(string)).collect::<Vec<_>>();
        let strings = strings.join(" ");
        writeln!(self.questions, "{verb} {} {} {strings}", hex(key), hex(text)).unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        assert!(answer.ends_with('\n'), "no answer");
        self.asked += 1;
        answer.trim_end().to_owned()
    }
}

#[test]
#[ignore = "needs OpenSSL through Python: cargo xtask tink"]
fn openssl_agrees() {
    let mut judge = Judge::start();
    for bytes in [32, 48, 64].map(|len| painted(100, len)) {
        for (text_len, lens) in TEXT_LENS.iter().flat_map(|len| LISTS.map(|list| (*len, list))) {
            let strings = lens.iter().enumerate().map(|(at, len)| painted(at + 2, *len));
            let strings: Vec<Vec<u8>> = strings.collect();
            let list: Vec<&[u8]> = strings.iter().map(|string| &string[..]).collect();
            let text = painted(1, text_len);
            with_key!(bytes, Tier::detect(), |key| {
                let sealed = key.seal_with_list(&text, &list).unwrap();
                assert_eq!(judge.ask("seal", &bytes, &text, &list), hex(&sealed), "{lens:?}");
                assert_eq!(judge.ask("open", &bytes, &sealed, &list), hex(&text));
                assert_eq!(key.open_with_list(&sealed, &list), Ok(text));

                let mut forged = sealed.clone();
                forged[(text_len * 7 + lens.len()) % sealed.len()] ^= 1;
                assert_eq!(judge.ask("open", &bytes, &forged, &list), "forged");
                assert_eq!(key.open_with_list(&forged, &list), Err(Error::Open));
                // A string more, though it is empty, is another list.
                if list.len() < 126 {
                    let longer = [&list[..], &[b""]].concat();
                    assert_eq!(judge.ask("open", &bytes, &sealed, &longer), "forged");
                    assert_eq!(key.open_with_list(&sealed, &longer), Err(Error::Open));
                }
            });
        }
    }
    println!("OpenSSL: {} questions", judge.asked);
    assert!(judge.asked > 3 * TEXT_LENS.len() * LISTS.len() * 3);
    drop(judge.questions);
    assert!(judge.child.wait().unwrap().success());
}
