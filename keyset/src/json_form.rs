//! Keysets as JSON: proto3's mapping, written as tink-java writes it.

use crate::MAX_KEYS;
use crate::base64;
use crate::binary::check_len;
use crate::error::Error;
use crate::info::{KeyInfo, KeyStatus, KeysetInfo, OutputPrefix};
use crate::json::Node;
use crate::key::{KeyData, KeyRecord, KeysetRecord};
use std::fmt::Write as _;
use zeroize::Zeroizing;

/// The names of enums, each at its number.
const STATUSES: &[&str] = &["UNKNOWN_STATUS", "ENABLED", "DISABLED", "DESTROYED"];
const OUTPUT_PREFIXES: &[&str] =
    &["UNKNOWN_PREFIX", "TINK", "LEGACY", "RAW", "CRUNCHY", "WITH_ID_REQUIREMENT"];
const KEY_MATERIAL_TYPES: &[&str] =
    &["UNKNOWN_KEYMATERIAL", "SYMMETRIC", "ASYMMETRIC_PRIVATE", "ASYMMETRIC_PUBLIC", "REMOTE"];

fn parse(bytes: &[u8]) -> Result<Node<'_>, Error> {
    check_len(bytes)?;
    Node::new(bytes)
}

/// Reads a keyset in the clear.
pub(crate) fn read_keyset(bytes: &[u8]) -> Result<KeysetRecord, Error> {
    let root = parse(bytes)?;
    if root.member("key")?.is_none() && root.member("encryptedKeyset")?.is_some() {
        return Err(Error::LooksEncrypted);
    }
    let primary = root.member("primaryKeyId")?;
    let primary_key_id = primary.map_or(Ok(0), |id| id.id())?;
    let keys = root.required("key")?.items(MAX_KEYS)?;
    let keys = keys.iter().map(read_key).collect::<Result<_, _>>()?;
    root.check_nested(0)?;
    Ok(KeysetRecord { primary_key_id, keys })
}

fn read_key(key: &Node<'_>) -> Result<KeyRecord, Error> {
    let status = key.required("status")?.number_of(STATUSES)?;
    // C++ and Python write no member that is empty, which is all that a destroyed key has.
    let is_destroyed = KeyStatus::from_number(status) == Some(KeyStatus::Destroyed);
    let data = member(key, "keyData", is_destroyed)?;
    let data = data.map(|data| read_key_data(&data, is_destroyed));
    Ok(KeyRecord {
        data: data.transpose()?.unwrap_or_default(),
        status,
        id: key.required("keyId")?.id()?,
        output_prefix: key.required("outputPrefixType")?.number_of(OUTPUT_PREFIXES)?,
    })
}

fn read_key_data(data: &Node<'_>, is_destroyed: bool) -> Result<KeyData, Error> {
    let mut read = KeyData::default();
    if let Some(type_url) = member(data, "typeUrl", is_destroyed)? {
        read.type_url = type_url.string()?.into_bytes();
    }
    if let Some(value) = member(data, "value", is_destroyed)? {
        read.value = value.base64()?;
    }
    if let Some(material_type) = member(data, "keyMaterialType", is_destroyed)? {
        read.material_type = material_type.number_of(KEY_MATERIAL_TYPES)?;
    }
    Ok(read)
}

/// The member of an object, which may lack it or not.
fn member<'a>(of: &Node<'a>, name: &str, may_lack: bool) -> Result<Option<Node<'a>>, Error> {
    match may_lack {
        true => of.member(name),
        false => of.required(name).map(Some),
    }
}

