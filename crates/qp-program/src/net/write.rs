//! A net with names, from what was found.

use std::collections::BTreeSet;

use qp_base::{IndexVec, Map, Span};
use qp_machines::{
    Arc, ArcId, Counter, CounterId, Counts, Fact, MachineId, Net, QueueId, Spot, SpotId, Test,
    TestId,
};

use crate::{Cap, EventId, Expr, Handler, Instr, StateId};

use super::details::{Details, declared};
use super::flow::{Condition, Effect, Flow, Step};
use super::longest::numbers;
use super::place::{Phase, Place};
use super::shape::CopyId;
use super::texts::Texts;

/// The net that was found. States that are marked as progress are given with the body they belong to.
pub(super) fn net(flow: &Flow<'_>, details: &Details<'_>, marked: &dyn Fn(&Place) -> bool) -> Net {
    let mut write = Write {
        flow,
        told: Texts::new(flow.stepper.plan),
        names: names(flow),
        messages: Map::default(),
        machines: Map::default(),
        halting: halting(flow),
        net: Net::default(),
    };
    write.count();
    write.net.tests = write.tests(details);
    write.net.details = details.describe(write.told);
    write.net.spots = flow.spots.values().iter().map(|place| write.spot(place)).collect();
    write.begin();
    let seen: Vec<bool> =
        flow.spots.values().iter().map(|place| marked(place) && flow.is_rest(place)).collect();
    for (step, (tests, span)) in &flow.steps {
        write.arc(step, tests, *span, &seen);
    }
    let numbers = numbers(flow);
    write.caps(&numbers);
    write.orders(&numbers);
    write.net
}

struct Write<'a> {
    flow: &'a Flow<'a>,
    told: Texts<'a>,
    /// What copies are called.
    names: IndexVec<CopyId, String>,
    messages: Map<(CopyId, EventId), CounterId>,
    machines: Map<CopyId, CounterId>,
    /// The copies whose machines may end.
    halting: BTreeSet<CopyId>,
    net: Net,
}

/// Copies of one kind of machine are numbered if there are several.
fn names(flow: &Flow<'_>) -> IndexVec<CopyId, String> {
    let points_to = flow.stepper.points_to;
    let name = |(id, copy): (CopyId, &super::points_to::Copy)| {
        let alike = |it: &CopyId| points_to.copies[*it].role == copy.role;
        let name = flow.stepper.plan.role_name(copy.role);
        let earlier = points_to.copies.ids().filter(alike).take_while(|&it| it != id).count();
        if earlier == 0 { name.to_owned() } else { format!("{name} ({})", earlier + 1) }
    };
    points_to.copies.iter_enumerated().map(name).collect()
}

fn halting(flow: &Flow<'_>) -> BTreeSet<CopyId> {
    let places = flow.spots.values().iter();
    places.filter(|it| it.phase == Phase::Halting).map(|it| it.owner).collect()
}

