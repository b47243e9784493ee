use qp_lp::{
    Answer, BigInt, Domain, Problem, Ratio, Relation, Vector, check_farkas, check_optimal,
    check_point, check_ray,
};

use super::{integers, program, solve};

const PLAIN: Domain = Domain::NonNegative;

/// Maximise x + y where x + 2y <= 4, x - y >= -1, x + z = 3.
fn bounded() -> Problem {
    let rows: [(&[i64], _, _); 3] = [
        (&[1, 2, 0], Relation::AtMost, 4),
        (&[1, -1, 0], Relation::AtLeast, -1),
        (&[1, 0, 1], Relation::Equal, 3),
    ];
    program(&[PLAIN; 3], &rows, &[1, 1, 0])
}

fn vector(numerators: &[i64], denominator: i64) -> Vector {
    Vector { numerators: integers(numerators), denominator: denominator.into() }
}

/// Every vector that differs in one number by one, and a few that have the wrong shape.
fn mutants(vector: &Vector) -> Vec<Vector> {
    let mut mutants = vec![];
    for index in 0..vector.numerators.len() {
        for change in [-1, 1] {
            let mut mutant = vector.clone();
            mutant.numerators[index] += change;
            mutants.push(mutant);
        }
    }
    let shape = |numerators: &[BigInt], denominator: BigInt| Vector {
        numerators: numerators.to_vec(),
        denominator,
    };
    let negative: Vec<BigInt> = vector.numerators.iter().map(|n| -n).collect();
    mutants.push(shape(&negative, -&vector.denominator));
    mutants.push(shape(&vector.numerators, 0.into()));
    mutants.push(shape(&vector.numerators[1..], vector.denominator.clone()));
    mutants.push(shape(&[&vector.numerators[..], &integers(&[0])].concat(), 1.into()));
    mutants
}

#[test]
fn the_evidence_of_an_optimum_is_accepted_and_no_mutant_is() {
    let problem = bounded();
    let Answer::Optimal { value, point, factors } = solve(&problem) else { panic!("not optimal") };
    assert_eq!(value, Ratio::new(7.into(), 2.into()));
    assert!(check_optimal(&problem, &value, &point, &factors));
    assert!(!check_optimal(&problem, &Ratio::from(3), &point, &factors));
    for mutant in mutants(&point) {
        assert!(!check_optimal(&problem, &value, &mutant, &factors), "{mutant:?}");
    }
    for mutant in mutants(&factors) {
        assert!(!check_optimal(&problem, &value, &point, &mutant), "{mutant:?}");
    }
}

#[test]
fn a_point_below_the_optimum_and_a_bound_above_it_are_no_optimum() {
    let problem = bounded();
    let (low, high) = (vector(&[0, 0, 3], 1), vector(&[1, 0, 0], 1));
    assert!(check_point(&problem, &low));
    assert!(!check_optimal(&problem, &Ratio::from(0), &low, &high));
    assert!(!check_optimal(&problem, &Ratio::from(4), &low, &high));
}

#[test]
fn a_factor_of_the_wrong_sign_is_refused() {
    let problem = program(&[PLAIN], &[(&[1], Relation::AtLeast, 0)], &[1]);
    assert!(!check_optimal(&problem, &Ratio::from(0), &vector(&[0], 1), &vector(&[1], 1)));
    let problem = program(&[PLAIN], &[(&[-1], Relation::AtMost, 0)], &[1]);
    assert!(!check_optimal(&problem, &Ratio::from(0), &vector(&[0], 1), &vector(&[-1], 1)));
}

#[test]
fn the_factors_must_meet_a_free_variable_exactly() {
    let rows: [(&[i64], _, _); 1] = [(&[2], Relation::AtMost, 0)];
    let (zero, one) = (vector(&[0], 1), vector(&[1], 1));
    let free = program(&[Domain::Free], &rows, &[1]);
    assert!(!check_optimal(&free, &Ratio::from(0), &zero, &one));
    assert!(check_optimal(&free, &Ratio::from(0), &zero, &vector(&[1], 2)));
    assert!(check_optimal(&program(&[PLAIN], &rows, &[1]), &Ratio::from(0), &zero, &one));
}

#[test]
fn a_ray_is_accepted_and_no_ray_that_leaves_the_rows_or_gains_nothing() {
    let rows: [(&[i64], _, _); 2] =
        [(&[1, -1, 0], Relation::Equal, 0), (&[0, 1, -1], Relation::AtMost, 2)];
    let problem = program(&[PLAIN; 3], &rows, &[1, 0, 0]);
    let Answer::Unbounded { point, ray } = solve(&problem) else { panic!("bounded") };
    assert!(check_ray(&problem, &point, &ray));
    assert_eq!(ray, vector(&[1, 1, 1], 1));
    let refused = [[1, 0, 1], [1, 1, 0], [0, 0, 1], [0, 0, 0], [-1, -1, -1], [1, 1, -1]];
    for mutant in refused {
        assert!(!check_ray(&problem, &point, &vector(&mutant, 1)), "{mutant:?}");
    }
    assert!(!check_ray(&problem, &vector(&[0, 1, 0], 1), &ray), "not a point");
    assert!(!check_ray(&problem, &point, &vector(&[-1, -1, -1], -1)));
}

#[test]
fn variables_that_are_not_free_are_never_negative() {
    let shrinking = program(&[PLAIN], &[], &[-1]);
    assert!(check_point(&shrinking, &vector(&[0], 1)));
    assert!(!check_point(&shrinking, &vector(&[-1], 1)));
    assert!(!check_ray(&shrinking, &vector(&[0], 1), &vector(&[-1], 1)));
    let free = program(&[Domain::Free], &[], &[-1]);
    assert!(check_ray(&free, &vector(&[0], 1), &vector(&[-1], 1)));
}

#[test]
fn a_denominator_is_positive() {
    let problem = program(&[Domain::Free], &[(&[1], Relation::AtMost, 1)], &[-1]);
    assert!(check_point(&problem, &vector(&[-5], 1)));
    assert!(!check_point(&problem, &vector(&[-5], -1)), "5 is more than 1");
    assert!(!check_point(&problem, &vector(&[-5], 0)));
    assert!(!check_ray(&problem, &vector(&[0], 1), &vector(&[-1], -1)));
    assert!(!check_ray(&problem, &vector(&[0], 1), &vector(&[-1], 0)));
}

#[test]
fn factors_against_every_point_are_accepted_and_no_mutant_is() {
    let rows: [(&[i64], _, _); 3] = [
        (&[1, 1], Relation::AtMost, 1),
        (&[1, 0], Relation::AtLeast, 1),
        (&[0, 1], Relation::Equal, 1),
    ];
    let problem = program(&[PLAIN; 2], &rows, &[]);
    let Answer::Infeasible { factors } = solve(&problem) else { panic!("feasible") };
    assert!(check_farkas(&problem, &factors));
    assert_eq!(factors.smallest_integers(), integers(&[1, -1, -1]));
    for mutant in mutants(&factors).into_iter().filter(|mutant| *mutant != factors) {
        assert!(!check_farkas(&problem, &mutant), "{mutant:?}");
    }
    assert!(!check_farkas(&problem, &vector(&[0, 0, 0], 1)));
    assert!(!check_farkas(&bounded(), &vector(&[1, -1, 1], 1)));
}
