//! Results on standard output: in words, or as one JSON object a file. The names of the fields are
//! an interface, and are in README.md.

use std::io;
use std::path::Path;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::steers;
use crate::output::print;

#[derive(Clone, Copy)]
pub(crate) struct Report {
    json: bool,
}

/// The fields that every object begins with.
#[derive(serde::Serialize)]
struct Object<'a, T> {
    #[serde(flatten)]
    file: Option<Name<'a>>,
    /// The exit status that this file alone would give.
    status: u8,
    #[serde(flatten)]
    record: T,
}

#[derive(serde::Serialize)]
struct FailureRecord<'a> {
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

/// One or two fields for a path: as text, in which U+FFFD replaces bytes that are not UTF-8, and
/// then its bytes in `FIELD_hex`. To be flattened into a record.
pub(crate) struct Name<'a>(pub(crate) &'static str, pub(crate) &'a Path);

impl Serialize for Name<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(field, path) = self;
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry(field, &path.to_string_lossy())?;
        if path.to_str().is_none() {
            let bytes = path.as_os_str().as_encoded_bytes().iter();
            let hex: String = bytes.map(|byte| format!("{byte:02x}")).collect();
            fields.serialize_entry(&format!("{field}_hex"), &hex)?;
        }
        fields.end()
    }
}

impl Report {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Fails if standard output is wanted for `content` and for objects.
    pub(crate) fn may_share(&self, content_is_there: bool) -> Result<(), Failure> {
        if self.json && content_is_there {
            let message = "--json and the content cannot both go to standard output";
            return Err(Failure::new(Exit::Usage, message).hint("name a file with -o"));
        }
        Ok(())
    }

    /// Tells of `file`, or of no file, that all went well: in words, if there are any, or
    /// as an object with the fields of `record`.
    pub(crate) fn tell(
        &self,
        file: Option<&Path>,
        record: impl Serialize,
        words: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        match self.json {
            true => self.object(file, 0, record),
            false => print(words().as_bytes()),
        }
    }

    /// The same for a report that is an object only.
    pub(crate) fn tell_json(
        &self,
        file: &Path,
        status: u8,
        record: impl Serialize,
    ) -> Result<(), Failure> {
        match self.json {
            true => self.object(Some(file), status, record),
            false => Ok(()),
        }
    }

    /// Reports success with `file`, without details.
    pub(crate) fn tell_done(&self, file: &Path) -> Result<(), Failure> {
        #[derive(serde::Serialize)]
        struct Nothing {}
        self.tell_json(file, 0, Nothing {})
    }

    /// The object of a failure that was said in words.
    pub(crate) fn failure_object(&self, file: Option<&Path>, failure: &Failure) {
        if self.json {
            let record = FailureRecord { error: failure.message(), hint: failure.hint_text() };
            // Fails only when standard output is closed: nobody is left to tell.
            let _ = self.object(file, failure.exit as u8, record);
        }
    }

    fn object(
        &self,
        file: Option<&Path>,
        status: u8,
        record: impl Serialize,
    ) -> Result<(), Failure> {
        let object = Object { file: file.map(|path| Name("file", path)), status, record };
        let mut line = Vec::new();
        let mut json = serde_json::Serializer::with_formatter(&mut line, Printable);
        object
            .serialize(&mut json)
            .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
        line.push(b'\n');
        print(&line)
    }
}

/// JSON in one line that may be shown on a terminal: the characters of strings that would
/// [steer](steers) it are written as escapes, which every reader takes for the same.
struct Printable;

impl serde_json::ser::Formatter for Printable {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(c) = rest.chars().find(|c| steers(*c)) {
            let (plain, from) = rest.split_once(c).unwrap_or((rest, ""));
            writer.write_all(plain.as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = from;
        }
        writer.write_all(rest.as_bytes())
    }
}
