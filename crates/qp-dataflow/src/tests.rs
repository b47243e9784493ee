use super::*;

/// What each statement reads and writes, and where it goes on.
type Statement = (&'static [&'static str], &'static str, Vec<usize>);

/// Appel, Modern Compiler Implementation, figure 10.1: a loop over three variables.
fn appel() -> Vec<Statement> {
    vec![
        (&[], "a", vec![1]),
        (&["a"], "b", vec![2]),
        (&["b", "c"], "c", vec![3]),
        (&["b"], "a", vec![4]),
        (&["a"], "", vec![1, 5]),
        (&["c"], "", vec![]),
    ]
}

fn live(program: &[Statement]) -> Vec<BTreeSet<&'static str>> {
    let graph = Graph::new(program.iter().map(|it| it.2.clone()).collect());
    let reads = program.iter().map(|it| it.0.iter().copied().collect()).collect();
    solve(&graph, Direction::Backward, reads, |_, to, after: &BTreeSet<_>| {
        after.iter().copied().filter(|&name| name != program[to].1).collect()
    })
}

#[test]
fn liveness_of_the_textbook() {
    let expected =
        [vec!["c"], vec!["a", "c"], vec!["b", "c"], vec!["b", "c"], vec!["a", "c"], vec!["c"]];
    assert_eq!(live(&appel()), expected.map(BTreeSet::from_iter));
}

/// Values go round a cycle until nothing changes, and no further than edges lead.
#[test]
fn cycles_come_to_an_end() {
    let graph = Graph::new(vec![vec![1], vec![2], vec![0, 3], vec![], vec![3]]);
    let own = |node| BTreeSet::from([node]);
    let all = solve(&graph, Direction::Forward, (0..5).map(own).collect(), |_, _, it| it.clone());
    let round = BTreeSet::from([0, 1, 2]);
    let end = BTreeSet::from([0, 1, 2, 3, 4]);
    assert_eq!(all, [round.clone(), round.clone(), round, end, own(4)]);
}

#[test]
fn reachability_has_two_directions() {
    let graph = Graph::new(vec![vec![1], vec![2], vec![1], vec![2]]);
    assert_eq!(reach(&graph, Direction::Forward, [1]), [false, true, true, false]);
    assert_eq!(reach(&graph, Direction::Backward, [2]), [true, true, true, true]);
    assert_eq!(reach(&graph, Direction::Backward, [3]), [false, false, false, true]);
    assert_eq!(graph.reversed().reversed(), graph);
}

/// The same rules are applied in the same order, and none without need.
#[test]
fn the_order_is_fixed() {
    let graph = Graph::new(vec![vec![1], vec![2], vec![0, 3], vec![]]);
    let order = |direction| {
        let mut order = Vec::new();
        let start = (0..4).map(|node| node == 1).collect();
        solve(&graph, direction, start, |from, to, &it: &bool| {
            order.push((from, to));
            it
        });
        order
    };
    // The edge out of 0 is passed once for each value that 0 has.
    let forward = [(0, 1), (1, 2), (2, 0), (2, 3), (0, 1)];
    assert_eq!(order(Direction::Forward), forward);
    let backward = [(3, 2), (2, 1), (1, 0), (0, 2), (2, 1)];
    assert_eq!(order(Direction::Backward), backward);
}

/// Cells of which nobody knows before who reads them: `p` points to a cell, and `*p = x` writes there.
#[test]
fn rules_may_say_where_their_results_go() {
    let [p, x, first] = [0, 1, 2];
    let mut cells: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); 4];
    fixpoint(0..3, Direction::Forward, |rule, worklist| {
        let (to, value) = match rule {
            0 => {
                worklist.read(p);
                worklist.read(x);
                (cells[p].clone(), cells[x].clone())
            }
            1 => (BTreeSet::from([p]), BTreeSet::from([first])),
            _ => (BTreeSet::from([x]), BTreeSet::from([7])),
        };
        for cell in to {
            if cells[cell].join(&value) {
                worklist.changed(cell);
            }
        }
    });
    assert_eq!(cells[first], BTreeSet::from([7]));
    assert_eq!(cells[3], BTreeSet::new());
}

#[test]
#[should_panic(expected = "an edge leads to no node")]
fn edges_lead_to_nodes() {
    Graph::new(vec![vec![1]]);
}

#[test]
fn nodes_on_a_common_cycle_are_one_component() {
    let graph = Graph::new(vec![vec![1], vec![2], vec![0, 3], vec![4], vec![]]);
    let of = components(&graph);
    assert_eq!((of[0], of[1]), (of[1], of[2]));
    assert!(of[4] < of[3] && of[3] < of[0], "what is led to comes first: {of:?}");
}

#[test]
fn components_reach_each_other_and_nothing_else_does() {
    let mut dice = 1_u64;
    let mut roll = |sides: u64| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((dice >> 33) % sides) as usize
    };
    for _ in 0..300 {
        let nodes = 1 + roll(7);
        let edges =
            |roll: &mut dyn FnMut(u64) -> usize| (0..roll(3)).map(|_| roll(nodes as u64)).collect();
        let graph = Graph::new((0..nodes).map(|_| edges(&mut roll)).collect());
        let of = components(&graph);
        let from = |node: usize| reach(&graph, Direction::Forward, [node]);
        for a in 0..nodes {
            for b in 0..nodes {
                assert_eq!(of[a] == of[b], from(a)[b] && from(b)[a], "{graph:?}");
                assert!(!from(a)[b] || of[b] <= of[a], "{graph:?}");
            }
        }
    }
}

#[test]
fn a_long_path_overflows_no_stack() {
    let next = (0..200_001).map(|node| if node < 200_000 { vec![node + 1] } else { vec![] });
    assert_eq!(components(&Graph::new(next.collect())).iter().max(), Some(&200_000));
}
