//! What code can see and may do at a place, and the types that variables and payloads have.

use crate::p_tree::tree::Type;
use crate::rng::Rng;

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) parameters: Vec<Type>,
    pub(super) result: Option<Type>,
    /// Whether it can go to another state or raise an event.
    pub(super) leaves: bool,
    /// Whether it does more than specs may.
    pub(super) acts: bool,
}

/// What can be seen and done.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a permission of its own")]
pub(super) struct Scope {
    pub(super) variables: Vec<(String, Type)>,
    /// Variables that count the rounds of a loop, or hold its elements: they are only read.
    pub(super) kept: Vec<String>,
    /// Variables that were declared for the function.
    pub(super) locals: Vec<(String, Type)>,
    /// States and what their entries ask for.
    pub(super) states: Vec<(String, Option<Type>)>,
    pub(super) callable: Vec<Callable>,
    pub(super) is_spec: bool,
    pub(super) may_leave: bool,
    pub(super) may_wait: bool,
    pub(super) in_loop: bool,
    pub(super) may_return: bool,
    /// Whether other machines can be met: there is `peer`.
    pub(super) has_peer: bool,
}

impl Scope {
    /// The variables of a type.
    pub(super) fn of(&self, kind: &Type) -> Vec<String> {
        self.that(|it| it == kind).into_iter().map(|it| it.0).collect()
    }

    /// The variables of some types.
    pub(super) fn that(&self, wanted: impl Fn(&Type) -> bool) -> Vec<(String, Type)> {
        self.variables.iter().filter(|it| wanted(&it.1)).cloned().collect()
    }

    /// The same, if they can be assigned to.
    pub(super) fn assignable(&self, wanted: impl Fn(&Type) -> bool) -> Vec<(String, Type)> {
        let mut found = self.that(wanted);
        found.retain(|it| !self.kept.contains(&it.0));
        found
    }
}

fn pair() -> Type {
    Type::Tuple(vec![Type::Int, Type::Bool])
}

fn list() -> Type {
    Type::Seq(Box::new(Type::Int))
}

/// A named tuple with a machine: what many events carry.
pub(super) fn note() -> Type {
    Type::Named(vec![("who".to_owned(), Type::Machine), ("n".to_owned(), Type::Int)])
}

/// The type of a variable.
pub(super) fn variable_type(rng: &mut Rng) -> Type {
    match rng.below(100) {
        0..26 => Type::Int,
        26..34 => Type::Bool,
        34..39 => Type::Colour,
        39..44 => Type::Machine,
        44..49 => Type::Event,
        49..57 => Type::Any,
        57..62 => pair(),
        62..66 => note(),
        66..74 => list(),
        74..80 => Type::Set(Box::new(Type::Int)),
        80..86 => Type::Map(Box::new(Type::Int), Box::new(Type::Int)),
        86..90 => Type::Seq(Box::new(pair())),
        90..94 => Type::Map(Box::new(Type::Bool), Box::new(list())),
        94..97 => Type::Named(vec![("all".to_owned(), list()), ("m".to_owned(), Type::Machine)]),
        _ => Type::Set(Box::new(pair())),
    }
}

/// What an event carries.
pub(super) fn payload_type(rng: &mut Rng) -> Option<Type> {
    Some(match rng.below(100) {
        0..40 => return None,
        40..58 => Type::Int,
        58..66 => Type::Machine,
        66..74 => pair(),
        74..84 => note(),
        84..91 => list(),
        91..96 => Type::Any,
        _ => Type::Map(Box::new(Type::Bool), Box::new(list())),
    })
}

/// What a machine other than the main one is given when it is created: always somebody to send to.
pub(super) fn start_type(rng: &mut Rng) -> Type {
    match rng.below(3) {
        0 => Type::Machine,
        1 => Type::Tuple(vec![Type::Machine, Type::Int]),
        _ => note(),
    }
}
