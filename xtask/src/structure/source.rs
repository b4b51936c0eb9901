//! A Rust source file as the names in it: words, literals, and paths with `self` and
//! `super` resolved.
//!
//! Tokens rather than a syntax tree, on purpose: they show the inside of macro
//! definitions and macro calls as well, where a syntax tree ends.

use crate::process::Failure;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// One source file: where it is and what it names.
#[derive(Debug)]
pub(crate) struct Source {
    /// Relative to the top of the project, with `/`.
    pub(crate) path: String,
    pub(crate) names: Vec<Name>,
    pub(crate) lines: usize,
}

/// A word (`unsafe`), a literal in its quotes, or a path of two segments or more; a path
/// into the crate itself starts with `crate::`, whatever the source wrote.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) line: usize,
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
        reader.stream(tokens, &[]);
        Ok(Self {
            path: path.to_owned(),
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
    /// Reads tokens that are behind this path: those in the braces of a `use`.
    fn stream(&mut self, stream: TokenStream, prefix: &[String]) {
        // What a macro puts in is no name yet, but `$crate` and `mod $name` mean the same.
        let trees = stream.into_iter().filter(|tree| !is(tree, '$'));
        let trees: Vec<TokenTree> = trees.collect();
        let mut rest = trees.as_slice();
        while let Some((tree, after)) = rest.split_first() {
            rest = after;
            match tree {
                TokenTree::Punct(_) if is(tree, '#') => {
                    rest = without_documentation(after).unwrap_or(after);
                }
                TokenTree::Punct(_) => {}
                TokenTree::Literal(literal) => self.add(literal.to_string(), literal.span()),
                TokenTree::Group(group) => self.stream(group.stream(), &[]),
                // `a::{b as c}`
                TokenTree::Ident(word) if word == "as" && !prefix.is_empty() => {
                    rest = after.get(1..).unwrap_or_default();
                }
                TokenTree::Ident(word) => {
                    rest = match after {
                        [TokenTree::Ident(name), TokenTree::Group(body), tail @ ..]
                            if word == "mod" =>
                        {
                            self.module.push(name.to_string());
                            self.stream(body.stream(), &[]);
                            self.module.pop();
                            tail
                        }
                        _ => self.path(tree, after, prefix),
                    }
                }
            }
        }
    }

    /// A word, and the paths that it begins, if it does; what follows them.
    fn path<'a>(
        &mut self,
        first: &TokenTree,
        after: &'a [TokenTree],
        prefix: &[String],
    ) -> &'a [TokenTree] {
        let word = first.to_string();
        self.add(word.clone(), first.span());
        let mut segments = prefix.to_vec();
        // `a::{self}` is `a`.
        segments.extend((prefix.is_empty() || word != "self").then_some(word));
        let mut rest = after;
        while let [a, b, next, tail @ ..] = rest
            && is(a, ':')
            && is(b, ':')
        {
            match next {
                TokenTree::Ident(word) => self.add(word.to_string(), word.span()),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    self.stream(group.stream(), &segments);
                    return tail;
                }
                _ if is(next, '*') => {}
                _ => break,
            }
            segments.push(next.to_string());
            rest = tail;
        }
        if segments.len() > 1 {
            self.add(self.resolve(&segments), first.span());
        } else if rest.first().is_some_and(|next| is(next, '=')) {
            // What is set is more than a name: an attribute's argument, mostly.
            self.add(format!("{first} ="), first.span());
        }
        rest
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

    fn add(&mut self, text: String, span: Span) {
        let line = span.start().line;
        self.names.push(Name { text, line });
    }
}

fn is(tree: &TokenTree, wanted: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// What follows the attribute after a `#`, if that is documentation, which may name what it likes.
fn without_documentation(after: &[TokenTree]) -> Option<&[TokenTree]> {
    let skipped = usize::from(is(after.first()?, '!'));
    match after.get(skipped..)? {
        [TokenTree::Group(group), tail @ ..] if group.stream().to_string().starts_with("doc") => {
            Some(tail)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(path: &str, text: &str) -> Vec<String> {
        let names = Source::parse(path, text).unwrap().names.into_iter();
        let paths = names.filter(|name| name.text.contains("::") && !name.text.contains('"'));
        paths.map(|name| name.text).collect()
    }

    #[test]
    fn paths_are_expanded_and_resolved() {
        let text = "pub(crate) use crate::{tier::{self, Token as T}, kernel::*}; use super::Block;
            mod inner { use super::super::super::polyval::P; } use super::Q;
            macro_rules! m { ($x:ident) => { mod $x { $crate::tier::go(super::y) } } }
            fn f() -> impl Fn() + use<'_> { core::arch::asm!() }";
        let wanted = [
            "crate::tier",
            "crate::tier::Token",
            "crate::kernel::*",
            "crate::kernel::aes::Block",
            "crate::kernel::polyval::P",
            "crate::kernel::aes::Q",
            "crate::tier::go",
            "crate::kernel::aes::avx2::y",
            "core::arch::asm",
        ];
        let found = paths("core/src/kernel/aes/avx2.rs", text);
        assert_eq!(found, wanted);
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
        let failure = Source::parse("core/src/lib.rs", "fn f() {\n )").unwrap_err();
        assert!(failure.to_string().starts_with("core/src/lib.rs:2: "));
    }
}
