//! Keysets as protocol buffers: the messages of Tink's `proto/tink.proto`.
//!
//! Fields may be in any order and several times: of numbers and bytes the last counts,
//! and messages are merged, field by field. Unknown fields are ignored.

use crate::error::Error;
use crate::info::{KeyInfo, KeyStatus, KeysetInfo, OutputPrefix};
use crate::kms::printable;
use crate::record::{KeyData, KeyRecord, KeysetRecord};
use crate::wire::{FIELD_ROOM, Field, Malformed, WireMessage, Writer};
use crate::{MAX_KEYS, MAX_LEN};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

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
    let has_type = |data: &KeyData| printable(&data.type_url).is_some();
    KeyStatus::from_number(key.status).is_some()
        && OutputPrefix::from_number(key.output_prefix).is_some()
        && key.data.as_ref().is_some_and(has_type)
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
    let mut message = WireMessage::new(bytes);
    while let Some(field) = message.next().map_err(at(""))? {
        match field {
            (1, Field::Varint(id)) => keyset.primary_key_id = id as u32,
            (2, Field::Bytes(key)) => {
                let index = keyset.keys.len();
                if index == MAX_KEYS {
                    return Err(Error::format(
                        "more than 1000 keys",
                        key.offset(),
                        "key[1000]",
                    ));
                }
                keyset.keys.push(read_key(key, index)?);
            }
            _ => {}
        }
    }
    Ok(keyset)
}

/// `Keyset.Key`
fn read_key(mut message: WireMessage<'_>, index: usize) -> Result<KeyRecord, Error> {
    let mut key = KeyRecord::default();
    while let Some(field) = message
        .next()
        .map_err(|m| at(&format!("key[{index}]"))(m))?
    {
        match field {
            (1, Field::Bytes(data)) => {
                let data = read_key_data(data, key.data.get_or_insert_default());
                data.map_err(|m| at(&format!("key[{index}].keyData"))(m))?;
            }
            (2, Field::Varint(status)) => key.status = status as u32,
            (3, Field::Varint(id)) => key.id = id as u32,
            (4, Field::Varint(prefix)) => key.output_prefix = prefix as u32,
            _ => {}
        }
    }
    Ok(key)
}

/// `KeyData`
fn read_key_data(mut message: WireMessage<'_>, data: &mut KeyData) -> Result<(), Malformed> {
    while let Some(field) = message.next()? {
        match field {
            (1, Field::Bytes(type_url)) => data.type_url = type_url.bytes().to_vec(),
            (2, Field::Bytes(value)) => data.value = Zeroizing::new(value.bytes().to_vec()),
            (3, Field::Varint(material_type)) => data.material_type = material_type as u32,
            _ => {}
        }
    }
    Ok(())
}

/// Puts a path to what is malformed.
fn at(path: &str) -> impl Fn(Malformed) -> Error {
    move |malformed| Error::format(malformed.problem, malformed.offset, path)
}

/// Writes the message `Keyset`.
pub(crate) fn write_keyset(keyset: &KeysetRecord) -> Zeroizing<Vec<u8>> {
    let keys: Vec<_> = keyset.keys.iter().map(write_key).collect();
    let room = keys.iter().map(|key| key.len() + FIELD_ROOM).sum::<usize>() + FIELD_ROOM;
    let mut message = Writer::new(room);
    message.number(1, keyset.primary_key_id);
    keys.iter().for_each(|key| message.message(2, key));
    message.finish()
}

fn write_key(key: &KeyRecord) -> Zeroizing<Vec<u8>> {
    let data = key.data.as_ref().map(|data| {
        let mut message = Writer::new(data.type_url.len() + data.value.len() + 3 * FIELD_ROOM);
        message.bytes(1, &data.type_url);
        message.bytes(2, &data.value);
        message.number(3, data.material_type);
        message.finish()
    });
    let data_len = data.as_ref().map_or(0, |data| data.len());
    let mut message = Writer::new(data_len + 4 * FIELD_ROOM);
    if let Some(data) = &data {
        message.message(1, data);
    }
    message.number(2, key.status);
    message.number(3, key.id);
    message.number(4, key.output_prefix);
    message.finish()
}

/// Reads the message `EncryptedKeyset`: what is encrypted, and what is said beside it.
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
                let info = info.get_or_insert(KeysetInfo {
                    primary_key_id: 0,
                    keys: Vec::new(),
                });
                read_info(bytes, info)?;
            }
            _ => {}
        }
    }
    match encrypted.is_empty() {
        true => Err(Error::format(
            "a field is missing",
            bytes.len(),
            "encryptedKeyset",
        )),
        false => Ok((encrypted, info)),
    }
}

/// `KeysetInfo`
fn read_info(mut message: WireMessage<'_>, info: &mut KeysetInfo) -> Result<(), Error> {
    while let Some(field) = message.next().map_err(at("keysetInfo"))? {
        match field {
            (1, Field::Varint(id)) => info.primary_key_id = id as u32,
            (2, Field::Bytes(key)) if info.keys.len() == MAX_KEYS => {
                let path = "keysetInfo.keyInfo[1000]";
                return Err(Error::format("more than 1000 keys", key.offset(), path));
            }
            (2, Field::Bytes(key)) => {
                let path = format!("keysetInfo.keyInfo[{}]", info.keys.len());
                info.keys.push(read_key_info(key).map_err(at(&path))?);
            }
            _ => {}
        }
    }
    Ok(())
}

/// `KeysetInfo.KeyInfo`
fn read_key_info(mut message: WireMessage<'_>) -> Result<KeyInfo, Malformed> {
    let offset = message.offset();
    let (mut type_url, mut numbers) = (&[][..], BTreeMap::new());
    while let Some(field) = message.next()? {
        match field {
            (1, Field::Bytes(bytes)) => type_url = bytes.bytes(),
            (number @ 2..=4, Field::Varint(value)) => drop(numbers.insert(number, value as u32)),
            _ => {}
        }
    }
    let number = |field: u32| numbers.get(&field).copied().unwrap_or_default();
    let missing = |problem| Malformed { problem, offset };
    Ok(KeyInfo {
        type_url: String::from_utf8_lossy(type_url).into_owned(),
        status: KeyStatus::from_number(number(2)).ok_or(missing("an unknown status"))?,
        id: number(3),
        output_prefix: OutputPrefix::from_number(number(4))
            .ok_or(missing("an unknown output prefix"))?,
    })
}

/// Writes the message `EncryptedKeyset` as Java, Go and Python do: without `keyset_info`.
pub(crate) fn write_encrypted(encrypted: &[u8]) -> Vec<u8> {
    let mut message = Writer::new(encrypted.len() + FIELD_ROOM);
    message.bytes(2, encrypted);
    message.finish().to_vec()
}

/// Whether bytes have the fields of an encrypted keyset: one second field, which is encrypted
/// and looks like anything, and not the first, which names the primary of one in the clear.
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
    let has_type = |data: &KeyData| !data.type_url.is_empty();
    keyset(bytes).is_ok_and(|keyset| {
        let mut keys = keyset.keys.iter();
        keys.any(|key| key.data.as_ref().is_some_and(has_type))
    })
}
