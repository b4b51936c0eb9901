//! JSON as RFC 8259 has it and nothing beside: no comments, no trailing commas, no second
//! member of a name, no bare surrogates. A byte order mark may come first.
//!
//! A reader of our own, because of what keysets need together: a member that is there twice
//! is an error wherever it is, every error says at which byte, and no secret is copied:
//! strings stay in the caller's text until they are wanted.

use crate::wire::Malformed;
use std::borrow::Cow;
use std::collections::BTreeSet;
use zeroize::Zeroizing;

/// The most arrays and objects in each other.
const MAX_DEPTH: usize = 100;

/// A value, and at which byte it begins.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) offset: usize,
    pub(crate) value: Value<'a>,
}

#[derive(Debug)]
pub(crate) enum Value<'a> {
    /// `null`, `true`, `false`.
    Word,
    /// As it is written.
    Number(&'a str),
    String(Text<'a>),
    Array(Vec<Node<'a>>),
    Object(Vec<(Cow<'a, str>, Node<'a>)>),
}

/// A string as it is written, without its quotes: well formed, its escapes in place.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a>(&'a str);

/// It may be a key.
impl std::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Text")
    }
}

impl Text<'_> {
    /// The string itself.
    pub(crate) fn unescaped(self) -> Zeroizing<String> {
        // No escape is shorter than what it stands for: this never grows.
        let mut text = Zeroizing::new(String::with_capacity(self.0.len()));
        let mut rest = self.0;
        while let Some((plain, escaped)) = rest.split_once('\\') {
            text.push_str(plain);
            // The reader has seen that this is an escape.
            let Some((character, len)) = escape(escaped) else {
                break;
            };
            text.push(character);
            rest = &escaped[len..];
        }
        text.push_str(rest);
        text
    }
}

/// The character of an escape, from after its backslash on, and the length that it is
/// written in.
fn escape(text: &str) -> Option<(char, usize)> {
    let character = match text.as_bytes().first()? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let first = hex4(&text[1..])?;
            if let Some(character) = char::from_u32(first) {
                return Some((character, 5));
            }
            let second = hex4(text.get(5..)?.strip_prefix("\\u")?)?;
            let mut pair = char::decode_utf16([first as u16, second as u16]);
            return Some((pair.next()?.ok()?, 11));
        }
        _ => return None,
    };
    Some((character, 1))
}

fn hex4(text: &str) -> Option<u32> {
    let digits = text.as_bytes().get(..4)?;
    digits.iter().try_fold(0, |value, digit| {
        Some(value << 4 | char::from(*digit).to_digit(16)?)
    })
}

/// What some editors put in front of every text in UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Reads a whole text.
pub(crate) fn parse(text: &str) -> Result<Node<'_>, Malformed> {
    let offset = match text.starts_with(BYTE_ORDER_MARK) {
        true => BYTE_ORDER_MARK.len(),
        false => 0,
    };
    let mut reader = Reader { text, offset };
    let node = reader.value(0)?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(node),
        Some(_) => Err(reader.malformed("something follows the end")),
    }
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Reader<'a> {
    fn malformed(&self, problem: &'static str) -> Malformed {
        Malformed {
            problem,
            offset: self.offset,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.offset += 1;
        }
    }

    /// Takes `byte` if it is next.
    fn takes(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.offset += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Node<'a>, Malformed> {
        self.skip_space();
        let offset = self.offset;
        let value = match self.peek() {
            Some(b'{' | b'[') if depth == MAX_DEPTH => {
                return Err(self.malformed("nested too deeply"));
            }
            Some(b'{') => Value::Object(self.object(depth + 1)?),
            Some(b'[') => Value::Array(self.array(depth + 1)?),
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b'n') => self.word("null")?,
            Some(b't') => self.word("true")?,
            Some(b'f') => self.word("false")?,
            Some(_) => return Err(self.malformed("no JSON value begins so")),
            None => return Err(self.malformed("the text is cut off")),
        };
        Ok(Node { offset, value })
    }

    fn word(&mut self, word: &str) -> Result<Value<'a>, Malformed> {
        if !self.text[self.offset..].starts_with(word) {
            return Err(self.malformed("no JSON value begins so"));
        }
        self.offset += word.len();
        Ok(Value::Word)
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Node<'a>>, Malformed> {
        let mut items = Vec::new();
        self.offset += 1;
        self.skip_space();
        if self.takes(b']') {
            return Ok(items);
        }
        loop {
            items.push(self.value(depth)?);
            self.skip_space();
            if self.takes(b']') {
                return Ok(items);
            }
            if !self.takes(b',') {
                return Err(self.malformed("a comma or the array's end is missing"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Vec<(Cow<'a, str>, Node<'a>)>, Malformed> {
        let mut members = Vec::new();
        let mut names = BTreeSet::new();
        self.offset += 1;
        self.skip_space();
        if self.takes(b'}') {
            return Ok(members);
        }
        loop {
            self.skip_space();
            let offset = self.offset;
            if self.peek() != Some(b'"') {
                return Err(self.malformed("a member's name is missing"));
            }
            let name = self.string()?;
            let name: Cow<'a, str> = match name.0.contains('\\') {
                true => Cow::Owned(String::clone(&name.unescaped())),
                false => Cow::Borrowed(name.0),
            };
            if !names.insert(name.clone()) {
                let problem = "an object has two members of one name";
                return Err(Malformed { problem, offset });
            }
            self.skip_space();
            if !self.takes(b':') {
                return Err(self.malformed("a colon is missing"));
            }
            members.push((name, self.value(depth)?));
            self.skip_space();
            if self.takes(b'}') {
                return Ok(members);
            }
            if !self.takes(b',') {
                return Err(self.malformed("a comma or the object's end is missing"));
            }
        }
    }

    fn string(&mut self) -> Result<Text<'a>, Malformed> {
        self.offset += 1;
        let start = self.offset;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.offset += 1;
                    return Ok(Text(&self.text[start..self.offset - 1]));
                }
                Some(b'\\') => match escape(&self.text[self.offset + 1..]) {
                    Some((_, len)) => self.offset += 1 + len,
                    None => return Err(self.malformed("an escape is malformed")),
                },
                Some(0..0x20) => {
                    return Err(self.malformed("a string has a control character"));
                }
                Some(_) => self.offset += 1,
                None => return Err(self.malformed("the text is cut off")),
            }
        }
    }

    /// `-`, an integer without leading zeros, and perhaps a fraction and an exponent.
    fn number(&mut self) -> Result<&'a str, Malformed> {
        let start = self.offset;
        self.takes(b'-');
        if !self.takes(b'0') {
            self.digits()?;
        }
        if self.takes(b'.') {
            self.digits()?;
        }
        if self.takes(b'e') || self.takes(b'E') {
            let _signed = self.takes(b'+') || self.takes(b'-');
            self.digits()?;
        }
        if let Some(b'0'..=b'9') = self.peek() {
            return Err(self.malformed("a number begins with 0"));
        }
        Ok(&self.text[start..self.offset])
    }

    fn digits(&mut self) -> Result<(), Malformed> {
        let start = self.offset;
        while let Some(b'0'..=b'9') = self.peek() {
            self.offset += 1;
        }
        match self.offset > start {
            true => Ok(()),
            false => Err(self.malformed("a digit is missing")),
        }
    }
}

#[cfg(test)]
mod tests;
