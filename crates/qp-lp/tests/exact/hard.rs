use qp_base::{Budget, Exhausted};
use qp_lp::{Answer, BigInt, Domain, Problem, Ratio, Relation, Vector};

use super::{integers, program, solve};

const FREE: Domain = Domain::Free;
const PLAIN: Domain = Domain::NonNegative;
const AT_MOST: Relation = Relation::AtMost;
const EQUAL: Relation = Relation::Equal;
const AT_LEAST: Relation = Relation::AtLeast;

fn value(problem: &Problem) -> Ratio {
    match solve(problem) {
        Answer::Optimal { value, .. } => value,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_program_without_variables_has_the_value_0_or_no_point() {
    assert_eq!(value(&Problem::new()), Ratio::from(0));
    assert_eq!(value(&program(&[], &[(&[], AT_MOST, 3), (&[], EQUAL, 0)], &[])), Ratio::from(0));
    let none = program(&[], &[(&[], AT_LEAST, 1)], &[]);
    assert!(matches!(solve(&none), Answer::Infeasible { .. }));
}

#[test]
fn a_program_without_rows_grows_along_any_variable_of_the_objective() {
    let growing = solve(&program(&[PLAIN, PLAIN], &[], &[0, 1]));
    let (point, ray) = (Vector::integers(integers(&[0, 0])), Vector::integers(integers(&[0, 1])));
    assert_eq!(growing, Answer::Unbounded { point, ray });
    assert_eq!(value(&program(&[PLAIN, PLAIN], &[], &[0, -1])), Ratio::from(0));
}

#[test]
fn a_free_variable_grows_in_both_directions() {
    for (direction, ray) in [(3, 1), (-3, -1)] {
        let Answer::Unbounded { ray: found, .. } = solve(&program(&[FREE], &[], &[direction]))
        else {
            panic!("bounded");
        };
        assert_eq!(found.numerators, integers(&[ray]));
    }
}

#[test]
fn free_variables_take_negative_values() {
    let rows: [(&[i64], _, _); 2] = [(&[1, 2], AT_LEAST, -7), (&[1, -1], EQUAL, 2)];
    let Answer::Optimal { value, point, factors } = solve(&program(&[FREE, FREE], &rows, &[-1, 0]))
    else {
        panic!("not optimal");
    };
    assert_eq!(value, Ratio::from(1));
    assert_eq!(point, Vector::integers(integers(&[-1, -3])));
    assert_eq!(factors, Vector { numerators: integers(&[-1, -2]), denominator: 3.into() });
}

/// The program on which the textbook rule goes round in circles (Beale 1955).
#[test]
fn beales_program_ends() {
    let rows: [(&[i64], _, _); 3] = [
        (&[25, -6000, -4, 900], AT_MOST, 0),
        (&[50, -9000, -2, 300], AT_MOST, 0),
        (&[0, 0, 1, 0], AT_MOST, 1),
    ];
    assert_eq!(value(&program(&[PLAIN; 4], &rows, &[75, -15_000, 2, -600])), Ratio::from(5));
}

/// The cube whose corners a bad rule visits one by one (Klee and Minty 1972).
#[test]
fn a_squashed_cube_ends() {
    let size = 12;
    let mut problem = Problem::new();
    let variables: Vec<_> = (0..size).map(|_| problem.variable(PLAIN)).collect();
    for row in 0..size {
        let below = (0..row).map(|column| (variables[column], 2 << (row - column)));
        problem.row(
            below.chain([(variables[row], 1)]).collect(),
            AT_MOST,
            5_i64.pow(row as u32 + 1),
        );
    }
    problem.maximise((0..size).map(|index| (variables[index], 1 << (size - 1 - index))).collect());
    assert_eq!(value(&problem), Ratio::from(5_i64.pow(size as u32)));
}

#[test]
fn equalities_that_say_the_same_are_one() {
    let rows: [(&[i64], _, _); 4] = [
        (&[1, 1, 0], EQUAL, 3),
        (&[-2, -2, 0], EQUAL, -6),
        (&[0, 1, 1], EQUAL, 2),
        (&[1, 2, 1], EQUAL, 5),
    ];
    assert_eq!(value(&program(&[PLAIN; 3], &rows, &[1, 0, 2])), Ratio::from(7));
    let contrary = [rows[0], rows[2], (&[1, 2, 1], EQUAL, 6)];
    let Answer::Infeasible { factors } = solve(&program(&[PLAIN; 3], &contrary, &[])) else {
        panic!("feasible");
    };
    assert_eq!(factors.smallest_integers(), integers(&[1, 1, -1]));
}

/// The rows differ by a hair: floats would call them parallel.
#[test]
fn rows_that_are_nearly_dependent_are_told_apart() {
    let large = 1 << 60;
    let rows: [(&[i64], _, _); 2] =
        [(&[large, -large - 1], EQUAL, 1), (&[large - 1, -large], EQUAL, 0)];
    let Answer::Optimal { point, .. } = solve(&program(&[FREE, FREE], &rows, &[1, 0])) else {
        panic!("not optimal");
    };
    assert_eq!(point, Vector::integers(integers(&[large, large - 1])));
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let (least, most) = (i64::MIN, i64::MAX);
    let rows: [(&[i64], _, _); 2] =
        [(&[most, least], AT_MOST, least), (&[least, most], AT_MOST, most)];
    let answer = solve(&program(&[PLAIN, PLAIN], &rows, &[least, least]));
    assert!(matches!(answer, Answer::Optimal { .. }), "{answer:?}");
    let mut problem = Problem::new();
    let x = problem.variable(PLAIN);
    problem.row(vec![(x, most), (x, most), (x, most)], AT_MOST, most);
    problem.maximise(vec![(x, most), (x, most)]);
    assert_eq!(value(&problem), Ratio::new(BigInt::from(most) * 2, 3.into()));
}

#[test]
fn a_spent_budget_is_said_so() {
    let problem = program(&[PLAIN], &[(&[1], AT_MOST, 1)], &[1]);
    let answer = qp_lp::solve(&problem, &Budget::states(0));
    assert_eq!(answer, Answer::Unknown(Exhausted::States));
}

/// A client and a server with one unit of flow each: the queue between them holds at most 2 messages.
#[test]
fn a_flow_has_a_bound_with_potentials_and_weights() {
    let rows: [(&[i64], _, _); 3] =
        [(&[1, 0], AT_MOST, 2), (&[1, -1], AT_LEAST, 0), (&[0, -1], AT_LEAST, -5)];
    let Answer::Optimal { value, point, factors } =
        solve(&program(&[PLAIN, PLAIN], &rows, &[1, -1]))
    else {
        panic!("not optimal");
    };
    assert_eq!(value, Ratio::from(2));
    assert_eq!(point, Vector::integers(integers(&[2, 0])));
    assert_eq!(factors, Vector::integers(integers(&[1, 0, 0])));
}
