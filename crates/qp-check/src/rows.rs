//! Closed sets: that they say something, contain the beginning, and are closed under every step.

use std::collections::BTreeSet;

use qp_base::{Interner, Map};
use qp_claim::{ABSENT, ClosedSet};
use qp_machines::{
    Config, Event, KindId, LocalId, MachineId, Outcome, Property, QueueId, StoreId, System, WordId,
};

use crate::backwards::Backwards;
use crate::cover::{Cover, Leads, Runs};
use crate::faults::fault;
use crate::invariant::Question;
use crate::tables::{self, Tables};
use crate::{Checked, forever, wrong};

/// A closed set that was checked, with the tables to translate its rows.
pub(crate) struct Rows {
    tables: Tables,
    /// The cells of what stands in the tables.
    locals: Vec<Map<LocalId, u32>>,
    contents: Map<(WordId, KindId), u32>,
    stores: Map<StoreId, u32>,
    /// The rows, each once.
    places: Interner<usize, Box<[u32]>>,
    /// The steps of all rows, in order: working them out is most of the work, so it is done once.
    edges: Vec<Edge>,
    /// The steps of row `i` are `edges[starts[i]..starts[i + 1]]`.
    starts: Vec<usize>,
    /// The row of the beginning.
    pub(crate) first: usize,
    /// Rows that stand for nothing.
    void: BTreeSet<usize>,
    /// For each queue: how long it gets in any row.
    longest: Vec<usize>,
}

/// Something that happens in a step of a row: turns have an edge for each thing that happens in them.
pub(crate) struct Edge {
    /// The row it leads to. A failure leads back to its own row.
    pub(crate) to: usize,
    /// The machine that moves.
    pub(crate) machine: MachineId,
    /// All machines that move in the step. Only fairness asks, so only then they are listed.
    movers: Vec<MachineId>,
    /// What happens.
    pub(crate) event: Event,
}

impl Rows {
    /// Checks the set: every step from every row leads to a row, and so does the beginning.
    pub(crate) fn check(system: &mut System, set: &ClosedSet) -> Checked<Self> {
        let mut rows = Self::read(system, set)?;
        rows.close(system, |system, _, config| Ok(Some(system.successors(config))))?;
        Ok(rows)
    }

    /// Reads the set, and checks that the beginning is a row. Nothing is known of the steps yet.
    pub(crate) fn read(system: &mut System, set: &ClosedSet) -> Checked<Self> {
        let initial = system.initial();
        let mut rows = Self::tabled(system, set)?;
        match rows.place(&initial) {
            Some(first) => rows.first = first,
            None => return wrong("the set does not contain the beginning"),
        }
        Ok(rows)
    }

    /// Reads the set. Nothing is known of the beginning and of the steps yet.
    pub(crate) fn tabled(system: &mut System, set: &ClosedSet) -> Checked<Self> {
        let tables = Tables::read(system, set)?;
        let mut places = Interner::new();
        for row in set.rows() {
            places.intern(row.into());
        }
        if places.len() < set.len() {
            return wrong("a row stands twice in a set");
        }
        let locals = tables.locals.iter().map(|values| tables::cells(values));
        Ok(Self {
            locals: locals.collect::<Checked<_>>()?,
            contents: tables::cells(&tables.contents)?,
            stores: tables::cells(&tables.stores)?,
            tables,
            places,
            edges: Vec::new(),
            starts: vec![0],
            first: 0,
            void: BTreeSet::new(),
            longest: Vec::new(),
        })
    }

    /// Checks that all steps lead to rows. `steps` says what the steps of a row are, and nothing of a row that stands for
    /// nothing.
    pub(crate) fn close(
        &mut self,
        system: &mut System,
        mut steps: impl FnMut(&mut System, usize, &Config) -> Checked<Option<Vec<Outcome>>>,
    ) -> Checked<()> {
        let (mut edges, mut starts, mut void) = (Vec::new(), vec![0], BTreeSet::new());
        let mut longest = vec![0; self.tables.n_queues];
        let outline = system.program().outline();
        let is_live = |number| Property::Ltl(number).is_live(outline);
        let fair = outline.fair || (0..outline.ltl.len()).any(is_live);
        self.each(|place, config| {
            system.go_on()?;
            for (longest, &word) in longest.iter_mut().zip(&config.words) {
                *longest = system.words().len(word).max(*longest);
            }
            let outcomes = steps(system, place, config)?;
            void.extend(outcomes.is_none().then_some(place));
            for outcome in outcomes.into_iter().flatten() {
                let step = outcome.step;
                if matches!(outcome.event, Event::GaveUp { .. }) {
                    return wrong(format!("nobody knows what {step:?} leads to"));
                }
                let leads_out = || format!("the set is not closed: {step:?} leads out of it");
                let to = self.place(&outcome.config).ok_or_else(leads_out)?;
                let movers = if fair { outcome.movers() } else { Vec::new() };
                let edge = |(machine, event)| Edge { to, machine, movers: movers.clone(), event };
                edges.extend(outcome.happenings().map(edge));
            }
            starts.push(edges.len());
            Ok(())
        })?;
        (self.edges, self.starts, self.void, self.longest) = (edges, starts, void, longest);
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// How many machines and queues there are at most.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.locals.len(), self.tables.n_queues)
    }

