//! Findings and reasons in the user's words.

use std::collections::BTreeSet;

use qp_base::names::grouped;
use qp_base::{Code, Exhausted, Span};
use qp_check::{Finding, Run};
use qp_claim::{Proof, Rank, RankGoal, Reason, Round, Rounds};
use qp_engines::{Remark, Stated};
use qp_machines::{
    Capacity, Config, Discipline, Failure, Happens, MachineId, Outline, Property, QueueId,
    QueueKind, Says, Suspect, System,
};

use crate::Loaded;
use crate::names::Names;
use crate::report::{Explored, Location, SituationReport};

/// A finding or a reason, ready for a report.
pub(crate) struct Saying {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) span: Option<Span>,
    /// The machine it is about, if it is about one.
    pub(crate) machine: Option<MachineId>,
}

/// What a proof is about.
pub(crate) fn proved(outline: &Outline, property: Property, proof: &Proof, fair: bool) -> String {
    if let (Property::Sync, Some(sends)) = (property, sends(proof)) {
        let weakly = match outline.discipline {
            Discipline::Mailbox => {
                "; weakly: with mailboxes the rounds one after the other need not be a run"
            }
            Discipline::PeerToPeer | Discipline::Channels => "",
        };
        return format!(
            "every run has the chart of rounds of at most k sends followed by their receives (k = {sends}){weakly}"
        );
    }
    match proof {
        Proof::Sends(pairs) => match pairs.bound {
            0 => "every conversation that is possible with unlimited queues is possible if each message is received at once".to_owned(),
            k => format!("with queues of length {k} every conversation is possible that is possible with unlimited queues"),
        },
        _ if property.is_over_sends(outline) => {
            let fair = if fair { " that is fair to every machine" } else { "" };
            format!(
                "for every queue length, on every run{fair} with infinitely many sends; no finite run refutes it"
            )
        }
        _ if property.is_live(outline) => {
            "for every queue length, on every run that is fair to machines and choices".to_owned()
        }
        Proof::Rank(rank) => format!("for every queue length{}", way_out(outline, property, rank)),
        _ if fair => "for every queue length, on every run that is fair to every machine".to_owned(),
        _ => "for every queue length".to_owned(),
    }
}

/// Which queues are emptied on the way to what can always still happen, as strategies weigh them.
fn way_out(outline: &Outline, property: Property, rank: &Rank) -> String {
    let is_about = |goal: &RankGoal| match (property, goal) {
        (Property::Stuck | Property::Deadlock, RankGoal::Moves(_))
        | (Property::Orphan, RankGoal::Takes(_) | RankGoal::Finds(..)) => true,
        (Property::Possible(number), &RankGoal::Happens(goal)) => number == goal as usize,
        (Property::Unhandled, goal) => !matches!(goal, RankGoal::Happens(_)),
        _ => false,
    };
    let goals = rank.goals.iter().filter(|it| is_about(&it.goal));
    let weights = goals.flat_map(|it| &it.stages).flat_map(|stage| &stage.weights);
    let queues: BTreeSet<u32> = weights.filter(|it| it.2 > 0).map(|it| it.0).collect();
    let names: Vec<String> =
        queues.into_iter().map(|queue| outline.queue_text(QueueId::from_raw(queue))).collect();
    match &names[..] {
        [] => String::new(),
        names => format!(", by receiving what is in {}", names.join(" or ")),
    }
}

/// That a proof is what a search says that nobody has done again, and what to raise.
pub(crate) fn searched(exhausted: Exhausted) -> String {
    format!("; searched, not re-checked: {}", limit_met(exhausted))
}

/// What is wrong at the end of a run.
pub(crate) fn finding(system: &System, run: &Run, finding: Finding) -> Saying {
    if let Finding::Forever { property, from } = finding {
        return forever(system.program().outline(), property, from, run.outcomes.len());
    }
    moment(system, &Names::of_run(system, run), run.last(), finding)
}

