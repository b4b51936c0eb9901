//! What a keyset is between two changes.

use pyo3::prelude::*;
use sivka_keyset::{Error, KeyInfo, Keyset, KeysetAead, KeysetStreamingAead, Misuse, Primitive};
use std::sync::{Arc, OnceLock};

/// What a keyset is until it is changed. The last call that uses it wipes the keys.
pub(crate) struct State {
    pub(crate) keys: Keyset,
    /// The enabled keys, made ready by the first call that needs them.
    ready: OnceLock<Result<Ready, Error>>,
}

enum Ready {
    Messages(KeysetAead),
    Streaming(KeysetStreamingAead),
}

impl State {
    pub(crate) fn new(keys: Keyset) -> Arc<Self> {
        let ready = OnceLock::new();
        Arc::new(Self { keys, ready })
    }

    fn ready(&self) -> Result<&Ready, Error> {
        let ready = self.ready.get_or_init(|| match self.keys.primitive()? {
            Primitive::DeterministicAead => self.keys.deterministic_aead().map(Ready::Messages),
            Primitive::StreamingAead => self.keys.streaming_aead().map(Ready::Streaming),
            _ => self.keys.aead().map(Ready::Messages),
        });
        ready.as_ref().map_err(Clone::clone)
    }

    /// The enabled keys, if they are for `wanted`, messages of either kind.
    pub(crate) fn messages(&self, wanted: Primitive) -> Result<&KeysetAead, Error> {
        match self.ready()? {
            Ready::Messages(keys) => keys.only_for(wanted),
            Ready::Streaming(_) => Err(Misuse::OtherPrimitive(Primitive::StreamingAead).into()),
        }
    }

    pub(crate) fn streams(&self) -> Result<&KeysetStreamingAead, Error> {
        match self.ready()? {
            Ready::Streaming(streams) => Ok(streams),
            Ready::Messages(_) => Err(Misuse::OtherPrimitive(self.keys.primitive()?).into()),
        }
    }

    /// A KeysetInfo.
    pub(crate) fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = self.keys.info();
        let keys: Vec<_> = info.keys.into_iter().map(described).collect();
        let purpose = self.keys.primitive().ok();
        let purpose = purpose.map(|purpose| purpose.to_string());
        let classes = py.import("sivka._keyset")?;
        classes.call_method1("_info", (info.primary_key_id, purpose, keys))
    }
}

/// Id, type, status and prefix.
fn described(key: KeyInfo) -> (u32, Option<String>, String, String) {
    let type_url = Some(key.type_url).filter(|url| !url.is_empty());
    let [status, prefix] = [key.status.name(), key.output_prefix.name()];
    (key.id, type_url, status.to_ascii_lowercase(), prefix.to_ascii_lowercase())
}
