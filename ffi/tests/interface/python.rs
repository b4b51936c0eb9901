//! What Python says of the C interface: its statuses. The functions of its module are its own.

use crate::NOTE;
use crate::table::Table;
use std::fmt::Write as _;

/// The statuses that no exception tells of.
const NO_ERROR: [&str; 2] = ["OK", "BATCH"];

fn names(table: &Table) -> impl Iterator<Item = &str> {
    let names = table.statuses.iter().map(|status| status.name.as_str());
    names.filter(|name| !NO_ERROR.contains(name))
}

/// `statuses.h`: a macro that calls another for each.
pub(crate) fn statuses(table: &Table) -> String {
    let mut text = format!(
        "/* {NOTE} */\n\
        #ifndef SIVKA_PYTHON_STATUSES_H\n\
        #define SIVKA_PYTHON_STATUSES_H\n\n\
        /* Every status but OK and BATCH, which are no exceptions. */\n\
        #define STATUSES(each)"
    );
    for name in names(table) {
        write!(text, " \\\n    each({name})").unwrap();
    }
    text.push_str("\n\n#endif\n");
    text
}

/// `_native.pyi` with the statuses of the table in the place of those that it has.
pub(crate) fn stub(table: &Table, old: &str) -> String {
    let is_status = |line: &&str| line.starts_with("ERROR_") && line.ends_with(": Final[int]");
    let place = old.lines().take_while(|line| !is_status(line)).count();
    let mut made: Vec<String> = names(table)
        .map(|name| format!("ERROR_{name}: Final[int]"))
        .collect();
    made.sort();
    let others = old.lines().filter(|line| !is_status(line));
    let mut lines: Vec<String> = others.map(str::to_owned).collect();
    lines.splice(place..place, made);
    lines.join("\n") + "\n"
}
