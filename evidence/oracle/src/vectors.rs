//! The reader of the files under `vectors/`.
//!
//! A reader that skips what it does not know turns a misspelt field into a test
//! that checks nothing. So every object must be consumed to its last field, and
//! a group says how many cases it has.

pub mod published;

use serde_json::{Map, Value};

/// How many sealed files of `file-v1` open, and how many must not.
pub const SEALED_FILES: (usize, usize) = (93, 166);
/// Of these, how many have an identity of age for their key.
pub const SEALED_FILES_OF_IDENTITIES: (usize, usize) = (5, 15);

/// A file under `vectors/`.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its path in that folder.
    pub name: &'static str,
    /// What is in it.
    pub text: &'static str,
}

/// Cases of one algorithm from one section of their source.
#[derive(Debug)]
pub struct Group {
    /// The algorithm, as `AES-256-GCM-SIV`.
    pub algorithm: String,
    /// The section of the source.
    pub section: String,
    /// The cases, in the order of the source.
    pub cases: Vec<Case>,
}

/// One message and what it seals to.
#[derive(Clone, Debug)]
pub struct Case {
    /// What to say when the case fails.
    pub name: String,
    /// The key.
    pub key: Vec<u8>,
    /// The nonce; empty for an algorithm without one.
    pub nonce: Vec<u8>,
    /// The additional authenticated data.
    pub aad: Vec<u8>,
    /// The plaintext.
    pub plaintext: Vec<u8>,
    /// The ciphertext, as long as the plaintext.
    pub ciphertext: Vec<u8>,
    /// The tag.
    pub tag: Vec<u8>,
}

/// One message with a list of associated data, as AES-SIV has it, and what it seals to.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ListCase {
    pub name: String,
    pub key: Vec<u8>,
    pub associated_data: Vec<Vec<u8>>,
    pub plaintext: Vec<u8>,
    pub ciphertext: Vec<u8>,
    pub tag: Vec<u8>,
}

/// The text of a key file and the key that it gives columns under one algorithm.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ColumnKey {
    pub key_file: String,
    pub algorithm: String,
    pub column_key: Vec<u8>,
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
            Value::Object(fields) => Ok(Self {
                path: path.to_owned(),
                fields,
            }),
            other => Err(format!("{path}: expected an object, found {other}")),
        }
    }

    /// Reads JSON text that is one object; `path` is the file, for messages.
    ///
    /// # Errors
    ///
    /// If it is not JSON or anything but an object.
    pub fn parse(text: &str, path: &str) -> Result<Self, String> {
        let value = serde_json::from_str(text).map_err(|error| format!("{path}: {error}"))?;
        Self::new(value, path)
    }

    /// Takes a field out.
    ///
    /// # Errors
    ///
    /// If there is no such field.
    pub fn take(&mut self, name: &str) -> Result<Value, String> {
        self.fields
            .remove(name)
            .ok_or_else(|| format!("{}: no field {name:?}", self.path))
    }

    /// Takes a string out.
    ///
    /// # Errors
    ///
    /// If there is no such field or it is no string.
    pub fn take_string(&mut self, name: &str) -> Result<String, String> {
        match self.take(name)? {
            Value::String(text) => Ok(text),
            other => Err(format!("{}: {name:?} is no string: {other}", self.path)),
        }
    }

    /// Takes bytes out, written as hexadecimal digits.
    ///
    /// # Errors
    ///
    /// If there is no such field or it is not hexadecimal.
    pub fn take_bytes(&mut self, name: &str) -> Result<Vec<u8>, String> {
        let text = self.take_string(name)?;
        hex(&text).map_err(|error| format!("{}: {name:?}: {error}", self.path))
    }

    /// Takes a count out.
    ///
    /// # Errors
    ///
    /// If there is no such field or it is no number from 0 on.
    pub fn take_count(&mut self, name: &str) -> Result<usize, String> {
        let value = self.take(name)?;
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| format!("{}: {name:?} is no count: {value}", self.path))
    }

    /// Takes an array of bytes out, each written as hexadecimal digits.
    ///
    /// # Errors
    ///
    /// If there is no such field or it is no array of hexadecimal strings.
    pub fn take_list(&mut self, name: &str) -> Result<Vec<Vec<u8>>, String> {
        let value = self.take(name)?;
        let wrong = || format!("{}: {name:?} is no array of strings", self.path);
        let Value::Array(values) = value else {
            return Err(wrong());
        };
        let texts = values.iter().map(|value| value.as_str().ok_or_else(wrong));
        texts.map(|text| hex(text?)).collect()
    }

    /// Takes an array of objects out.
    ///
    /// # Errors
    ///
    /// If there is no such field or it is no array of objects.
    pub fn take_objects(&mut self, name: &str) -> Result<Vec<Self>, String> {
        let Value::Array(values) = self.take(name)? else {
            return Err(format!("{}: {name:?} is no array", self.path));
        };
        let numbered = values.into_iter().enumerate();
        numbered
            .map(|(i, value)| Self::new(value, &format!("{}/{name}[{i}]", self.path)))
            .collect()
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

/// The bytes that hexadecimal digits stand for.
///
/// # Errors
///
/// If `text` is not an even number of hexadecimal digits.
pub fn hex(text: &str) -> Result<Vec<u8>, String> {
    let digit = |c: u8| {
        char::from(c)
            .to_digit(16)
            .ok_or_else(|| format!("not hex: {text:?}"))
    };
    if !text.len().is_multiple_of(2) {
        return Err(format!("an odd number of digits: {text:?}"));
    }
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| Ok((digit(pair[0])? << 4 | digit(pair[1])?) as u8))
        .collect()
}

