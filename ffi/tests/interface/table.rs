//! The C interface as the sources of the crate describe it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, FnArg, Item, Lit, Meta, Pat, Type};

/// Everything that C sees.
pub(crate) struct Table {
    pub(crate) functions: Vec<Function>,
    pub(crate) statuses: Vec<Constant>,
    pub(crate) algorithms: Vec<Constant>,
    /// The statuses that say that the call is wrong.
    pub(crate) misuse: RangeInclusive<i64>,
    /// The names of the fields of structures.
    pub(crate) fields: BTreeSet<String>,
    /// The names of constants by their types, but for Rust's own types.
    pub(crate) enumerated: BTreeMap<String, BTreeSet<String>>,
    /// The names of arguments that the sources give to errors.
    pub(crate) named: BTreeSet<String>,
}

pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) arguments: Vec<Argument>,
}

pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

impl Argument {
    /// Whether this is where a number of bytes begins.
    pub(crate) fn is_bytes(&self) -> bool {
        matches!(&self.kind, Kind::Pointer { to, .. } if matches!(&**to, Kind::Name(name) if name == "u8"))
    }
}

/// A type: a name of Rust's or of the crate's, or a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name(String),
    Pointer { written: bool, to: Box<Kind> },
}

pub(crate) struct Constant {
    /// Without `SIVKA_`, and of a status without `ERROR_`.
    pub(crate) name: String,
    pub(crate) value: i64,
}

impl Table {
    /// Reads every source of the crate in `folder`.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut table = Self {
            functions: Vec::new(),
            statuses: Vec::new(),
            algorithms: Vec::new(),
            misuse: 0..=0,
            fields: BTreeSet::new(),
            enumerated: BTreeMap::new(),
            named: BTreeSet::new(),
        };
        for path in sources(&folder.join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            for item in &file.items {
                table.add(item);
            }
        }
        assert!(table.misuse.end() > table.misuse.start());
        table
    }

    fn add(&mut self, item: &Item) {
        match item {
            Item::Fn(function) => {
                self.visit_item_fn(function);
                if function.sig.abi.is_some() {
                    self.functions.push(Function::of(&function.sig));
                }
            }
            Item::Struct(structure) if structure.attrs.iter().any(is_c) => {
                let fields = structure.fields.iter();
                let names = fields.filter_map(|field| field.ident.as_ref());
                self.fields.extend(names.map(ToString::to_string));
            }
            Item::Impl(code) => self.visit_item_impl(code),
            Item::Const(constant) => self.add_constant(constant),
            Item::Type(alias) if alias.ident == "Status" => {
                self.misuse = misuse(&documentation(&alias.attrs));
            }
            _ => {}
        }
    }

    fn add_constant(&mut self, constant: &syn::ItemConst) {
        let name = constant.ident.to_string();
        let Some(name) = name.strip_prefix("SIVKA_") else {
            return;
        };
        if let Kind::Name(of) = kind(&constant.ty)
            && of.starts_with(char::is_uppercase)
        {
            let names = self.enumerated.entry(of).or_default();
            names.insert(constant.ident.to_string());
        }
        let (list, name) = match kind(&constant.ty) {
            Kind::Name(of) if of == "Status" => (
                &mut self.statuses,
                name.strip_prefix("ERROR_").unwrap_or(name),
            ),
            Kind::Name(of) if of == "AlgorithmNumber" => (&mut self.algorithms, name),
            _ => return,
        };
        list.push(Constant {
            name: name.to_owned(),
            value: value(&constant.expr),
        });
    }
}

/// The first argument of what checks an argument is its name.
impl Visit<'_> for Table {
    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        const CHECKS: [&str; 9] = [
            "exactly",
            "whole_items",
            "handle",
            "result",
            "c_str",
            "text_of",
            "path",
            "keys_of",
            "length",
        ];
        if let (Expr::Path(callee), Some(Expr::Lit(first))) = (&*call.func, call.args.first()) {
            let segments = &callee.path.segments;
            let last = segments.last().map(|segment| segment.ident.to_string());
            let region = segments.len() == 2 && segments[0].ident == "Region";
            if let Lit::Str(name) = &first.lit
                && (region || last.is_some_and(|last| CHECKS.contains(&last.as_str())))
            {
                self.named.insert(name.value());
            }
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_field_value(&mut self, field: &syn::FieldValue) {
        if let (syn::Member::Named(name), Expr::Lit(value)) = (&field.member, &field.expr)
            && name == "what"
            && let Lit::Str(text) = &value.lit
        {
            self.named.insert(text.value());
        }
        visit::visit_field_value(self, field);
    }
}

impl Function {
    fn of(signature: &syn::Signature) -> Self {
        let argument = |given: &FnArg| {
            let FnArg::Typed(typed) = given else {
                panic!("a method for C")
            };
            let Pat::Ident(name) = &*typed.pat else {
                panic!("an argument without a name")
            };
            Argument {
                name: name.ident.to_string(),
                kind: kind(&typed.ty),
            }
        };
        Self {
            name: signature.ident.to_string(),
            arguments: signature.inputs.iter().map(argument).collect(),
        }
    }
}

fn kind(given: &Type) -> Kind {
    match given {
        Type::Ptr(pointer) => Kind::Pointer {
            written: pointer.mutability.is_some(),
            to: Box::new(kind(&pointer.elem)),
        },
        Type::Path(path) => Kind::Name(path.path.segments.last().unwrap().ident.to_string()),
        _ => panic!("a type that C does not have"),
    }
}

/// A number, or one that is shifted.
fn value(expression: &Expr) -> i64 {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().unwrap(),
            _ => panic!("a constant that is no number"),
        },
        _ => panic!("a constant that is no number"),
    }
}

/// Whether this is `repr(C)`.
fn is_c(attribute: &Attribute) -> bool {
    attribute.path().is_ident("repr")
        && attribute
            .parse_args::<syn::Ident>()
            .is_ok_and(|layout| layout == "C")
}

/// The lines of a documentation, joined.
fn documentation(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let lines: Vec<_> = attributes.iter().filter_map(line).collect();
    lines.join(" ")
}

/// From "16 to 63: the call is wrong".
fn misuse(about: &str) -> RangeInclusive<i64> {
    let (before, _) = about.split_once(": the call is wrong").unwrap();
    let words: Vec<_> = before.split_whitespace().collect();
    let [.., first, "to", last] = words[..] else {
        panic!("no range: {before}")
    };
    first.parse().unwrap()..=last.parse().unwrap()
}

/// The sources in a folder and below it but for tests, in an order that is the same everywhere.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}
