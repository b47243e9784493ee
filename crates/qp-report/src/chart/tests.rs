use super::*;
use crate::samples::{self, PLAIN, assert_fits};

fn check(value: &Chart, style: Style, expected: &str) {
    let drawn = chart(value, &style);
    assert_fits(&drawn, &style);
    let (drawn, expected) = (drawn.trim_end(), expected.trim_matches('\n').trim_end());
    assert!(drawn == expected, "drawn:\n{drawn}\nexpected:\n{expected}");
}

#[test]
fn crossing_messages_are_two_arrows_without_a_dot_between() {
    let expected = "
          Client        Server
           Idle          Free
             |             |
    1        |---- Req --->|      Client: Idle -> Waiting    Server queue: Req
    2        |   takes Req o      Server: Free -> Asked      Server queue: (empty)
    3        |-- Cancel -->|      Client: Waiting -> Done    Server queue: Cancel
    4        |<-- Grant ---|      Server: Asked -> Granted   Client queue: Grant
             |             X Server cannot receive Cancel here
";
    check(&samples::crossing_chart(), PLAIN, expected);
}

#[test]
fn a_loop_has_a_frame() {
    let expected = "
          Client      Server
           Idle        Free
             │           │
    1        ◆           │             Client: Idle → Asking
 loop ┌─────────────────────────────┐
    2 ┊      │─── Req ──▸│          ┊  Server queue: Req
    3 ┊      │ takes Req ●          ┊  Server queue: (empty)
    4 ┊      │─── Req ──▸│          ┊  Server queue: Req
      └─ each turn: Server +1 Req ──┘
             │           ✗ the queue of Server grows with every turn
";
    check(&samples::loop_chart(), Style { unicode: true, width: 80, ..PLAIN }, expected);
}

#[test]
fn rounds_have_lines_between_them_and_marked_messages_a_star() {
    let expected = "
          Client         Server
           Idle           Free
             │              │
round 1  ┄┄┄┄│┄┄┄┄┄┄┄┄┄┄┄┄┄┄│┄┄┄┄
    1        │──── Req ────▸│      Client: Idle → Waiting    Server queue: Req
    2        │    takes Req ●      Server: Free → Asked      Server queue: (empty)
no round ┄┄┄┄│┄┄┄┄┄┄┄┄┄┄┄┄┄┄│┄┄┄┄
    3*       │─── Cancel ──▸│      Client: Waiting → Done    Server queue: Cancel
    4*       │◂── Grant ────│      Server: Asked → Granted   Client queue: Grant
    5*       │ takes Cancel ●      Server: Granted → Free    Server queue: (empty)
    6*       ● takes Grant  │      Client: Done → Idle       Client queue: (empty)
             ✗              ✗
  no rounds allow this
  * messages that wait for each other in a circle
";
    check(&samples::rounds_chart(), Style { unicode: true, width: 90, ..PLAIN }, expected);
}

#[test]
fn a_list_tells_rounds_and_marks() {
    let style = Style { width: 40, ..PLAIN };
    let drawn = chart(&samples::rounds_chart(), &style);
    assert_fits(&drawn, &style);
    for line in ["round 1:", "no round:", "   3*  Client sends Cancel to Server"] {
        assert!(drawn.contains(line), "{drawn}");
    }
}

#[test]
fn silent_lanes_go_first_and_long_names_get_a_legend() {
    let drawn = chart(&samples::rich_chart(), &PLAIN);
    assert!(drawn.contains("not drawn, since silent: Observer"), "{drawn}");
    assert!(drawn.contains("eOpenDoorReq~ByPassenger = eOpenDoorRequestedByPassenger"), "{drawn}");
    assert!(drawn.contains("|............. new ............>+"), "{drawn}");
    let wide = chart(&samples::rich_chart(), &Style { width: 200, ..PLAIN });
    assert!(wide.contains("Observer") && !wide.contains("not drawn"), "{wide}");
}

#[test]
fn long_runs_are_folded_unless_asked() {
    let mut long = samples::crossing_chart();
    let row = long.rows[0].clone();
    long.rows.splice(0..0, std::iter::repeat_n(row, 200));
    let folded = chart(&long, &PLAIN);
    assert!(folded.contains("steps 21-165 folded"), "{folded}");
    assert!(folded.lines().count() < 70);
    let full = chart(&long, &Style { full: true, ..PLAIN });
    assert!(full.lines().count() > 200);
}

#[test]
fn without_room_for_lanes_there_is_a_list() {
    let style = Style { width: 40, ..PLAIN };
    let drawn = chart(&samples::crossing_chart(), &style);
    assert_fits(&drawn, &style);
    assert!(drawn.starts_with("    1  Client sends Req to Server"), "{drawn}");
}

#[test]
fn nothing_sticks_out_whatever_the_run() {
    for seed in 0..400 {
        let value = samples::random_chart(seed);
        for width in [40, 61, 80, 100, 160] {
            let style = Style { width, full: seed % 2 == 0, ..PLAIN };
            assert_fits(&chart(&value, &style), &style);
        }
    }
}

#[test]
fn empty_charts_are_drawn() {
    let empty = Chart {
        machines: Vec::new(),
        controls: Vec::new(),
        queues: Vec::new(),
        rows: Vec::new(),
        cycle_from: Some(0),
        ending: String::new(),
        ending_machine: Some(7),
        rounds: Vec::new(),
    };
    assert_fits(&chart(&empty, &PLAIN), &PLAIN);
}