    /// The steps of a row.
    pub(crate) fn edges(&self, place: usize) -> &[Edge] {
        &self.edges[self.starts[place]..self.starts[place + 1]]
    }

    /// All steps, backwards.
    pub(crate) fn backwards(&self) -> Backwards {
        let places = 0..self.len();
        let pairs =
            places.flat_map(|from| self.edges(from).iter().map(move |edge| (from, edge.to)));
        Backwards::new(self.len(), pairs)
    }

    /// Calls `f` with the place and the configuration of every row that stands for something, in order.
    pub(crate) fn each(&self, mut f: impl FnMut(usize, &Config) -> Checked<()>) -> Checked<()> {
        let mut config = Config::nothing();
        self.places.values().iter().enumerate().try_for_each(|(place, row)| {
            self.tables.translate(row, &mut config)?;
            if self.void.contains(&place) { Ok(()) } else { f(place, &config) }
        })
    }

    /// What queues hold in the set, and the kinds of queues that hold it.
    pub(crate) fn contents(&self) -> &[(WordId, KindId)] {
        &self.tables.contents
    }

    /// The place of a configuration in the set.
    pub(crate) fn place(&self, config: &Config) -> Option<usize> {
        let (n_machines, n_queues) = self.size();
        if config.locals.len() > n_machines || config.words.len() > n_queues {
            return None;
        }
        let mut row = vec![ABSENT; n_machines + n_queues + 2];
        for (machine, local) in config.locals.iter().enumerate() {
            row[machine] = *self.locals[machine].get(local)?;
        }
        for (queue, content) in config.words.iter().zip(&config.kinds).enumerate() {
            row[n_machines + queue] = *self.contents.get(&(*content.0, *content.1))?;
        }
        row[n_machines + n_queues] = *self.stores.get(&config.store)?;
        row[n_machines + n_queues + 1] = config.holder.map_or(ABSENT, MachineId::raw);
        self.places.find(&row.into())
    }

    /// How long a queue gets in any row, as far as there are such queues.
    fn longest(&self, queue: QueueId) -> usize {
        self.longest.get(queue.index()).copied().unwrap_or(0)
    }
}

impl Cover for Rows {
    fn never(&mut self, system: &mut System, question: Question) -> Checked<()> {
        match question {
            Question::Stuck | Question::Orphan => forever::check(system, question, self),
            // A finite closed set is a bound.
            Question::Unbounded => Ok(()),
            Question::Longer(queue, bound) if self.longest(queue) <= bound as usize => Ok(()),
            Question::Crosses | Question::Beyond => {
                wrong("a closed set alone does not prove this property")
            }
            _ => self.each(|place, config| {
                system.go_on()?;
                let steps = self.edges(place).iter().map(|edge| (edge.machine, edge.event));
                let fault = fault(system, question, config, steps);
                fault.map_or(Ok(()), |finding| wrong(format!("the set has a fault: {finding:?}")))
            }),
        }
    }

    fn runs(&self) -> Option<&dyn Runs> {
        Some(self)
    }
}

impl Runs for Rows {
    fn n_rows(&self) -> usize {
        self.len()
    }

    fn config(&self, place: usize) -> Checked<Option<Config>> {
        let mut config = Config::nothing();
        self.tables.translate(self.places.value(place), &mut config)?;
        Ok(Some(config))
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn beginnings(&self, _: &mut System) -> Checked<Vec<usize>> {
        Ok(vec![self.first])
    }

    fn steps(&self, _: &mut System, place: usize) -> Checked<Vec<Leads>> {
        let edges = self.edges(place);
        let leads = |edge: &Edge| Leads {
            event: Some(edge.event),
            movers: [&edge.movers[..], &[edge.machine]].concat(),
            rows: match edge.event {
                Event::Failed { .. } => Vec::new(),
                _ => vec![edge.to],
            },
            longer: Vec::new(),
        };
        let stays = edges.is_empty().then(|| Leads::stay(place));
        Ok(edges.iter().map(leads).chain(stays).collect())
    }

    fn is_able(&self, _: &mut System, place: usize, machine: MachineId) -> Checked<bool> {
        // Who only answers others cannot move by itself.
        Ok(self.edges(place).iter().any(|edge| edge.movers.first() == Some(&machine)))
    }
}
