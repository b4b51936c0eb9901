//! Changes side by side in one source file, each behind a switch: `match switch { 1 => the
//! first, 2 => the second, _ => the original }`. One build then holds them all.

use super::Change;
use crate::process::Failure;
use proc_macro2::Span;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

/// A file with its changes.
#[derive(Default)]
pub(super) struct Switched {
    pub(super) text: String,
    /// Where in the text each change is, by its number in the list.
    pub(super) marks: Vec<(Range<usize>, usize)>,
    /// What turns each on.
    pub(super) switches: Vec<(usize, u32)>,
}

/// What is put into the text, and the change that it is of. Where several texts meet, what
/// ends there goes before what begins, and what is outside encloses what is inside.
struct Insertion {
    at: usize,
    rank: (bool, isize, isize),
    text: String,
    change: Option<usize>,
}

/// Puts `changes` of a file behind switches, whose places are counted from `before` on: what
/// is changed elsewhere does not change this file's text, and it is not built again.
pub(super) fn switched(
    path: &str,
    text: &str,
    changes: &[(usize, &Change)],
    before: u32,
) -> Result<Switched, Failure> {
    let is_core = path.starts_with("core/");
    let mut places = Places {
        text,
        switch: if is_core { "crate" } else { "::sivka" }.to_owned() + "::mutant_switch::at",
        left: HashMap::new(),
        place: before,
        insertions: Vec::new(),
        switches: Vec::new(),
    };
    for &(number, change) in changes {
        if change.genre == "Defect" {
            places.defect(number, change);
        } else {
            let key = (change.genre.as_str(), change.range.start);
            places.left.entry(key).or_default().push((number, change));
        }
    }
    let file = syn::parse_file(text).map_err(|e| Failure::new(format!("{path}: {e}")))?;
    places.visit_file(&file);
    if places.place >= before + 256 {
        return Err(Failure::new(format!("{path} has too many places")));
    }
    let mut insertions = places.insertions;
    insertions.sort_by_key(|put| (put.at, put.rank));
    let (mut out, mut at) = (Switched::default(), 0);
    for put in insertions {
        out.text += &text[at..put.at];
        at = put.at;
        let start = out.text.len();
        out.text += &put.text;
        out.marks
            .extend(put.change.map(|change| (start..out.text.len(), change)));
    }
    out.text += &text[at..];
    out.switches = places.switches;
    Ok(out)
}

/// Finds what is changed.
struct Places<'a> {
    text: &'a str,
    /// The path of the function that says which change is on.
    switch: String,
    left: HashMap<(&'a str, usize), Vec<(usize, &'a Change)>>,
    place: u32,
    insertions: Vec<Insertion>,
    switches: Vec<(usize, u32)>,
}

impl<'a> Places<'a> {
    /// Texts before and after a range.
    fn enclose(&mut self, range: &Range<usize>, before: Vec<(String, Option<usize>)>, after: &str) {
        let mut put = |at: usize, rank: (bool, isize), text: String, change| {
            let count = self.insertions.len() as isize;
            let rank = (rank.0, rank.1, if rank.0 { count } else { -count });
            self.insertions.push(Insertion {
                at,
                rank,
                text,
                change,
            });
        };
        for (text, change) in before {
            put(range.start, (true, -(range.end as isize)), text, change);
        }
        put(
            range.end,
            (false, -(range.start as isize)),
            after.to_owned(),
            None,
        );
    }

    /// The mutants of a genre that begin here, in a place of their own.
    fn here(&mut self, genre: &'static str, span: Span) -> Vec<(usize, &'a Change)> {
        let start = span.byte_range().start;
        let here = self.left.remove(&(genre, start)).unwrap_or_default();
        self.numbered(&here);
        here
    }

    fn numbered(&mut self, here: &[(usize, &Change)]) {
        self.place += u32::from(!here.is_empty());
        let numbers = (self.place << 8 | 1..).zip(here);
        self.switches
            .extend(numbers.map(|(switch, (number, _))| (*number, switch)));
    }

    /// An expression that becomes one of others, each made of the mutant.
    fn choice(
        &mut self,
        whole: Span,
        mutants: &[(usize, &Change)],
        text: impl Fn(&Change) -> String,
    ) {
        if mutants.is_empty() {
            return;
        }
        let mut before = vec![(format!("(match {}({}) {{ ", self.switch, self.place), None)];
        before.extend((1..).zip(mutants).map(|(arm, (number, mutant))| {
            (format!("{arm} => {}, ", text(mutant)), Some(*number))
        }));
        before.push(("_ => ".to_owned(), None));
        self.enclose(&whole.byte_range(), before, " })");
    }

