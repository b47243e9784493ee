//! Strategies on rows: energy games.
//!
//! A strategy says for each row what to do next. Each step makes the weighed contents of queues and the number of the row
//! together smaller, whichever row it leads to; so it ends, and it can only end where the goal is reached. For given
//! weights the least numbers are the progress measure of an energy game (Brim, Chaloupka, Doyen, Gentilini and Raskin
//! 2011), by value iteration. What one choice of weights does not win, the next one may, with what is won already as
//! its goal. Weights are tried in order of size, first one for each queue, then one for each message of a queue.

use std::collections::VecDeque;

use qp_base::Budget;
use qp_claim::{RankGoal, RankStage, RankStep, RankedGoal};

use crate::stop::Stop;

use super::automata::{Automata, Deed};
use super::lag::{LagRows, Post};

/// How many steps a message of weight one pays for, and the greatest number of a row in messages.
const PRICES: [(i64, i64); 2] = [(8, 8), (32, 6)];
/// The greatest weight.
const WEIGHT_MAX: u32 = 3;
/// Choices of weights.
const CHOICES_MAX: usize = 150;

/// Queues and letters that weigh the same.
type Unit = Vec<(usize, usize)>;

/// A game: what to win, on rows.
pub(super) struct Ranking<'a> {
    automata: &'a Automata,
    rows: &'a LagRows,
    /// Choices of weights in the order in which they are tried: for each queue and letter.
    weights: Vec<Vec<Vec<i64>>>,
}

/// What a strategy does in a row: the number, and which step.
type Plan = Vec<Option<(i64, usize)>>;

impl<'a> Ranking<'a> {
    pub(super) fn new(automata: &'a Automata, rows: &'a LagRows) -> Self {
        Self { automata, rows, weights: choices(automata, rows) }
    }

