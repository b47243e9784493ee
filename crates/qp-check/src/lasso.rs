//! Runs that repeat their last steps for ever.

use qp_automata::Lasso;
use qp_machines::{Config, Letter, MachineId, Outcome, Property, Says, System};

use crate::faults::{Finding, Found};
use crate::{Rejected, Run};

/// Checks that the steps of `run` from number `from` on can be repeated for ever, and that the infinite run
/// that this makes violates the property. If there are no such steps, the run must have ended: it stays
/// where it is.
pub(crate) fn check(
    system: &mut System,
    property: Property,
    run: &Run,
    from: usize,
) -> Result<Found, Rejected> {
    if run.outcomes.iter().any(Outcome::is_end) {
        return Err(Rejected("the run ends in a failure".to_owned()));
    }
    let n_steps = run.outcomes.len();
    let ended = from == n_steps && system.successors(run.last()).is_empty();
    if !ended && (from >= n_steps || run.after(from) != run.last()) {
        return Err(Rejected("the run does not come back to where its loop begins".to_owned()));
    }
    let word = Lasso::new(n_steps + usize::from(ended), from).expect("there is a step, or an end");
    if !is_wrong(system, property, run, word)? {
        return Ok(Found::No);
    }
    if system.program().outline().fair && !ended {
        check_fair(system, run, from)?;
    }
    Ok(Found::Yes(Finding::Forever { property, from }))
}

/// Checks that a run violates the property whose steps from number `from` on are known to repeat for ever, with longer and
/// longer queues. Progress is a matter of local states, and these come again.
pub(crate) fn check_pump(
    system: &mut System,
    property: Property,
    run: &Run,
    from: usize,
) -> Result<Found, Rejected> {
    if system.program().outline().fair {
        return Err(Rejected("with longer queues more machines may be able to move".to_owned()));
    }
    let word = Lasso::new(run.outcomes.len(), from).expect("the loop has steps");
    let wrong = is_wrong(system, property, run, word)?;
    Ok(if wrong { Found::Yes(Finding::Forever { property, from }) } else { Found::No })
}

/// A formula is asked directly, anything else by its automaton.
fn is_wrong(
    system: &mut System,
    property: Property,
    run: &Run,
    word: Lasso,
) -> Result<bool, Rejected> {
    let outline = system.program().outline();
    let says = match property {
        Property::Ltl(number) => outline.ltl.get(number).map(|ltl| ltl.says.clone()),
        _ => outline.wrong_runs(property).map(Says::Never),
    };
    let mut truth = |number: usize, letter: &Letter| {
        let event = run.outcomes.get(number).map(|outcome| outcome.event);
        system.reads(letter, run.after(number), event)
    };
    match says {
        Some(Says::Formula(formula)) => Ok(!formula.holds_on(word, &mut truth)),
        Some(Says::Never(automaton)) => Ok(automaton.accepts(word, &mut truth)),
        None => Err(Rejected("there is no such property of infinite runs".to_owned())),
    }
}

/// Every machine moves in the loop, or cannot move somewhere in it.
fn check_fair(system: &mut System, run: &Run, from: usize) -> Result<(), Rejected> {
    let cycle = &run.outcomes[from..];
    let n_machines = cycle.iter().map(|outcome| outcome.config.locals.len()).max().unwrap_or(0);
    for machine in (0..n_machines).map(MachineId::new) {
        let moves = |outcome: &Outcome| outcome.movers().contains(&machine);
        // Who only answers others cannot move by itself.
        let own = |outcome: &Outcome| outcome.step.machine == machine;
        let mut waits = |config: &Config| !system.successors(config).iter().any(own);
        if !cycle.iter().any(|outcome| moves(outcome) || waits(&outcome.config)) {
            let who = machine.raw();
            return Err(Rejected(format!("the loop is not fair: machine {who} never moves")));
        }
    }
    Ok(())
}
