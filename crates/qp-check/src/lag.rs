//! Lag rows: that they contain the beginning and are closed under every step.
//!
//! A row stands for all configurations with its local states in which each queue holds the messages in front and, behind
//! them, in any mixture, for each machine that is listed what it sends to the queue on some way of its control flow from
//! the listed local state to where it is: at least one message. `docs/decisions/016-ranks.md` says why steps of rows
//! cover steps of configurations. The automata are compared with the program, local state by local state, and in rows
//! with nothing behind with the one step function.

mod control;

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{CoreDeed, LagSet, RankGoal};
use qp_machines::{Atom, MachineId, Property, QueueId, System};

use self::control::Control;
use crate::automata::{Automata, Scene};
use crate::cover::{Choice, Choices, Cover};
use crate::invariant::Question;
use crate::{Checked, Refusal, wrong};

/// What a message may turn out to be, in one step: so many at most, because no evidence may take for ever.
const CASES_MAX: usize = 10_000;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Content {
    front: Vec<u32>,
    /// Who sent something behind it, and from which local state on.
    behind: BTreeMap<u32, u32>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Row {
    locals: Vec<u32>,
    queues: Vec<Content>,
}

/// Rows that were checked.
pub(crate) struct Lag {
    automata: Automata,
    control: Control,
    rows: Vec<Row>,
    steps: Vec<Vec<Choice>>,
}

impl Lag {
    pub(crate) fn check(system: &mut System, set: &LagSet) -> Checked<Self> {
        let automata = Automata::read(system, &set.machines, &set.messages)?;
        let n_queues = automata.n_queues() as usize;
        if set.prefixes.len() != n_queues || set.prefixes.contains(&0) {
            return wrong("the first message of each queue has to be seen");
        }
        let rows = read(&automata, set)?;
        let places: BTreeMap<&Row, usize> = rows.iter().zip(0..).collect();
        let first = Row {
            locals: vec![0; automata.n_machines() as usize],
            queues: vec![Content::default(); n_queues],
        };
        if !places.contains_key(&first) {
            return wrong("the rows do not contain the beginning");
        }
        let mut control = Control::default();
        let mut steps = Vec::with_capacity(rows.len());
        for (number, row) in rows.iter().enumerate() {
            system.go_on()?;
            if let Some(scene) = row.scene() {
                automata.compare(system, &scene, &automata.steps(&scene))?;
            }
            let mut own = Vec::new();
            for machine in 0..automata.n_machines() {
                for transition in automata.leaving_from(machine, row.locals[machine as usize]) {
                    let Some(after) =
                        row.after(&automata, &mut control, &set.prefixes, (machine, transition))?
                    else {
                        continue;
                    };
                    let place = |row: &Row| places.get(row).copied();
                    let rows: Option<Vec<usize>> = after.rows.iter().map(place).collect();
                    let Some(rows) = rows else {
                        return wrong(format!(
                            "a step of machine {machine} leads out of row {number}"
                        ));
                    };
                    let deed = automata.transition(machine, transition).deed;
                    let is_sure = after.is_sure;
                    own.push(Choice { machine, transition, deed, is_sure, rows });
                }
            }
            steps.push(own);
        }
        Ok(Self { automata, control, rows, steps })
    }

    /// Whether a machine may be at a loss about what is first in its queues.
    fn check_lost(&self, system: &mut System) -> Checked<()> {
        let automata = &self.automata;
        if automata.passes_over() || automata.is_limited() {
            return wrong("what is first in a queue is not all that matters");
        }
        let mut known = BTreeSet::new();
        for row in &self.rows {
            system.go_on()?;
            let first = |(queue, content): (usize, &Content)| {
                let &letter = content.front.first()?;
                Some((QueueId::new(queue), automata.message(letter)))
            };
            let fronts: Vec<_> = row.queues.iter().enumerate().filter_map(first).collect();
            for (machine, &local) in row.locals.iter().enumerate() {
                if !known.insert((machine, local, fronts.clone())) {
                    continue;
                }
                let at = (MachineId::new(machine), automata.local_id(machine, local));
                if system.is_at_a_loss(automata.initial(), at, &fronts) {
                    return wrong(format!("machine {machine} may be at a loss"));
                }
            }
        }
        Ok(())
    }

    /// Whether it may be that nobody can move, and somebody may not rest.
    fn may_be_dead(&self, system: &System, number: usize) -> bool {
        let locals = &self.rows[number].locals;
        let rests =
            |machine: u32| self.automata.may_rest(system, machine, locals[machine as usize]);
        let fails = |machine: u32| self.automata.fails(machine, locals[machine as usize]);
        let all = 0..self.automata.n_machines();
        !self.steps[number].iter().any(|step| step.is_sure)
            && !all.clone().any(fails)
            && !all.into_iter().all(rests)
    }

    /// Whether a bad situation may hold. About contents that are not seen in full nothing is known.
    fn may_be_bad(&self, system: &mut System, bad: usize, row: &Row) -> bool {
        let fronts = row.queues.iter().map(|content| content.front.clone()).collect();
        let scene = Scene { locals: row.locals.clone(), queues: fronts };
        let config = self.automata.config(system, &scene);
        let may_hold = |atom: &Atom| match atom {
            Atom::Content(queue, _)
                if row.queues.get(queue.index()).is_some_and(|it| !it.behind.is_empty()) =>
            {
                true
            }
            _ => atom.holds(system, &config),
        };
        let cases = system.program().outline().bad[bad].cases.iter();
        cases.into_iter().any(|case| case.iter().all(may_hold))
    }

    fn check_lengths(&self, queue: Option<QueueId>, bound: Option<u32>) -> Checked<()> {
        let is_short = |(number, content): (usize, &Content)| {
            let length = content.front.len();
            queue.is_some_and(|queue| queue.index() != number)
                || content.behind.is_empty() && bound.is_none_or(|bound| length <= bound as usize)
        };
        let is_right = |row: &Row| row.queues.iter().enumerate().all(is_short);
        if self.rows.iter().all(is_right) { Ok(()) } else { wrong("a queue may be longer") }
    }
}

impl Cover for Lag {
    fn never(&mut self, system: &mut System, question: Question) -> Checked<()> {
        match question {
            Question::Fails(_) if !self.automata.may_fail() => Ok(()),
            Question::Lost => self.check_lost(system),
            Question::Dead => {
                let dead = (0..self.rows.len()).find(|&row| self.may_be_dead(system, row));
                dead.map_or(Ok(()), |row| wrong(format!("nobody may be able to move in row {row}")))
            }
            Question::Bad(number) => {
                let bad = self.rows.iter().position(|row| self.may_be_bad(system, number, row));
                bad.map_or(Ok(()), |row| wrong(format!("row {row} may be a bad situation")))
            }
            Question::Longer(queue, bound) => self.check_lengths(Some(queue), Some(bound)),
            Question::Unbounded => self.check_lengths(None, None),
            _ => wrong("rows alone do not prove this property"),
        }
    }

    fn choices(&mut self) -> Option<&mut dyn Choices> {
        Some(self)
    }
}

impl Choices for Lag {
    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn choices(&self, row: usize) -> &[Choice] {
        &self.steps[row]
    }

    fn goals(&self, system: &System, property: Property) -> Checked<Vec<RankGoal>> {
        let moves = (0..self.automata.n_machines()).map(RankGoal::Moves);
        let takes = (0..self.automata.n_queues()).flat_map(|queue| {
            // That something is taken does not mean that everything is.
            if self.automata.passed_over(queue) {
                let letters = self.automata.letters(queue).into_iter();
                letters.map(|it| RankGoal::Finds(queue, it)).collect()
            } else {
                vec![RankGoal::Takes(queue)]
            }
        });
        let fails = system.program().outline().failing.contains(&Property::Unhandled);
        match property {
            Property::Stuck | Property::Deadlock => Ok(moves.collect()),
            Property::Orphan => Ok(takes.collect()),
            // Who is at a loss never moves again: either it may not rest, or what it is at a loss about is never taken.
            Property::Unhandled if !fails && !self.automata.passes_over() => {
                Ok(moves.chain(takes).collect())
            }
            Property::Possible(number) => Ok(vec![RankGoal::Happens(number as u32)]),
            _ => wrong("strategies do not prove this property"),
        }
    }

    fn is_hit(&self, system: &System, goal: RankGoal, choice: &Choice) -> bool {
        match (goal, choice.deed) {
            (RankGoal::Moves(machine), _) => choice.machine == machine,
            (RankGoal::Takes(from), CoreDeed::Take(queue, _)) => queue == from,
            (RankGoal::Finds(from, wanted), CoreDeed::Take(queue, letter)) => {
                (queue, letter) == (from, wanted)
            }
            (RankGoal::Happens(number), _) => {
                let (machine, transition) = (choice.machine, choice.transition);
                self.automata.comes_about(system, number as usize, machine, transition)
            }
            _ => false,
        }
    }

    fn needs(&mut self, system: &System, goal: RankGoal, row: usize) -> bool {
        let Self { automata, control, rows, .. } = self;
        let row = &rows[row];
        match goal {
            RankGoal::Moves(machine) => {
                let local = row.locals[machine as usize];
                !automata.may_rest(system, machine, local)
            }
            RankGoal::Takes(queue) => row.queues[queue as usize] != Content::default(),
            RankGoal::Happens(number) => !automata.is_there(system, number as usize, &row.locals),
            RankGoal::Finds(queue, letter) => {
                let content = &row.queues[queue as usize];
                let may_send = |(&sender, &since): (&u32, &u32)| {
                    let now = row.locals[sender as usize];
                    control.sends(automata, (sender, since), (queue, letter), now)
                };
                content.front.contains(&letter) || content.behind.iter().any(may_send)
            }
        }
    }
}

/// The rows a step leads to, and whether everything that a row stands for has it.
struct After {
    rows: Vec<Row>,
    is_sure: bool,
}

impl Row {
    /// The scene that it is, if it stands for one only.
    fn scene(&self) -> Option<Scene> {
        let seen = |content: &Content| content.behind.is_empty().then(|| content.front.clone());
        let queues = self.queues.iter().map(seen).collect::<Option<Vec<Vec<u32>>>>()?;
        Some(Scene { locals: self.locals.clone(), queues })
    }

    /// Everything that comes of a step; nothing if nothing that the row stands for has it.
    fn after(
        &self,
        automata: &Automata,
        control: &mut Control,
        prefixes: &[u32],
        (machine, transition): (u32, u32),
    ) -> Checked<Option<After>> {
        let it = automata.transition(machine, transition);
        let (mut next, mut is_sure) = (self.clone(), true);
        next.locals[machine as usize] = it.to;
        match it.deed {
            CoreDeed::Internal => {}
            CoreDeed::Send(queue, letter) => {
                let content = &mut next.queues[queue as usize];
                let capacity = automata.capacity(queue);
                if content.front.len() + content.behind.len() >= capacity {
                    return Ok(None);
                }
                // Who knows how many messages are behind?
                is_sure = capacity == usize::MAX || content.behind.is_empty();
                let is_seen = content.front.len() < prefixes[queue as usize] as usize;
                if is_seen && content.behind.is_empty() {
                    content.front.push(letter);
                } else {
                    content.behind.entry(machine).or_insert(it.from);
                }
            }
            CoreDeed::Take(queue, letter) => {
                let content = &mut next.queues[queue as usize];
                let local = self.locals[machine as usize];
                let passed = |it: &u32| automata.skips(machine, (local, queue, *it));
                let Some(place) = content.front.iter().position(|it| !passed(it)) else {
                    if content.behind.is_empty() {
                        return Ok(None);
                    }
                    return wrong("what is first in a queue is not seen");
                };
                if content.front.remove(place) != letter {
                    return Ok(None);
                }
            }
        }
        let mut rows = vec![next];
        for (queue, &prefix) in (0..).zip(prefixes) {
            let mut unfolded = Vec::new();
            for row in rows {
                row.unfold(automata, control, (queue, prefix as usize), &mut unfolded)?;
            }
            rows = unfolded;
        }
        Ok(Some(After { rows, is_sure }))
    }

    /// All that the row may be if enough messages of a queue are to be seen: its prefix, and one that the reader does not
    /// pass over.
    fn unfold(
        self,
        automata: &Automata,
        control: &mut Control,
        (queue, prefix): (u32, usize),
        found: &mut Vec<Self>,
    ) -> Checked<()> {
        let (mut todo, mut n_cases) = (vec![self], 0);
        while let Some(row) = todo.pop() {
            n_cases += 1;
            if n_cases > CASES_MAX {
                return wrong("a queue takes too long to look at");
            }
            let content = &row.queues[queue as usize];
            let is_seen = automata.reader(queue).is_none_or(|reader| {
                let local = row.locals[reader as usize];
                content.front.iter().any(|&it| !automata.skips(reader, (local, queue, it)))
            });
            if content.behind.is_empty() || is_seen && content.front.len() >= prefix {
                found.push(row);
                continue;
            }
            // The next message is one of some machine behind: it is the next that this sends.
            for (&sender, &since) in &content.behind {
                let now = row.locals[sender as usize];
                for (letter, then) in control.next(automata, (sender, since), queue) {
                    let mut shown = row.clone();
                    shown.queues[queue as usize].front.push(letter);
                    if control.comes_quietly(automata, (sender, then), queue, now) {
                        let mut last = shown.clone();
                        last.queues[queue as usize].behind.remove(&sender);
                        todo.push(last);
                    }
                    if control.comes_with_sends(automata, (sender, then), queue, now) {
                        shown.queues[queue as usize].behind.insert(sender, then);
                        todo.push(shown);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Reads rows: every number stands for something, and each row is there once.
fn read(automata: &Automata, set: &LagSet) -> Checked<Vec<Row>> {
    let (n_machines, n_queues) = (automata.n_machines() as usize, automata.n_queues() as usize);
    let senseless = |number: usize| Refusal::from(format!("row {number} makes no sense"));
    let (mut rows, mut seen) = (Vec::with_capacity(set.rows.len()), BTreeSet::new());
    for (number, cells) in set.rows.iter().enumerate() {
        if cells.len() != n_machines + n_queues {
            return Err(senseless(number));
        }
        let (locals, contents) = cells.split_at(n_machines);
        let mut row = Row { locals: locals.to_vec(), queues: Vec::with_capacity(n_queues) };
        for (queue, &content) in (0..).zip(contents) {
            let listed = set.contents.get(content as usize).ok_or_else(|| senseless(number))?;
            let behind: BTreeMap<u32, u32> = listed.behind.iter().copied().collect();
            let is_sender = |(&sender, &since): (&u32, &u32)| {
                automata.senders(queue).is_some_and(|all| all.contains(&sender))
                    && automata.has_local(sender, since)
            };
            let is_right = behind.len() == listed.behind.len()
                && behind.iter().all(is_sender)
                && listed.front.iter().all(|&letter| automata.has_letter(letter));
            if !is_right {
                return Err(senseless(number));
            }
            row.queues.push(Content { front: listed.front.clone(), behind });
        }
        let is_there = (0..).zip(&row.locals).all(|(machine, &it)| automata.has_local(machine, it));
        if !is_there || !seen.insert(row.clone()) {
            return Err(senseless(number));
        }
        rows.push(row);
    }
    Ok(rows)
}
