//! Runs that repeat their last steps for ever.

use qp_automata::Lasso;
use qp_machines::{Config, Letter, MachineId, Outcome, Property, Says, System};

use crate::ends::Found;
use crate::faults::Finding;
use crate::{Checked, Run, heat, wrong};

/// Checks that the steps of `run` from number `from` on can be repeated for ever, and that the infinite run
/// that this makes violates the property. If there are no such steps, the run must have ended: it stays
/// where it is.
pub(crate) fn check(
    system: &mut System,
    property: Property,
    run: &Run,
    from: usize,
) -> Checked<Found> {
    if run.outcomes.iter().any(Outcome::is_end) {
        return wrong("the run ends in a failure");
    }
    let n_steps = run.outcomes.len();
    let ended = from == n_steps && system.successors(run.last()).is_empty();
    if !ended && (from >= n_steps || run.after(from) != run.last()) {
        return wrong("the run does not come back to where its loop begins");
    }
    let word = Lasso::new(n_steps + usize::from(ended), from).expect("there is a step, or an end");
    if !is_wrong(system, property, run, word, false)? {
        return Ok(Found::No);
    }
    let outline = system.program().outline();
    let (fair, live) = (outline.is_fair(property), property.is_live(outline));
    if fair && !ended {
        let waits = |config: &Config, machine| {
            // Who only answers others cannot move by itself.
            let own = |outcome: &Outcome| outcome.step.machine == machine;
            !system.successors(config).iter().any(own)
        };
        let why = |it: MachineId| format!("the loop is not fair: machine {} never moves", it.raw());
        check_fair(run, from, waits, why)?;
    }
    if live && !ended {
        heat::check_choices(system, run, from)?;
    }
    Ok(Found::Yes(Finding::Forever { property, from }))
}

/// Checks that a run violates the property whose steps from number `from` on are known to repeat for ever, with longer and
/// longer queues. Each turn has the local states and the events of the first one, and what is asked about must be a
/// matter of these: then what is true at a place of the first turn is true there in every turn, and the run says the
/// same as one that comes back to where it was.
pub(crate) fn check_pump(
    system: &mut System,
    property: Property,
    run: &Run,
    from: usize,
) -> Checked<Found> {
    if property.is_live(system.program().outline()) {
        return wrong("choices may be others as queues grow");
    }
    let word = Lasso::new(run.outcomes.len(), from).expect("the loop has steps");
    if !is_wrong(system, property, run, word, true)? {
        return Ok(Found::No);
    }
    if system.program().outline().fair {
        // It must have nothing at all that it could do, whatever queues hold: with longer queues a machine that waits may
        // be able to move.
        let rests = |config: &Config, machine| system.never_moves(config, machine);
        let why = |_| "with longer queues more machines may be able to move".to_owned();
        check_fair(run, from, rests, why)?;
    }
    Ok(Found::Yes(Finding::Forever { property, from }))
}

/// A formula is asked directly, anything else by its automaton. If queues grow, conditions of the program must not
/// matter: they may look at queues.
fn is_wrong(
    system: &mut System,
    property: Property,
    run: &Run,
    word: Lasso,
    grows: bool,
) -> Checked<bool> {
    let outline = system.program().outline();
    let says = outline.says(property);
    let mut looks = false;
    let mut truth = |number: usize, letter: &Letter| {
        looks |= matches!(letter, Letter::Holds(_));
        let event = run.outcomes.get(number).map(|outcome| outcome.event);
        system.reads(letter, run.after(number), event)
    };
    let is_wrong = match says {
        Some(Says::Formula(formula)) => !formula.holds_on(word, &mut truth),
        Some(Says::Never(automaton)) => automaton.accepts(word, &mut truth),
        None => return wrong("there is no such property of infinite runs"),
    };
    if grows && looks {
        return wrong("a condition may change as queues grow");
    }
    Ok(is_wrong)
}

/// Every machine moves in the loop, or waits somewhere in it.
fn check_fair(
    run: &Run,
    from: usize,
    mut waits: impl FnMut(&Config, MachineId) -> bool,
    why: impl Fn(MachineId) -> String,
) -> Checked<()> {
    let cycle = &run.outcomes[from..];
    let n_machines = cycle.iter().map(|outcome| outcome.config.locals.len()).max().unwrap_or(0);
    for machine in (0..n_machines).map(MachineId::new) {
        let moves = |outcome: &Outcome| outcome.movers().contains(&machine);
        if !cycle.iter().any(|outcome| moves(outcome) || waits(&outcome.config, machine)) {
            return wrong(why(machine));
        }
    }
    Ok(())
}
