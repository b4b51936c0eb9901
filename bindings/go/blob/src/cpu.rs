//! What the CPU has. Go asks once and tells every call that makes a key.

#[cfg(feature = "__aead")]
use crate::status::Status;
use sivka::Tier;

/// What the CPU and its operating system have, as [`Tier::__features`] says it. Of AArch64,
/// only the operating system knows: Go asks that.
#[cfg(all(feature = "cpu", target_arch = "x86_64"))]
#[unsafe(no_mangle)]
extern "C" fn cpu_features() -> u64 {
    u64::from(Tier::__features())
}

/// The tier that a key is made for.
#[cfg(feature = "__aead")]
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    /// What Go asked the CPU or the system.
    features: u64,
    number: u64,
}

#[cfg(feature = "__aead")]
impl Choice {
    /// # Safety
    ///
    /// The CPU has these features.
    pub(crate) unsafe fn tier(self) -> Option<Tier> {
        // SAFETY: as the caller promises.
        unsafe { Tier::__of_features(self.features as u8, self.number as u8) }
    }

    /// Whether known answers hold on the tier.
    ///
    /// # Safety
    ///
    /// As [`tier`](Self::tier).
    pub(crate) unsafe fn ask(self, hold: impl FnOnce(Tier) -> bool) -> Status {
        // SAFETY: as the caller promises.
        match unsafe { self.tier() } {
            Some(tier) if hold(tier) => Status::Done,
            _ => Status::Refused,
        }
    }
}
