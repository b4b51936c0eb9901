//! A JSON text, taken apart by `serde_json` without a copy: values stay in the caller's text, as
//! they are written, until they are wanted (`docs/adr/0032-readers-of-our-own-for-keysets.md`).

use crate::base64;
use crate::error::Error;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fmt;
use zeroize::Zeroizing;

/// A value as it is written, and how it is reached.
pub(crate) struct Node<'a> {
    whole: &'a str,
    raw: &'a str,
    path: String,
}

/// The members of an object; no two have one name.
struct Members<'a>(HashMap<String, &'a RawValue>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(object: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = HashMap::new();
                while let Some((name, value)) = map.next_entry()? {
                    if members.insert(name, value).is_some() {
                        return Err(A::Error::custom(TWICE));
                    }
                }
                Ok(Members(members))
            }
        }
        object.deserialize_map(Reader)
    }
}

/// How many objects and arrays may be around another one.
const MAX_DEPTH: usize = 100;

const TWICE: &str = "an object has two members of one name";

impl<'a> Node<'a> {
    /// A whole text, which may begin with a byte order mark.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        let whole = str::from_utf8(bytes)
            .map_err(|error| Error::format("not UTF-8", error.valid_up_to(), ""))?;
        let raw = whole.strip_prefix('\u{feff}').unwrap_or(whole);
        let mut node = Self { whole, raw, path: String::new() };
        let read = serde_json::from_str::<&RawValue>(raw);
        node.raw = read.map_err(|error| node.syntax(&error))?.get();
        Ok(node)
    }

    /// The error of `serde_json` for this value. Its words may hold parts of the text, and stay
    /// here.
    fn syntax(&self, error: &serde_json::Error) -> Error {
        let lines = self.raw.split_inclusive('\n').take(error.line().saturating_sub(1));
        let offset = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let problem = match error.to_string().starts_with(TWICE) {
            true => TWICE,
            false => "not JSON",
        };
        Error::format(problem, self.offset() + offset.min(self.raw.len()), &self.path)
    }

    fn offset(&self) -> usize {
        self.raw.as_ptr().addr() - self.whole.as_ptr().addr()
    }

    /// The error in this value.
    pub(crate) fn format(&self, problem: &'static str) -> Error {
        Error::format(problem, self.offset(), &self.path)
    }

    fn child(&self, value: &'a RawValue, path: String) -> Self {
        Self { whole: self.whole, raw: value.get(), path }
    }

    fn path_to(&self, name: &str) -> String {
        match self.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }

    /// A value of another kind never comes to `serde_json`, whose error would hold it.
    fn read<T: Deserialize<'a>>(&self, first: char, problem: &'static str) -> Result<T, Error> {
        match self.raw.starts_with(first) {
            true => serde_json::from_str(self.raw).map_err(|error| self.syntax(&error)),
            false => Err(self.format(problem)),
        }
    }

    /// The members of an object.
    fn members(&self) -> Result<Members<'a>, Error> {
        self.read('{', "not an object")
    }

    /// The member of an object.
    pub(crate) fn member(&self, name: &str) -> Result<Option<Self>, Error> {
        let found = self.members()?.0.remove(name);
        Ok(found.map(|value| self.child(value, self.path_to(name))))
    }

    /// The member of an object that must have it.
    pub(crate) fn required(&self, name: &str) -> Result<Self, Error> {
        let missing = || Error::format("a member is missing", self.offset(), &self.path_to(name));
        self.member(name)?.ok_or_else(missing)
    }

    fn values(&self) -> Result<Vec<&'a RawValue>, Error> {
        self.read('[', "not an array")
    }

    /// Refuses repeated names and too deep nesting, as tink-java does, also in members that nobody
    /// reads. Such names may be anything, so no path contains them.
    pub(crate) fn check_nested(&self, depth: usize) -> Result<(), Error> {
        let inner = match self.raw.as_bytes()[0] {
            b'{' | b'[' if depth > MAX_DEPTH => return Err(self.format("nested too deep")),
            b'{' => self.members()?.0.into_values().collect(),
            b'[' => self.values()?,
            _ => return Ok(()),
        };
        let mut inner = inner.into_iter().map(|value| self.child(value, self.path.clone()));
        inner.try_for_each(|value| value.check_nested(depth + 1))
    }

    /// The items of an array.
    pub(crate) fn items(&self, limit: usize) -> Result<Vec<Self>, Error> {
        let items = self.values()?;
        if items.len() > limit {
            return Err(self.format("more than 1000 keys"));
        }
        let items = items.into_iter().enumerate();
        let item = |(index, value)| self.child(value, format!("{}[{index}]", self.path));
        Ok(items.map(item).collect())
    }

    /// The text between the quotes of a string.
    fn quoted(&self) -> Result<&'a str, Error> {
        let quoted = self.raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
        quoted.ok_or_else(|| self.format("not a string"))
    }

    /// A string that is no secret.
    pub(crate) fn string(&self) -> Result<String, Error> {
        self.quoted()?;
        serde_json::from_str(self.raw).map_err(|_| self.format("an escape is malformed"))
    }

    /// The bytes that a string holds as Base64. `serde_json` would unescape it to memory that
    /// nobody wipes, so that is done here, for the characters that Base64 can have.
    pub(crate) fn base64(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut rest = self.quoted()?;
        let wrong = || self.format("not Base64");
        // No escape is shorter than its character: this never grows.
        let mut text = Zeroizing::new(String::with_capacity(rest.len()));
        while let Some((plain, escape)) = rest.split_once('\\') {
            text.push_str(plain);
            let len = match escape.as_bytes()[0] {
                b'u' => 5,
                _ => 1,
            };
            text.push(match &escape[..len] {
                "n" | "r" | "t" => ' ',
                "/" => '/',
                code => {
                    let code = code.strip_prefix('u').ok_or_else(wrong)?;
                    let code = u32::from_str_radix(code, 16).map_err(|_| wrong())?;
                    char::from_u32(code).filter(char::is_ascii).ok_or_else(wrong)?
                }
            });
            rest = &escape[len..];
        }
        text.push_str(rest);
        base64::decode(&text).ok_or_else(wrong)
    }

    /// The place of a name among `names`.
    pub(crate) fn number_of(&self, names: &[&str]) -> Result<u32, Error> {
        let text = self.string()?;
        let found = names.iter().position(|name| *name == text);
        let number = found.and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| self.format("an unknown name"))
    }

    /// The id of a key: an integer without fraction or exponent, or a string of one. From -2^31
    /// to -1 it means 2^32 more, as Java shows ids.
    pub(crate) fn id(&self) -> Result<u32, Error> {
        let digits = match self.raw.as_bytes()[0] {
            b'-' | b'0'..=b'9' => self.raw.to_owned(),
            b'"' => self.string()?,
            _ => return Err(self.format("not an id")),
        };
        // A number has one form only: no sign before it but a minus, no leading zeros.
        let id = digits.parse().ok().filter(|id: &i64| id.to_string() == digits);
        let id = id.ok_or_else(|| self.format("not an integer"))?;
        let negative = i64::from(i32::MIN)..0;
        match u32::try_from(id) {
            Ok(id) => Ok(id),
            Err(_) if negative.contains(&id) => Ok(id as u32),
            Err(_) => Err(self.format("not an id from 0 to 4294967295")),
        }
    }
}
