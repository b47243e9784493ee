//! What the paper says: S. Leue and W. Wei, *Integer linear programming-based property checking for asynchronous
//! reactive systems*, 2013, Tables II to VI. Only rows for which there is a model here.

/// One model of the paper.
pub(super) struct Row {
    /// The name in the paper.
    pub(super) name: &'static str,
    /// Table II: local states and transitions.
    pub(super) size: [u64; 2],
    /// Table III, with Table IV.
    pub(super) growth: Option<Growth>,
    /// Table VI.
    pub(super) livelock: Option<Livelock>,
}

/// A row of Table III.
pub(super) struct Growth {
    pub(super) verdict: &'static str,
    pub(super) time_s: f64,
    /// Cycles, effect vectors, message types and programs solved.
    pub(super) sizes: [u64; 4],
    /// Table IV: counterexamples, spurious ones, analysed cycles and dependencies.
    pub(super) refined: Option<[u64; 4]>,
}

/// A row of Table VI.
pub(super) struct Livelock {
    pub(super) verdict: &'static str,
    pub(super) time_s: f64,
    /// Programs solved, counterexamples, spurious ones and dependencies.
    pub(super) figures: [u64; 4],
}

/// A row of Table V.
pub(super) struct Size {
    /// Processes of the leader election, or users of MVCC.
    pub(super) number: u32,
    pub(super) processes: u64,
    pub(super) queues: u64,
    pub(super) time_s: f64,
    /// Effect vectors, message types, counterexamples and spurious ones.
    pub(super) figures: [u64; 4],
    pub(super) dependencies: Option<u64>,
}

/// Which row a file of the corpus stands for. `conway` stands for none: its cards never end, so its queues grow.
const FILES: [(&str, &str); 11] = [
    ("leader_5", "Leader Election"),
    ("snoopy_cache", "Snooping Cache"),
    ("credit_recovery", "Credit Recovery"),
    ("conway_cards", "Conway"),
    ("sleep_wakeup", "Sleep-Wakeup"),
    ("mvcc", "MVCC"),
    ("train_controller", "Train Controller"),
    ("giop", "CORBA-GIOP"),
    ("neilsen_mizuno", "Neilsen-Mizuno"),
    ("mobile_handover", "Mobile Handover"),
    ("sip", "SIP"),
];

/// The row that a file of the corpus stands for, by its name without ending.
pub(super) fn row(stem: &str) -> Option<&'static Row> {
    let (_, name) = FILES.iter().find(|(file, _)| *file == stem)?;
    ROWS.iter().find(|row| row.name == *name)
}

/// A row of Table V.
pub(super) fn size(family: &str, size: u32) -> Option<&'static Size> {
    let rows = match family {
        "leader_5" => &LEADER[..],
        "mvcc" => &MVCC[..],
        _ => &[],
    };
    rows.iter().find(|row| row.number == size)
}

const fn growth(
    verdict: &'static str,
    time_s: f64,
    sizes: [u64; 4],
    refined: Option<[u64; 4]>,
) -> Growth {
    Growth { verdict, time_s, sizes, refined }
}

const fn livelock(verdict: &'static str, time_s: f64, figures: [u64; 4]) -> Livelock {
    Livelock { verdict, time_s, figures }
}

const BOUNDED: &str = "bounded";
const FREE: &str = "livelock-free";
const UNKNOWN: &str = "unknown";

