//! Several workers in one process, without sockets, find what one search finds.

mod reference;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier, Mutex};

use qp_base::{Budget, Exhausted};
use qp_cluster::{Alone, Findings, Lost, Net, Question, Tally, conduct};
use qp_machines::{Event, Model, Property};

use reference::{MODELS, corpus, essence, expected, question};

type Packet = (usize, Vec<u8>);

/// Carries packets between threads; all meet at the end of each round.
struct Threads {
    index: usize,
    senders: Vec<Sender<Packet>>,
    receiver: Receiver<Packet>,
    barrier: Arc<Barrier>,
    /// Nobody may send before all have read what belongs to the round.
    settled: bool,
}

impl Net for Threads {
    fn index(&self) -> usize {
        self.index
    }
    fn peers(&self) -> usize {
        self.senders.len()
    }
    fn send(&mut self, to: usize, packet: Vec<u8>) {
        self.senders[to].send((self.index, packet)).expect("all are there");
    }
    fn end_round(&mut self) {}
    fn is_settled(&mut self) -> bool {
        self.barrier.wait();
        self.settled = true;
        true
    }
    fn take(&mut self) -> Vec<Packet> {
        let packets = self.receiver.try_iter().collect();
        if std::mem::take(&mut self.settled) {
            self.barrier.wait();
        }
        packets
    }
    fn step(&mut self) {}
    fn wait(&mut self, _: bool) -> Result<(), Lost> {
        Ok(())
    }
}

/// The findings of all workers.
fn together(model: &Model, question: &Question, n: usize, budget: &Budget) -> Vec<Findings> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..n).map(|_| channel()).unzip();
    let barrier = Arc::new(Barrier::new(n));
    let search = |(index, receiver): (usize, Receiver<Packet>)| {
        let (senders, barrier) = (senders.clone(), barrier.clone());
        let net = Threads { index, senders, receiver, barrier, settled: false };
        let (model, question, budget) = (model.clone(), question.clone(), budget.clone());
        std::thread::spawn(move || {
            conduct(net, &model, &question, &budget, &Mutex::new(Tally::default()))
        })
    };
    let workers: Vec<_> = receivers.into_iter().enumerate().map(search).collect();
    let end = |worker: std::thread::JoinHandle<Result<Findings, Lost>>| {
        worker.join().expect("no worker panics").expect("nobody is lost")
    };
    workers.into_iter().map(end).collect()
}

fn alone(model: &Model, question: &Question) -> Findings {
    let (budget, tally) = (Budget::states(u64::MAX), Mutex::new(Tally::default()));
    conduct(Alone::default(), model, question, &budget, &tally).expect("nobody is lost")
}

#[test]
fn one_worker_finds_what_the_search_finds() {
    for &(path, bound) in MODELS {
        let model = corpus(path);
        let question = question(&model, bound);
        let found = alone(&model, &question);
        assert_eq!(essence(&model, &found), expected(&model, &question), "{path}");
    }
}

#[test]
fn three_workers_find_the_same_and_the_same_runs() {
    for &(path, bound) in MODELS {
        let model = corpus(path);
        let question = question(&model, bound);
        let first = alone(&model, &question);
        for found in together(&model, &question, 3, &Budget::states(u64::MAX)) {
            assert_eq!(essence(&model, &found), essence(&model, &first), "{path}");
            assert_eq!(found.violations.len(), first.violations.len(), "{path}");
        }
        let again = together(&model, &question, 3, &Budget::states(u64::MAX));
        let once = together(&model, &question, 3, &Budget::states(u64::MAX));
        assert_eq!(again[0].violations, once[2].violations, "{path}");
        assert_eq!(again[0].closed, once[0].closed, "{path}");
    }
}

/// Runs are shortest, and can be taken step by step.
#[test]
fn runs_can_be_replayed() {
    let mut n_runs = 0;
    for &(path, bound) in MODELS {
        let model = corpus(path);
        let found = together(&model, &question(&model, bound), 2, &Budget::states(u64::MAX));
        for violation in &found[1].violations {
            let mut system = model.system();
            let mut config = system.initial();
            let mut failed = false;
            for &step in &violation.steps {
                let outcome = system.fire(&config, step).expect("the step is possible");
                failed = matches!(outcome.event, Event::Failed { .. });
                config = outcome.config;
            }
            match violation.property {
                Property::Deadlock => assert!(system.successors(&config).is_empty(), "{path}"),
                Property::Assert | Property::Divergence => assert!(failed, "{path}"),
                Property::Reach(bad) => {
                    let bad = model.outline().bad[bad].clone();
                    assert!(bad.holds(&system, &config), "{path}");
                }
                _ => {}
            }
            n_runs += 1;
        }
    }
    assert!(n_runs >= 4, "only {n_runs} runs");
}

#[test]
fn a_limit_on_configurations_ends_all_workers_with_what_is_known() {
    let model = corpus("cfsm/flood.cfsm");
    let question = question(&model, 50);
    let found = together(&model, &question, 2, &Budget::states(500));
    for findings in &found {
        assert_eq!(findings.spent, Some(Exhausted::States));
        assert_eq!(findings.tally, found[0].tally);
        assert!(findings.tally.now.states > 500 && !findings.tally.bounds.is_empty());
        assert!(!findings.complete && findings.closed.is_none());
    }
}
