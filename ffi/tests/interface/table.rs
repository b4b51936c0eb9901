//! The C interface as the sources of the crate describe it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, FnArg, Item, Lit, Pat, Type};

/// Everything that C sees.
pub(crate) struct Table {
    pub(crate) functions: Vec<Function>,
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
    /// Whether this is where a number of bytes begins.
    pub(crate) is_bytes: bool,
}

impl Table {
    /// Reads every source of the crate in `folder`.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut table = Self {
            functions: Vec::new(),
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
            _ => {}
        }
    }

    fn add_constant(&mut self, constant: &syn::ItemConst) {
        let name = constant.ident.to_string();
        let of = type_name(&constant.ty).unwrap_or_default();
        if name.starts_with("SIVKA_") && of.starts_with(char::is_uppercase) {
            self.enumerated.entry(of).or_default().insert(name);
        }
    }
}

/// What checks an argument gets its name first, or after a status.
impl Visit<'_> for Table {
    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        const CHECKS: [&str; 8] =
            ["Region", "Failure", "handle", "handle_mut", "c_str", "text_of", "path", "keys_of"];
        let text = |argument: &Expr| match argument {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(name) => Some(name.value()),
                _ => None,
            },
            _ => None,
        };
        if let Expr::Path(callee) = &*call.func
            && CHECKS.iter().any(|check| callee.path.segments[0].ident == check)
        {
            self.named.extend(call.args.iter().take(2).find_map(text));
        }
        visit::visit_expr_call(self, call);
    }
}

impl Function {
    fn of(signature: &syn::Signature) -> Self {
        let argument = |given: &FnArg| {
            let FnArg::Typed(typed) = given else { panic!("a method for C") };
            let Pat::Ident(name) = &*typed.pat else { panic!("an argument without a name") };
            Argument {
                name: name.ident.to_string(),
                is_bytes: match &*typed.ty {
                    Type::Ptr(pointer) => type_name(&pointer.elem).is_some_and(|of| of == "u8"),
                    _ => false,
                },
            }
        };
        Self {
            name: signature.ident.to_string(),
            arguments: signature.inputs.iter().map(argument).collect(),
        }
    }
}

/// The name of a type of Rust's or of the crate's.
fn type_name(given: &Type) -> Option<String> {
    match given {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

/// Whether this is `repr(C)`.
fn is_c(attribute: &Attribute) -> bool {
    attribute.path().is_ident("repr")
        && attribute.parse_args::<syn::Ident>().is_ok_and(|layout| layout == "C")
}

/// The sources in a folder and below it but for tests, in an order that is the same everywhere.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
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
