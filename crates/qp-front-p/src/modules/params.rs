//! The assignments to its parameters that a test stands for.

use std::collections::BTreeSet;

use qp_base::{Diagnostic, Span};
use qp_program::Op;

use crate::ast::{BinaryOp, Expr, ExprKind, Ident, ParamValue, Test, TypeKind, UnaryOp};
use crate::codes;
use crate::names::quoted;

use super::cover::{cover, subsets_count};
use super::index::{Index, unknown};

/// A test that stands for more assignments is refused: nobody waits for so many.
const ASSIGNMENTS_MAX: usize = 10_000;

/// So many combinations in assignments are compared when few assignments are to show all.
const COMBINATIONS_MAX: usize = 1_000_000;

/// The assignments, in P's order: the first parameter changes fastest.
pub(super) fn assignments(
    index: &Index,
    test: &Test,
) -> Result<Vec<Vec<(String, ParamValue)>>, Diagnostic> {
    check_params(index, test)?;
    check_wise(test)?;
    let sizes: Vec<usize> = test.params.iter().map(|(_, values)| values.len()).collect();
    let count = sizes.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    let Some(count) = count.filter(|count| *count <= ASSIGNMENTS_MAX) else {
        let help = format!("at most {ASSIGNMENTS_MAX} combinations of values are possible");
        return Err(too_many(test, help));
    };
    let mut admitted = Vec::new();
    for number in 0..count {
        let choice = digits(number, &sizes);
        if admits(test, &choice)? {
            admitted.push(choice);
        }
    }
    let wise = test.wise.as_ref().and_then(|wise| usize::try_from(wise.value).ok());
    if let Some(wise) = wise.filter(|wise| *wise < sizes.len()) {
        if subsets_count(sizes.len(), wise).saturating_mul(admitted.len()) > COMBINATIONS_MAX {
            return Err(too_many(test, "ask for combinations of fewer parameters".to_owned()));
        }
        admitted = cover(sizes.len(), &admitted, wise);
    }
    Ok(admitted.iter().map(|choice| named(test, choice)).collect())
}

fn too_many(test: &Test, help: String) -> Diagnostic {
    let message = format!("{} stands for too many tests", quoted(&test.name.text));
    Diagnostic::error(codes::BAD_PARAMS, message, test.name.span).help(help)
}

fn named(test: &Test, choice: &[usize]) -> Vec<(String, ParamValue)> {
    let params = test.params.iter().zip(choice);
    params.map(|((name, values), at)| (name.text.clone(), values[*at])).collect()
}

/// The positions of the values in the assignment with this number.
fn digits(mut number: usize, sizes: &[usize]) -> Vec<usize> {
    let mut digit = |size: &usize| {
        let digit = number % size;
        number /= size;
        digit
    };
    sizes.iter().map(&mut digit).collect()
}

fn check_params(index: &Index, test: &Test) -> Result<(), Diagnostic> {
    let mut seen = BTreeSet::new();
    for (name, values) in &test.params {
        let Some(ty) = index.params.get(name.text.as_str()) else {
            return Err(unknown("param", name, index.params.keys().copied()));
        };
        if !seen.insert(&name.text) {
            let message = format!("{} is given values twice", quoted(&name.text));
            return Err(Diagnostic::error(codes::BAD_PARAMS, message, name.span)
                .help("write all values into one list"));
        }
        let fits = |value: &ParamValue| {
            matches!(
                (value, &ty.kind),
                (ParamValue::Int(_), TypeKind::Int) | (ParamValue::Bool(_), TypeKind::Bool)
            )
        };
        if !values.iter().all(fits) {
            let message = format!("these values do not have the type of {}", quoted(&name.text));
            return Err(Diagnostic::error(codes::BAD_PARAMS, message, name.span)
                .also(ty.span, "its type")
                .help("parameters are of type `int` or `bool`, and so are their values"));
        }
        let mut different = Vec::new();
        for value in values {
            if different.contains(value) {
                let message = format!("{} is given the same value twice", quoted(&name.text));
                return Err(Diagnostic::error(codes::BAD_PARAMS, message, name.span)
                    .help("list every value once"));
            }
            different.push(*value);
        }
    }
    Ok(())
}

