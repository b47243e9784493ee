//! Proofs by rows: for each view of queues, what the rows show by themselves, and what strategies on them show.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_base::Budget;
use qp_claim::{Claim, LagSet, Proof, Rank, RankGoal};
use qp_machines::{Atom, Config, MachineId, Property, QueueId, WordId};

use super::automata::Automata;
use super::lag::LagRows;
use super::rank::Ranking;
use super::views::views;
use super::{Conduct, evidence};
use crate::stop::Stop;
use crate::{Answer, Figures};

/// Rows of one view.
const ROWS_MAX: usize = 20_000;

impl Conduct {
    /// Looks for rows with strategies for what is still open.
    pub(super) fn look_for_ranks(
        &mut self,
        automata: &mut Automata,
        budget: &Budget,
    ) -> Result<(), Stop> {
        if self.open.is_empty() {
            return Ok(());
        }
        for view in views(automata, budget)? {
            match LagRows::new(automata, view, ROWS_MAX, budget) {
                Err(Stop::TooMuch) => {}
                rows => self.try_rows(automata, &rows?, budget)?,
            }
            if self.open.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn try_rows(
        &mut self,
        automata: &Automata,
        rows: &LagRows,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let set = Arc::new(evidence::lag_set(&self.system, automata, rows));
        for property in self.open.clone() {
            budget.ask()?;
            if self.is_excluded(automata, rows, property) {
                self.claim(property, &set, Proof::Lag(set.clone()));
            }
        }
        let ranking = Ranking::new(automata, rows);
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        let wanted = self.open.iter().flat_map(|&it| goals_of(it, automata));
        for goal in wanted.collect::<BTreeSet<RankGoal>>() {
            match ranking.strategy(goal, budget)? {
                Ok(strategy) => found.push(strategy),
                Err(row) => missing.push((goal, row)),
            }
        }
        for property in self.open.clone() {
            let goals = goals_of(property, automata);
            if let Some(&(goal, row)) = missing.iter().find(|it| goals.contains(&it.0)) {
                let text = self.told_row(automata, rows, goal, row);
                self.in_the_way.insert(property, text);
            }
        }
        // One for all: they share the rows.
        let rank = Arc::new(Rank { goals: found, set: set.clone() });
        for property in self.open.clone() {
            let goals = goals_of(property, automata);
            if !goals.is_empty() && !missing.iter().any(|it| goals.contains(&it.0)) {
                self.claim(property, &set, Proof::Rank(rank.clone()));
            }
        }
        Ok(())
    }

    fn claim(&mut self, property: Property, set: &Arc<LagSet>, proof: Proof) {
        let figures = Figures { bound: 0, states: set.rows.len() as u64, transitions: 0 };
        self.answers.claims.push(Answer { property, claim: Claim::Holds(proof), figures });
        self.answers.detail.retain(|it| it.0 != "rows");
        self.answers.detail.push(("rows", set.rows.len() as u64));
        self.open.retain(|&it| it != property);
    }

    /// Whether no row stands for anything that a property forbids.
    fn is_excluded(&mut self, automata: &Automata, rows: &LagRows, property: Property) -> bool {
        let all = 0..rows.len();
        match property {
            Property::Deadlock => all.into_iter().all(|row| {
                let locals = automata.machines.iter().enumerate();
                let mut locals = locals.map(|(number, it)| (it, rows.local(row, number)));
                rows.posts[row].iter().any(|post| post.is_sure)
                    || locals.clone().any(|(machine, local)| machine.fails[local])
                    || locals.all(|(machine, local)| machine.rests[local])
            }),
            Property::Unhandled => !self.may_be_at_a_loss(automata, rows),
            Property::Reach(number) => {
                !all.into_iter().any(|row| self.may_be_bad(automata, rows, row, number))
            }
            _ => false,
        }
    }

    /// Whether somebody may be at a loss about what is first in its queues, or fail.
    fn may_be_at_a_loss(&mut self, automata: &Automata, rows: &LagRows) -> bool {
        let limited = automata.capacities.iter().any(|&it| it != usize::MAX);
        let fails = automata.machines.iter().any(|machine| machine.fails.contains(&true));
        if automata.has_skips() || limited || fails {
            return true;
        }
        let (like, mut known) = (self.system.initial(), BTreeSet::new());
        for row in 0..rows.len() {
            let first = |queue: usize| {
                let &letter = rows.content(automata, row, queue).front.first()?;
                Some((QueueId::new(queue), automata.letters[letter as usize]))
            };
            let fronts: Vec<_> = (0..automata.capacities.len()).filter_map(first).collect();
            for (number, machine) in automata.machines.iter().enumerate() {
                let local = rows.local(row, number);
                if !known.insert((number, local, fronts.clone())) {
                    continue;
                }
                let at = (MachineId::new(number), *machine.locals.value(local));
                if self.system.is_at_a_loss(&like, at, &fronts) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a bad situation may hold in a row. Nothing is known of contents that are not seen in full.
    fn may_be_bad(
        &mut self,
        automata: &Automata,
        rows: &LagRows,
        row: usize,
        number: usize,
    ) -> bool {
        let config = self.config(automata, rows, row);
        let may_hold = |atom: &Atom| match atom {
            Atom::Content(queue, _)
                if queue.index() < automata.capacities.len()
                    && !rows.content(automata, row, queue.index()).behind.is_empty() =>
            {
                true
            }
            _ => atom.holds(&self.system, &config),
        };
        let cases = &self.system.program().outline().bad[number].cases;
        cases.iter().any(|case| case.iter().all(may_hold))
    }

    /// The configuration of a row, without what is behind the messages in front.
    fn config(&mut self, automata: &Automata, rows: &LagRows, row: usize) -> Config {
        let mut config = self.system.initial();
        for (number, machine) in automata.machines.iter().enumerate() {
            config.locals[number] = *machine.locals.value(rows.local(row, number));
        }
        for queue in 0..automata.capacities.len() {
            let mut word = WordId::EMPTY;
            for &letter in &rows.content(automata, row, queue).front {
                word = self.system.words_mut().push(word, automata.letters[letter as usize]);
            }
            config.words[queue] = word;
        }
        config
    }

    /// From where no way on was found, in the user's words.
    fn told_row(
        &mut self,
        automata: &Automata,
        rows: &LagRows,
        goal: RankGoal,
        row: usize,
    ) -> String {
        let config = self.config(automata, rows, row);
        let program = self.system.program();
        let outline = program.outline();
        let name = |machine: usize| {
            let id = MachineId::new(machine);
            let known = outline.machines.get(id).map(|info| info.name.clone());
            let known = known.or_else(|| program.machine_name(id, config.local(id)));
            known.unwrap_or_else(|| format!("machine {machine}"))
        };
        let queue_name = |queue: u32| outline.queue_text(QueueId::from_raw(queue));
        let message = |letter: u32| program.message_shown(automata.letters[letter as usize]);
        let wanted = match goal {
            RankGoal::Moves(machine) => format!("{} to move", name(machine as usize)),
            RankGoal::Happens(number) => {
                format!("{} to happen", outline.possible[number as usize].name)
            }
            RankGoal::Takes(queue) => format!("queue {} to be read", queue_name(queue)),
            RankGoal::Finds(queue, letter) => {
                format!("{} to be taken from {}", message(letter), queue_name(queue))
            }
        };
        let place = |machine: usize| {
            let id = MachineId::new(machine);
            format!("{} at {}", name(machine), program.control_name(id, config.local(id)))
        };
        let places: Vec<String> = (0..automata.machines.len()).map(place).collect();
        let mut held = Vec::new();
        for queue in 0..automata.capacities.len() {
            let content = rows.content(automata, row, queue);
            let mut words: Vec<String> = content.front.iter().map(|&it| message(it)).collect();
            if !content.behind.is_empty() {
                words.push("...".to_owned());
            }
            if !words.is_empty() {
                held.push(format!("{}: {}", queue_name(queue as u32), words.join(" ")));
            }
        }
        let held = if held.is_empty() { "all queues empty".to_owned() } else { held.join("; ") };
        format!("no way was found for {wanted} from {} ({held})", places.join(", "))
    }
}

/// What must always still be possible for a property to hold; nothing if it is about something else.
fn goals_of(property: Property, automata: &Automata) -> Vec<RankGoal> {
    let moves = (0..automata.machines.len()).map(|it| RankGoal::Moves(it as u32));
    let mut takes = Vec::new();
    for queue in 0..automata.capacities.len() {
        if automata.passes_over(queue) {
            let sent = |letter: &usize| automata.is_sent(queue, *letter);
            let letters = (0..automata.letters.len()).filter(sent);
            takes.extend(letters.map(|letter| RankGoal::Finds(queue as u32, letter as u32)));
        } else {
            takes.push(RankGoal::Takes(queue as u32));
        }
    }
    match property {
        Property::Stuck | Property::Deadlock => moves.collect(),
        Property::Orphan => takes,
        Property::Possible(number) => vec![RankGoal::Happens(number as u32)],
        Property::Unhandled => moves.chain(takes).collect(),
        _ => Vec::new(),
    }
}
