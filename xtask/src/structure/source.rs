//! A Rust source file as tokens, and the paths that it names.
//!
//! A lexer rather than a full parser, on purpose: it sees the inside of macro
//! definitions and macro calls as well, where a syntax tree ends, and the
//! import rules need no more than tokens, attributes and module nesting.

/// One token with the line it stands on, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) line: usize,
}

/// What a token is; numbers, characters and lifetimes are of no interest here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ident(String),
    Str(String),
    Punct(char),
    Other,
}

/// A path as the source means it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) root: Root,
    /// The segments after the root; `*` for a glob.
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
    /// The index of the path's first token.
    pub(crate) token: usize,
}

/// Where a path starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// The crate itself: `crate::`, `self::` and `super::` are resolved to it.
    Crate,
    /// Anything else: another crate, or a name in scope.
    Name,
}

/// One source file: where it stands, its tokens and the paths in it.
#[derive(Debug)]
pub(crate) struct Source {
    /// Relative to the top of the project, with `/`.
    pub(crate) path: String,
    pub(crate) tokens: Vec<Token>,
    pub(crate) paths: Vec<Path>,
    pub(crate) lines: usize,
}

impl Source {
    pub(crate) fn parse(path: &str, text: &str) -> Self {
        let tokens = tokenize(text);
        let paths = paths(&tokens, &module_of(path));
        Self {
            path: path.to_owned(),
            tokens,
            paths,
            lines: text.lines().count(),
        }
    }

    /// The identifiers of the file, with their lines.
    pub(crate) fn idents(&self) -> impl Iterator<Item = (&str, usize)> {
        self.tokens.iter().filter_map(|token| match &token.kind {
            Kind::Ident(name) => Some((name.as_str(), token.line)),
            _ => None,
        })
    }

    /// The string literals of the file, with their lines.
    pub(crate) fn strings(&self) -> impl Iterator<Item = (&str, usize)> {
        self.tokens.iter().filter_map(|token| match &token.kind {
            Kind::Str(text) => Some((text.as_str(), token.line)),
            _ => None,
        })
    }

    /// Whether `words` stand next to each other, punctuation included.
    pub(crate) fn has_sequence(&self, words: &[&str]) -> bool {
        self.tokens.windows(words.len()).any(|window| {
            window
                .iter()
                .zip(words)
                .all(|(token, word)| token.kind.text() == *word)
        })
    }

    /// Whether token `at` stands in code that an attribute
    /// `#[cfg(feature = "feature")]` removes from a build without that feature.
    pub(crate) fn gated_by_feature(&self, at: usize, feature: &str) -> bool {
        let wanted = ["#", "[", "cfg", "(", "feature", "=", feature, ")", "]"];
        (0..at.min(self.tokens.len())).any(|start| {
            let attribute = self.tokens.get(start..start + wanted.len());
            attribute.is_some_and(|tokens| {
                let same = tokens.iter().zip(wanted).all(|(t, w)| t.kind.text() == w);
                same && at < end_of_item(&self.tokens, start + wanted.len())
            })
        })
    }
}

impl Kind {
    fn text(&self) -> &str {
        const ASCII: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
        match self {
            Self::Ident(text) | Self::Str(text) => text,
            Self::Punct(c) => ASCII.find(*c).map_or("", |i| &ASCII[i..=i]),
            Self::Other => "",
        }
    }

    fn is(&self, c: char) -> bool {
        *self == Self::Punct(c)
    }
}

/// The index after the statement or item that starts at `start`: its `;`, or the
/// `}` that closes its first brace at depth zero.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            Kind::Punct('(' | '[' | '{') => depth += 1,
            Kind::Punct(')' | ']') => depth = depth.saturating_sub(1),
            Kind::Punct('}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return index + 1;
                }
            }
            Kind::Punct(';') if depth == 0 => return index + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The module that a file under some `src/` is: `core/src/kernel/aes.rs` is `kernel::aes`.
fn module_of(path: &str) -> Vec<String> {
    let inner = path.split_once("/src/").map_or("", |(_, inner)| inner);
    let inner = inner.strip_suffix(".rs").unwrap_or(inner);
    match inner {
        "" | "lib" | "main" => Vec::new(),
        inner => inner.split('/').map(str::to_owned).collect(),
    }
}

// ---- tokens ---------------------------------------------------------------

fn tokenize(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut lexer = Lexer {
        chars: &chars,
        at: 0,
        line: 1,
    };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.token() {
        tokens.push(token);
    }
    tokens
}