/// What is wrong with a run that repeats the last of its steps for ever, those after the first `from`; if there
/// are none, it has ended.
fn forever(outline: &Outline, property: Property, from: usize, last: usize) -> Saying {
    let first = from + 1;
    let run = match last {
        0 => "nothing can move".to_owned(),
        _ if first > last => format!("the run ends after step {last}"),
        _ if first == last => format!("the run repeats step {last} for ever"),
        _ => format!("the run repeats steps {first} to {last} for ever"),
    };
    let ltl = match property {
        Property::Ltl(number) => outline.ltl.get(number),
        _ => None,
    };
    let (code, what) = match (property, ltl.map(|ltl| (&ltl.name, &ltl.says))) {
        (Property::Livelock, _) => (Code(1032), "and never makes progress".to_owned()),
        (Property::Accept, _) if first > last => {
            (Code(1033), "where a machine is marked as accepting".to_owned())
        }
        (Property::Accept, _) => {
            (Code(1033), "and passes accepting states again and again".to_owned())
        }
        (property, Some((name, _))) if property.is_live(outline) && first > last => {
            (Code(1039), format!("while {name} is in a hot state"))
        }
        (property, Some((name, _))) if property.is_live(outline) => {
            (Code(1039), format!("and {name} stays hot"))
        }
        (_, Some((name, Says::Never(_)))) => {
            (Code(1031), format!("and is one that {name} says never happens"))
        }
        (_, Some((name, Says::Formula(_)))) => (Code(1031), format!("and violates {name}")),
        (_, None) => (Code(1031), "and violates the formula".to_owned()),
    };
    let fair = match (outline.is_fair(property), property.is_live(outline)) {
        // A run that ends leaves nobody out.
        (_, true) if first > last => "",
        (_, true) => "; the run is fair to machines and choices",
        (true, false) => "; the run is fair to every machine",
        (false, false) => "",
    };
    let message = format!("{run} {what}{fair}");
    Saying { code, message, span: ltl.map(|ltl| ltl.span), machine: None }
}

/// What can never happen again from a configuration.
fn never_again(system: &System, names: &Names, config: &Config, finding: Finding) -> Saying {
    let outline = system.program().outline();
    match finding {
        Finding::Stuck { machine } => {
            let (place, span) = place(system, names, config, machine);
            let message = format!("{place} and can never move again");
            Saying { code: Code(1004), message, span, machine: Some(machine) }
        }
        Finding::Orphan { queue } => {
            let messages = system.words().messages(config.word(queue));
            let text = messages.first().map(|&m| system.program().message_shown(m));
            let name = names.queue(queue);
            let text = text.unwrap_or_default();
            let message = format!("{text}, in the queue {name}, can never be received");
            let machine = names.reader(queue);
            Saying { code: Code(1005), message, span: queue_span(outline, queue), machine }
        }
        Finding::Impossible { number } => {
            let possible = &outline.possible[number];
            let message = match &possible.what {
                Happens::Control(machine, state) => {
                    format!("{machine} can never be in {state} again")
                }
                Happens::Received(_) => format!("{} can never be received again", possible.name),
            };
            Saying { code: Code(1040), message, span: None, machine: None }
        }
        _ => unreachable!("bug in Queueproof: {finding:?} is about one moment"),
    }
}

