//! What `sync` answers for mailboxes: the weak number of messages per round, and not the strong one.
//!
//! A chart is what each machine does in its order, and who receives what. It is weakly made of rounds of k messages if
//! some order of its events is; it is strongly so if some run with this chart is. Both are found here by trying all
//! orders, for a model whose runs are few and short.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::Event;
use queueproof::{Loaded, Options, check, load};

/// A machine sends, or receives, the message that a machine sent as its nth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Deed {
    machine: usize,
    receives: bool,
    message: (usize, usize),
}

type Chart = BTreeMap<usize, Vec<Deed>>;

/// All runs, also those that could go on.
fn runs(loaded: &Loaded) -> BTreeSet<Vec<Deed>> {
    let mut system = loaded.model.system();
    let start = (system.initial(), Vec::new(), Vec::new());
    let (mut found, mut todo) = (BTreeSet::new(), vec![start]);
    while let Some((config, deeds, waiting)) = todo.pop() {
        for outcome in system.successors(&config) {
            let (mut deeds, mut waiting): (Vec<Deed>, Vec<_>) = (deeds.clone(), waiting.clone());
            let machine = outcome.step.machine.index();
            let message = match outcome.event {
                Event::Sent { queue, .. } => {
                    let mine = |deed: &&Deed| deed.machine == machine && !deed.receives;
                    let message = (machine, deeds.iter().filter(mine).count());
                    waiting.push((queue, message));
                    message
                }
                Event::Took { queue, .. } => {
                    let first =
                        waiting.iter().position(|(at, _)| *at == queue).expect("one waits there");
                    waiting.remove(first).1
                }
                _ => panic!("such models only send and receive"),
            };
            let receives = matches!(outcome.event, Event::Took { .. });
            deeds.push(Deed { machine, receives, message });
            todo.push((outcome.config, deeds, waiting));
        }
        found.insert(deeds);
    }
    found
}

fn chart(deeds: &[Deed]) -> Chart {
    let mut chart = Chart::new();
    for deed in deeds {
        chart.entry(deed.machine).or_default().push(*deed);
    }
    chart
}

/// All orders of the events of a chart in which nothing is received before it is sent.
fn orders(chart: &Chart) -> Vec<Vec<Deed>> {
    let n = chart.values().map(Vec::len).sum::<usize>();
    let mut orders = vec![Vec::new()];
    for _ in 0..n {
        let mut longer = Vec::new();
        for order in orders {
            for mine in chart.values() {
                let done = order.iter().filter(|deed: &&Deed| deed.machine == mine[0].machine);
                let Some(next) = mine.get(done.count()) else { continue };
                let sent = |deed: &Deed| deed.message == next.message && !deed.receives;
                if !next.receives || order.iter().any(sent) {
                    longer.push([&order[..], &[*next]].concat());
                }
            }
        }
        orders = longer;
    }
    orders
}

/// The least number of messages per round with which this order is one of rounds, if it is.
fn least_k(order: &[Deed]) -> Option<usize> {
    if order.is_empty() {
        return Some(0);
    }
    let ends = (1..=order.len()).filter(|&end| {
        let round = &order[..end];
        let n_sends = round.iter().take_while(|deed| !deed.receives).count();
        let own = |deed: &Deed| round[..n_sends].iter().any(|sent| sent.message == deed.message);
        round[n_sends..].iter().all(|deed| deed.receives && own(deed))
    });
    let whole = ends.filter_map(|end| {
        let n_sends = order[..end].iter().filter(|deed| !deed.receives).count();
        Some(n_sends.max(least_k(&order[end..])?))
    });
    whole.min()
}

/// The weak and the strong number of messages per round that every run comes down to.
fn least_numbers(loaded: &Loaded) -> (Option<usize>, Option<usize>) {
    let runs = runs(loaded);
    let charts: BTreeSet<Chart> = runs.iter().map(|run| chart(run)).collect();
    let (mut weak, mut strong) = (Some(0), Some(0));
    for chart in &charts {
        let best = |orders: &mut dyn Iterator<Item = Vec<Deed>>| {
            orders.filter_map(|order| least_k(&order)).min()
        };
        let any = best(&mut orders(chart).into_iter());
        let real = best(&mut runs.iter().filter(|run| self::chart(run) == *chart).cloned());
        weak = weak.zip(any).map(|(a, b)| a.max(b));
        strong = strong.zip(real).map(|(a, b)| a.max(b));
    }
    (weak, strong)
}

fn answer(loaded: &Loaded) -> (u32, String) {
    let properties = vec!["sync".to_owned()];
    let options = Options { properties, ..Options::default() };
    let report = check(loaded, &options, &options.budget()).report;
    let sync = &report.properties[0];
    (sync.explored.expect("it has figures").bound, sync.message.clone())
}

fn read(queues: &str) -> Loaded {
    let text = format!(
        "{queues} machine M0 {{ init S: send M2 x -> T  T: send M1 a -> U  U: }}
         machine M1 {{ init S: recv {}a -> T  T: }}
         machine M2 {{ init S: send M1 d -> T  T: recv {}x -> U  U: }}",
        if queues.is_empty() { "" } else { "M0 " },
        if queues.is_empty() { "" } else { "M0 " },
    );
    load("m.cfsm", text.as_bytes()).unwrap_or_else(|refused| panic!("{:?}", refused.diagnostics))
}

#[test]
fn with_mailboxes_the_weak_number_is_told_and_called_so() {
    let loaded = read("");
    assert_eq!(least_numbers(&loaded), (Some(1), Some(3)));
    let (k, message) = answer(&loaded);
    assert_eq!(k, 1);
    assert!(message.contains("weakly"), "{message}");
}

#[test]
fn with_a_queue_for_each_pair_both_numbers_are_the_same() {
    let loaded = read("queues peer-to-peer;");
    assert_eq!(least_numbers(&loaded), (Some(1), Some(1)));
    let (k, message) = answer(&loaded);
    assert_eq!(k, 1);
    assert!(!message.contains("weakly"), "{message}");
}
