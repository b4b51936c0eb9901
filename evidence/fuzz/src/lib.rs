//! Common parts of fuzz targets.

/// A good input with changes of three bytes each: two for the position, one for the flipped bits.
#[must_use]
pub fn changed(good: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut changed = good.to_vec();
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_be_bytes([change[0], change[1]])) % changed.len();
        changed[at] ^= change[2];
    }
    changed
}
