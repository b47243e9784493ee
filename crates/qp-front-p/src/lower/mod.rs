//! From declarations to a blueprint. Every function is checked and flattened in one go; what the chosen
//! test case does not reach is left out at the end.

mod frame;
mod statement;
mod loops;
mod collection;
mod message;
mod place;
mod expression;
mod primary;
mod access;
mod operator;
mod call;
mod check;
mod program;

use std::collections::BTreeMap;

use qp_base::{Complaints, IndexVec};
use qp_program::{Dialect, Function, FunctionId, Value};

use crate::rules::{self, Facts};
use crate::world::World;

pub(crate) use check::shown;
pub(crate) use program::{Linking, link};

/// What every function is checked against.
pub(crate) struct Context<'w, 't> {
    pub(crate) world: &'w World<'t>,
    pub(crate) dialect: Dialect,
    /// What the test case says about the `param` variables.
    pub(crate) params: BTreeMap<String, Value>,
}

/// All functions, flattened.
pub(crate) struct Flattened {
    pub(crate) functions: IndexVec<FunctionId, Function>,
    pub(crate) facts: IndexVec<FunctionId, Facts>,
}

/// Checks and flattens all functions, also those of machines that nothing creates.
pub(crate) fn flatten(context: &Context<'_, '_>, out: &mut Complaints) -> Flattened {
    let (mut functions, mut facts) = (IndexVec::new(), IndexVec::new());
    for id in context.world.functions.ids() {
        let mut frame = frame::Frame::new(context, id, out);
        if let Some(body) = context.world.functions[id].body {
            frame.stmts(&body.stmts);
        }
        let (function, fact) = frame.finish();
        functions.push(function);
        facts.push(fact);
    }
    rules::check(context.world, &facts, out);
    Flattened { functions, facts }
}
