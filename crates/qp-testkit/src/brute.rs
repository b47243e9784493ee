//! Everything that can be reached while queues are short, by following the one step function blindly, and what
//! a set of lists says about it, by the definition of what contents look like.

use std::collections::{BTreeSet, HashMap, HashSet};

use qp_claim::{ABSENT, ListSet};
use qp_machines::{
    Config, Event, KindId, MachineId, Outcome, Property, Qutl, StoreId, System, WordId,
};

/// What was met.
pub struct Reached {
    /// The configurations, each once.
    pub configs: Vec<Config>,
    /// The properties that are violated.
    pub violated: BTreeSet<Property>,
    /// Whether that is all there is with queues of this length.
    pub complete: bool,
}

/// Follows every step that leaves no queue longer than `bound`, up to `most` configurations.
pub fn reach(system: &mut System, properties: &[Property], bound: usize, most: usize) -> Reached {
    let initial = system.initial();
    let mut seen = HashSet::from([initial.clone()]);
    let (mut configs, mut violated, mut next) = (vec![initial], BTreeSet::new(), 0);
    while next < configs.len() && configs.len() <= most {
        let config = configs[next].clone();
        next += 1;
        let outcomes = system.successors(&config);
        for &property in properties {
            if !violated.contains(&property) && violates(system, property, &config, &outcomes) {
                violated.insert(property);
            }
        }
        for Outcome { event, config: after, .. } in outcomes {
            let len = |config: &Config, queue| system.words().len(config.word(queue));
            let grows =
                |queue| len(&after, queue) > bound && len(&after, queue) > len(&config, queue);
            let ends = matches!(event, Event::Failed { .. } | Event::GaveUp { .. });
            let cut = ends || after.queues().any(grows);
            if !cut && seen.insert(after.clone()) {
                configs.push(after);
            }
        }
    }
    Reached { complete: next == configs.len(), configs, violated }
}

/// Whether something is wrong with a configuration, told without the referee.
pub fn violates(system: &mut System, property: Property, config: &Config, all: &[Outcome]) -> bool {
    let fails = |system: &System| {
        all.iter().any(|outcome| match outcome.event {
            Event::Failed { failure } => system.program().failure(failure).property == property,
            _ => false,
        })
    };
    match property {
        Property::Assert | Property::Divergence => fails(system),
        Property::Unhandled => {
            fails(system) || config.machines().any(|m| system.unhandled(config, m).is_some())
        }
        Property::Deadlock => {
            let rests = |m| system.program().may_rest(m, config.local(m));
            all.is_empty() && !config.machines().all(rests)
        }
        Property::Reach(number) => {
            let bad = system.program().outline().bad[number].clone();
            bad.holds(system, config)
        }
        Property::Length(queue, bound) => system.words().len(config.word(queue)) > bound as usize,
        _ => false,
    }
}

/// What contents look like: the first messages, then the others in order of their first occurrence with how
/// often they occur.
type Look = (Vec<String>, Vec<(String, usize)>);

/// What a content looks like, by definition.
fn look(prefix: u32, counted: u32, content: &[String]) -> Look {
    let (front, behind) = content.split_at(content.len().min(prefix as usize));
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for (at, message) in behind.iter().enumerate() {
        if !behind[..at].contains(message) {
            let n = behind.iter().filter(|other| *other == message).count();
            kinds.push((message.clone(), n.min(counted as usize + 1)));
        }
    }
    (front.to_vec(), kinds)
}

/// A set of lists, ready for questions.
pub struct Sight<'a> {
    set: &'a ListSet,
    rows: HashSet<&'a [u32]>,
    contents: Vec<(u32, Option<Look>)>,
    locals: HashMap<(MachineId, qp_machines::LocalId), Option<u32>>,
    stores: HashMap<StoreId, Option<u32>>,
    words: HashMap<(WordId, KindId), Option<u32>>,
    /// By invariant and content.
    truths: HashMap<(usize, WordId), bool>,
}

impl<'a> Sight<'a> {
    /// Of this set.
    pub fn new(set: &'a ListSet) -> Self {
        let rows = &set.set;
        let contents = rows.contents.iter().map(|content| {
            let texts = content.messages.as_ref().map(|letters| {
                let text = |&letter: &u32| rows.messages[letter as usize].clone();
                letters.iter().map(text).collect::<Vec<_>>()
            });
            (content.kind, texts.map(|texts| look(set.prefix, set.counted, &texts)))
        });
        Self {
            set,
            rows: rows.rows().collect(),
            contents: contents.collect(),
            locals: HashMap::new(),
            stores: HashMap::new(),
            words: HashMap::new(),
            truths: HashMap::new(),
        }
    }

