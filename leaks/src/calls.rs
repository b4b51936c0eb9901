//! Every call that takes a secret.

mod aead;
mod file;
mod forgery;
mod kuznyechik;

use crate::secret::Seed;

/// A call, in three steps. Only the second is watched.
pub(crate) struct Call {
    /// The algorithm, what is done, and the lengths.
    pub(crate) name: String,
    /// Makes the arguments of the secrets.
    pub(crate) prepare: Box<dyn Fn(Seed) -> Watched>,
    /// Whether it does what no other call does, and is soon done instruction by instruction.
    pub(crate) brief: bool,
}

/// Makes the call.
pub(crate) type Watched = Box<dyn FnOnce() -> Check>;

/// Panics unless the call gave what it had to.
pub(crate) type Check = Box<dyn FnOnce()>;

impl Call {
    fn new(name: String, prepare: impl Fn(Seed) -> Watched + 'static) -> Self {
        Self {
            name,
            prepare: Box::new(prepare),
            brief: true,
        }
    }

    fn brief(self, brief: bool) -> Self {
        Self { brief, ..self }
    }
}

/// A call of a closure, whose result another closure looks at.
fn watched<R: 'static>(
    call: impl FnOnce() -> R + 'static,
    check: impl FnOnce(R) + 'static,
) -> Watched {
    Box::new(move || {
        let result = call();
        Box::new(move || check(result))
    })
}

pub(crate) fn all() -> Vec<Call> {
    let mut calls = Vec::new();
    aead::add(&mut calls);
    kuznyechik::add(&mut calls);
    file::add(&mut calls);
    calls
}

/// What is judged is the tier that was asked for, not one that was taken instead.
fn assert_forced(tier_name: &str) {
    if let Ok(forced) = std::env::var("SIVKA_TIER") {
        assert_eq!(tier_name, forced);
    }
}
