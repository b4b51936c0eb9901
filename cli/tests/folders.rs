//! Sealed folders from outside. Archives that this program never packs, after the mark of a
//! folder and sealed with the right key: nothing of them leaves the target, nothing half-made
//! has its name, and no description of an entry fills the memory.

#![cfg(unix)]

#[path = "within/waiting.rs"]
mod within;

mod folders {
    mod hostile;
    mod left_out;
    #[cfg(target_os = "linux")]
    mod limits;
    mod support;
}
