//! Small nets with known answers.

use qp_base::{Budget, Span};
use qp_lp::{BigInt, Ratio};
use qp_machines::{
    Arc, ArcId, Counter, CounterId, Counts, Dependency, Fact, MachineId, Net, QueueId, Spot, SpotId,
};

use super::cases::{Settled, settle};
use super::cycles::{Cycle, cycles, round};
use super::inequalities::{Inequalities, Most};

/// One machine with so many spots, which begins at the first, and one counter of messages.
fn net(spots: usize, arcs: &[(usize, usize, i64)]) -> Net {
    let mut net = Net::default();
    for spot in 0..spots {
        net.spots.push(Spot {
            machine: Some(MachineId::new(0)),
            initial: u32::from(spot == 0),
            name: format!("M.S{spot}"),
            span: Span::default(),
        });
    }
    let counts = Counts::Messages(QueueId::new(0));
    net.counters.push(Counter { counts, initial: 0, name: "m".to_owned() });
    for &(from, to, by) in arcs {
        net.arcs.push(Arc {
            from: Some(SpotId::new(from)),
            to: Some(SpotId::new(to)),
            effects: if by == 0 { Vec::new() } else { vec![(CounterId::new(0), by)] },
            progress: false,
            tests: Vec::new(),
            text: format!("step {from} {to}"),
            span: Span::default(),
        });
    }
    net
}

fn most(net: &Net) -> Most {
    let mut inequalities = Inequalities::of_runs(net);
    inequalities.most_of(&[CounterId::new(0)], &Budget::states(1_000)).expect("it is small")
}

fn bound(net: &Net) -> Option<Ratio> {
    match most(net) {
        Most::Bound { value, .. } => Some(value),
        Most::Grows(_) | Most::Nothing => None,
    }
}

fn cycle(arcs: &[usize], times: i64) -> Cycle {
    let arcs = arcs.iter().map(|&arc| ArcId::new(arc)).collect();
    Cycle { arcs, times: BigInt::from(times) }
}

#[test]
fn a_line_of_sends_is_counted() {
    assert_eq!(bound(&net(3, &[(0, 1, 1), (1, 2, 1)])), Some(Ratio::from(2)));
}

#[test]
fn a_round_that_sends_more_than_it_takes_grows() {
    let net = net(2, &[(0, 1, 1), (1, 0, 1), (0, 0, -1)]);
    let Most::Grows(ray) = most(&net) else { panic!("it has a bound") };
    assert_eq!(cycles(&net, &ray), [cycle(&[0, 1], 1)]);
    let told = round(&net, &cycles(&net, &ray)[0]);
    let steps: Vec<&str> = told.steps.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!((told.from.as_str(), told.times.as_str()), ("M.S0", "1"));
    assert_eq!(steps, ["step 0 1", "step 1 0"]);
}

#[test]
fn a_fact_bounds_what_would_grow() {
    let mut net = net(1, &[(0, 0, 1)]);
    assert_eq!(bound(&net), None);
    let terms = vec![(ArcId::new(0), 2)];
    net.facts.push(Fact { terms, at_most: 7, because: "it is said".to_owned() });
    assert_eq!(bound(&net), Some(Ratio::new(7.into(), 2.into())));
}

#[test]
fn what_is_there_at_the_beginning_counts() {
    let mut net = net(2, &[(0, 1, -2)]);
    net.counters[CounterId::new(0)].initial = 5;
    assert_eq!(bound(&net), Some(Ratio::from(5)));
}

#[test]
fn a_flow_is_taken_apart_into_its_cycles() {
    // Two circles that share a spot: one taken three times, the other twice.
    let net = net(3, &[(0, 1, 0), (1, 0, 0), (0, 2, 0), (2, 0, 0)]);
    let taken = [3, 3, 2, 2].into_iter().enumerate();
    let ray: Vec<(ArcId, BigInt)> =
        taken.map(|(arc, times)| (ArcId::new(arc), BigInt::from(times))).collect();
    assert_eq!(cycles(&net, &ray), [cycle(&[0, 1], 3), cycle(&[2, 3], 2)]);
}

#[test]
fn only_steps_without_progress_may_go_on() {
    let mut net = net(2, &[(0, 1, 0), (1, 0, 0)]);
    assert_eq!(cases(&net), None);
    net.arcs[ArcId::new(1)].progress = true;
    assert_eq!(cases(&net), Some(1));
}

/// How many cases show that there is no run without progress.
fn cases(net: &Net) -> Option<usize> {
    match settle(net, &Budget::states(10_000)).0 {
        Settled::Free(cases) => Some(cases.len()),
        _ => None,
    }
}

#[test]
fn what_nobody_takes_is_in_the_way_of_what_comes_behind_it() {
    // A message goes round, and each time another one is left in the queue.
    let mut net = net(3, &[(0, 1, -1), (1, 2, 0), (2, 0, 1)]);
    let counts = Counts::Messages(QueueId::new(0));
    let other = net.counters.push(Counter { counts, initial: 0, name: "other".to_owned() });
    net.arcs[ArcId::new(1)].effects.push((other, 1));
    assert_eq!(cases(&net), None);
    net.in_order.push(QueueId::new(0));
    assert_eq!(cases(&net), Some(4));
}

#[test]
fn a_machine_is_at_one_place_at_a_time() {
    // Each of two circles needs what the other one leaves, and there is no way back to the first.
    let mut net = net(2, &[(0, 0, 1), (0, 1, 0), (1, 1, -1)]);
    let counter = Counter { counts: Counts::Number, initial: 0, name: "k".to_owned() };
    let other = net.counters.push(counter);
    net.arcs[ArcId::new(0)].effects.push((other, -1));
    net.arcs[ArcId::new(2)].effects.push((other, 1));
    assert_eq!(cases(&net), Some(4));
    // A second machine may be in the other circle.
    net.spots[SpotId::new(1)].initial = 1;
    assert_eq!(cases(&net), None);
}

#[test]
fn what_depends_on_what_does_not_happen_does_not_happen() {
    let mut net = net(2, &[(0, 0, 0), (0, 1, 0)]);
    assert_eq!(cases(&net), None);
    let (all, on) = (vec![vec![ArcId::new(0)]], vec![ArcId::new(1)]);
    net.dependencies.push(Dependency { all, on, because: "it is said".to_owned() });
    assert_eq!(cases(&net), Some(3));
}
