//! A Rust source file as the names in it: words, literals, and paths with `self` and
//! `super` resolved.
//!
//! Tokens rather than a syntax tree, on purpose: they show the inside of macro
//! definitions and macro calls as well, where a syntax tree ends.

use crate::process::Failure;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// What takes code out of every build that ships, without spaces.
const PRIVATE_GATE: &str = "cfg(feature=\"__force_tier\")";

/// One source file: where it is and what it names.
#[derive(Debug)]
pub(crate) struct Source {
    /// Relative to the top of the project, with `/`.
    pub(crate) path: String,
    /// Which module it is, from the root of its crate.
    pub(crate) module: Vec<String>,
    pub(crate) names: Vec<Name>,
    pub(crate) lines: usize,
}

/// A word (`unsafe`), a literal in its quotes, or a path of two segments or more; a path
/// into the crate itself starts with `crate::`, whatever the source wrote.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    /// What a `use` calls it here, if that is another name.
    pub(crate) alias: Option<String>,
    pub(crate) line: usize,
    /// Whether it is in an item or a statement behind the feature `__force_tier`.
    pub(crate) gated: bool,
    /// Whether it is in a module `tests` within the file.
    pub(crate) tests: bool,
}

impl Source {
    pub(crate) fn parse(path: &str, text: &str) -> Result<Self, Failure> {
        let tokens = text.parse::<TokenStream>();
        let tokens = tokens.map_err(|e| {
            let line = e.span().start().line;
            Failure::new(format!("{path}:{line}: this is not Rust: {e}"))
        })?;
        let mut reader = Reader {
            module: module_of(path),
            names: Vec::new(),
        };
        reader.stream(tokens, false);
        Ok(Self {
            path: path.to_owned(),
            module: module_of(path),
            names: reader.names,
            lines: text.lines().count(),
        })
    }
}

/// The module that a file under some `src/` is: `core/src/kernel/aes.rs` is `kernel::aes`.
fn module_of(path: &str) -> Vec<String> {
    let inner = path.split_once("/src/").map_or("", |(_, inner)| inner);
    match inner.strip_suffix(".rs").unwrap_or(inner) {
        "" | "lib" | "main" => Vec::new(),
        inner => inner.split('/').map(str::to_owned).collect(),
    }
}

struct Reader {
    /// The module that the next token is in.
    module: Vec<String>,
    names: Vec<Name>,
}

impl Reader {
    fn stream(&mut self, stream: TokenStream, outer_gate: bool) {
        // What a macro puts in is no name yet, but `$crate` and `mod $name` mean the same.
        let trees = stream.into_iter().filter(|tree| !is(Some(tree), '$'));
        let trees: Vec<TokenTree> = trees.collect();
        let mut rest = trees.as_slice();
        let mut gated = outer_gate;
        while let Some((tree, after)) = rest.split_first() {
            rest = after;
            match tree {
                TokenTree::Punct(punct) if punct.as_char() == '#' => match attribute(after) {
                    // Documentation may name what it likes.
                    Some((text, tail)) if text.starts_with("doc") => rest = tail,
                    Some((text, _)) => gated |= text == PRIVATE_GATE,
                    None => {}
                },
                TokenTree::Punct(punct) if punct.as_char() == ';' => gated = outer_gate,
                TokenTree::Punct(_) => {}
                TokenTree::Literal(literal) => {
                    self.add(literal.to_string(), literal.span(), gated);
                }
                TokenTree::Group(group) => {
                    self.stream(group.stream(), gated);
                    if group.delimiter() == Delimiter::Brace {
                        gated = outer_gate;
                    }
                }
                TokenTree::Ident(word) if word == "use" && !is(after.first(), '<') => {
                    let end = after.iter().position(|tree| is(Some(tree), ';'));
                    let (tree, tail) = after.split_at(end.unwrap_or(after.len()));
                    self.use_tree(tree, &[], gated);
                    rest = tail;
                }
                TokenTree::Ident(word) if word == "mod" => {
                    if let [TokenTree::Ident(name), TokenTree::Group(body), tail @ ..] = after {
                        self.module.push(name.to_string());
                        self.stream(body.stream(), gated);
                        self.module.pop();
                        rest = tail;
                        gated = outer_gate;
                    }
                }
                TokenTree::Ident(word) => rest = self.path(word, after, gated),
            }
        }
    }