fn check_wise(test: &Test) -> Result<(), Diagnostic> {
    let Some(wise) = &test.wise else {
        return Ok(());
    };
    let count = test.params.len();
    if usize::try_from(wise.value).is_ok_and(|n| (1..=count).contains(&n)) {
        return Ok(());
    }
    let message =
        format!("combinations of {} parameters are asked for, but there are {count}", wise.value);
    Err(Diagnostic::error(codes::BAD_WISE, message, wise.span)
        .help("the number is at least 1 and at most that of the parameters; `pairwise` is 2"))
}

/// Whether the assumption of the test holds.
fn admits(test: &Test, choice: &[usize]) -> Result<bool, Diagnostic> {
    let Some(assume) = &test.assume else {
        return Ok(true);
    };
    let value = |name: &str| {
        let at = test.params.iter().position(|(param, _)| param.text == name)?;
        Some(test.params[at].1[choice[at]])
    };
    match evaluate(assume, &value)? {
        ParamValue::Bool(holds) => Ok(holds),
        ParamValue::Int(_) => Err(not_computable(assume.span, "this is a number, not a condition")),
    }
}

fn evaluate(
    e: &Expr,
    value: &impl Fn(&str) -> Option<ParamValue>,
) -> Result<ParamValue, Diagnostic> {
    match &e.kind {
        ExprKind::Bool(b) => Ok(ParamValue::Bool(*b)),
        ExprKind::Int(i) => Ok(ParamValue::Int(*i)),
        ExprKind::Name(text) => value(text).ok_or_else(|| {
            let name = Ident { text: text.clone(), span: e.span };
            let message = format!("{} is not given values by this test", quoted(&name.text));
            not_computable(name.span, &message)
        }),
        ExprKind::Unary(op, of) => match (op, evaluate(of, value)?) {
            (UnaryOp::Not, ParamValue::Bool(b)) => Ok(ParamValue::Bool(!b)),
            (UnaryOp::Negate, ParamValue::Int(i)) => {
                i.checked_neg().map(ParamValue::Int).ok_or_else(|| too_large(e.span))
            }
            _ => Err(wrong_operands(e.span)),
        },
        ExprKind::Binary(op, a, b) => {
            binary(*op, e.span, evaluate(a, value)?, || evaluate(b, value))
        }
        _ => Err(not_computable(e.span, "this cannot be computed before the test runs")),
    }
}

fn binary(
    op: BinaryOp,
    span: Span,
    left: ParamValue,
    right: impl FnOnce() -> Result<ParamValue, Diagnostic>,
) -> Result<ParamValue, Diagnostic> {
    // These two decide alone, as they do in a program.
    match (op, left) {
        (BinaryOp::And | BinaryOp::Implies, ParamValue::Bool(false)) => {
            return Ok(ParamValue::Bool(op == BinaryOp::Implies));
        }
        (BinaryOp::Or, ParamValue::Bool(true)) => return Ok(left),
        _ => {}
    }
    match (left, right()?) {
        (ParamValue::Int(a), ParamValue::Int(b)) => match op {
            BinaryOp::Value(op) => of_numbers(op, span, a, b),
            _ => Err(wrong_operands(span)),
        },
        (ParamValue::Bool(a), ParamValue::Bool(b)) => {
            let result = match op {
                BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => b,
                BinaryOp::Value(Op::Equal) | BinaryOp::Iff => a == b,
                BinaryOp::Value(Op::NotEqual) => a != b,
                _ => return Err(wrong_operands(span)),
            };
            Ok(ParamValue::Bool(result))
        }
        _ => Err(wrong_operands(span)),
    }
}

fn of_numbers(op: Op, span: Span, a: i64, b: i64) -> Result<ParamValue, Diagnostic> {
    if let Some(holds) = op.compares(a.cmp(&b)) {
        return Ok(ParamValue::Bool(holds));
    }
    let number = match op {
        Op::Add => a.checked_add(b),
        Op::Subtract => a.checked_sub(b),
        Op::Multiply => a.checked_mul(b),
        Op::Divide => a.checked_div(b),
        _ => a.checked_rem(b),
    };
    number.map(ParamValue::Int).ok_or_else(|| match b {
        0 => not_computable(span, "this divides by zero"),
        _ => too_large(span),
    })
}

fn too_large(span: Span) -> Diagnostic {
    not_computable(span, "the result is too large")
}

fn wrong_operands(span: Span) -> Diagnostic {
    not_computable(span, "the operator does not fit its operands")
}

fn not_computable(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_ASSUME, message, span).help(
        "an assumption is made of numbers, `true`, `false`, parameters of the test and operators",
    )
}
