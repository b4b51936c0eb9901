//! AES-GCM-SIV on AES-NI and PCLMULQDQ.

use super::GcmSiv;
use crate::tier::Avx2;

impl GcmSiv<16> for Avx2 {}
impl GcmSiv<32> for Avx2 {}
