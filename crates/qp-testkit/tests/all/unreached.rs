//! What is said to be reached by no run, against slow searches, and against SPIN where it is installed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use qp_load::{File, Switches};
use qp_testkit::compare;
use qp_testkit::corpus::cases;
use qp_testkit::make;
use qp_testkit::net::{Act, Net, Sharing, Size};
use qp_testkit::reference::{Moment, Reached};
use queueproof::{Options, Report, Sets, check, load_files};

/// Machine, kind and name.
type Named = (String, String, String);

fn named(report: &Report) -> Option<BTreeSet<Named>> {
    let name =
        |it: &queueproof::UnreachedReport| (it.machine.clone(), it.kind.clone(), it.name.clone());
    report.unreached.as_ref().map(|all| all.iter().map(name).collect())
}

/// Whether an edge is one that the machine comes to in a configuration. Sends count wherever their state does.
fn happens(net: &Net, moment: &Moment, machine: usize, act: Act) -> bool {
    let state = &net.machines[machine].states[moment.0[machine]];
    let Act::Receive { queue, message } = act else { return true };
    if net.queues[queue].size == Size::Rendezvous {
        let offered = |other: usize| {
            let edges = &net.machines[other].states[moment.0[other]].edges;
            edges.iter().any(|edge| edge.act == Act::Send { queue, message })
        };
        return (0..net.machines.len()).any(|other| other != machine && offered(other));
    }
    let takes =
        |it: usize| state.edges.iter().any(|e| e.act == Act::Receive { queue, message: it });
    let mut heard = moment.1[queue].iter().filter(|it| !state.deferred.contains(it) || takes(**it));
    heard.next() == Some(&message)
}

/// What a slow search never comes to.
fn by_reference(net: &Net, reached: &Reached) -> BTreeSet<Named> {
    let mut never = BTreeSet::new();
    for (number, machine) in net.machines.iter().enumerate() {
        for (place, state) in machine.states.iter().enumerate() {
            let at: Vec<&Moment> =
                reached.moments.iter().filter(|moment| moment.0[number] == place).collect();
            if at.is_empty() {
                never.insert((machine.name.clone(), "state".to_owned(), state.name.clone()));
                continue;
            }
            for edge in &state.edges {
                let Act::Receive { queue, message } = edge.act else { continue };
                if !at.iter().any(|moment| happens(net, moment, number, edge.act)) {
                    let message = &net.messages[message];
                    let what = match net.sharing {
                        Sharing::Mailbox => format!("recv {message}"),
                        Sharing::Pairs | Sharing::Channels => {
                            format!("recv {} {message}", net.queues[queue].name)
                        }
                    };
                    let name = format!("{what} in {}", state.name);
                    never.insert((machine.name.clone(), "transition".to_owned(), name));
                }
            }
        }
    }
    never
}

#[test]
fn random_systems_are_told_what_a_slow_search_never_comes_to() {
    let (mut n_compared, mut n_listed, mut n_open) = (0, 0, 0);
    for seed in 0..400 {
        let net = make::net(seed);
        let Some(reached) = Reached::explore(&net, 3, 3_000) else { continue };
        let loaded = compare::loaded(&net).expect("it is a model");
        for sets in [Sets::Explicit, Sets::Symbolic] {
            let engines = vec!["explore".to_owned()];
            let options = Options {
                bound_max: 3,
                bound_rises: false,
                engines,
                sets,
                exhaustive: true,
                time: None,
                ..Options::default()
            };
            let report = check(&loaded, &options, &options.budget()).report;
            let Some(said) = named(&report) else {
                assert!(!reached.is_complete(), "{seed}: nothing is said\n{}", net.text());
                n_open += 1;
                continue;
            };
            assert!(reached.is_complete(), "{seed}: said too early\n{}", net.text());
            let truth = by_reference(&net, &reached);
            if sets == Sets::Explicit {
                assert_eq!(said, truth, "{seed}\n{}", net.text());
            } else {
                // Diagrams may ask about more than there is.
                assert!(said.is_subset(&truth), "{seed}: {said:?}\n{}", net.text());
            }
            n_compared += 1;
            n_listed += said.len();
        }
    }
    println!("{n_compared} compared, {n_listed} places, {n_open} not complete");
    assert!(n_compared > 200 && n_listed > 200 && n_open > 50);
}

