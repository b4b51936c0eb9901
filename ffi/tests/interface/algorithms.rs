//! The list of algorithms, which is the library's.

/// The names, with the lengths of keys in bytes.
pub(crate) fn lengths() -> impl Iterator<Item = (&'static str, usize)> {
    let all = sivka::Algorithm::all().iter();
    all.map(|algorithm| (algorithm.name(), algorithm.key_len()))
}