    /// A strategy for a goal; otherwise a row that needs it and has none.
    pub(super) fn strategy(
        &self,
        goal: RankGoal,
        budget: &Budget,
    ) -> Result<Result<RankedGoal, usize>, Stop> {
        let n = self.rows.len();
        let hits = |row: usize| {
            let mut posts = self.rows.posts[row].iter();
            posts.any(|post| post.is_sure && hits(self.automata, goal, post))
        };
        let mut won: Vec<bool> = (0..n).map(hits).collect();
        let wanted: Vec<usize> = (0..n).filter(|&row| self.needs(goal, row)).collect();
        let mut stages = Vec::new();
        let first_left = |won: &[bool]| wanted.iter().copied().find(|&row| !won[row]);
        // What can be forced whatever queues hold weighs nothing.
        loop {
            let forced = self.forced(&won);
            self.add(&mut stages, &mut won, None, &forced);
            let Some(left) = first_left(&won) else { break };
            let near = self.near(&won);
            if wanted.iter().any(|&row| !near[row]) {
                return Ok(Err(left));
            }
            let mut more = None;
            'found: for (price, most) in PRICES {
                for weights in &self.weights {
                    budget.ask()?;
                    let plan = self.energy(&won, &near, weights, (price, most), budget)?;
                    if plan.iter().any(Option::is_some) {
                        more = Some((weights, price, plan));
                        break 'found;
                    }
                }
            }
            let Some((weights, price, plan)) = more else { return Ok(Err(left)) };
            self.add(&mut stages, &mut won, Some((weights, price)), &plan);
        }
        Ok(Ok(RankedGoal { goal, stages }))
    }

    fn needs(&self, goal: RankGoal, row: usize) -> bool {
        let (automata, rows) = (self.automata, self.rows);
        match goal {
            RankGoal::Moves(machine) => {
                let machine = machine as usize;
                !automata.machines[machine].rests[rows.local(row, machine)]
            }
            RankGoal::Happens(number) => {
                !automata.is_there(number as usize, |machine| rows.local(row, machine))
            }
            RankGoal::Takes(queue) => !rows.content(automata, row, queue as usize).front.is_empty(),
            RankGoal::Finds(queue, letter) => {
                let content = rows.content(automata, row, queue as usize);
                let (queue, letter) = (queue as usize, letter as usize);
                let sends = |&(sender, since): &(u32, u32)| {
                    let (sender, since) = (sender as usize, since as usize);
                    let now = rows.local(row, sender);
                    automata.machines[sender].has_way(since, Deed::Send { queue, letter }, now)
                };
                content.front.contains(&(letter as u32)) || content.behind.iter().any(sends)
            }
        }
    }

    fn add(
        &self,
        stages: &mut Vec<RankStage>,
        won: &mut [bool],
        weights: Option<(&Vec<Vec<i64>>, i64)>,
        plan: &Plan,
    ) {
        let mut stage = RankStage::default();
        for (row, plan) in plan.iter().enumerate() {
            let &Some((potential, step)) = plan else { continue };
            won[row] = true;
            let post = &self.rows.posts[row][step];
            stage.steps.push(RankStep {
                row: row as u32,
                potential: small(potential),
                machine: post.machine as u32,
                transition: post.number as u32,
            });
        }
        let of_queues = weights.into_iter().flat_map(|(weights, price)| {
            weights.iter().enumerate().map(move |it| (it.0, it.1, price))
        });
        for (queue, letters, price) in of_queues {
            for (letter, &weight) in letters.iter().enumerate().filter(|it| *it.1 > 0) {
                stage.weights.push((queue as u32, letter as u32, small(weight * price)));
            }
        }
        if !stage.steps.is_empty() {
            stages.push(stage);
        }
    }

    /// Rows with a way to what is won, if everything goes well.
    fn near(&self, won: &[bool]) -> Vec<bool> {
        let mut near = won.to_vec();
        let mut todo: Vec<usize> = (0..near.len()).filter(|&row| near[row]).collect();
        while let Some(row) = todo.pop() {
            for &earlier in &self.rows.before[row] {
                if !near[earlier] {
                    near[earlier] = true;
                    todo.push(earlier);
                }
            }
        }
        near
    }

    /// The rows from which what is won is reached whichever rows steps lead to: an attractor.
    fn forced(&self, won: &[bool]) -> Plan {
        let mut plan: Plan = vec![None; self.rows.len()];
        let mut todo: VecDeque<usize> = (0..won.len()).filter(|&row| won[row]).collect();
        while let Some(row) = todo.pop_front() {
            for &earlier in self.rows.before[row].iter().filter(|&&it| !won[it]) {
                if plan[earlier].is_some() {
                    continue;
                }
                let far = |post: &Post| -> Option<i64> {
                    let far = |&to: &usize| if won[to] { Some(0) } else { plan[to].map(|it| it.0) };
                    let all: Option<Vec<i64>> = post.rows.iter().map(far).collect();
                    all.filter(|_| post.is_sure).map(|all| all.into_iter().max().unwrap_or(0) + 1)
                };
                let posts = self.rows.posts[earlier].iter().enumerate();
                let best = posts.filter_map(|(step, post)| Some((far(post)?, step))).min();
                if best.is_some() {
                    plan[earlier] = best;
                    todo.push_back(earlier);
                }
            }
        }
        plan
    }

    /// The rows from which a strategy makes the weighed contents and the number of the row smaller with every step until
    /// it is where it is won: least numbers, and the steps.
    fn energy(
        &self,
        won: &[bool],
        near: &[bool],
        weights: &[Vec<i64>],
        (price, most): (i64, i64),
        budget: &Budget,
    ) -> Result<Plan, Stop> {
        let greatest = weights.iter().flatten().copied().max().unwrap_or(0);
        let cap = most * price * greatest.max(1);
        let change = |post: &Post| {
            let deed = self.automata.transition(post.machine, post.number).deed;
            1 + price
                * match deed {
                    Deed::Internal => 0,
                    Deed::Send { queue, letter } => weights[queue][letter],
                    Deed::Take { queue, letter } => -weights[queue][letter],
                }
        };
        let changes: Vec<Vec<i64>> =
            self.rows.posts.iter().map(|posts| posts.iter().map(change).collect()).collect();
        let open = |row: usize| near[row] && !won[row];
        let mut least: Vec<Option<i64>> =
            (0..won.len()).map(|row| open(row).then_some(0)).collect();
        let value = |least: &[Option<i64>], row: usize| {
            let mut best: Option<(i64, usize)> = None;
            for (step, post) in self.rows.posts[row].iter().enumerate() {
                let mut worst = Some(0);
                for &to in post.rows.iter().filter(|&&to| !won[to]) {
                    let further = least[to].map(|it| it + changes[row][step]);
                    worst = worst.zip(further).map(|(a, b)| a.max(b));
                }
                let Some(worst) = worst.filter(|&it| post.is_sure && it <= cap) else { continue };
                if best.is_none_or(|best| worst < best.0) {
                    best = Some((worst, step));
                }
            }
            best
        };
        let mut todo: VecDeque<usize> = (0..won.len()).filter(|&row| open(row)).collect();
        let mut queued: Vec<bool> = (0..won.len()).map(open).collect();
        while let Some(row) = todo.pop_front() {
            queued[row] = false;
            let Some(known) = least[row] else { continue };
            budget.ask()?;
            let found = value(&least, row).map(|best| best.0);
            if found.is_none_or(|found| found > known) {
                least[row] = found;
                for &earlier in &self.rows.before[row] {
                    if least[earlier].is_some() && !queued[earlier] {
                        queued[earlier] = true;
                        todo.push_back(earlier);
                    }
                }
            }
        }
        let plan = |row: usize| least[row].and_then(|_| value(&least, row));
        Ok((0..won.len()).map(plan).collect())
    }
}

