//! Keysets as protocol buffers: the messages of Tink's `proto/tink.proto`.
//!
//! Fields may be in any order and several times: of numbers and bytes the last counts,
//! and messages are merged, field by field. Unknown fields are ignored.

use crate::error::Error;
use crate::info::{KeyInfo, KeyStatus, KeysetInfo, OutputPrefix};
use crate::key::{KeyData, KeyRecord, KeysetRecord};
use crate::kms::printable;
use crate::layout::{Layout, Slot, Values};
use crate::wire::{FIELD_ROOM, Field, Malformed, WireMessage, Writer};
use crate::{MAX_KEYS, MAX_LEN};
use zeroize::Zeroizing;

/// `Keyset.Key`, with `KeyData` in it.
const KEY: &Layout = &[
    (&[1, 1], Slot::TypeUrl),
    (&[1, 2], Slot::Value),
    (&[1, 3], Slot::MaterialType),
    (&[2], Slot::Status),
    (&[3], Slot::Id),
    (&[4], Slot::OutputPrefix),
];
/// `KeysetInfo.KeyInfo`
const KEY_INFO: &Layout =
    &[(&[1], Slot::TypeUrl), (&[2], Slot::Status), (&[3], Slot::Id), (&[4], Slot::OutputPrefix)];

/// Reads the message `Keyset`.
pub(crate) fn read_keyset(bytes: &[u8]) -> Result<KeysetRecord, Error> {
    check_len(bytes)?;
    let keyset = keyset(bytes);
    let is_keyset = |keyset: &KeysetRecord| keyset.keys.iter().any(is_key);
    match keyset.as_ref().is_ok_and(is_keyset) {
        false if has_form_of_encrypted(bytes) => Err(Error::LooksEncrypted),
        _ => keyset,
    }
}

/// Whether all of a key is there, which no ciphertext has by chance.
fn is_key(key: &KeyRecord) -> bool {
    KeyStatus::from_number(key.status).is_some()
        && OutputPrefix::from_number(key.output_prefix).is_some()
        && printable(&key.data.type_url).is_some()
}

/// An input that is too long to be looked at.
pub(crate) fn check_len(bytes: &[u8]) -> Result<(), Error> {
    match bytes.len() > MAX_LEN {
        true => Err(Error::format("longer than 1 MiB", MAX_LEN, "")),
        false => Ok(()),
    }
}

fn keyset(bytes: &[u8]) -> Result<KeysetRecord, Error> {
    let mut keyset = KeysetRecord::default();
    let message = WireMessage::new(bytes);
    keyset.primary_key_id = read_keys(message, "", "key", &mut keyset.keys, read_key)?;
    Ok(keyset)
}

