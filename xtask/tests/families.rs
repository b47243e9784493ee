//! The generated systems have as many configurations and steps as SPIN counted on independent models.

use std::collections::{HashSet, VecDeque};

use xtask::bench::network::{Action, Network};
use xtask::bench::{INSTANCES, emit, families};

/// The smallest search that can be right: configurations in full, one set, one queue.
fn count(network: &Network, bound: usize) -> (usize, usize) {
    type Configuration = Vec<(usize, VecDeque<String>)>;
    let position = |name: &str| network.machines.iter().position(|machine| machine.name == name);
    let initial: Configuration = network.machines.iter().map(|_| (0, VecDeque::new())).collect();
    let mut seen = HashSet::from([initial.clone()]);
    let mut frontier = VecDeque::from([initial]);
    let mut transitions = 0;
    while let Some(configuration) = frontier.pop_front() {
        for (index, machine) in network.machines.iter().enumerate() {
            for (action, target) in &machine.states[configuration[index].0].moves {
                let mut next = configuration.clone();
                next[index].0 = *target;
                match action {
                    Action::Send { to, message } => {
                        let mailbox = &mut next[position(to).expect("sends go to machines")].1;
                        if mailbox.len() == bound {
                            continue;
                        }
                        mailbox.push_back(message.clone());
                    }
                    Action::Receive(message) => {
                        if next[index].1.front() != Some(message) {
                            continue;
                        }
                        next[index].1.pop_front();
                    }
                    Action::Internal => {}
                }
                transitions += 1;
                if seen.insert(next.clone()) {
                    frontier.push_back(next);
                }
            }
        }
    }
    (seen.len(), transitions)
}

fn check(family: &str, parameters: &[&str], bound: usize, expected: (usize, usize)) {
    let network = families::build(family, parameters).expect("the parameters are right");
    assert_eq!(count(&network, bound), expected, "{family} {parameters:?} k={bound}");
}

/// The models that SPIN 6.5.2 counted were written by hand with variables; those of `rand` are the only ones
/// that were generated. SPIN's transitions are one more: it counts the step into the initial state.
#[test]
fn counts_are_those_of_independent_models() {
    check("tokenring", &["N=3"], 1, (8_020, 29_404));
    check("german", &["C=1"], 1, (45, 78));
    check("german", &["C=2"], 2, (17_543, 69_861));
    check("leader", &["N=4"], 1, (143, 302));
    check("leader", &["N=5"], 2, (1_063, 3_162));
    check("elevator", &["E=1"], 1, (102, 184));
    check("flood", &["P=2"], 2, (756, 2_208));
    check("tpc", &["N=2"], 1, (601, 1_190));
    check("tpc", &["N=3"], 2, (7_419, 21_963));
    check("repl", &["N=2"], 1, (477, 1_000));
    check("rand", &["S=2"], 1, (25_673, 58_111));
}

#[test]
fn both_languages_say_the_same() {
    let network = families::build("flood", &["P=1", "M=1"]).expect("the parameters are right");
    let cfsm = "\
queues mailbox;
machine Consumer {
    init C0_0: recv item(0,0) -> C1_0
    C1_0: send Producer0 ack -> C0_0
}
machine Producer0 {
    init P_0: send Consumer item(0,0) -> P_0
      | recv ack -> P_0
}
";
    let promela = "\
/* Consumer: item(0,0) */
chan q_Consumer = [2] of { byte };
/* Producer0: ack */
chan q_Producer0 = [2] of { byte };
active proctype Consumer()
{
C0_0:\tif
\t:: q_Consumer?1 -> goto C1_0
\tfi;
C1_0:\tif
\t:: q_Producer0!1 -> goto C0_0
\tfi;
\tskip
}
active proctype Producer0()
{
P_0:\tif
\t:: q_Consumer!1 -> goto P_0
\t:: q_Producer0?1 -> goto P_0
\tfi;
\tskip
}
";
    assert_eq!(emit::cfsm(&network), cfsm);
    assert_eq!(emit::promela(&network, 2), promela);
}

#[test]
fn every_instance_can_be_built() {
    for instance in &INSTANCES {
        assert!(families::NAMES.contains(&instance.family));
        assert!(!instance.network().machines.is_empty(), "{}", instance.name());
    }
    assert!(families::build("tokenring", &["C=3"]).is_err());
    assert!(families::build("tokenring", &["N"]).is_err());
    assert!(families::build("nothing", &[]).is_err());
    assert!(families::build("leader", &["N=6"]).is_err());
    assert!(families::build("rand", &["N=1"]).is_err());
}
