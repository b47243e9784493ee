//! Making sets of lists without any engine.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_check::Referee;
use qp_claim::{ABSENT, Claim, ClosedSet, Content, ListSet, Proof, QueueInvariant};
use qp_machines::{
    Config, Event, KindId, MachineId, Model, Property, QueueId, Qutl, System, WordId,
};

const ROWS_MAX: usize = 3_000;

/// A row in words: local states, then for each queue its kind and messages (none if it is closed), then
/// the store and the holder.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Row {
    pub(crate) locals: Vec<String>,
    pub(crate) queues: Vec<(u32, Option<Vec<String>>)>,
    pub(crate) store: String,
    pub(crate) holder: u32,
}

/// A row of a system whose queues are all of one kind: `"S T"` and one text per queue.
pub(crate) fn row(locals: &str, queues: &[&str]) -> Row {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let queues = queues.iter().map(|text| (0, Some(words(text)))).collect();
    Row { locals: words(locals), queues, store: String::new(), holder: ABSENT }
}

/// A model in the CFSM language.
pub(crate) fn cfsm(text: &str) -> Model {
    let (model, diagnostics) = qp_load::load("test.cfsm", text);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// A set of these rows.
pub(crate) fn lists(
    rows: &[Row],
    (prefix, counted): (u32, u32),
    invariants: &[(u32, &str)],
) -> ListSet {
    let invariant = |&(queue, text): &(u32, &str)| QueueInvariant {
        queue: QueueId::from_raw(queue),
        formula: Qutl::parse(text, 0).unwrap_or_else(|wrong| panic!("{text}: {}", wrong.message)),
    };
    let invariants = invariants.iter().map(invariant).collect();
    ListSet { set: closed_set(rows), prefix, counted, invariants }
}

fn closed_set(rows: &[Row]) -> ClosedSet {
    let most = |count: fn(&Row) -> usize| rows.iter().map(count).max().unwrap_or(0);
    let mut set = ClosedSet {
        locals: vec![Vec::new(); most(|row| row.locals.len())],
        n_queues: most(|row| row.queues.len()),
        ..ClosedSet::default()
    };
    for row in rows {
        for machine in 0..set.locals.len() {
            let cell = row.locals.get(machine).map(|text| cell(&mut set.locals[machine], text));
            set.cells.push(cell.unwrap_or(ABSENT));
        }
        for queue in 0..set.n_queues {
            let content = row.queues.get(queue).map(|(kind, messages)| {
                let mut letters = |m: &Vec<String>| {
                    m.iter().map(|text| cell(&mut set.messages, text)).collect::<Vec<_>>()
                };
                Content { kind: *kind, messages: messages.as_ref().map(&mut letters) }
            });
            let content = content.map_or(ABSENT, |content| cell(&mut set.contents, &content));
            set.cells.push(content);
        }
        set.cells.push(cell(&mut set.stores, &row.store));
        set.cells.push(row.holder);
    }
    set
}

fn cell<T: PartialEq + Clone>(table: &mut Vec<T>, value: &T) -> u32 {
    let known = table.iter().position(|known| known == value);
    known.unwrap_or_else(|| {
        table.push(value.clone());
        table.len() - 1
    }) as u32
}

/// What the referee says, with the reason of a refusal.
pub(crate) fn verdict(model: &Model, property: Property, lists: &ListSet) -> Result<(), String> {
    let claim = Claim::Holds(Proof::Lists(Arc::new(lists.clone())));
    Referee::new(model, 1_000).check(property, &claim).map(|_| ()).map_err(|rejected| rejected.0)
}

/// Whether the set is closed, whatever may be wrong in it.
pub(crate) fn is_closed(model: &Model, lists: &ListSet) -> bool {
    match verdict(model, Property::Deadlock, lists) {
        Ok(()) => true,
        Err(text) => text.starts_with("the set has a fault"),
    }
}

/// Everything that is reachable while no queue holds more than `bound` messages, in words, unless it is
/// too much.
pub(crate) fn reached(model: &Model, bound: usize) -> Option<BTreeSet<Row>> {
    let mut system = model.system();
    let (mut seen, mut rows) = (BTreeSet::new(), BTreeSet::new());
    let mut todo = vec![system.initial()];
    while let Some(config) = todo.pop() {
        if !seen.insert(config.clone()) {
            continue;
        }
        rows.insert(in_words(&system, &config));
        if rows.len() > ROWS_MAX {
            return None;
        }
        for outcome in system.successors(&config) {
            let fits = |&word: &WordId| system.words().len(word) <= bound;
            let ends = matches!(outcome.event, Event::Failed { .. } | Event::GaveUp { .. });
            if !ends && outcome.config.words.iter().all(fits) {
                todo.push(outcome.config);
            }
        }
    }
    Some(rows)
}

fn in_words(system: &System, config: &Config) -> Row {
    let program = system.program();
    let text = |word: WordId| {
        let messages = system.words().messages(word).into_iter();
        messages.map(|message| program.message_text(message)).collect()
    };
    let content = |word: WordId| (word != WordId::CLOSED).then(|| text(word));
    let local = |machine| program.local_text(machine, config.local(machine));
    let queue = |(&word, kind): (&WordId, &KindId)| (kind.raw(), content(word));
    Row {
        locals: config.machines().map(local).collect(),
        queues: config.words.iter().zip(&config.kinds).map(queue).collect(),
        store: system.store_text(config.store),
        holder: config.holder.map_or(ABSENT, MachineId::raw),
    }
}

/// The same rows, with contents that look alike made one.
pub(crate) fn as_they_look(rows: &BTreeSet<Row>, precision: (u32, u32)) -> Vec<Row> {
    let as_it_looks = |row: &Row| {
        let mut row = row.clone();
        for content in row.queues.iter_mut().filter_map(|queue| queue.1.as_mut()) {
            *content = shortest(content, precision);
        }
        row
    };
    rows.iter().map(as_it_looks).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Everything that is reachable while no queue holds more than `bound` messages, as it looks.
pub(crate) fn projected(model: &Model, precision: (u32, u32), bound: usize) -> Vec<Row> {
    as_they_look(&reached(model, bound).expect("the model is small"), precision)
}

/// The shortest content that looks like this one.
fn shortest(content: &[String], (prefix, counted): (u32, u32)) -> Vec<String> {
    let (front, rest) = content.split_at(content.len().min(prefix as usize));
    let mut firsts: Vec<&String> = Vec::new();
    for message in rest {
        if !firsts.contains(&message) {
            firsts.push(message);
        }
    }
    let mut shortest = front.to_vec();
    shortest.extend(firsts.iter().map(|&message| message.clone()));
    for message in firsts {
        let count = rest.iter().filter(|&other| other == message).count();
        let more = count.min(counted as usize + 1) - 1;
        shortest.extend(std::iter::repeat_n(message.clone(), more));
    }
    shortest
}
