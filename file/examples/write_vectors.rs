//! Writes the vectors of the file format into a folder, `vectors/file-v1` if they
//! shall be the committed ones:
//!
//! ```text
//! cargo run -p sivka-file --example write_vectors -- vectors/file-v1
//! ```
//!
//! The test `the_folder_is_what_the_writer_writes` compares them with the folder.

#[allow(dead_code, reason = "the reading half is for the tests")]
#[path = "../tests/format/hpke.rs"]
mod hpke;

#[allow(dead_code, reason = "the reading half is for the tests")]
#[path = "../tests/format/reference.rs"]
mod reference;

#[path = "../tests/format/two_keys.rs"]
mod two_keys;

#[path = "../tests/format/defects.rs"]
mod defects;

use std::path::PathBuf;
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: write_vectors FOLDER")?);
    for vector in defects::all() {
        fs::write(
            folder.join(format!("{}.vec", vector.name)),
            vector.to_bytes(),
        )?;
    }
    Ok(())
}