    /// Something else in the place of an expression, or of statements.
    fn defect(&mut self, number: usize, defect: &Change) {
        self.numbered(&[(number, defect)]);
        let (switch, place, other) = (&self.switch, &self.place, &defect.replacement);
        let is_statement = self.text[defect.range.clone()]
            .trim_end()
            .ends_with([';', '}']);
        let (before, after) = if is_statement {
            (
                format!("if {switch}({place}) == 1 {{ {other} }} else {{ "),
                " }",
            )
        } else {
            (
                format!("(match {switch}({place}) {{ 1 => {other}, _ => "),
                " })",
            )
        };
        self.enclose(&defect.range, vec![(before, Some(number))], after);
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let returned = &self.text[signature.output.span().byte_range()];
        // Values of an opaque type must be of one.
        let Some(first) = block.stmts.first().filter(|_| !returned.contains("impl ")) else {
            return;
        };
        let mutants = self.here("FnValue", first.span());
        if !mutants.is_empty() {
            let mut text = vec![(format!("match {}({}) {{ ", self.switch, self.place), None)];
            text.extend((1..).zip(&mutants).map(|(arm, (number, mutant))| {
                (
                    format!("{arm} => return {}, ", mutant.replacement),
                    Some(*number),
                )
            }));
            text.push(("_ => {} } ".to_owned(), None));
            let start = first.span().byte_range().start;
            self.enclose(&(start..block.span().byte_range().end), text, "");
        }
    }
}

/// Whether a condition has parts that bind names, which are nowhere else.
fn binds(condition: &syn::Expr) -> bool {
    match condition {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(both) => binds(&both.left) || binds(&both.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        self.function(&f.sig, &f.block);
        visit::visit_item_fn(self, f);
    }

    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        self.function(&f.sig, &f.block);
        visit::visit_impl_item_fn(self, f);
    }

    fn visit_trait_item_fn(&mut self, f: &'ast syn::TraitItemFn) {
        if let Some(block) = &f.default {
            self.function(&f.sig, block);
        }
        visit::visit_trait_item_fn(self, f);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if !binds(&binary.left) && !binds(&binary.right) {
            let [left, right] = [&binary.left, &binary.right]
                .map(|side| self.text[side.span().byte_range()].to_owned());
            let mutants = self.here("BinaryOperator", binary.op.span());
            self.choice(binary.span(), &mutants, |mutant| {
                format!("({left}) {} ({right})", mutant.replacement)
            });
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        let operand = self.text[unary.expr.span().byte_range()].to_owned();
        let mutants = self.here("UnaryOperator", unary.op.span());
        self.choice(unary.span(), &mutants, |_| operand.clone());
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_struct(&mut self, made: &'ast syn::ExprStruct) {
        let (whole, text) = (made.span().byte_range(), self.text.to_owned());
        for field in &made.fields {
            let mutants = self.here("StructField", field.span());
            self.choice(made.span(), &mutants, |mutant| {
                let Range { start, end } = mutant.range;
                format!("{}{}", &text[whole.start..start], &text[end..whole.end])
            });
        }
        visit::visit_expr_struct(self, made);
    }

    // What the compiler evaluates no switch changes: lengths of arrays, constants.

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_type_array(&mut self, array: &'ast syn::TypeArray) {
        self.visit_type(&array.elem);
    }

    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some(&(number, _)) = self.here("MatchArm", arm.span()).first() {
            let is_there = format!("{}({}) == 0", self.switch, self.place);
            match &arm.guard {
                Some((_, guard)) => {
                    let text = vec![(format!("{is_there} && ("), Some(number))];
                    self.enclose(&guard.span().byte_range(), text, ")");
                }
                None => {
                    let end = arm.pat.span().byte_range().end;
                    self.enclose(
                        &(end..end),
                        vec![(format!(" if {is_there}"), Some(number))],
                        "",
                    );
                }
            }
        }
        if let Some((_, guard)) = &arm.guard {
            let mutants = self.here("MatchArmGuard", guard.span());
            self.choice(guard.span(), &mutants, |mutant| mutant.replacement.clone());
        }
        visit::visit_arm(self, arm);
    }
}