const ROWS: [Row; 11] = [
    Row {
        name: "Leader Election",
        size: [32, 41],
        growth: Some(growth(BOUNDED, 0.58, [8, 62, 20, 6], None)),
        livelock: Some(livelock(UNKNOWN, 0.55, [2, 1, 0, 1])),
    },
    Row {
        name: "Snooping Cache",
        size: [131, 189],
        growth: Some(growth(BOUNDED, 1.81, [104, 104, 36, 15], None)),
        livelock: Some(livelock(UNKNOWN, 2.17, [4, 4, 3, 3])),
    },
    Row {
        name: "Credit Recovery",
        size: [52, 56],
        growth: Some(growth(BOUNDED, 0.19, [5, 14, 10, 4], Some([1, 1, 1, 1]))),
        livelock: Some(livelock(FREE, 0.17, [2, 1, 1, 1])),
    },
    Row {
        name: "Conway",
        size: [25, 34],
        growth: Some(growth(BOUNDED, 0.42, [12, 24, 7, 5], Some([4, 4, 16, 4]))),
        livelock: Some(livelock(FREE, 0.42, [5, 4, 4, 4])),
    },
    Row {
        name: "Sleep-Wakeup",
        size: [49, 60],
        growth: Some(growth(UNKNOWN, 0.14, [17, 17, 1, 1], Some([1, 0, 1, 0]))),
        livelock: None,
    },
    Row {
        name: "MVCC",
        size: [69, 83],
        growth: Some(growth(UNKNOWN, 1.05, [19, 41, 30, 4], Some([4, 2, 72, 29]))),
        livelock: Some(livelock(FREE, 0.81, [4, 3, 3, 3])),
    },
    Row {
        name: "Train Controller",
        size: [55, 62],
        growth: Some(growth(UNKNOWN, 0.81, [10, 174, 18, 2], Some([2, 1, 19, 3]))),
        livelock: Some(livelock(UNKNOWN, 0.58, [2, 2, 1, 1])),
    },
    Row {
        name: "CORBA-GIOP",
        size: [126, 156],
        growth: Some(growth(UNKNOWN, 1.44, [34, 38, 12, 5], Some([4, 2, 61, 18]))),
        livelock: Some(livelock(UNKNOWN, 2.02, [4, 3, 2, 3])),
    },
    Row {
        name: "Neilsen-Mizuno",
        size: [43, 48],
        growth: Some(growth(UNKNOWN, 4.05, [8, 781, 55, 3], Some([2, 0, 34, 3]))),
        livelock: Some(livelock(UNKNOWN, 2.19, [2, 2, 1, 1])),
    },
    Row {
        name: "SIP",
        size: [62, 86],
        growth: Some(growth(BOUNDED, 2.44, [14, 2187, 34, 1], None)),
        livelock: Some(livelock(UNKNOWN, 4.33, [3, 2, 0, 2])),
    },
    // It has no queues that hold messages.
    Row {
        name: "Mobile Handover",
        size: [49, 62],
        growth: None,
        livelock: Some(livelock(UNKNOWN, 0.28, [2, 1, 0, 1])),
    },
];

const fn leader(number: u32, time_s: f64) -> Size {
    let n = number as u64;
    let figures = [12 * n + 2, 4 * n, 0, 0];
    Size { number, processes: n, queues: n, time_s, figures, dependencies: None }
}

const LEADER: [Size; 10] = [
    leader(5, 0.58),
    leader(10, 1.45),
    leader(15, 2.78),
    leader(20, 4.66),
    leader(25, 7.33),
    leader(30, 10.58),
    leader(35, 14.84),
    leader(40, 20.0),
    leader(45, 28.08),
    leader(50, 33.53),
];

const fn mvcc(number: u32, time_s: f64, spurious: u64, dependencies: u64) -> Size {
    let n = number as u64;
    let figures = [14 * n + 13, 12 * n + 6, 4, spurious];
    let dependencies = Some(dependencies);
    Size { number, processes: 3 * n + 3, queues: 5 * n + 4, time_s, figures, dependencies }
}

const MVCC: [Size; 10] = [
    mvcc(2, 1.05, 2, 29),
    mvcc(4, 1.25, 2, 29),
    mvcc(6, 1.5, 2, 29),
    mvcc(8, 1.34, 3, 15),
    mvcc(10, 2.06, 2, 29),
    mvcc(12, 2.38, 2, 29),
    mvcc(14, 2.17, 3, 15),
    mvcc(16, 3.22, 3, 29),
    mvcc(18, 3.58, 2, 29),
    mvcc(20, 4.09, 2, 30),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns of Table V that are written as formulas, as the paper has them.
    #[test]
    fn formulas_give_the_figures_of_the_paper() {
        let leader: Vec<[u64; 2]> =
            LEADER.iter().map(|row| [row.figures[0], row.figures[1]]).collect();
        assert_eq!((leader[0], leader[5], leader[9]), ([62, 20], [362, 120], [602, 200]));
        let mvcc = |i: usize| {
            let row = &MVCC[i];
            (row.processes, row.queues, row.figures[0], row.figures[1])
        };
        assert_eq!((mvcc(0), mvcc(9)), ((9, 14, 41, 30), (63, 104, 293, 246)));
        assert_eq!(mvcc(6), (45, 74, 209, 174));
    }

    #[test]
    fn every_file_has_a_row() {
        assert!(FILES.iter().all(|(file, _)| row(file).is_some()));
        assert_eq!(size("mvcc", 14).map(|row| row.dependencies), Some(Some(15)));
    }
}