/// What is wrong with a configuration.
pub(crate) fn moment(system: &System, names: &Names, config: &Config, finding: Finding) -> Saying {
    let outline = system.program().outline();
    let at = |machine| place(system, names, config, machine);
    match finding {
        Finding::Failed { machine, failure } => {
            // The failing step leaves the configuration as it is.
            let Failure { property, code, text, span } = system.program().failure(failure);
            let place = at(machine).0;
            let message = match property {
                Property::Assert => format!("{place} and fails: {text}"),
                _ => format!("{place}: {text}"),
            };
            Saying { code, message, span: span.or(at(machine).1), machine: Some(machine) }
        }
        Finding::Unhandled { machine, queue, message } => {
            let text = system.program().message_shown(message);
            let first = system.words().messages(config.word(queue)).first() == Some(&message);
            let which = if first { "the first message" } else { "the first message not deferred" };
            let owner = queue_phrase(names, queue, machine);
            let message = format!("{} and cannot receive {text}, {which} {owner}", at(machine).0);
            Saying { code: Code(1001), message, span: at(machine).1, machine: Some(machine) }
        }
        Finding::Deadlock { machine } => {
            let waiting =
                config.machines().filter(|&m| !system.program().may_rest(m, config.local(m)));
            let list: Vec<String> = waiting.map(|m| at(m).0).collect();
            let message = format!("nothing can move: {}", list.join(", "));
            Saying { code: Code(1003), message, span: at(machine).1, machine: None }
        }
        Finding::Stuck { .. } | Finding::Orphan { .. } | Finding::Impossible { .. } => {
            never_again(system, names, config, finding)
        }
        Finding::Bad { number } => {
            let bad = &outline.bad[number];
            let message = format!("the bad situation {} is reached", bad.name);
            Saying { code: Code(1006), message, span: Some(bad.span), machine: None }
        }
        Finding::Long { queue, messages } => {
            let name = names.queue(queue);
            let message = format!("the queue {name} holds {messages} messages");
            let machine = names.reader(queue);
            Saying { code: Code(2001), message, span: queue_span(outline, queue), machine }
        }
        Finding::Crosses { machine, received, sent } => {
            let text = |message| system.program().message_shown(message);
            let (received, sent, name) = (text(received), text(sent), names.machine(machine));
            let message = format!(
                "{received} and {sent} cross: {name} receives {received} before it sends {sent}, and both depend on \
                 each other; they cannot be put into rounds of sends followed by their receives, however large"
            );
            Saying { code: Code(1036), message, span: None, machine: Some(machine) }
        }
        // A moment has no steps to speak of.
        Finding::Forever { property, .. } => forever(outline, property, 0, 0),
        Finding::NoLength { queue } => {
            let name = names.queue(queue);
            let message = format!(
                "no finite queue is enough: the longer the part that repeats, the more messages the queue {name} must hold"
            );
            let machine = names.reader(queue);
            Saying { code: Code(1037), message, span: queue_span(outline, queue), machine }
        }
        Finding::Grows { queue } => {
            let name = names.queue(queue);
            let message = format!("the queue {name} grows for ever: no capacity is enough");
            let machine = names.reader(queue);
            Saying { code: Code(2001), message, span: queue_span(outline, queue), machine }
        }
    }
}

/// What is stated about a queue is false.
pub(crate) const BROKEN: Code = Code(1038);

/// What somebody stated about queues, and what a queue holds at the end of a run that breaks it.
pub(crate) fn broken(system: &System, run: &Run, queue: QueueId, stated: &Stated) -> Saying {
    let names = Names::of_run(system, run);
    let messages = system.words().messages(run.last().word(queue));
    let texts = messages.iter().map(|&message| system.program().message_shown(message));
    let content = match texts.collect::<Vec<String>>().join(" ") {
        empty if empty.is_empty() => "nothing".to_owned(),
        content => content,
    };
    let Stated { about, formula } = stated;
    let message = format!(
        "{about}: {formula} is false; the queue {} holds {content}, front first",
        names.queue(queue)
    );
    Saying { code: BROKEN, message, span: None, machine: names.reader(queue) }
}

/// How many sends a round may have, if the proof is about rounds.
pub(crate) fn sends(proof: &Proof) -> Option<u32> {
    let Proof::Exchange(exchange) = proof else { return None };
    Some(match exchange.rounds {
        Rounds::Single(_) => 1,
        Rounds::UpTo { sends, .. } => sends,
    })
}

