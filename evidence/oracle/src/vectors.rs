//! The reader of the files under `vectors/`.
//!
//! A reader that skips unknown fields turns a misspelt field into a test that checks nothing. So
//! every object must be consumed to its last field, and a group says how many cases it has.

pub mod published;

use serde_json::Map;
pub use serde_json::Value;

/// How many sealed files of `file-v1` open, and how many must not.
pub const SEALED_FILES: (usize, usize) = (99, 172);
/// Of these, how many have an identity of age for their key.
pub const SEALED_FILES_OF_IDENTITIES: (usize, usize) = (5, 15);

/// A file under `vectors/`.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its path in that folder.
    pub name: &'static str,
    /// The content.
    pub text: &'static str,
}

/// A value of JSON, read to its last field.
pub trait Field: Sized {
    /// Takes `value`; `path` is where it is, for messages.
    ///
    /// # Errors
    ///
    /// If it is anything else.
    fn read(value: Value, path: &str) -> Result<Self, String>;
}

impl Field for String {
    fn read(value: Value, path: &str) -> Result<Self, String> {
        let text = value.as_str().map(str::to_owned);
        text.ok_or_else(|| format!("{path} is no string: {value}"))
    }
}

impl Field for usize {
    fn read(value: Value, path: &str) -> Result<Self, String> {
        let count = value.as_u64().and_then(|count| count.try_into().ok());
        count.ok_or_else(|| format!("{path} is no count: {value}"))
    }
}

/// Bytes are written as hexadecimal digits.
impl Field for Vec<u8> {
    fn read(value: Value, path: &str) -> Result<Self, String> {
        hex(&String::read(value, path)?).map_err(|error| format!("{path}: {error}"))
    }
}

impl<const LEN: usize> Field for [u8; LEN] {
    fn read(value: Value, path: &str) -> Result<Self, String> {
        let bytes: Vec<u8> = Field::read(value, path)?;
        let len = bytes.len();
        bytes.try_into().map_err(|_| format!("{path} has {len} bytes, not {LEN}"))
    }
}

impl<T: Field> Field for Vec<T> {
    fn read(value: Value, path: &str) -> Result<Self, String> {
        let Value::Array(values) = value else {
            return Err(format!("{path} is no array: {value}"));
        };
        let numbered = values.into_iter().enumerate();
        numbered.map(|(i, value)| T::read(value, &format!("{path}[{i}]"))).collect()
    }
}

/// One JSON object whose every field must be taken.
pub struct Object {
    path: String,
    fields: Map<String, Value>,
}

impl Object {
    /// Takes `value` as an object; `path` is where it is, for messages.
    ///
    /// # Errors
    ///
    /// If it is anything but an object.
    pub fn new(value: Value, path: &str) -> Result<Self, String> {
        match value {
            Value::Object(fields) => Ok(Self { path: path.to_owned(), fields }),
            other => Err(format!("{path}: expected an object, found {other}")),
        }
    }

    /// Takes a field out.
    ///
    /// # Errors
    ///
    /// If there is no such field or it is of another type.
    pub fn take<T: Field>(&mut self, name: &str) -> Result<T, String> {
        let value = self.fields.remove(name);
        let value = value.ok_or_else(|| format!("{}: no field {name:?}", self.path))?;
        T::read(value, &format!("{}/{name}", self.path))
    }

    /// Takes `cases` out; their number must be `case_count`.
    fn take_cases<T: Field>(&mut self) -> Result<Vec<T>, String> {
        let (announced, cases) = (self.take::<usize>("case_count")?, self.take::<Vec<T>>("cases")?);
        let (path, found) = (&self.path, cases.len());
        match announced == found {
            true => Ok(cases),
            false => Err(format!("{path}: {announced} cases announced, {found} found")),
        }
    }

    /// Ends the object.
    ///
    /// # Errors
    ///
    /// If a field was not taken.
    pub fn finish(self) -> Result<(), String> {
        match self.fields.keys().next() {
            Some(name) => Err(format!("{}: nobody reads the field {name:?}", self.path)),
            None => Ok(()),
        }
    }
}

