//! Edges by the numbers of SPIN 6.5.2; what is expected was read off its `pan -d`.

use qp_front_promela::{NoFiles, Options, read};

use super::{Graph, graphs};

/// The control flow of the last process.
fn graph(text: &str) -> (Graph, Vec<String>) {
    let spec = read("model.pml", text, &NoFiles, &Options::default()).spec.expect("it is right");
    let graphs = graphs(&spec, &mut Vec::new());
    let last = spec.procs.ids().last().expect("there is a process");
    let labels = spec.procs[last].body.labels.iter().map(|label| label.name.clone()).collect();
    (graphs[last].clone(), labels)
}

/// The numbers of all edges, in order.
fn check(statements: &str, expect: &[u32]) {
    let (graph, _) = graph(&format!("byte x, y; active proctype p() {{ {statements} }}"));
    let edges = graph.nodes.iter().flat_map(|node| &node.edges);
    let mut found: Vec<u32> = edges.filter_map(|edge| edge.number).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, expect, "{statements}");
}

/// The numbers of the edges at a label.
fn check_label(statements: &str, label: &str, expect: &[u32]) {
    let (graph, labels) = graph(&format!("byte x, y; active proctype p() {{ {statements} }}"));
    let has = |id: &qp_front_promela::spec::LabelId| labels[id.index()] == label;
    let nodes = graph.nodes.iter().filter(|node| node.labels.iter().any(has));
    let at: Vec<u32> = nodes.flat_map(|node| &node.edges).filter_map(|it| it.number).collect();
    assert_eq!(at, expect, "{statements}");
}

#[test]
fn every_edge_has_the_number_of_its_statement() {
    check("x = 1; y = 2", &[0, 1, 2]);
    check("if :: x -> y = 1 :: else fi; x = 2", &[0, 1, 2, 5, 6]);
    check("select (x : 1 .. 3); y = 1", &[0, 1, 2, 5, 6]);
    check("select (x : 1 .. y); y = 1", &[0, 1, 2, 3, 7, 8]);
    check("x = 1 unless y; x = 2", &[0, 1, 4, 5]);
}

#[test]
fn parts_of_counting_loops_have_numbers_around_their_body() {
    check("for (x : 1 .. 2) { y = 1; y = 2 }; y = 2", &[0, 1, 2, 3, 4, 5, 10, 11]);
}

#[test]
fn labels_before_counting_loops_name_the_loop() {
    check_label("k: for (x : 1 .. 2) { y = 1 }", "k", &[1, 4]);
    check_label("k: select (x : 1 .. y)", "k", &[3, 1]);
    check_label("k: select (x : 1 .. 90)", "k", &[0]);
    check_label("k: select (x : 1 .. 2)", "k", &[0, 1]);
}

#[test]
fn jumps_behind_labels_that_mark_states_are_steps() {
    check_label("x = 1; end: goto k; x = 2; k: x = 3", "end", &[2]);
}