/// "Server is in Granted" or "P(0) is at line 12", and where that is written.
fn place(
    system: &System,
    names: &Names,
    config: &Config,
    machine: MachineId,
) -> (String, Option<Span>) {
    let name = names.machine(machine);
    let Some(&local) = config.locals.get(machine.index()) else {
        return (format!("{name} has ended"), None);
    };
    let control = system.program().control_name(machine, local);
    // Processes of Promela models have places, and no states.
    let at = if system.program().outline().language == "promela" { "at" } else { "in" };
    (format!("{name} is {at} {control}"), Some(system.program().control_span(machine, local)))
}

fn queue_span(outline: &Outline, queue: QueueId) -> Option<Span> {
    outline.queues.get(queue).map(|info| info.span)
}

fn queue_phrase(names: &Names, queue: QueueId, machine: MachineId) -> String {
    let name = names.queue(queue);
    if name == names.machine(machine) {
        "in its queue".to_owned()
    } else {
        format!("in the queue {name}")
    }
}

/// How far it got, in a few words, for a reason that says more.
pub(crate) fn gist(
    property: Property,
    reason: &Reason,
    visited: Option<Explored>,
    outline: &Outline,
) -> Option<String> {
    match reason {
        Reason::BoundReached { bound, .. } => Some(nothing_up_to(property, *bound, outline)),
        Reason::Budget { bound, .. } => Some(match visited.map_or(0, |explored| explored.states) {
            0 => nothing_up_to(property, *bound, outline),
            states => nothing_among(property, *bound, states),
        }),
        Reason::Assumes { .. } => {
            Some("not proved: it rests on an invariant that is not proved".to_owned())
        }
        Reason::InTheWay { .. } => {
            Some("not proved: a situation is in the way that was not reached".to_owned())
        }
        Reason::NoWay { .. } => {
            Some("not proved: no way on was found from a position that was not reached".to_owned())
        }
        Reason::NotThisProperty
        | Reason::Sends { .. }
        | Reason::Program { .. }
        | Reason::Unchecked { .. }
        | Reason::EvidenceTooLarge { .. }
        | Reason::Rounds { .. }
        | Reason::OutsideFragment { .. } => None,
    }
}

/// Where it is written what stands in the way of an answer.
pub(crate) fn obstacle(reason: &Reason) -> Option<Span> {
    match reason {
        Reason::Budget { suspect, .. } => suspect.as_ref().map(|suspect| suspect.span),
        Reason::Program { span, .. } => *span,
        Reason::Rounds { rounds, .. } => {
            rounds.first().and_then(|round| round.steps.first()).map(|(_, span)| *span)
        }
        Reason::BoundReached { .. }
        | Reason::NotThisProperty
        | Reason::Unchecked { .. }
        | Reason::Sends { .. }
        | Reason::Assumes { .. }
        | Reason::InTheWay { .. }
        | Reason::NoWay { .. }
        | Reason::EvidenceTooLarge { .. }
        | Reason::OutsideFragment { .. } => None,
    }
}