    /// The row that the configuration looks like, if the set has one.
    pub fn row(&mut self, system: &System, config: &Config) -> Option<Vec<u32>> {
        let rows = &self.set.set;
        let (n_machines, n_queues) = (rows.locals.len(), rows.n_queues);
        if config.locals.len() > n_machines || config.words.len() > n_queues {
            return None;
        }
        let mut row = vec![ABSENT; n_machines + n_queues + 2];
        for machine in config.machines() {
            row[machine.index()] = self.local(system, machine, config)?;
        }
        for queue in config.queues() {
            let word = (config.word(queue), config.kinds[queue.index()]);
            row[n_machines + queue.index()] = self.content(system, word)?;
        }
        let store = || place(&rows.stores, &system.store_text(config.store));
        row[n_machines + n_queues] = (*self.stores.entry(config.store).or_insert_with(store))?;
        row[n_machines + n_queues + 1] = config.holder.map_or(ABSENT, MachineId::raw);
        self.rows.contains(&row[..]).then_some(row)
    }

    /// An invariant of the set that is false in the configuration, if there is one.
    pub fn broken(&mut self, system: &System, config: &Config) -> Option<String> {
        for (number, invariant) in self.set.invariants.iter().enumerate() {
            let Some(&word) = config.words.get(invariant.queue.index()) else { continue };
            let holds = word == WordId::CLOSED
                || *self.truths.entry((number, word)).or_insert_with(|| {
                    let texts = texts(system, word);
                    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                    invariant.formula.holds(&texts, &mut |name, text| Qutl::names(name, text))
                });
            if !holds {
                return Some(format!("{:?}: {}", invariant.queue, invariant.formula));
            }
        }
        None
    }

    /// The length of the longest content that the set shows.
    pub fn longest(&self) -> usize {
        let contents = self.set.set.contents.iter();
        contents.filter_map(|it| it.messages.as_ref().map(Vec::len)).max().unwrap_or(0)
    }

    fn local(&mut self, system: &System, machine: MachineId, config: &Config) -> Option<u32> {
        let local = config.local(machine);
        let texts = &self.set.set.locals[machine.index()];
        *self
            .locals
            .entry((machine, local))
            .or_insert_with(|| place(texts, &system.program().local_text(machine, local)))
    }

    fn content(&mut self, system: &System, (word, kind): (WordId, KindId)) -> Option<u32> {
        let (set, contents) = (self.set, &self.contents);
        *self.words.entry((word, kind)).or_insert_with(|| {
            let look = (word != WordId::CLOSED)
                .then(|| look(set.prefix, set.counted, &texts(system, word)));
            let at = contents.iter().position(|known| *known == (kind.raw(), look.clone()));
            at.map(|at| at as u32)
        })
    }
}

/// The rows of a set with what their contents look like: what the set says, however it is written. What makes
/// no sense is left out.
pub fn said(set: &ListSet) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let rows = &set.set;
    let content = |cell: &u32| {
        let content = rows.contents.get(*cell as usize)?;
        let text = |&letter: &u32| rows.messages.get(letter as usize).cloned();
        let texts = content.messages.as_ref().map(|letters| letters.iter().map(text).collect());
        let texts: Option<Option<Vec<String>>> = texts;
        let looks = texts.map(|texts| Some(look(set.prefix, set.counted, &texts?)));
        Some((content.kind, looks))
    };
    for row in rows.rows() {
        let (locals, rest) = row.split_at(rows.locals.len());
        let (contents, rest) = rest.split_at(rows.n_queues);
        let local = |(cell, texts): (&u32, &Vec<String>)| texts.get(*cell as usize).cloned();
        let locals: Vec<_> = locals.iter().zip(&rows.locals).map(local).collect();
        let contents: Vec<_> = contents.iter().map(content).collect();
        let store = rows.stores.get(rest[0] as usize);
        all.insert(format!("{locals:?} {contents:?} {store:?} {}", rest[1]));
    }
    all
}

fn place(texts: &[String], text: &str) -> Option<u32> {
    texts.iter().position(|known| known == text).map(|at| at as u32)
}

fn texts(system: &System, word: WordId) -> Vec<String> {
    let messages = system.words().messages(word).into_iter();
    messages.map(|message| system.program().message_text(message)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(prefix: u32, counted: u32, content: &str) -> String {
        let content: Vec<String> = content.chars().map(String::from).collect();
        let (front, behind) = look(prefix, counted, &content);
        let behind: Vec<String> = behind.iter().map(|(m, n)| format!("{m}{n}")).collect();
        format!("{}|{}", front.concat(), behind.join(" "))
    }

    #[test]
    fn contents_look_as_the_decision_says() {
        assert_eq!(of(0, 0, ""), "|");
        assert_eq!(of(0, 0, "abaab"), "|a1 b1");
        assert_eq!(of(2, 0, "abaab"), "ab|a1 b1");
        assert_eq!(of(2, 1, "abxxxyx"), "ab|x2 y1");
        assert_eq!(of(1, 3, "abxxxyb"), "a|b2 x3 y1");
        assert_eq!(of(7, 3, "abx"), "abx|");
    }
}