/// Reads a message with the primary's id in field 1 and a key in every field 2. `name` is that
/// of the second. The primary's id, or 0.
fn read_keys<T>(
    mut message: WireMessage<'_>,
    path: &str,
    name: &str,
    keys: &mut Vec<T>,
    read: impl Fn(WireMessage<'_>) -> Result<T, Malformed>,
) -> Result<u32, Error> {
    let mut primary_key_id = 0;
    while let Some(field) = message.next().map_err(at(path))? {
        match field {
            (1, Field::Varint(id)) => primary_key_id = id as u32,
            (2, Field::Bytes(key)) => {
                let index = keys.len();
                let path = format!("{name}[{index}]");
                if index == MAX_KEYS {
                    return Err(Error::format("more than 1000 keys", key.offset(), &path));
                }
                keys.push(read(key).map_err(at(&path))?);
            }
            _ => {}
        }
    }
    Ok(primary_key_id)
}

fn read_key(message: WireMessage<'_>) -> Result<KeyRecord, Malformed> {
    let values = Values::read(KEY, message)?;
    Ok(KeyRecord {
        data: KeyData {
            type_url: values.bytes(Slot::TypeUrl).to_vec(),
            value: Zeroizing::new(values.bytes(Slot::Value).to_vec()),
            material_type: values.number(Slot::MaterialType),
        },
        status: values.number(Slot::Status),
        id: values.number(Slot::Id),
        output_prefix: values.number(Slot::OutputPrefix),
    })
}

/// Adds the path to an error.
fn at(path: &str) -> impl Fn(Malformed) -> Error {
    move |malformed| Error::format(malformed.problem, malformed.offset, path)
}

/// Writes the message `Keyset`.
pub(crate) fn write_keyset(keyset: &KeysetRecord) -> Zeroizing<Vec<u8>> {
    let keys: Vec<_> = keyset.keys.iter().map(write_key).collect();
    let room = keys.iter().map(|key| key.len() + FIELD_ROOM).sum::<usize>() + FIELD_ROOM;
    let mut message = Writer::new(room);
    message.number(1, keyset.primary_key_id);
    keys.iter().for_each(|key| message.bytes(2, key));
    message.finish()
}

fn write_key(key: &KeyRecord) -> Zeroizing<Vec<u8>> {
    let mut values = Values::default();
    values.set_bytes(Slot::TypeUrl, &key.data.type_url);
    values.set_bytes(Slot::Value, &key.data.value);
    values.set(Slot::MaterialType, key.data.material_type);
    values.set(Slot::Status, key.status);
    values.set(Slot::Id, key.id);
    values.set(Slot::OutputPrefix, key.output_prefix);
    values.write(KEY)
}

/// Reads the message `EncryptedKeyset`: the encrypted part, and the info beside it.
pub(crate) fn read_encrypted(bytes: &[u8]) -> Result<(Vec<u8>, Option<KeysetInfo>), Error> {
    check_len(bytes)?;
    if !has_form_of_encrypted(bytes) && looks_cleartext(bytes) {
        return Err(Error::LooksCleartext);
    }
    let (mut encrypted, mut info) = (Vec::new(), None);
    let mut message = WireMessage::new(bytes);
    while let Some(field) = message.next().map_err(at(""))? {
        match field {
            (2, Field::Bytes(bytes)) => encrypted = bytes.bytes().to_vec(),
            (3, Field::Bytes(bytes)) => {
                let info = info.get_or_insert(KeysetInfo { primary_key_id: 0, keys: Vec::new() });
                read_info(bytes, info)?;
            }
            _ => {}
        }
    }
    match encrypted.is_empty() {
        true => Err(Error::format("a field is missing", bytes.len(), "encryptedKeyset")),
        false => Ok((encrypted, info)),
    }
}

fn read_info(message: WireMessage<'_>, info: &mut KeysetInfo) -> Result<(), Error> {
    let name = "keysetInfo.keyInfo";
    let id = read_keys(message, "keysetInfo", name, &mut info.keys, read_key_info)?;
    info.primary_key_id = id;
    Ok(())
}

fn read_key_info(message: WireMessage<'_>) -> Result<KeyInfo, Malformed> {
    let offset = message.offset();
    let values = Values::read(KEY_INFO, message)?;
    let missing = |problem| Malformed::at(offset, problem);
    let prefix = OutputPrefix::from_number(values.number(Slot::OutputPrefix));
    let status = KeyStatus::from_number(values.number(Slot::Status));
    Ok(KeyInfo {
        type_url: String::from_utf8_lossy(values.bytes(Slot::TypeUrl)).into_owned(),
        status: status.ok_or(missing("an unknown status"))?,
        id: values.number(Slot::Id),
        output_prefix: prefix.ok_or(missing("an unknown output prefix"))?,
    })
}

/// Writes the message `EncryptedKeyset` as Java, Go and Python do: without `keyset_info`.
pub(crate) fn write_encrypted(encrypted: &[u8]) -> Vec<u8> {
    let mut message = Writer::new(encrypted.len() + FIELD_ROOM);
    message.bytes(2, encrypted);
    message.finish().to_vec()
}

/// Whether bytes have the fields of an encrypted keyset. It has one second field, whose content is
/// encrypted. It has no first, which names the primary of one in the clear.
fn has_form_of_encrypted(bytes: &[u8]) -> bool {
    let mut message = WireMessage::new(bytes);
    let mut encrypted = 0;
    loop {
        match message.next() {
            Ok(Some((1, Field::Varint(_)))) | Err(_) => return false,
            Ok(Some((2, Field::Bytes(_)))) => encrypted += 1,
            Ok(Some(_)) => {}
            Ok(None) => return encrypted == 1,
        }
    }
}

/// Whether bytes that have another form are a keyset in the clear: a second field is a key.
fn looks_cleartext(bytes: &[u8]) -> bool {
    let has_type = |key: &KeyRecord| !key.data.type_url.is_empty();
    keyset(bytes).is_ok_and(|keyset| keyset.keys.iter().any(has_type))
}
