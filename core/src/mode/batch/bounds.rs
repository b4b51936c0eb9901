//! Where messages begin and end in one buffer, and whether they are of one length.

/// The bounds of the next `count` messages: one more than these.
#[inline(always)]
pub(super) fn split_bounds<'a>(bounds: &mut &'a [usize], count: usize) -> &'a [usize] {
    let taken = bounds.get(..=count).unwrap_or_default();
    *bounds = bounds.get(count..).unwrap_or_default();
    taken
}

/// From each bound to the next.
#[inline(always)]
pub(super) fn distances(bounds: &[usize]) -> impl Iterator<Item = usize> {
    let ends = bounds.get(1..).unwrap_or_default();
    bounds.iter().zip(ends).map(|(start, end)| end - start)
}

/// The first length, if the others are the same.
#[inline(always)]
pub(super) fn one_len(mut lens: impl Iterator<Item = usize>) -> Option<usize> {
    let first = lens.next()?;
    lens.all(|len| len == first).then_some(first)
}