/// Declares structures that are read from an object of the same fields.
#[macro_export]
macro_rules! objects {
    ($($(#[$doc:meta])* $vis:vis struct $name:ident { $($field:ident: $type:ty),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        $vis struct $name { $($vis $field: $type,)+ }

        impl $crate::vectors::Field for $name {
            fn read(value: $crate::vectors::Value, path: &str) -> Result<Self, String> {
                let mut object = $crate::vectors::Object::new(value, path)?;
                let read = Self { $($field: object.take(stringify!($field))?,)+ };
                object.finish()?;
                Ok(read)
            }
        }
    )+};
}

objects! {
    /// One message and its sealed form. The nonce is empty for an algorithm without one.
    pub struct Case {
        name: String,
        key: Vec<u8>,
        nonce: Vec<u8>,
        aad: Vec<u8>,
        plaintext: Vec<u8>,
        ciphertext: Vec<u8>,
        tag: Vec<u8>,
    }

    /// One message with a list of associated data, for AES-SIV, and its sealed form.
    pub struct ListCase {
        name: String,
        key: Vec<u8>,
        associated_data: Vec<Vec<u8>>,
        plaintext: Vec<u8>,
        ciphertext: Vec<u8>,
        tag: Vec<u8>,
    }

    /// The text of a key file and the key that it gives columns under one algorithm.
    pub struct ColumnKey { key_file: String, algorithm: String, column_key: Vec<u8> }
}

/// Cases of one algorithm, in the order of their source.
#[derive(Debug)]
pub struct Group<C> {
    /// The algorithm, as `AES-256-GCM-SIV`.
    pub algorithm: String,
    /// The cases.
    pub cases: Vec<C>,
}

impl<C: Field> Field for Group<C> {
    fn read(value: Value, path: &str) -> Result<Self, String> {
        let mut group = Object::new(value, path)?;
        group.take::<String>("section")?;
        let (algorithm, cases) = (group.take("algorithm")?, group.take_cases()?);
        group.finish()?;
        Ok(Self { algorithm, cases })
    }
}

/// Reads the text of a file: its source, and the rest by `take`.
fn read_file<T>(
    text: &str,
    take: impl FnOnce(&mut Object) -> Result<T, String>,
) -> Result<T, String> {
    let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut file = Object::new(value, "file")?;
    file.take::<String>("source")?;
    let taken = take(&mut file)?;
    file.finish()?;
    Ok(taken)
}

/// Reads the text of a file of groups.
///
/// # Errors
///
/// If it is not JSON, if a field is missing, ill-formed or unknown, or if a
/// group's count is wrong.
pub fn read<C: Field>(text: &str) -> Result<Vec<Group<C>>, String> {
    read_file(text, |file| file.take("groups"))
}

/// Reads the text of a file of rows.
///
/// # Errors
///
/// As [`read`].
pub fn read_rows<R: Field>(text: &str) -> Result<Vec<R>, String> {
    read_file(text, |file| file.take("rows"))
}

/// Reads the text of a file of vectors with lists of associated data.
///
/// # Errors
///
/// As [`read`].
pub fn read_lists(text: &str) -> Result<Vec<ListCase>, String> {
    let groups = read(text)?.into_iter();
    Ok(groups.flat_map(|group| group.cases).collect())
}

/// Reads the text of a file of column keys.
///
/// # Errors
///
/// As [`read`].
pub fn read_column_keys(text: &str) -> Result<Vec<ColumnKey>, String> {
    read_file(text, Object::take_cases)
}

/// The bytes that hexadecimal digits stand for.
///
/// # Errors
///
/// If `text` is not an even number of hexadecimal digits.
pub fn hex(text: &str) -> Result<Vec<u8>, String> {
    let digit = |c: u8| char::from(c).to_digit(16).ok_or_else(|| format!("not hex: {text:?}"));
    if !text.len().is_multiple_of(2) {
        return Err(format!("an odd number of digits: {text:?}"));
    }
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| Ok((digit(pair[0])? << 4 | digit(pair[1])?) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: &str = r#"{"name":"n","key":"00","nonce":"","aad":"","plaintext":"0aFf",
        "ciphertext":"","tag":""}"#;

    fn file(case_count: usize, case: &str) -> String {
        format!(
            r#"{{"source":"s","groups":[{{"algorithm":"a","section":"1",
            "case_count":{case_count},"cases":[{case}]}}]}}"#
        )
    }

    #[test]
    fn reads_a_case() {
        let groups = read::<Case>(&file(1, CASE)).unwrap();
        assert_eq!(groups[0].cases[0].plaintext, [0x0a, 0xff]);
    }

    #[test]
    fn refuses_what_it_would_not_check() {
        let error = |text: &str| read::<Case>(text).unwrap_err();
        let with = |from: &str, to: &str| error(&file(1, &CASE.replace(from, to)));
        assert!(with("\"key\"", "\"comment\":\"\",\"key\"").contains("comment"));
        assert!(error(&file(2, CASE)).contains("2 cases announced, 1 found"));
        assert!(with("\"tag\":\"\"", "\"tags\":\"\"").contains("no field \"tag\""));
        assert!(with("0aFf", "0aF").contains("odd number"));
        assert!(with("0aFf", "0g").contains("not hex"));
        error("{");
    }
}
