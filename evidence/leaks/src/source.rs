//! The functions of this program's instructions, from its debugging information.

use crate::process::mappings;
use addr2line::{Loader, demangle_auto};
use std::cell::RefCell;
use std::collections::HashMap;
use std::env;
use std::rc::Rc;

/// This program, its line table, and where it begins in memory.
pub(crate) struct Source {
    pub(crate) base: u64,
    lines: Loader,
    /// The names of symbols: most occur thousands of times.
    names: RefCell<HashMap<String, Rc<str>>>,
}

/// A function that an instruction is part of.
pub(crate) struct Frame {
    /// Its path with its generic parameters.
    pub(crate) name: Rc<str>,
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl Source {
    pub(crate) fn of_this_program() -> Result<Self, String> {
        let path = env::current_exe().map_err(|e| e.to_string())?;
        let lines = Loader::new(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let shown = path.to_string_lossy();
        let mut own = mappings("self")?.into_iter().filter(|own| own.path == shown);
        let base = own.next().ok_or("this program is not in memory")?.range.start;
        Ok(Self { base, lines, names: RefCell::default() })
    }

    /// Where each stretch of code begins that comes from one line.
    pub(crate) fn stretches(&self) -> Result<Vec<u64>, String> {
        let code = self.lines.get_section_range(b".text");
        let code = code.ok_or("this program has no code")?;
        let found = self.lines.find_location_range(code.begin, code.end);
        let found = found.map_err(|e| e.to_string())?;
        let starts = found.filter(|(_, len, _)| *len > 0).map(|found| found.0);
        Ok(starts.collect())
    }

    /// The functions of the instruction that is so far into the program, the innermost first.
    pub(crate) fn frames(&self, at: u64) -> Result<Vec<Frame>, String> {
        self.found(at).map_err(|e| e.to_string())
    }

    fn found(&self, at: u64) -> Result<Vec<Frame>, Box<dyn std::error::Error>> {
        let mut found = Vec::new();
        let mut frames = self.lines.find_frames(at)?;
        while let Some(frame) = frames.next()? {
            let name = match &frame.function {
                Some(function) => self.name(function.raw_name()?.as_ref()),
                None => "?".into(),
            };
            let place = frame.location;
            found.push(Frame {
                name,
                file: place.as_ref().and_then(|p| p.file).unwrap_or("?").to_owned(),
                line: place.and_then(|place| place.line).unwrap_or_default(),
            });
        }
        Ok(found)
    }

    fn name(&self, symbol: &str) -> Rc<str> {
        if let Some(name) = self.names.borrow().get(symbol) {
            return name.clone();
        }
        let name: Rc<str> = demangle_auto(symbol.into(), None).into();
        self.names.borrow_mut().insert(symbol.to_owned(), name.clone());
        name
    }

    /// The functions of an instruction in memory for a person to read, the innermost first.
    pub(crate) fn described(&self, at: u64) -> Vec<String> {
        let frames = at.checked_sub(self.base).map(|at| self.frames(at));
        let described = |f: Frame| format!("{} at {}:{}", f.name, f.file, f.line);
        match frames {
            Some(Ok(frames)) if !frames.is_empty() => frames.into_iter().map(described).collect(),
            _ => vec![elsewhere(at)],
        }
    }
}

/// An address in a library.
fn elsewhere(at: u64) -> String {
    let mappings = mappings("self").unwrap_or_default();
    let Some(found) = mappings.iter().rfind(|found| found.range.start <= at) else {
        return format!("{at:#x}");
    };
    let first = mappings.iter().find(|first| first.path == found.path);
    let base = first.unwrap_or(found).range.start;
    format!("{} + {:#x}", found.path, at - base)
}
