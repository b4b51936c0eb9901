//! A value of a JSON text with its path, and the kinds of values that keysets have.

use crate::base64;
use crate::error::Error;
use crate::json::{Node, Value};
use crate::record::ReadOptions;
use zeroize::Zeroizing;

/// A value, and how it is reached.
pub(super) struct Cursor<'n, 'a> {
    node: &'n Node<'a>,
    path: String,
}

impl<'n, 'a> Cursor<'n, 'a> {
    /// The whole text's.
    pub(super) fn new(node: &'n Node<'a>) -> Self {
        let path = String::new();
        Self { node, path }
    }

    /// What is wrong with this value.
    pub(super) fn format(&self, problem: &'static str) -> Error {
        Error::format(problem, self.node.offset, &self.path)
    }

    /// The member of an object.
    pub(super) fn member(&self, name: &str) -> Result<Option<Self>, Error> {
        let Value::Object(members) = &self.node.value else {
            return Err(self.format("not an object"));
        };
        let found = members.iter().find(|(known, _)| known == name);
        Ok(found.map(|(_, node)| Self {
            node,
            path: self.path_to(name),
        }))
    }

    /// The member of an object that must have it.
    pub(super) fn required(&self, name: &str) -> Result<Self, Error> {
        let missing =
            || Error::format("a member is missing", self.node.offset, &self.path_to(name));
        self.member(name)?.ok_or_else(missing)
    }

    fn path_to(&self, name: &str) -> String {
        match self.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }

    /// The items of an array.
    pub(super) fn items(&self, limit: usize) -> Result<Vec<Self>, Error> {
        let Value::Array(items) = &self.node.value else {
            return Err(self.format("not an array"));
        };
        if items.len() > limit {
            return Err(self.format("more than 1000 keys"));
        }
        let item = |(index, node)| Self {
            node,
            path: format!("{}[{index}]", self.path),
        };
        Ok(items.iter().enumerate().map(item).collect())
    }

    pub(super) fn string(&self) -> Result<Zeroizing<String>, Error> {
        match &self.node.value {
            Value::String(text) => Ok(text.unescaped()),
            _ => Err(self.format("not a string")),
        }
    }

    /// The bytes that a string holds as Base64.
    pub(super) fn base64(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let text = self.string()?;
        base64::decode(&text).ok_or_else(|| self.format("not Base64"))
    }

    /// The place of a name among `names`.
    pub(super) fn number_of(&self, names: &[&str]) -> Result<u32, Error> {
        let text = self.string()?;
        let found = names.iter().position(|name| *name == *text);
        let number = found.and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| self.format("an unknown name"))
    }

    /// The id of a key: an integer without fraction or exponent.
    pub(super) fn id(&self, options: ReadOptions) -> Result<u32, Error> {
        let string;
        let digits = match &self.node.value {
            Value::Number(digits) => *digits,
            Value::String(text) if options.ids_as_strings => {
                string = text.unescaped();
                string.as_str()
            }
            _ => return Err(self.format("not an id")),
        };
        // What is written in one way only: no sign before it but a minus, no zeros.
        let id: Option<i64> = digits
            .parse()
            .ok()
            .filter(|id: &i64| id.to_string() == digits);
        let id = id.ok_or_else(|| self.format("not an integer"))?;
        let negative = i64::from(i32::MIN)..0;
        match u32::try_from(id) {
            Ok(id) => Ok(id),
            Err(_) if options.negative_ids && negative.contains(&id) => Ok(id as u32),
            Err(_) => Err(self.format("not an id from 0 to 4294967295")),
        }
    }
}