struct Lexer<'a> {
    chars: &'a [char],
    at: usize,
    line: usize,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        self.at += 1;
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn skip_while(&mut self, accept: impl Fn(char) -> bool) {
        while self.peek(0).is_some_and(&accept) {
            self.next();
        }
    }

    fn token(&mut self) -> Option<Token> {
        loop {
            self.skip_while(char::is_whitespace);
            match (self.peek(0)?, self.peek(1)) {
                ('/', Some('/')) => self.skip_while(|c| c != '\n'),
                ('/', Some('*')) => self.block_comment(),
                _ => break,
            }
        }
        let line = self.line;
        let kind = match self.peek(0)? {
            '"' => self.string(),
            '\'' => self.char_or_lifetime(),
            c if c == '_' || c.is_alphabetic() => self.word(),
            c if c.is_ascii_digit() => {
                self.skip_while(|c| c == '_' || c.is_alphanumeric());
                Kind::Other
            }
            c => {
                self.next();
                Kind::Punct(c)
            }
        };
        Some(Token { kind, line })
    }

    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        while let Some(c) = self.next() {
            match (c, self.peek(0)) {
                ('/', Some('*')) => {
                    self.next();
                    depth += 1;
                }
                ('*', Some('/')) => {
                    self.next();
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    fn string(&mut self) -> Kind {
        self.next();
        let mut text = String::new();
        while let Some(c) = self.next() {
            match c {
                '"' => break,
                '\\' => {
                    text.push(c);
                    text.extend(self.next());
                }
                c => text.push(c),
            }
        }
        Kind::Str(text)
    }

    fn raw_string(&mut self) -> Kind {
        let mut hashes = 0;
        while self.peek(0) == Some('#') {
            self.next();
            hashes += 1;
        }
        self.next();
        let mut text = String::new();
        while let Some(c) = self.next() {
            if c == '"' && (0..hashes).all(|i| self.peek(i) == Some('#')) {
                (0..hashes).for_each(|_| {
                    self.next();
                });
                break;
            }
            text.push(c);
        }
        Kind::Str(text)
    }

    fn char_or_lifetime(&mut self) -> Kind {
        self.next();
        if self.peek(0) == Some('\\') {
            self.next();
            self.next();
            self.skip_while(|c| c != '\'');
            self.next();
        } else if self.peek(1) == Some('\'') {
            self.next();
            self.next();
        } else {
            self.skip_while(|c| c == '_' || c.is_alphanumeric());
        }
        Kind::Other
    }

    /// An identifier, or a literal with a prefix of letters.
    fn word(&mut self) -> Kind {
        let start = self.at;
        self.skip_while(|c| c == '_' || c.is_alphanumeric());
        let word: String = self.chars[start..self.at].iter().collect();
        match (word.as_str(), self.peek(0), self.peek(1)) {
            ("r" | "br" | "cr", Some('"'), _) | ("r" | "br" | "cr", Some('#'), Some('"' | '#')) => {
                self.raw_string()
            }
            ("b" | "c", Some('"'), _) => self.string(),
            ("b", Some('\''), _) => self.char_or_lifetime(),
            ("r", Some('#'), Some(c)) if c == '_' || c.is_alphabetic() => {
                self.next();
                self.word()
            }
            _ => Kind::Ident(word),
        }
    }
}

// ---- paths ----------------------------------------------------------------

/// Every path of two segments or more, and every name that a `use` brings in.
fn paths(tokens: &[Token], file_module: &[String]) -> Vec<Path> {
    let mut found = Vec::new();
    let mut module = file_module.to_vec();
    // One entry a brace: whether it opened an inline module.
    let mut braces: Vec<bool> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match &token.kind {
            Kind::Ident(word) if word == "mod" && opens_inline_module(tokens, at) => {
                let brace = at + tokens[at..].iter().take_while(|t| !t.kind.is('{')).count();
                module.push(tokens[brace - 1].kind.text().to_owned());
                braces.push(true);
                at = brace + 1;
            }
            Kind::Punct('{') => {
                braces.push(false);
                at += 1;
            }
            Kind::Punct('}') => {
                if braces.pop() == Some(true) {
                    module.pop();
                }
                at += 1;
            }
            Kind::Ident(word) if word == "use" => {
                at = use_tree(tokens, at + 1, &[], &module, &mut found);
            }
            Kind::Ident(_) => {
                let (segments, end) = straight_path(tokens, at);
                if segments.len() > 1 {
                    found.push(resolve(&segments, &module, token.line, at));
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

/// `mod name {`, or `mod $name {` in a macro.
fn opens_inline_module(tokens: &[Token], at: usize) -> bool {
    let name = 1 + usize::from(tokens.get(at + 1).is_some_and(|t| t.kind.is('$')));
    matches!(tokens.get(at + name).map(|t| &t.kind), Some(Kind::Ident(_)))
        && tokens.get(at + name + 1).is_some_and(|t| t.kind.is('{'))
}

fn is_double_colon(tokens: &[Token], at: usize) -> bool {
    let colon = |i: usize| tokens.get(i).is_some_and(|t| t.kind.is(':'));
    colon(at) && colon(at + 1)
}

/// The segments of `a::b::c` that starts at `at`, and the index after them.
fn straight_path(tokens: &[Token], mut at: usize) -> (Vec<String>, usize) {
    let mut segments = Vec::new();
    while let Some(Kind::Ident(segment)) = tokens.get(at).map(|t| &t.kind) {
        segments.push(segment.clone());
        at += 1;
        let follows = matches!(tokens.get(at + 2).map(|t| &t.kind), Some(Kind::Ident(_)));
        if !(is_double_colon(tokens, at) && follows) {
            break;
        }
        at += 2;
    }
    (segments, at)
}

/// One tree of a `use` item; the index after it.
fn use_tree(
    tokens: &[Token],
    mut at: usize,
    prefix: &[String],
    module: &[String],
    found: &mut Vec<Path>,
) -> usize {
    let start = at;
    // `$crate::…` and `::name::…`
    while tokens
        .get(at)
        .is_some_and(|t| t.kind.is('$') || t.kind.is(':'))
    {
        at += 1;
    }
    let (tail, end) = straight_path(tokens, at);
    at = end;
    let mut segments = prefix.to_vec();
    segments.extend(
        tail.into_iter()
            .filter(|s| prefix.is_empty() || s != "self"),
    );
    if is_double_colon(tokens, at) {
        at += 2;
    }
    let line = tokens.get(start).map_or(0, |t| t.line);
    match tokens.get(at).map(|t| &t.kind) {
        Some(Kind::Punct('{')) => {
            at += 1;
            while tokens.get(at).is_some_and(|t| !t.kind.is('}')) {
                let before = at;
                at = use_tree(tokens, at, &segments, module, found);
                at = at.max(before + 1);
            }
            skip_to_separator(tokens, at + 1)
        }
        Some(Kind::Punct('*')) => {
            segments.push("*".to_owned());
            found.push(resolve(&segments, module, line, start));
            skip_to_separator(tokens, at + 1)
        }
        _ => {
            if !segments.is_empty() {
                found.push(resolve(&segments, module, line, start));
            }
            skip_to_separator(tokens, at)
        }
    }
}

/// Past an `as name` and one `,` or `;`; stops at `}`.
fn skip_to_separator(tokens: &[Token], mut at: usize) -> usize {
    while let Some(token) = tokens.get(at) {
        match token.kind {
            Kind::Punct(',' | ';') => return at + 1,
            Kind::Punct('}') => return at,
            _ => at += 1,
        }
    }
    at
}

fn resolve(segments: &[String], module: &[String], line: usize, token: usize) -> Path {
    let mut base: Option<Vec<String>> = None;
    let mut rest = segments;
    while let Some((first, tail)) = rest.split_first() {
        match first.as_str() {
            "crate" => base = Some(Vec::new()),
            "self" => base = Some(base.unwrap_or_else(|| module.to_vec())),
            "super" => {
                let mut parent = base.unwrap_or_else(|| module.to_vec());
                parent.pop();
                base = Some(parent);
            }
            _ => break,
        }
        rest = tail;
    }
    let root = if base.is_some() {
        Root::Crate
    } else {
        Root::Name
    };
    let mut segments = base.unwrap_or_default();
    segments.extend_from_slice(rest);
    Path {
        root,
        segments,
        line,
        token,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(path: &str, text: &str) -> Vec<String> {
        let source = Source::parse(path, text);
        let names = source.paths.iter().map(|p| match p.root {
            Root::Crate => format!("crate::{}", p.segments.join("::")),
            Root::Name => p.segments.join("::"),
        });
        names.collect()
    }

    #[test]
    fn nested_use_trees_are_expanded() {
        let text = "pub(crate) use crate::{tier::{self, Token as T}, kernel::*};";
        assert_eq!(
            resolved("core/src/mode/x.rs", text),
            ["crate::tier", "crate::tier::Token", "crate::kernel::*"]
        );
    }

    #[test]
    fn super_follows_files_and_inline_modules() {
        let text =
            "use super::Block; mod inner { use super::super::super::polyval::P; } use super::Q;";
        assert_eq!(
            resolved("core/src/kernel/aes/avx2.rs", text),
            [
                "crate::kernel::aes::Block",
                "crate::kernel::polyval::P",
                "crate::kernel::aes::Q"
            ]
        );
    }

    #[test]
    fn paths_in_expressions_and_macros_are_seen() {
        let text = "macro_rules! m { () => { $crate::tier::go() } } fn f() { core::arch::asm!() }";
        assert_eq!(
            resolved("core/src/lib.rs", text),
            ["crate::tier::go", "core::arch::asm"]
        );
    }

    #[test]
    fn comments_strings_and_lifetimes_name_nothing() {
        let text = r##"// unsafe a::b
            /* crate::x /* nested */ crate::y */
            const S: &'static str = r#"c::d "quoted" "#; const C: char = '"'; const E: u8 = b'\'';"##;
        assert_eq!(resolved("core/src/lib.rs", text), [""; 0]);
        let source = Source::parse("core/src/lib.rs", text);
        assert!(source.idents().all(|(name, _)| name != "unsafe"));
        assert_eq!(source.strings().count(), 1);
    }

    #[test]
    fn a_feature_gate_covers_its_statement_only() {
        let text =
            "fn f() { #[cfg(feature = \"__x\")] if a { std::env::var(b) } std::env::var(c) }";
        let source = Source::parse("core/src/lib.rs", text);
        let gated: Vec<bool> = source
            .paths
            .iter()
            .map(|path| source.gated_by_feature(path.token, "__x"))
            .collect();
        assert_eq!(gated, [true, false]);
    }
}