/// Walks through every configuration by the one step function: no machine is ever in a state that is listed.
#[test]
fn no_machine_of_the_corpus_is_ever_in_a_listed_state() {
    let (mut n_models, mut n_states) = (0, 0);
    for case in cases() {
        let case = case.expect("the corpus is readable");
        if !["cfsm/", "p/features/"].iter().any(|folder| case.name.starts_with(folder)) {
            continue;
        }
        let report = case.check(&["explore"], 1).report;
        let Some(listed) = named(&report).filter(|listed| !listed.is_empty()) else { continue };
        let mut system = case.loaded.model.system();
        let first = system.initial();
        let (mut known, mut open) = (BTreeSet::from([first.clone()]), vec![first]);
        while let Some(config) = open.pop().filter(|_| known.len() < 20_000) {
            for machine in config.machines() {
                let local = config.local(machine);
                let program = system.program();
                let of = program.machine_name(machine, local);
                let of = of.unwrap_or_else(|| report_name(&case.loaded, machine.index()));
                let of = of.split('(').next().unwrap_or_default().to_owned();
                for state in program.control_name(machine, local).split('/') {
                    let entry = (of.clone(), "state".to_owned(), state.to_owned());
                    assert!(!listed.contains(&entry), "{}: {entry:?}", case.name);
                    n_states += 1;
                }
            }
            for outcome in system.successors(&config) {
                if !outcome.is_end() && known.insert(outcome.config.clone()) {
                    open.push(outcome.config);
                }
            }
        }
        n_models += 1;
    }
    println!("{n_models} models, {n_states} states looked at");
    assert!(n_models > 20);
}

fn report_name(loaded: &queueproof::Loaded, machine: usize) -> String {
    let machines = &loaded.model.outline().machines;
    machines.iter().nth(machine).map_or_else(String::new, |info| info.name.clone())
}

/// Proctype and line of everything that SPIN did not reach, but for ends of processes, which are not listed here.
fn by_spin(folder: &Path, model: &Path) -> BTreeSet<(String, u32)> {
    let spin = Command::new("spin").args(["-o3", "-a"]).arg(model).current_dir(folder).output();
    assert!(spin.is_ok_and(|output| output.status.success()), "{}", model.display());
    let compiler = ["-w", "-DNOREDUCE", "-o", "pan", "pan.c"];
    let built = Command::new("cc").args(compiler).current_dir(folder).status();
    assert!(built.is_ok_and(|status| status.success()));
    let mut pan = Command::new(folder.join("pan"));
    let said = pan.args(["-E", "-A", "-m100000"]).current_dir(folder).output();
    let said = said.expect("the verifier runs");
    let (mut proctype, mut found) = (String::new(), BTreeSet::new());
    for line in String::from_utf8_lossy(&said.stdout).lines() {
        if let Some(name) = line.strip_prefix("unreached in ") {
            name.trim_start_matches("proctype ").clone_into(&mut proctype);
        } else if let Some((place, rest)) = line.trim().split_once(", state ")
            && let Some((_, number)) = place.rsplit_once(':')
            && !rest.contains("\"-end-\"")
            && !rest.contains("\"D_STEP")
            && !rest.contains("\"(goto)\"")
        {
            found.insert((proctype.clone(), number.parse().expect("a line")));
        }
    }
    found
}

/// Processes, and lines of statements that they do not come to.
type Lines = BTreeSet<(String, u32)>;

/// The same of ours; a proctype that never runs stands for all of its lines.
fn by_us(name: &str, text: &str) -> Option<(Lines, BTreeSet<String>)> {
    let file = File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    let loaded = load_files(name, &[file], &Switches::default()).expect("it is a model");
    let properties = vec!["stuck".to_owned()];
    let options = Options { properties, engines: vec!["explore".to_owned()], ..Options::default() };
    let report = check(&loaded, &options, &options.budget()).report;
    let (mut lines, mut never) = (BTreeSet::new(), BTreeSet::new());
    for it in report.unreached? {
        match it.kind.as_str() {
            "machine" => never.insert(it.machine),
            // SPIN counts every `skip` as reached.
            _ if it.name == "1" => false,
            _ => lines.insert((it.machine, it.location.line)),
        };
    }
    Some((lines, never))
}