/// Why there is no answer: code and one line.
pub(crate) fn reason(
    loaded: &Loaded,
    names: &Names,
    property: Property,
    reason: &Reason,
) -> (Code, String) {
    match reason {
        Reason::BoundReached { bound, queues } => {
            let names: Vec<String> = queues.iter().map(|&q| names.queue(q)).collect();
            let longer = match names.len() {
                0 => String::new(),
                1 => format!("; the queue {} can grow longer", names[0]),
                _ => format!("; the queues {} can grow longer", names.join(", ")),
            };
            let nothing = nothing_up_to(property, *bound, loaded.model.outline());
            (Code(3001), format!("{nothing}{longer}"))
        }
        Reason::Budget { exhausted, bound, suspect } => {
            let what = limit_met(*exhausted);
            let nothing = nothing_up_to(property, *bound, loaded.model.outline());
            match suspect {
                None => (Code(3002), format!("{what}; {nothing}")),
                Some(Suspect { text, .. }) => {
                    (Code(3007), format!("{what}; {text} and may take more and more; {nothing}"))
                }
            }
        }
        Reason::Unchecked { exhausted } => {
            let what = limit_met(*exhausted);
            let more = match exhausted {
                Exhausted::Time => "; --time allows more",
                Exhausted::Memory => "; --memory allows more",
                Exhausted::States | Exhausted::Cancelled => "",
            };
            (Code(3015), format!("an answer was found, but not checked: {what}{more}"))
        }
        Reason::Program { text, .. } => (Code(3006), format!("the interpreter gave up: {text}")),
        Reason::NotThisProperty => (Code(3003), "no engine of this version answers it".to_owned()),
        Reason::EvidenceTooLarge { configurations } => {
            let text = format!(
                "the evidence has {configurations} configurations, too many to be re-checked"
            );
            (Code(3004), text)
        }
        Reason::OutsideFragment { because } => (Code(3005), because.clone()),
        Reason::NoWay { text } => (Code(3009), text.clone()),
        Reason::Sends { lengths, exhausted } => (Code(3013), lengths_compared(lengths, *exhausted)),
        Reason::Rounds { what, rounds } => {
            (Code(3010), format!("{what}, by {}", told(loaded, rounds)))
        }
        Reason::Assumes { invariants } => {
            let list: Vec<String> =
                invariants.iter().map(|(about, formula)| format!("{about}: {formula}")).collect();
            let these = if list.len() == 1 { "this does, which is" } else { "these do, which are" };
            (Code(3008), format!("it holds if {these} not proved: {}", list.join("; ")))
        }
        // The situation itself is told by `situation`.
        Reason::InTheWay { .. } => {
            (Code(3009), "a situation is in the way that may be impossible".to_owned())
        }
    }
}

/// Which limit it was.
fn limit_met(exhausted: Exhausted) -> &'static str {
    match exhausted {
        Exhausted::Time => "the time is up",
        Exhausted::Memory => "the memory limit is met",
        Exhausted::States => "the limit on configurations is met",
        Exhausted::Cancelled => "interrupted",
    }
}

/// The most sends that are told in one line.
const SENDS_MAX: usize = 12;

/// What is known about sequences of sends, in one line.
fn lengths_compared(lengths: &[Option<Vec<String>>], exhausted: Option<Exhausted>) -> String {
    let not_enough = lengths.iter().enumerate().filter(|(_, word)| word.is_some());
    let not_enough: Vec<String> = not_enough.map(|(length, _)| length.to_string()).collect();
    let known = match lengths.iter().flatten().next_back() {
        None if lengths.is_empty() => "no two queue lengths were compared".to_owned(),
        None => format!("queues of length 0 to {} all allow the same sends", lengths.len()),
        Some(word) => {
            let told =
                word.iter().take(SENDS_MAX).map(String::as_str).collect::<Vec<&str>>().join(" ");
            let more = match word.len() {
                n if n > SENDS_MAX => format!(" ... ({n} in all)"),
                _ => String::new(),
            };
            let these = not_enough.join(", ");
            format!(
                "queues of length {these} are not enough; the last of them does not allow the sends {told}{more}"
            )
        }
    };
    let why = match exhausted {
        None => "whether longer ones are enough is open",
        Some(Exhausted::Time) => "then the time was up",
        Some(Exhausted::Memory) => "then the memory limit was met",
        Some(Exhausted::States) => "then the limit on configurations was met",
        Some(Exhausted::Cancelled) => "then it was interrupted",
    };
    format!("{known}; {why}")
}

/// The most rounds, the most steps of one, and the most states that are told in one line.
const TOLD_MAX: usize = 4;

