//! Making a key file.

use std::ffi::OsStr;
use std::path::Path;

use sivka_file::{Error, KeyFile};

use crate::args::Keygen;
use crate::exit::Exit;
use crate::failure::{Failure, note};
use crate::key_store::{others_can_read, write_key_file};
use crate::name::is_standard;
use crate::output::{print_secret, standard_output};

pub(crate) fn keygen(args: &Keygen) -> Result<(), Failure> {
    let stem = || {
        args.output
            .as_deref()
            .and_then(Path::file_stem)
            .and_then(OsStr::to_str)
    };
    let name = args.name.as_deref().or_else(stem).unwrap_or("unnamed");
    let key = KeyFile::generate(name).map_err(|error| match error {
        Error::BadKeyName(_) => {
            let failure = Failure::new(Exit::Usage, error.to_string());
            match args.name {
                None => failure.hint("the name was taken from FILE: give another one with --name"),
                Some(_) => failure,
            }
        }
        _ => Failure::new(Exit::Internal, error.to_string()),
    })?;
    match &args.output {
        Some(path) if !is_standard(path) => write_key_file(path, &key, args.force),
        _ => {
            print_secret(key.to_text().as_bytes())?;
            if standard_output().is_ok_and(|file| others_can_read(&file)) {
                note(
                    "everybody can read the file that the key was written to; chmod 600 keeps it to you",
                );
            }
            Ok(())
        }
    }
}