/// Reads the text of an AEAD vector file.
///
/// # Errors
///
/// If it is not JSON, if a field is missing, ill-formed or unknown, or if a
/// group's count is wrong.
pub fn read(text: &str) -> Result<Vec<Group>, String> {
    let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut file = Object::new(value, "file")?;
    file.take_string("source")?;
    let groups = file.take_objects("groups")?;
    file.finish()?;
    groups.into_iter().map(read_group).collect()
}

/// Reads the text of a file of vectors with lists of associated data.
///
/// # Errors
///
/// As [`read`].
pub fn read_lists(text: &str) -> Result<Vec<ListCase>, String> {
    let mut file = Object::parse(text, "file")?;
    file.take_string("source")?;
    let mut cases = Vec::new();
    for mut group in file.take_objects("groups")? {
        group.take_string("algorithm")?;
        group.take_string("section")?;
        let (announced, found) = (group.take("case_count")?, group.take_objects("cases")?);
        if announced != found.len() {
            return Err(format!(
                "{announced} cases announced, {} found",
                found.len()
            ));
        }
        group.finish()?;
        for mut object in found {
            cases.push(ListCase {
                name: object.take_string("name")?,
                key: object.take_bytes("key")?,
                associated_data: object.take_list("associated_data")?,
                plaintext: object.take_bytes("plaintext")?,
                ciphertext: object.take_bytes("ciphertext")?,
                tag: object.take_bytes("tag")?,
            });
            object.finish()?;
        }
    }
    file.finish()?;
    Ok(cases)
}

/// Reads the text of a file of column keys.
///
/// # Errors
///
/// As [`read`].
pub fn read_column_keys(text: &str) -> Result<Vec<ColumnKey>, String> {
    let mut file = Object::parse(text, "file")?;
    file.take_string("source")?;
    let announced = file.take("case_count")?;
    let mut cases = Vec::new();
    for mut object in file.take_objects("cases")? {
        cases.push(ColumnKey {
            key_file: object.take_string("key_file")?,
            algorithm: object.take_string("algorithm")?,
            column_key: object.take_bytes("column_key")?,
        });
        object.finish()?;
    }
    file.finish()?;
    if announced != cases.len() {
        return Err(format!(
            "{announced} cases announced, {} found",
            cases.len()
        ));
    }
    Ok(cases)
}

fn read_group(mut group: Object) -> Result<Group, String> {
    let algorithm = group.take_string("algorithm")?;
    let section = group.take_string("section")?;
    let case_count = group.take("case_count")?;
    let cases = group.take_objects("cases")?.into_iter().map(read_case);
    let cases = cases.collect::<Result<Vec<_>, _>>()?;
    if case_count != cases.len() {
        return Err(format!(
            "{}: {case_count} cases announced, {} found",
            group.path,
            cases.len()
        ));
    }
    group.finish()?;
    Ok(Group {
        algorithm,
        section,
        cases,
    })
}

fn read_case(mut object: Object) -> Result<Case, String> {
    let case = Case {
        name: object.take_string("name")?,
        key: object.take_bytes("key")?,
        nonce: object.take_bytes("nonce")?,
        aad: object.take_bytes("aad")?,
        plaintext: object.take_bytes("plaintext")?,
        ciphertext: object.take_bytes("ciphertext")?,
        tag: object.take_bytes("tag")?,
    };
    object.finish()?;
    Ok(case)
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
        let groups = read(&file(1, CASE)).unwrap();
        assert_eq!(groups[0].cases[0].plaintext, [0x0a, 0xff]);
    }

    #[test]
    fn refuses_what_it_would_not_check() {
        let unknown = CASE.replace("\"key\"", "\"comment\":\"\",\"key\"");
        assert!(read(&file(1, &unknown)).unwrap_err().contains("comment"));
        assert!(
            read(&file(2, CASE))
                .unwrap_err()
                .contains("2 cases announced, 1 found")
        );
        let missing = CASE.replace("\"tag\":\"\"", "\"tags\":\"\"");
        assert!(
            read(&file(1, &missing))
                .unwrap_err()
                .contains("no field \"tag\"")
        );
        assert!(read(&file(1, &CASE.replace("0aFf", "0aF"))).is_err());
        assert!(read(&file(1, &CASE.replace("0aFf", "0g"))).is_err());
        assert!(read("{").is_err());
    }
}
