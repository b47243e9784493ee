//! Whether handlers take what their events carry.

use qp_base::{Complaints, Diagnostic, Span};
use qp_program::{FunctionId, Handler};

use super::{Event, Function, Machine, Reaction, World};
use crate::codes;
use crate::lower::shown;
use crate::types::Ty;

/// Checks all handlers of a machine.
pub(super) fn check(world: &World<'_>, machine: &Machine<'_>, out: &mut Complaints) {
    for state in &machine.states {
        for reaction in &state.handlers {
            let event = &world.events[reaction.event];
            match reaction.handler {
                Handler::Defer | Handler::Ignore => {}
                Handler::Do(function) => {
                    taken(event, reaction, &world.functions[function], "its handler", out);
                }
                Handler::Goto(target, with) => {
                    let entry = machine.states[target].entry;
                    if let Some(with) = with {
                        taken(event, reaction, &world.functions[with], "the `with` function", out);
                    }
                    entered(world, machine, event, reaction, (target, entry), out);
                }
                Handler::Push(target) => {
                    let entry = machine.states[target].entry;
                    entered(world, machine, event, reaction, (target, entry), out);
                }
            }
        }
    }
}

fn entered(
    world: &World<'_>,
    machine: &Machine<'_>,
    event: &Event<'_>,
    reaction: &Reaction,
    (target, entry): (qp_program::StateId, Option<FunctionId>),
    out: &mut Complaints,
) {
    if let Some(entry) = entry {
        let what = format!("the entry of `{}`", machine.states[target].ast.name.text);
        taken(event, reaction, &world.functions[entry], &what, out);
    }
}

/// A function without a parameter takes everything.
fn taken(
    event: &Event<'_>,
    reaction: &Reaction,
    function: &Function<'_>,
    what: &str,
    out: &mut Complaints,
) {
    let Some((param, wanted)) = function.params.first().filter(|_| function.params.len() == 1)
    else {
        return;
    };
    if wanted.takes(&event.payload) {
        return;
    }
    let (payload, wanted) = (shown(&event.payload), shown(wanted));
    let message = format!("`{}` carries {payload}, but {what} takes {wanted}", event.name);
    let diagnostic = Diagnostic::error(codes::PAYLOAD, message, reaction.span)
        .also(param.span, "taken here")
        .help(match event.payload.bare() {
            Ty::Tuple(types) if types.len() == 1 => {
                "the event carries a tuple with one field: take \
                                                     the tuple and use its `.0`"
            }
            _ => "change the type of the parameter, or of the event",
        });
    let declared = event.span != Span::default();
    out.push(if declared { diagnostic.also(event.span, "declared here") } else { diagnostic });
}
