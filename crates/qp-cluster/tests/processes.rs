//! Several processes on this machine find what one search finds, and notice when one of them is gone.
//!
//! The processes are this test program, started again for the test `member` alone.
#![cfg(feature = "distributed")]

mod reference;

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use qp_base::Budget;
use qp_cluster::{free_addresses, join, search};

use reference::{MODELS, corpus, essence, expected, question};

const PATIENCE: Duration = Duration::from_mins(1);

/// One process of a cluster, if it was started as one.
#[test]
fn member() {
    let variable = |name: &str| std::env::var(format!("QP_CLUSTER_{name}")).ok();
    let Some(index) = variable("INDEX") else { return };
    let index: usize = index.parse().expect("a number");
    let addresses: Vec<String> =
        variable("ADDRESSES").expect("given").split(',').map(str::to_owned).collect();
    let (path, bound) = (variable("MODEL").expect("given"), variable("BOUND").expect("given"));
    let digest = variable("DIGEST").map_or(1, |digest| digest.parse().expect("a number"));
    let model = corpus(&path);
    let question = question(&model, bound.parse().expect("a number"));
    let joined = match join(&addresses, index, digest, PATIENCE) {
        Ok(joined) => joined,
        Err(why) => return println!("ALONE {why}"),
    };
    match search(joined, &model, &question, &Budget::states(u64::MAX)) {
        Ok(found) => println!("FOUND {:?} {}", essence(&model, &found), found.n_processes),
        Err(stopped) => {
            println!("LOST {} after {} configurations", stopped.lost, stopped.tally.now.states);
            // What is left of the connections must not keep the process.
            std::process::exit(0);
        }
    }
}

fn start(addresses: &[String], index: usize, model: &str, bound: u32, digest: u64) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["member", "--exact", "--nocapture"])
        .env("QP_CLUSTER_INDEX", index.to_string())
        .env("QP_CLUSTER_ADDRESSES", addresses.join(","))
        .env("QP_CLUSTER_MODEL", model)
        .env("QP_CLUSTER_BOUND", bound.to_string())
        .env("QP_CLUSTER_DIGEST", digest.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

/// What a process said.
fn said(child: Child) -> String {
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let words = ["FOUND", "LOST", "ALONE"];
    let at = words.iter().find_map(|word| text.find(word)).unwrap_or_else(|| panic!("{text}"));
    text[at..].lines().next().unwrap_or_default().to_owned()
}

fn counts_agree(n: usize, models: &[(&str, u32)]) {
    for &(path, bound) in models {
        let addresses = free_addresses(n).expect("there are ports");
        let processes: Vec<Child> =
            (0..n).map(|index| start(&addresses, index, path, bound, 1)).collect();
        let model = corpus(path);
        let wanted = format!("FOUND {:?} {n}", expected(&model, &question(&model, bound)));
        for process in processes {
            assert_eq!(said(process), wanted, "{path}");
        }
    }
}

#[test]
fn two_processes_find_what_one_search_finds() {
    counts_agree(2, MODELS);
}

#[test]
fn four_processes_find_what_one_search_finds() {
    let few = MODELS.iter().copied().filter(|(path, _)| {
        ["cfsm/german_nodefer.cfsm", "p/german_1.p", "promela/leader_5.pml"].contains(path)
    });
    counts_agree(4, &few.collect::<Vec<_>>());
}

#[test]
fn a_process_that_is_killed_ends_the_others_with_what_is_known() {
    let addresses = free_addresses(3).expect("there are ports");
    // Far more configurations than any patience.
    let mut processes: Vec<Child> =
        (0..3).map(|index| start(&addresses, index, "cfsm/flood.cfsm", 1000, 1)).collect();
    std::thread::sleep(Duration::from_secs(4));
    let mut victim = processes.remove(1);
    victim.kill().expect("it runs");
    victim.wait().expect("it ends");
    let killed = Instant::now();
    for process in processes {
        let said = said(process);
        assert!(said.starts_with("LOST another process of the cluster was lost after "), "{said}");
        let states = said.split_whitespace().rev().nth(1).and_then(|it| it.parse::<u64>().ok());
        assert!(states.is_some_and(|states| states > 0), "{said}");
    }
    assert!(killed.elapsed() < Duration::from_secs(20), "{:?}", killed.elapsed());
}

#[test]
fn processes_that_were_asked_something_else_do_not_go_on() {
    let addresses = free_addresses(2).expect("there are ports");
    let first = start(&addresses, 0, "cfsm/flood.cfsm", 2, 1);
    let second = start(&addresses, 1, "cfsm/flood.cfsm", 2, 2);
    let end = "has another model, other options or another version of Queueproof";
    assert_eq!(said(first), format!("ALONE process 1 {end}"));
    assert_eq!(said(second), format!("ALONE process 0 {end}"));
}

#[test]
fn who_does_not_come_is_named_and_strangers_are_not_let_in() {
    let addresses = free_addresses(2).expect("there are ports");
    let (listening, patience) = (addresses.clone(), Duration::from_secs(2));
    let waiting = std::thread::spawn(move || join(&listening, 0, 1, patience).err());
    std::thread::sleep(Duration::from_millis(300));
    let stranger = TcpStream::connect(&addresses[0]);
    let why = waiting.join().expect("no panic").expect("nobody came").to_string();
    drop(stranger);
    assert_eq!(why, format!("process 1 at {} did not join within 2 seconds", addresses[1]));
}
