//! What a sealed file says of itself, and its key slots.

use crate::buffer::{Any, number};
use crate::error::{length, of_file};
use crate::file_keys::{FileKeys, path_of};
use crate::stream::Source;
use pyo3::prelude::*;
use sivka_file::{Error, Header, Lock, MAX_SLOTS, SlotInfo, Unlocked, change_slots};
use std::fs::File;

type Cost = (u32, u32, u32);
/// The name of a suite; of each slot the kind, the id of the key, and what a passphrase costs.
type Described = (&'static str, Vec<(&'static str, Option<String>, Option<Cost>)>);

/// The suite of a sealed file, and its key slots.
#[pyfunction]
pub(crate) fn inspect_file(py: Python<'_>, path: &[u8]) -> PyResult<Described> {
    let path = path_of(path)?;
    let found = py.detach(|| {
        let file = File::open(&path).map_err(Error::Read)?;
        Header::read(file)
    });
    let found = found.map_err(|error| of_file(py, error, Some(&path)))?;
    Ok(described(&found))
}

/// The same for what a function reads, which is asked for no more than that.
#[pyfunction]
pub(crate) fn inspect_stream(py: Python<'_>, read: Py<PyAny>) -> PyResult<Described> {
    let found = Header::read(Source::new(read)).map_err(|error| of_file(py, error, None))?;
    Ok(described(&found))
}

fn described(header: &Header) -> Described {
    let slots = header.slots().map(|slot| match slot {
        SlotInfo::KeyFile { id } => ("key file", Some(id.to_string()), None),
        SlotInfo::Passphrase { cost } => {
            let cost = (cost.memory_kib, cost.passes, cost.lanes);
            ("passphrase", None, Some(cost))
        }
        SlotInfo::X25519 => ("X25519", None, None),
        SlotInfo::MlKem768X25519 => ("ML-KEM-768 with X25519", None, None),
        _ => ("unknown", None, None),
    });
    (header.suite().name(), slots.collect())
}

/// Add the key slot `added`, or put it in the place of `slot`, or remove that. Its index.
#[pyfunction]
pub(crate) fn change_slot(
    py: Python<'_>,
    path: &[u8],
    keys: &FileKeys,
    slot: Option<&Any<'_>>,
    added: Option<&FileKeys>,
) -> PyResult<usize> {
    let index = slot.map(|slot| number(slot, "slot", MAX_SLOTS as u64 - 1));
    let index = index.transpose()?.map(|index| index as usize);
    let lock = added.map(only).transpose()?;
    let (path, options) = (path_of(path)?, keys.open_options());
    let change = |slots: &mut Unlocked| match (index, &lock) {
        (Some(index), Some(lock)) => slots.replace(index, lock).map(|()| index),
        (Some(index), None) => slots.remove(index).map(|()| index),
        (None, Some(lock)) => slots.add(lock),
        (None, None) => Err(Error::NoSlotLeft),
    };
    let changed = py.detach(|| change_slots(&path, &keys.unlocks(), &options, change));
    changed.map_err(|error| of_file(py, error, Some(&path)))
}

/// The only key of a set.
fn only(added: &FileKeys) -> PyResult<Lock<'_>> {
    match added.locks()[..] {
        [lock] => Ok(lock),
        ref locks => Err(length("new_key", 1, locks.len())),
    }
}
