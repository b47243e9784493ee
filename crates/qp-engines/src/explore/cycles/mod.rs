//! Infinite runs: formulas, never claims, progress and acceptance.
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
mod lasso;
mod letters;
mod product;

use qp_base::{Budget, Exhausted};
use qp_claim::{ABSENT, Shape, Stays, Trace};
use qp_machines::{Outline, Property};

use self::graph::{Graph, STAYS};
use self::letters::{Letters, Reader};
use self::product::{Components, Product};
use crate::graph::UNMET;
use crate::search::any::AnySearch;
use crate::search::space::Space;

/// What became of one property.
pub(super) enum Verdict {
    /// A run that violates it.
    Wrong(Trace),
    /// No run through the graph does.
    Clear(Ranks),
    /// Its automaton is too large.
    TooLarge,
}

/// Why no run through the graph is wrong: see [`qp_claim::RankedSet`].
pub(super) struct Ranks {
    pub(super) ranks: Vec<Vec<u32>>,
    pub(super) reasons: Vec<Stays>,
}

/// What was seen of the infinite runs through visited configurations.
pub(super) struct Looked {
    pub(super) verdicts: Vec<(Property, Verdict)>,
    /// Whether `livelock` was asked and there is no infinite run that it could be about.
    pub(super) every_run_ends: bool,
}

/// Looks at all visited configurations, for several properties at once.
pub(super) fn cycles(
    space: &mut Space,
    search: &AnySearch,
    properties: &[Property],
    outline: &Outline,
    budget: &Budget,
) -> Result<Looked, Exhausted> {
    let (mut letters, mut readers) = (Letters::new(), Vec::new());
    for &property in properties {
        let automaton = outline.wrong_runs(property);
        readers.push((property, automaton.and_then(|automaton| letters.compile(&automaton))));
    }
    let mut verdicts = Vec::new();
    if readers.iter().all(|(_, reader)| reader.is_none()) {
        let verdicts = readers.into_iter().map(|(p, _)| (p, Verdict::TooLarge)).collect();
        return Ok(Looked { verdicts, every_run_ends: false });
    }
    let graph = Graph::of(space, search, &mut letters, outline.fair, budget)?;
    for (property, reader) in readers {
        let verdict = match reader {
            None => Verdict::TooLarge,
            Some(reader) => look(space, search, &letters, &graph, &reader, outline.fair, budget)?,
        };
        verdicts.push((property, verdict));
    }
    let every_run_ends = properties.contains(&Property::Livelock) && graph.every_run_ends();
    Ok(Looked { verdicts, every_run_ends })
}

fn look(
    space: &mut Space,
    search: &AnySearch,
    letters: &Letters,
    graph: &Graph,
    reader: &Reader,
    fair: bool,
    budget: &Budget,
) -> Result<Verdict, Exhausted> {
    let product = Product { graph, reader };
    let held = search.bytes() + space.bytes() + graph.bytes();
    let components = product.components(fair, held, budget)?;
    let Some(way) = product.wrong_run(&components, fair) else {
        return Ok(Verdict::Clear(ranks(&product, &components)));
    };
    let from = way.stem.len();
    let steps = way.stem.iter().chain(&way.cycle).filter(|hop| hop.step != STAYS);
    let steps = steps
        .map(|hop| graph.outcome(space, search, letters, (product.place(hop.from), hop.step)).step);
    Ok(Verdict::Wrong(Trace { steps: steps.collect(), shape: Shape::Lasso { from } }))
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
