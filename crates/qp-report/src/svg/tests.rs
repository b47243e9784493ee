use super::*;
use crate::samples;

/// Every tag that opens closes, in order, and nothing but tags uses `<`.
fn assert_well_formed(text: &str) {
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "{tag}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn pictures_are_well_formed_whatever_the_run() {
    for seed in 0..200 {
        assert_well_formed(&svg(&samples::random_chart(seed), "a < b & \"c\""));
    }
}

#[test]
fn the_ends_of_an_arrow_are_at_the_rows_of_send_and_take() {
    let chart = samples::crossing_chart();
    let geometry = Geometry::of(&chart);
    let text = svg(&chart, "cancel.cfsm");
    let arrow = text.lines().find(|line| line.contains("class=\"arrow\"")).unwrap();
    assert!(arrow.contains(&format!("y1=\"{:.1}\"", geometry.y(0))), "{arrow}");
    let (to, _) = arrow.split_once("y2=\"").unwrap().1.split_once('"').unwrap();
    let below: f64 = geometry.y(1) - to.parse::<f64>().unwrap();
    assert!((0.0..8.0).contains(&below), "{arrow}");
    assert_eq!(text.matches("class=\"open\"").count(), 2, "two messages are never taken");
    assert!(text.contains("<title>cancel.cfsm</title>"));
    assert!(text.contains("Cancel and Grant cross"));
}

#[test]
fn a_loop_has_a_frame() {
    let text = svg(&samples::loop_chart(), "loop.cfsm");
    assert!(text.contains("class=\"frame\"") && text.contains("each turn: Server +1 Req"));
    assert!(!svg(&samples::crossing_chart(), "").contains("class=\"frame\""));
}

#[test]
fn rounds_have_lines_between_them_and_marked_arrows_are_thick() {
    let text = svg(&samples::rounds_chart(), "rounds.cfsm");
    assert_well_formed(&text);
    assert_eq!(text.matches("class=\"round\"").count(), 2);
    assert!(text.contains(">round 1</text>") && text.contains(">no round</text>"), "{text}");
    assert_eq!(text.matches("class=\"arrow marked\"").count(), 2, "Cancel and Grant");
    assert_eq!(text.matches("class=\"arrow\"").count(), 1, "Req");
    assert!(text.contains("thick: messages that wait for each other in a circle"), "{text}");
}
