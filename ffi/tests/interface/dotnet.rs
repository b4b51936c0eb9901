//! What .NET says of the algorithms. Functions, statuses and constants are written from the header
//! when the package is built.

use crate::NOTE;
use crate::algorithms::lengths;
use std::fmt::Write as _;

/// `AlgorithmTable.cs`, for the programs that play all algorithms.
pub(crate) fn algorithms() -> String {
    let mut text = format!(
        "// {NOTE}\n\
        using System.Collections.Generic;\n\n\
        namespace Sivka;\n\n\
        /// <summary>Every algorithm, with the length of its keys in bytes.</summary>\n\
        internal static class AlgorithmTable\n{{\n    \
        internal static readonly IReadOnlyDictionary<string, int> KeyLengths = \
        new Dictionary<string, int>\n    {{\n"
    );
    for (name, key_len) in lengths() {
        writeln!(text, "        [\"{name}\"] = {key_len},").unwrap();
    }
    text.push_str("    };\n}\n");
    text
}
