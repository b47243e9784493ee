use qp_base::Budget;
use qp_lp::{Answer, Domain, Problem, Relation, Simplex, Term, VariableId};

use super::enumeration::{Outcome, decide};
use super::{Random, solve};

#[test]
fn small_random_programs_have_the_answers_of_the_naive_method() {
    let mut random = Random(1);
    let mut seen = [0; 3];
    for round in 0..6000 {
        let problem = small(&mut random);
        let outcome = outcome(&solve(&problem));
        assert_eq!(outcome, decide(&problem), "round {round}: {problem:?}");
        seen[match outcome {
            Outcome::Optimal(_) => 0,
            Outcome::Unbounded => 1,
            Outcome::Infeasible => 2,
        }] += 1;
    }
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

#[test]
fn one_objective_after_the_other_has_the_same_answers_as_each_alone() {
    let mut random = Random(2);
    for round in 0..1000 {
        let mut problem = small(&mut random);
        let mut simplex = Simplex::new(problem.clone());
        for _ in 0..4 {
            let objective = terms(&mut random, &problem);
            problem.maximise(objective.clone());
            let answer = simplex.maximise(objective, &Budget::states(100_000));
            assert_eq!(outcome(&answer), outcome(&solve(&problem)), "round {round}: {problem:?}");
        }
    }
}

#[test]
fn work_goes_on_where_the_budget_ended() {
    let mut random = Random(3);
    let mut interrupted = 0;
    for _ in 0..500 {
        let problem = small(&mut random);
        let mut simplex = Simplex::new(problem.clone());
        let answers = (0..100)
            .map(|steps| simplex.maximise(problem.objective().to_vec(), &Budget::states(steps)));
        let answers: Vec<Answer> = answers.collect();
        interrupted += answers.iter().filter(|a| matches!(a, Answer::Unknown(_))).count();
        assert_eq!(outcome(answers.last().unwrap()), outcome(&solve(&problem)), "{problem:?}");
    }
    assert!(interrupted > 200, "{interrupted}");
}

#[test]
fn large_random_programs_are_decided_with_big_numbers() {
    let mut random = Random(4);
    for _ in 0..30 {
        let mut problem = Problem::new();
        for _ in 0..12 {
            problem.variable(Domain::NonNegative);
        }
        for _ in 0..10 {
            let factors =
                problem.variables().ids().map(|id| (id, random.between(-1 << 40, 1 << 60)));
            let row: Vec<Term> = factors.collect();
            problem.row(row, Relation::AtMost, random.between(0, 1 << 60));
        }
        let objective = problem.variables().ids().map(|id| (id, random.between(1, i64::MAX)));
        let objective = objective.collect();
        problem.maximise(objective);
        assert!(!matches!(solve(&problem), Answer::Infeasible { .. } | Answer::Unknown(_)));
    }
}

/// Few variables and rows, with small factors, so that everything degenerate is common.
fn small(random: &mut Random) -> Problem {
    let mut problem = Problem::new();
    for _ in 0..random.below(5) {
        let free = random.below(4) == 0;
        problem.variable(if free { Domain::Free } else { Domain::NonNegative });
    }
    for _ in 0..random.below(5) {
        let relation = match random.below(5) {
            0..=2 => Relation::AtMost,
            3 => Relation::Equal,
            _ => Relation::AtLeast,
        };
        let constant = if random.below(2) == 0 { 0 } else { random.between(-4, 6) };
        let terms = terms(random, &problem);
        problem.row(terms, relation, constant);
    }
    let objective = terms(random, &problem);
    problem.maximise(objective);
    problem
}

/// Some variables with factors; a variable may occur twice.
fn terms(random: &mut Random, problem: &Problem) -> Vec<Term> {
    let variables = problem.variables().len();
    if variables == 0 {
        return vec![];
    }
    let term = |random: &mut Random| {
        (VariableId::new(random.below(variables as u64) as usize), random.between(-3, 3))
    };
    (0..random.below(6)).map(|_| term(random)).collect()
}

fn outcome(answer: &Answer) -> Outcome {
    match answer {
        Answer::Optimal { value, .. } => Outcome::Optimal(value.clone()),
        Answer::Unbounded { .. } => Outcome::Unbounded,
        Answer::Infeasible { .. } => Outcome::Infeasible,
        Answer::Unknown(why) => panic!("{why:?}"),
    }
}
