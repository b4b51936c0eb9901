//! AES-GCM-SIV on the 256-bit VAES tier.

use super::GcmSiv;
use crate::tier::Vaes256;

impl GcmSiv<16> for Vaes256 {}
impl GcmSiv<32> for Vaes256 {}
