use super::*;
use crate::samples::mixed_report;

/// A report in which `flow` tells its figures.
fn counted(status: QueueStatus) -> Report {
    let mut report = mixed_report();
    report.queues.truncate(1);
    report.queues[0].status = status;
    report.queues[0].engine = Some("flow".into());
    report.engines.truncate(1);
    report.engines[0].name = "flow".into();
    report.engines[0].time_s = 0.25;
    let figures = [("spots", 7), ("arcs", 9), ("cycles", 2), ("livelock-programs", 3)];
    report.engines[0].detail = figures.map(|(name, n)| (name.to_owned(), n)).to_vec();
    report
}

fn row(stem: &str, searched: Option<&Report>, status: QueueStatus) -> Row {
    let counted = counted(status);
    let livelock = Some(Answer::of_livelock(&counted, None));
    Row { stem: stem.into(), growth: Answer::of_queues(&counted, searched), livelock }
}

#[test]
fn what_a_search_finds_completes_what_counting_left_open() {
    let mut searched = counted(QueueStatus::Unbounded);
    searched.queues[0].engine = Some("explore".into());
    let row = row("m", Some(&searched), QueueStatus::Unknown);
    assert_eq!(row.growth.verdict, "unbounded");
    assert_eq!(row.growth.engine.as_deref(), Some("explore"));
    assert!((row.growth.time_s - 0.25).abs() < 1e-9, "it is the time of counting");
}

#[test]
fn the_smaller_bound_counts() {
    let mut searched = counted(QueueStatus::Bounded(2));
    searched.queues[0].engine = Some("explore".into());
    let row = row("m", Some(&searched), QueueStatus::Bounded(3));
    assert_eq!(row.growth.verdict, "bounded by 2");
    assert_eq!(row.growth.engine.as_deref(), Some("explore"));
}

#[test]
fn the_paper_stands_below_and_missing_figures_are_dashes() {
    let rows = [row("credit_recovery", None, QueueStatus::Bounded(1))];
    let text = written(Form::Text, &rows, &[]);
    let table = "\
Table III: do queues grow?

model            of     verdict       by       time  states  transitions  cycles  vectors  types  programs
---------------  -----  ------------  ----  -------  ------  -----------  ------  -------  -----  --------
credit_recovery  here   bounded by 1  flow  0.250 s       7            9       2        -      -         -
credit_recovery  paper  bounded       -     0.190 s      52           56       5       14     10         4
";
    assert!(text.starts_with(table), "{text}");
    let livelock = "credit_recovery  paper  livelock-free  -   0.170 s         2                1         1             1\n";
    assert!(text.contains(livelock), "{text}");
}

#[test]
fn growth_is_told_by_ratios() {
    let size = |size, time_s| {
        let mut counted = counted(QueueStatus::Bounded(2));
        counted.engines[0].time_s = time_s;
        let growth = Answer::of_queues(&counted, None);
        Size { stem: "leader_5".into(), size, processes: 5, queues: 5, growth }
    };
    let sizes = [size(5, 0.1), size(10, 0.25)];
    let value: Value = serde_json::from_str(&written(Form::Json, &[], &sizes)).unwrap();
    assert_eq!(value["schema"], "queueproof.ciclo/1");
    let rows = &value["tables"][2]["rows"];
    assert_eq!(rows[0]["ratio"], Value::Null);
    assert_eq!(rows[2]["ratio"], 2.5);
    assert_eq!((&rows[3]["of"], &rows[3]["ratio"]), (&"paper".into(), &2.5.into()));
    assert_eq!(rows[3]["vectors"], 122);
    assert_eq!(rows[3]["dependencies"], Value::Null);
}