impl Write<'_> {
    /// Fills in what is counted.
    fn count(&mut self) {
        let points_to = self.flow.stepper.points_to;
        for (copy, events) in points_to.mail.iter_enumerated() {
            for &event in events {
                let name = format!("{}: {}", self.names[copy], self.event(event));
                let counts = Counts::Messages(QueueId::new(copy.index()));
                let id = self.net.counters.push(Counter { counts, initial: 0, name });
                self.messages.insert((copy, event), id);
            }
        }
        for (id, _) in points_to.copies.iter_enumerated().filter(|(_, copy)| !copy.first) {
            let name = self.names[id].clone();
            let counter = Counter { counts: Counts::Machines, initial: 0, name };
            self.machines.insert(id, self.net.counters.push(counter));
        }
    }

    fn event(&self, event: EventId) -> &str {
        self.flow.stepper.plan.event_name(event)
    }

    fn tests(&self, details: &Details<'_>) -> IndexVec<TestId, Test> {
        let plan = self.flow.stepper.plan;
        let test = |&Condition { function, pc }: &Condition| {
            let expr = match &plan.function(function).code[pc as usize] {
                Instr::Unless(expr, _) | Instr::Assume(expr) => expr,
                other => unreachable!("bug in Queueproof: {other:?} has no condition"),
            };
            let text = self.told.expr(function, expr);
            Test { text, span: plan.span(function, pc), reads: details.reads(function, expr) }
        };
        self.flow.conditions.values().iter().map(test).collect()
    }

    fn spot(&self, place: &Place) -> Spot {
        let flow = self.flow;
        let copy = &flow.stepper.points_to.copies[place.owner];
        let states = &flow.stepper.body(place.owner).states;
        let states = place.stack.iter().map(|&it: &StateId| states[it].name.as_str());
        let mut name = self.names[place.owner].clone();
        name = format!("{name}.{}", states.collect::<Vec<_>>().join("/"));
        if let Some(call) = place.call() {
            name = format!("{name} in {}", flow.stepper.plan.function(call.function).name);
        }
        if place.phase == Phase::Failed {
            name = format!("{}.failed", self.names[place.owner]);
        }
        let values = self.values(place);
        if !values.is_empty() {
            name = format!("{name} ({})", values.join(", "));
        }
        let is_start = flow.spots.value(flow.starts[place.owner.index()]) == place;
        Spot {
            machine: copy.first.then_some(MachineId::from_raw(0)),
            initial: u32::from(copy.first && is_start),
            name,
            span: flow.span(place),
        }
    }

    /// What is known of variables at a place.
    fn values(&self, place: &Place) -> Vec<String> {
        let plan = self.flow.stepper.plan;
        let body = self.flow.stepper.body_id(place.owner);
        let told = place.known(body).filter_map(|(var, value)| {
            let name = &declared(plan, var).name;
            (!name.is_empty()).then(|| format!("{name} = {}", plan.value_text(value)))
        });
        told.collect()
    }

    /// The steps with which machines appear.
    fn begin(&mut self) {
        for (&start, (id, copy)) in
            self.flow.starts.iter().zip(self.flow.stepper.points_to.copies.iter_enumerated())
        {
            let Some(&counter) = self.machines.get(&id) else { continue };
            self.net.arcs.push(Arc {
                from: None,
                to: Some(start),
                effects: vec![(counter, -1)],
                progress: false,
                tests: Vec::new(),
                text: format!("{} begins", self.names[id]),
                span: self.flow.stepper.plan.blueprint.roles[copy.role].span,
            });
        }
    }

    fn arc(&mut self, step: &Step, tests: &BTreeSet<TestId>, span: Span, seen: &[bool]) {
        let is_seen = |spot: SpotId| seen[spot.index()];
        let (effects, text) = self.effect(step);
        let arc = Arc {
            from: Some(step.from),
            to: step.to,
            effects,
            progress: is_seen(step.from) || step.to.is_some_and(is_seen),
            tests: tests.iter().copied().collect(),
            text,
            span,
        };
        let took = |spot: SpotId| self.flow.spots.value(spot).phase == Phase::Took;
        if arc.progress && !is_seen(step.from) && !step.to.is_some_and(took) {
            // A machine that fails on the way is never seen at its end.
            let text = format!("{}, and fail", arc.text);
            self.net.arcs.push(Arc { to: None, progress: false, text, ..arc.clone() });
        }
        if let Effect::Puts(copy, _) = step.effect
            && self.halting.contains(&copy)
        {
            let text = format!("{}, which is lost", arc.text);
            self.net.arcs.push(Arc { effects: Vec::new(), text, ..arc.clone() });
        }
        self.net.arcs.push(arc);
    }

    fn effect(&self, step: &Step) -> (Vec<(CounterId, i64)>, String) {
        let place = self.flow.spots.value(step.from);
        match step.effect {
            Effect::Puts(copy, event) => {
                let text = format!("send {} to {}", self.event(event), self.names[copy]);
                (vec![(self.messages[&(copy, event)], 1)], text)
            }
            Effect::Takes(copy, event) => {
                (vec![(self.messages[&(copy, event)], -1)], format!("take {}", self.event(event)))
            }
            Effect::Starts(copy) => {
                (vec![(self.machines[&copy], 1)], format!("create {}", self.names[copy]))
            }
            Effect::Nothing => (Vec::new(), self.unseen(place, step.to)),
        }
    }

    fn unseen(&self, place: &Place, to: Option<SpotId>) -> String {
        let event_of = |to: SpotId| match self.flow.spots.value(to).phase {
            Phase::Announced(event) => Some(event),
            _ => None,
        };
        if let Some(event) = to.and_then(event_of) {
            return format!("announce {}", self.event(event));
        }
        match place.phase {
            Phase::Halting => "halt".to_owned(),
            _ if place.is_at_queue() => "nothing to take".to_owned(),
            _ => match self.flow.stepper.instr(place) {
                Some((Instr::Announce { event: Expr::Const(event), .. }, _)) => {
                    format!("announce {}", self.flow.stepper.plan.value_text(event))
                }
                Some((Instr::Announce { .. }, _)) => "announce".to_owned(),
                Some((Instr::Receive(_), _)) => "nothing to receive".to_owned(),
                _ => "go on".to_owned(),
            },
        }
    }

    /// What the user says about how much queues hold. Where several machines are counted together, each of them
    /// may hold as much.
    fn caps(&mut self, numbers: &IndexVec<CopyId, Option<u32>>) {
        let points_to = self.flow.stepper.points_to;
        let blueprint = &self.flow.stepper.plan.blueprint;
        for (copy, number) in numbers.iter_enumerated() {
            let Some(number) = *number else { continue };
            let role = &blueprint.roles[points_to.copies[copy].role];
            if let Some(cap) = role.cap {
                let because = format!("{} holds at most {} events", self.names[copy], cap.count);
                self.cap(copy, &points_to.mail[copy], (cap, number), because);
            }
            for &event in &points_to.mail[copy] {
                if let Some(cap) = blueprint.events[event].cap {
                    let (name, count) = (self.event(event), cap.count);
                    let because = format!("{} holds at most {count} {name}", self.names[copy]);
                    self.cap(copy, &[event], (cap, number), because);
                }
            }
        }
    }

    fn cap(
        &mut self,
        copy: CopyId,
        events: &[EventId],
        (cap, number): (Cap, u32),
        because: String,
    ) {
        let counters: Vec<CounterId> =
            events.iter().map(|&event| self.messages[&(copy, event)]).collect();
        let inside = |arc: &Arc| -> i64 {
            let mine = arc.effects.iter().filter(|(id, _)| counters.contains(id));
            mine.map(|&(_, by)| by).sum()
        };
        let arcs = self.net.arcs.iter_enumerated().map(|(id, arc)| (id, inside(arc)));
        let terms: Vec<(ArcId, i64)> = arcs.filter(|&(_, by)| by != 0).collect();
        let at_most = i64::from(cap.count) * i64::from(number);
        self.net.facts.push(Fact { terms, at_most, because });
    }

    /// Messages are taken from the front where nobody lets one wait behind others. Where several mailboxes are
    /// counted together there is no order, and of what is sent to a machine that has ended nothing is taken.
    fn orders(&mut self, numbers: &IndexVec<CopyId, Option<u32>>) {
        let stepper = &self.flow.stepper;
        for (copy, &number) in numbers.iter_enumerated() {
            let is_one = number.is_some_and(|number| number <= 1);
            let states = &stepper.body(copy).states;
            let handlers = states.iter().flat_map(|state| &state.handlers);
            let defers = handlers.into_iter().any(|(_, handler)| *handler == Handler::Defer);
            let functions = &stepper.plan.functions[stepper.body_id(copy)];
            let code = functions.iter().flat_map(|&it| &stepper.plan.function(it).code);
            let receives = code.into_iter().any(|instr| matches!(instr, Instr::Receive(_)));
            if is_one && !defers && !receives && !self.halting.contains(&copy) {
                self.net.in_order.push(QueueId::new(copy.index()));
            }
        }
    }
}