/// Writes a keyset in the clear: one line, and its end.
pub(crate) fn write_keyset(keyset: &KeysetRecord) -> Zeroizing<String> {
    /// More than names, numbers and punctuation of a key take.
    const KEY_ROOM: usize = 256;
    let rooms = keyset.keys.iter().map(|key| {
        // Each character of a type URL may need an escape.
        KEY_ROOM + 2 * key.data.type_url.len() + base64::encoded_len(&key.data.value)
    });
    // A text that grows would leave a copy of keys behind.
    let mut text = Zeroizing::new(String::with_capacity(KEY_ROOM + rooms.sum::<usize>()));
    let room = text.capacity();
    let _ = write!(text, r#"{{"primaryKeyId":{},"key":["#, keyset.primary_key_id);
    for (index, key) in keyset.keys.iter().enumerate() {
        text.push_str(if index == 0 { "{" } else { ",{" });
        text.push_str(r#""keyData":{"typeUrl":"#);
        push_string(&mut text, &key.data.type_url);
        text.push_str(r#","value":""#);
        base64::encode(&key.data.value, &mut text);
        let material_type = name(KEY_MATERIAL_TYPES, key.data.material_type);
        let _ = write!(text, r#"","keyMaterialType":"{material_type}"}},"#);
        push_key_info(&mut text, key.status, key.id, key.output_prefix);
    }
    text.push_str("]}\n");
    debug_assert_eq!(text.capacity(), room, "no room");
    text
}

/// Reads an encrypted keyset: the encrypted part, and the info beside it.
pub(crate) fn read_encrypted(bytes: &[u8]) -> Result<(Vec<u8>, Option<KeysetInfo>), Error> {
    let root = parse(bytes)?;
    if root.member("encryptedKeyset")?.is_none() && root.member("key")?.is_some() {
        return Err(Error::LooksCleartext);
    }
    let encrypted = root.required("encryptedKeyset")?;
    let bytes = encrypted.base64()?;
    if bytes.is_empty() {
        return Err(encrypted.format("empty"));
    }
    let info = root.member("keysetInfo")?;
    let info = info.map(|info| read_info(&info)).transpose()?;
    root.check_nested(0)?;
    Ok((bytes.to_vec(), info))
}

fn read_info(info: &Node<'_>) -> Result<KeysetInfo, Error> {
    let primary = info.member("primaryKeyId")?;
    let keys = info.member("keyInfo")?;
    let keys = keys.map_or(Ok(Vec::new()), |keys| keys.items(MAX_KEYS))?;
    let key_info = |key: &Node<'_>| {
        let status = key.required("status")?;
        let prefix = key.required("outputPrefixType")?;
        Ok::<_, Error>(KeyInfo {
            type_url: key.required("typeUrl")?.string()?,
            status: KeyStatus::from_number(status.number_of(STATUSES)?)
                .ok_or_else(|| status.format("an unknown status"))?,
            id: key.required("keyId")?.id()?,
            output_prefix: OutputPrefix::from_number(prefix.number_of(OUTPUT_PREFIXES)?)
                .ok_or_else(|| prefix.format("an unknown output prefix"))?,
        })
    };
    Ok(KeysetInfo {
        primary_key_id: primary.map_or(Ok(0), |id| id.id())?,
        keys: keys.iter().map(key_info).collect::<Result<_, _>>()?,
    })
}

/// Writes an encrypted keyset, with the info beside it.
pub(crate) fn write_encrypted(encrypted: &[u8], info: Option<&KeysetInfo>) -> String {
    let mut text = Zeroizing::new(String::with_capacity(32 + base64::encoded_len(encrypted)));
    text.push_str(r#"{"encryptedKeyset":""#);
    base64::encode(encrypted, &mut text);
    text.push('"');
    let mut text = String::clone(&text);
    if let Some(info) = info {
        let id = info.primary_key_id;
        let _ = write!(text, r#","keysetInfo":{{"primaryKeyId":{id},"keyInfo":["#);
        for (index, key) in info.keys.iter().enumerate() {
            text.push_str(if index == 0 { "{" } else { ",{" });
            text.push_str(r#""typeUrl":"#);
            push_string(&mut text, key.type_url.as_bytes());
            text.push(',');
            let (status, prefix) = (key.status.number(), key.output_prefix.number());
            push_key_info(&mut text, status, key.id, prefix);
        }
        text.push_str("]}");
    }
    text.push_str("}\n");
    text
}

/// The members that keys have in either form, and their object's end.
fn push_key_info(text: &mut String, status: u32, id: u32, prefix: u32) {
    let (status, prefix) = (name(STATUSES, status), name(OUTPUT_PREFIXES, prefix));
    let _ = write!(text, r#""status":"{status}","keyId":{id},"outputPrefixType":"{prefix}"}}"#);
}

/// A string of characters that are printable ASCII; others, which only the unauthenticated
/// info of an encrypted keyset can have, are escaped.
fn push_string(text: &mut String, bytes: &[u8]) {
    text.push('"');
    for character in String::from_utf8_lossy(bytes).chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\0'..' ' => drop(write!(text, "\\u{:04x}", u32::from(character))),
            _ => text.push(character),
        }
    }
    text.push('"');
}

/// A value that was read has a name.
fn name(names: &'static [&'static str], number: u32) -> &'static str {
    names.get(number as usize).copied().unwrap_or(names[0])
}