/// Models with choices, loops, atomic sequences and processes that never run, all without `d_step`, of which SPIN
/// tells nothing inside.
const MODELS: &[(&str, &str)] = &[
    (
        "choices.pml",
        "mtype = { ping, pong, stop };
chan c = [1] of { mtype };
byte n;
active proctype A() {
  c!ping;
  if
  :: n > 5 ->
     n = 3;
     c!stop
  :: else -> skip
  fi;
  if
  :: n == 7 -> n = 1;
     if
     :: n == 2 -> n = 5
     :: n == 3 -> n = 6
     fi
  :: n == 0 -> n = 2
  :: n == 1 -> n = 2
  fi;
  false;
  n = 9;
  n = 10
}
active proctype B() {
  do
  :: c?ping -> n++;
     atomic {
       n > 100 ->
       n = 0;
       n = 1
     }
  :: c?pong ->
     n = 7
  :: n > 200 -> break
  od;
  n = 5
}
proctype C() {
  n = 77
}
",
    ),
    (
        "processes.pml",
        "chan q = [2] of { byte };
proctype Worker(byte k) {
  byte got;
  if
  :: k == 1 -> q!1
  :: k == 2 -> q!2;
     q!3
  fi;
  q?got;
  assert(got > 0)
}
init {
  atomic { run Worker(1); run Worker(1) }
  _nr_pr == 1;
  if
  :: len(q) > 0 -> skip;
     q?_
  :: else -> skip
  fi
}
",
    ),
];

#[test]
fn spin_reaches_the_same_statements() {
    if Command::new("spin").arg("-V").output().is_err() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("unreached");
    std::fs::create_dir_all(&folder).expect("there is room");
    let mut n_lines = 0;
    for (name, text) in MODELS {
        let model = folder.join(name);
        std::fs::write(&model, text).expect("there is room");
        let mut spin = by_spin(&folder, &model);
        let (ours, never) = by_us(name, text).expect("the search is complete");
        spin.retain(|(proctype, _)| !never.contains(proctype));
        assert_eq!(ours, spin, "{name}");
        n_lines += ours.len();
    }
    assert!(n_lines >= 10, "{n_lines}");
}

/// Models of the corpus without failures, in which SPIN's verifier sees the same runs. Code that is dead by its form,
/// as in `jump_into_atomic.pml`, SPIN drops without a word.
const CORPUS: &[&str] = &[
    "alternating_bit.pml",
    "bounded_buffer.pml",
    "children.pml",
    "client_server.pml",
    "conway.pml",
    "credit_recovery.pml",
    "giop.pml",
    "handshake_choice.pml",
    "mobile_handover.pml",
    "mvcc.pml",
    "nested_atomic.pml",
    "sip.pml",
    "sleep_wakeup.pml",
    "timeouts.pml",
    "train_controller.pml",
    "two_phase_commit.pml",
];

#[test]
fn spin_reaches_the_same_statements_of_the_corpus() {
    if Command::new("spin").arg("-V").output().is_err() {
        return;
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("unreached_corpus");
    std::fs::create_dir_all(&folder).expect("there is room");
    let mut n_models = 0;
    for name in CORPUS {
        let path = corpus.join(name);
        let text = std::fs::read_to_string(&path).expect("it is part of the corpus");
        // Claims restrict what SPIN sees.
        if ["d_step", "unless", "ltl ", "never "].iter().any(|word| text.contains(word)) {
            continue;
        }
        let Some((ours, never)) = by_us(name, &text) else { continue };
        let mut spin = by_spin(&folder, &path);
        spin.retain(|(proctype, _)| !never.contains(proctype));
        assert_eq!(ours, spin, "{name}");
        n_models += 1;
    }
    println!("{n_models} models");
    assert!(n_models >= 5);
}
