//! Placeholder.

pub mod gost_modes;
pub mod kuznyechik;
pub mod mgm;