/// A number of a certificate: it is neither negative nor above the cap.
fn small(number: i64) -> u32 {
    u32::try_from(number).expect("it is capped")
}

fn hits(automata: &Automata, goal: RankGoal, post: &Post) -> bool {
    let deed = automata.transition(post.machine, post.number).deed;
    match (goal, deed) {
        (RankGoal::Moves(machine), _) => post.machine == machine as usize,
        (RankGoal::Happens(wanted), _) => {
            automata.comes_about(wanted as usize, post.machine, post.number)
        }
        (RankGoal::Takes(from), Deed::Take { queue, .. }) => queue == from as usize,
        (RankGoal::Finds(from, wanted), Deed::Take { queue, letter }) => {
            (queue, letter) == (from as usize, wanted as usize)
        }
        _ => false,
    }
}

/// Weights to try. What is seen in full needs none: the number of the row can say as much.
fn choices(automata: &Automata, rows: &LagRows) -> Vec<Vec<Vec<i64>>> {
    let growing = rows.growing(automata);
    let n_letters = automata.letters.len();
    let of_queue = |&queue: &usize| (0..n_letters).map(|letter| (queue, letter)).collect();
    let queues: Vec<Unit> = growing.iter().map(of_queue).collect();
    let mut letters: Vec<Unit> = Vec::new();
    for &queue in &growing {
        let sent = |letter: &usize| automata.is_sent(queue, *letter);
        letters.extend((0..n_letters).filter(sent).map(|letter| vec![(queue, letter)]));
    }
    let units = if letters.len() > queues.len() { vec![queues, letters] } else { vec![queues] };
    let mut all = Vec::new();
    for units in units {
        for vector in vectors(units.len()) {
            let mut weights = vec![vec![0; n_letters]; automata.capacities.len()];
            for (unit, weight) in units.iter().zip(vector) {
                for &(queue, letter) in unit {
                    weights[queue][letter] = i64::from(weight);
                }
            }
            if !all.contains(&weights) {
                all.push(weights);
            }
        }
    }
    all
}

/// Vectors of small numbers, not all zero and without a common divisor: by the greatest number, those with few
/// different from zero or from the others first.
fn vectors(n: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::new();
    if n == 0 {
        return all;
    }
    all.push(vec![1; n]);
    all.extend((0..n).map(|one| (0..n).map(|it| u32::from(it == one)).collect()));
    for greatest in 1..=WEIGHT_MAX {
        // Like a number that is counted up.
        let mut vector = vec![0; n];
        while all.len() < CHOICES_MAX * greatest as usize / WEIGHT_MAX as usize {
            let Some(place) = vector.iter().position(|&it| it < greatest) else { break };
            vector[place] += 1;
            vector[..place].fill(0);
            let is_new = vector.contains(&greatest)
                && (1..=greatest).all(|by| by == 1 || vector.iter().any(|it| it % by != 0));
            if is_new && !all.contains(&vector) {
                all.push(vector.clone());
            }
        }
    }
    all
}