    /// A word, and the path that it begins, if it does; what follows them.
    fn path<'a>(&mut self, first: &Ident, after: &'a [TokenTree], gated: bool) -> &'a [TokenTree] {
        let mut rest = after;
        let mut segments = vec![first.to_string()];
        self.add(first.to_string(), first.span(), gated);
        while let [a, b, TokenTree::Ident(next), tail @ ..] = rest
            && is(Some(a), ':')
            && is(Some(b), ':')
        {
            segments.push(next.to_string());
            self.add(next.to_string(), next.span(), gated);
            rest = tail;
        }
        if segments.len() > 1 {
            self.add(self.resolve(&segments), first.span(), gated);
        } else if is(rest.first(), '=') {
            // What is set is more than a name: an attribute's argument, mostly.
            self.add(format!("{first} ="), first.span(), gated);
        }
        rest
    }

    /// Each path that the trees of a `use` item, separated by commas, bring in.
    fn use_tree(&mut self, trees: &[TokenTree], prefix: &[String], gated: bool) {
        for branch in trees.split(|tree| is(Some(tree), ',')) {
            let mut segments = prefix.to_vec();
            let mut alias = None;
            let mut trees = branch.iter();
            while let Some(tree) = trees.next() {
                match tree {
                    TokenTree::Ident(word) if word == "as" => {
                        alias = trees.next().map(ToString::to_string);
                    }
                    // `a::{self}` is `a`.
                    TokenTree::Ident(word) if word == "self" && !prefix.is_empty() => {}
                    TokenTree::Ident(word) => {
                        segments.push(word.to_string());
                        self.add(word.to_string(), word.span(), gated);
                    }
                    TokenTree::Punct(punct) if punct.as_char() == '*' => {
                        segments.push("*".to_owned());
                    }
                    TokenTree::Group(group) => {
                        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                        self.use_tree(&inner, &segments, gated);
                        segments.clear();
                    }
                    _ => {}
                }
            }
            if let (Some(tree), false) = (branch.first(), segments.is_empty()) {
                self.add(self.resolve(&segments), tree.span(), gated);
                if let Some(name) = self.names.last_mut() {
                    name.alias = alias;
                }
            }
        }
    }

    fn resolve(&self, segments: &[String]) -> String {
        let is_anchor = |word: &&String| ["crate", "self", "super"].contains(&word.as_str());
        let (anchors, rest) = segments.split_at(segments.iter().take_while(is_anchor).count());
        let mut whole = Vec::new();
        if let Some(first) = anchors.first() {
            whole.push("crate");
            if first != "crate" {
                whole.extend(self.module.iter().map(String::as_str));
            }
            let climbs = anchors.iter().filter(|word| *word == "super").count();
            whole.truncate(whole.len().saturating_sub(climbs).max(1));
        }
        whole.extend(rest.iter().map(String::as_str));
        whole.join("::")
    }

    fn add(&mut self, text: String, span: Span, gated: bool) {
        let line = span.start().line;
        let tests = self.module.last().is_some_and(|module| module == "tests");
        self.names.push(Name {
            text,
            alias: None,
            line,
            gated,
            tests,
        });
    }
}

fn is(tree: Option<&TokenTree>, wanted: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

/// The attribute after a `#`, without spaces, and what follows it.
fn attribute(after: &[TokenTree]) -> Option<(String, &[TokenTree])> {
    let skipped = usize::from(is(after.first(), '!'));
    match after.get(skipped..)? {
        [TokenTree::Group(group), tail @ ..] if group.delimiter() == Delimiter::Bracket => {
            Some((group.stream().to_string().replace(' ', ""), tail))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths of a file, a `!` after those that are gated.
    fn paths(path: &str, text: &str) -> Vec<String> {
        let names = Source::parse(path, text).unwrap().names.into_iter();
        let paths = names.filter(|name| name.text.contains("::") && !name.text.contains('"'));
        paths
            .map(|name| name.text + if name.gated { "!" } else { "" })
            .collect()
    }

    #[test]
    fn nested_use_trees_are_expanded() {
        let text = "pub(crate) use crate::{tier::{self, Token as T}, kernel::*};";
        let wanted = ["crate::tier", "crate::tier::Token", "crate::kernel::*"];
        assert_eq!(paths("core/src/mode/x.rs", text), wanted);
    }

    #[test]
    fn super_follows_files_and_inline_modules() {
        let text =
            "use super::Block; mod inner { use super::super::super::polyval::P; } use super::Q;";
        let wanted = [
            "crate::kernel::aes::Block",
            "crate::kernel::polyval::P",
            "crate::kernel::aes::Q",
        ];
        assert_eq!(paths("core/src/kernel/aes/avx2.rs", text), wanted);
    }

    #[test]
    fn paths_in_expressions_and_macros_are_seen() {
        let text = "macro_rules! m { ($x:ident) => { mod $x { $crate::tier::go(super::y) } } }
            fn f() -> impl Fn() + use<'_> { core::arch::asm!() }";
        let wanted = ["crate::tier::go", "crate::y", "core::arch::asm"];
        assert_eq!(paths("core/src/lib.rs", text), wanted);
    }

    #[test]
    fn comments_strings_and_lifetimes_name_nothing() {
        let text = r##"//! unsafe a::b
            /* crate::x /* nested */ crate::y */
            const S: &'static str = r#"c::d "unsafe" "#; const C: char = '"'; /// x::y
            const E: u8 = b'\'';"##;
        let source = Source::parse("core/src/lib.rs", text).unwrap();
        assert!(source.names.iter().all(|name| name.text != "unsafe"));
        assert_eq!(paths("core/src/lib.rs", text), [""; 0]);
    }

    #[test]
    fn a_gate_covers_its_statement_only() {
        let text = "fn f() {
            #[cfg(feature = \"__force_tier\")] if a { std::env::var(b) }
            std::env::var(c);
            #[cfg(feature = \"__force_tier\")] use std::fs;
            use std::io; }";
        let wanted = ["std::env::var!", "std::env::var", "std::fs!", "std::io"];
        assert_eq!(paths("core/src/lib.rs", text), wanted);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let failure = Source::parse("core/src/lib.rs", "fn f() {\n )").unwrap_err();
        assert!(failure.to_string().starts_with("core/src/lib.rs:2: "));
    }
}
