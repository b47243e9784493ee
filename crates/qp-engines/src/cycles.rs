//! Infinite runs: formulas, never claims, progress, acceptance and hot states.
//!
//! The visited configurations are written down as a graph, with what the automata of wrong runs ask of each
//! configuration and step. For each property the product with its automaton is cut into strongly connected
//! components. A component with a circle and an accepting pair is a wrong run; with fairness only if every
//! machine moves in it, or cannot move somewhere in it. If there is none, the numbers of the components are
//! ranks that prove it.
//!
//! Sends that a bound has cut are missing in the graph. What is found there is real all the same: a run
//! that has ended is one without any step, cut or not, and so is a machine that cannot move.

mod graph;
mod heat;
mod lasso;
mod letters;
mod product;

use qp_base::{Budget, Exhausted};
use qp_claim::{ABSENT, Shape, Stays, Trace};
use qp_machines::{Config, Letter, Outline, Property, System};

use self::graph::{Graph, STAYS};
use self::heat::Heat;
use self::lasso::Way;
use self::letters::{Letters, Reader};
use self::product::{Components, Product};
use crate::graph::UNMET;
use crate::search::any::AnySearch;
use crate::search::space::Space;

/// What became of one property.
pub(crate) enum Verdict {
    /// A run that violates it.
    Wrong(Trace),
    /// No run through the graph does.
    Clear(Ranks),
    /// Its automaton is too large.
    TooLarge,
}

/// Why no run through the graph is wrong: see [`qp_claim::RankedSet`].
pub(crate) struct Ranks {
    pub(crate) ranks: Vec<Vec<u32>>,
    pub(crate) reasons: Vec<Stays>,
}

/// What was seen of the infinite runs through visited configurations.
pub(crate) struct Looked {
    pub(crate) verdicts: Vec<(Property, Verdict)>,
    /// Whether `livelock` was asked and there is no infinite run that it could be about.
    pub(crate) every_run_ends: bool,
}

/// Looks at all visited configurations, for several properties at once.
pub(crate) fn cycles(
    space: &mut Space,
    search: &AnySearch,
    properties: &[Property],
    outline: &Outline,
    budget: &Budget,
) -> Result<Looked, Exhausted> {
    let (mut letters, mut questions) = (Letters::new(), Vec::new());
    for &property in properties {
        questions.push((property, Question::of(property, outline, &mut letters)));
    }
    if questions.iter().all(|(_, question)| question.is_none()) {
        let verdicts = questions.into_iter().map(|(p, _)| (p, Verdict::TooLarge)).collect();
        return Ok(Looked { verdicts, every_run_ends: false });
    }
    let fair = properties.iter().any(|&property| outline.is_fair(property));
    let graph = Graph::of(space, search, &mut letters, fair, budget)?;
    let mut verdicts = Vec::new();
    for (property, question) in questions {
        let held = search.bytes() + space.bytes() + graph.bytes();
        let found = match question {
            None => Found::TooLarge,
            Some(Question::Automaton(reader)) => {
                look(&Product { graph: &graph, reader: &reader }, outline.fair, held, budget)?
            }
            Some(Question::Heat { hot, cold }) => {
                Heat { graph: &graph, hot, cold }.look(held, budget)?
            }
        };
        let verdict = match found {
            Found::Wrong(way) => Verdict::Wrong(trace(space, search, &letters, &graph, &way)),
            Found::Clear(ranks) => Verdict::Clear(ranks),
            Found::TooLarge => Verdict::TooLarge,
        };
        verdicts.push((property, verdict));
    }
    let every_run_ends = properties.contains(&Property::Livelock) && graph.every_run_ends();
    Ok(Looked { verdicts, every_run_ends })
}

/// Ranks that show that a spec does not stay hot on runs through these rows, if it does not; `leads` says for each row and
/// step to which row it leads.
pub(crate) fn cooled(
    system: &mut System,
    rows: &[Config],
    leads: &dyn Fn(usize, usize) -> u32,
    property: Property,
    budget: &Budget,
) -> Result<Option<Ranks>, Exhausted> {
    let (mut letters, outline) = (Letters::new(), system.program().outline());
    let Some(Question::Heat { hot, cold }) = Question::of(property, outline, &mut letters) else {
        return Ok(None);
    };
    let graph = Graph::of_rows(system, rows, leads, &mut letters, budget)?;
    Ok(match (Heat { graph: &graph, hot, cold }).look(graph.bytes(), budget)? {
        Found::Clear(ranks) => Some(ranks),
        Found::Wrong(_) | Found::TooLarge => None,
    })
}

/// What is asked of the graph.
enum Question {
    /// Whether an automaton accepts a run.
    Automaton(Reader),
    /// Whether a spec can stay hot; the bits of its being hot and cold.
    Heat { hot: u64, cold: u64 },
}

impl Question {
    /// Nothing if it would be too large.
    fn of(property: Property, outline: &Outline, letters: &mut Letters) -> Option<Self> {
        if let Some(heat) = property.heat(outline) {
            let mut bit = |condition| letters.bit(&Letter::Holds(condition));
            let hot = bit(heat.hot)?;
            let cold = heat.cold.map_or(Some(0), bit)?;
            return Some(Self::Heat { hot, cold });
        }
        letters.compile(&outline.wrong_runs(property)?).map(Self::Automaton)
    }
}

/// What was found in the graph.
enum Found {
    Wrong(Way),
    Clear(Ranks),
    TooLarge,
}

fn look(product: &Product<'_>, fair: bool, held: u64, budget: &Budget) -> Result<Found, Exhausted> {
    let components = product.components(fair, held, budget)?;
    Ok(match product.wrong_run(&components, fair) {
        Some(way) => Found::Wrong(product.in_graph(way)),
        None => Found::Clear(ranks(product, &components)),
    })
}

/// A run through the graph as one of the system.
fn trace(
    space: &mut Space,
    search: &AnySearch,
    letters: &Letters,
    graph: &Graph,
    way: &Way,
) -> Trace {
    let from = way.stem.len();
    let steps = way.stem.iter().chain(&way.cycle).filter(|hop| hop.step != STAYS);
    let steps = steps.map(|hop| graph.outcome(space, search, letters, (hop.from, hop.step)).step);
    Trace { steps: steps.collect(), shape: Shape::Lasso { from } }
}

/// Components in order are ranks. Those in which nothing accepts are one with the next such: what leads from
/// one to the other accepts nothing either.
fn ranks(product: &Product<'_>, components: &Components) -> Ranks {
    let (mut reasons, mut of): (Vec<Stays>, Vec<u32>) = (Vec::new(), Vec::new());
    for kind in &components.kinds {
        let reason = kind.expect("a run through a wrong component was found");
        if reason != Stays::NoneAccepts || reasons.last() != Some(&reason) {
            reasons.push(reason);
        }
        of.push(reasons.len() as u32 - 1);
    }
    let mut ranks = vec![vec![ABSENT; product.graph.len()]; product.n_states()];
    for (pair, &component) in components.of.iter().enumerate() {
        if component != UNMET {
            ranks[product.state(pair)][product.place(pair)] = of[component as usize];
        }
    }
    Ranks { ranks, reasons }
}