/// Rounds in one line.
fn told(loaded: &Loaded, rounds: &[Round]) -> String {
    let one = |round: &Round| {
        let first = round.steps.first().map(|(_, span)| location(loaded, *span).line);
        let line = first.map_or_else(String::new, |line| format!(" (line {line})"));
        let steps = round.steps.iter().take(TOLD_MAX).map(|(text, _)| text.as_str());
        let steps = steps.collect::<Vec<&str>>().join(", ");
        let more = if round.steps.len() > TOLD_MAX { ", ..." } else { "" };
        let times = match round.times.as_str() {
            "1" => "once".to_owned(),
            times => format!("{times} times"),
        };
        format!("from {}{line}: {steps}{more} ({times})", round.from)
    };
    let shown: Vec<String> = rounds.iter().take(TOLD_MAX).map(one).collect();
    let more = match rounds.len().saturating_sub(TOLD_MAX) {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    format!("rounds {}{more}", shown.join("; "))
}

/// What is in the way, in one line. It may be on the way to what is wrong, and not wrong itself.
pub(crate) fn in_the_way(situation: &SituationReport, bound: u32) -> String {
    let what =
        if situation.fault.is_empty() { where_it_is(situation) } else { situation.fault.clone() };
    let reached = match bound {
        0 => "not reached".to_owned(),
        _ => format!("not reached up to queue length {bound}"),
    };
    format!("in the way: {what}; {reached}")
}

/// Who has something in its queue, or where everybody is.
fn where_it_is(situation: &SituationReport) -> String {
    let queues = situation.queues.iter().map(|queue| {
        let content = queue.content.join(" ");
        let mut machines = situation.machines.iter();
        match machines.find(|machine| queue.reader.as_ref() == Some(&machine.name)) {
            Some(machine) => format!("{} is in {}, queue {content}", machine.name, machine.state),
            None => format!("queue {}: {content}", queue.name),
        }
    });
    let queues: Vec<String> = queues.collect();
    if !queues.is_empty() {
        return queues.join("; ");
    }
    let machines = situation.machines.iter();
    let machines = machines.map(|machine| format!("{} is in {}", machine.name, machine.state));
    format!("{}; all queues are empty", machines.collect::<Vec<String>>().join(", "))
}

/// What it is worth that so many configurations were visited and not all: most properties were looked at in each of
/// them, but some need them all together.
fn nothing_among(property: Property, bound: u32, states: u64) -> String {
    let states = match states {
        1 => "one configuration".to_owned(),
        _ => format!("{} configurations", grouped(states)),
    };
    match (property, bound) {
        (
            Property::Assert
            | Property::Unhandled
            | Property::Deadlock
            | Property::Divergence
            | Property::Reach(_),
            _,
        ) => match bound {
            0 => format!("no violation in {states}; there are more"),
            _ => format!("no violation in {states}, all up to queue length {bound}"),
        },
        (_, 0) => format!("open after {states}; there are more"),
        _ => format!("no violation up to queue length {bound}, open after {states}"),
    }
}

fn nothing_up_to(property: Property, bound: u32, outline: &Outline) -> String {
    let endless = |kind: &QueueKind| kind.capacity == Capacity::Unbounded;
    match (property, bound) {
        (Property::Sync, 0) => "no size of rounds was tried completely".to_owned(),
        (Property::Sync, _) => format!("not shown for rounds of up to {bound} sends"),
        (_, 0) if !outline.kinds.iter().any(endless) => "not everything was explored".to_owned(),
        (_, 0) => "no queue length was explored completely".to_owned(),
        (Property::Bounded | Property::Length(..), _) => {
            format!("no bound found up to queue length {bound}")
        }
        _ => format!("no violation up to queue length {bound}"),
    }
}

/// What an engine noticed, and where.
pub(crate) fn remark(loaded: &Loaded, remark: &Remark) -> String {
    format!("line {}: {}", location(loaded, remark.span).line, remark.text)
}

/// A place in the user's text.
pub(crate) fn location(loaded: &Loaded, span: Span) -> Location {
    let (start, end) = (loaded.source.place(span.start), loaded.source.place(span.end));
    Location {
        file: loaded.source.file(span.start).name.to_owned(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

#[cfg(test)]
mod tests;
