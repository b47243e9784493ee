//! Small automata as pictures.

use std::fmt::Write as _;

use super::drawing::label;
use super::{Letter, Nfa, StateId};

/// The distance between columns, which has to hold the text of an edge.
const COLUMN: f64 = 130.0;
/// The distance between rows.
const ROW: f64 = 90.0;
const RADIUS: f64 = 16.0;

type Point = (f64, f64);

impl Nfa {
    /// A picture, with names for letters. States stand in columns, by the number of letters that lead to them; made
    /// for automata of up to a few dozen states.
    pub fn svg(&self, name: &dyn Fn(Letter) -> String) -> String {
        let places = self.places();
        let most = |of: fn(&Point) -> f64| places.iter().map(of).fold(0.0, f64::max);
        let (width, height) = (most(|place| place.0) + COLUMN, most(|place| place.1) + ROW);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n\
             <style>text{{paint-order:stroke;stroke:white;stroke-width:3px}}</style>\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
             markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
        );
        let mut texts = String::new();
        for start in self.starts() {
            let (x, y) = places[start.index()];
            let from = (x - 2.5 * RADIUS, y);
            curve(&mut svg, from, from, (x - RADIUS, y));
        }
        for (id, state) in self.states().iter_enumerated() {
            let from = places[id.index()];
            for edge in &state.edges {
                let text = label(&edge.letters, name);
                draw_edge((&mut svg, &mut texts), from, places[edge.to.index()], &text);
            }
        }
        // Later things cover earlier ones.
        svg.push_str(&texts);
        for (id, state) in self.states().iter_enumerated() {
            draw_state(&mut svg, places[id.index()], id, state.accepting);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Where each state stands.
    fn places(&self) -> Vec<Point> {
        let mut column: Vec<Option<usize>> = vec![None; self.states().len()];
        let mut order = self.starts().to_vec();
        for start in &order {
            column[start.index()] = Some(0);
        }
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for edge in &self.states()[state].edges {
                if column[edge.to.index()].is_none() {
                    column[edge.to.index()] = column[state.index()].map(|column| column + 1);
                    order.push(edge.to);
                }
            }
        }
        let column: Vec<usize> = column.into_iter().map(|column| column.unwrap_or(0)).collect();
        let mut rows = vec![0_usize; column.len() + 1];
        for &column in &column {
            rows[column] += 1;
        }
        let most = rows.iter().copied().max().unwrap_or(0);
        let mut used = vec![0_usize; rows.len()];
        let mut place = |column: usize| {
            let above = used[column] as f64 + (most - rows[column]) as f64 / 2.0;
            used[column] += 1;
            (COLUMN * (column as f64 + 0.5), ROW * (above + 0.8))
        };
        column.into_iter().map(&mut place).collect()
    }
}

fn draw_state(svg: &mut String, (x, y): Point, id: StateId, accepting: bool) {
    let mut circle = |radius: f64| {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"white\" stroke=\"black\"/>"
        );
    };
    circle(RADIUS);
    if accepting {
        circle(RADIUS - 3.0);
    }
    draw_text(svg, (x, y + 4.0), &format!("{}", id.index()));
}

/// A curve that bends to the left of its direction, so that edges there and back do not meet.
fn draw_edge((svg, texts): (&mut String, &mut String), from: Point, to: Point, text: &str) {
    if from == to {
        let (x, y) = from;
        let (begin, end) = ((x - 8.0, y - RADIUS + 2.0), (x + 8.0, y - RADIUS + 2.0));
        let top = y - 3.2 * RADIUS;
        let _ = writeln!(
            svg,
            "<path class=\"edge\" d=\"M{:.1} {:.1}C{:.1} {top:.1} {:.1} {top:.1} {:.1} {:.1}\" \
             fill=\"none\" stroke=\"black\" marker-end=\"url(#tip)\"/>",
            begin.0,
            begin.1,
            x - 22.0,
            x + 22.0,
            end.0,
            end.1
        );
        draw_text(texts, (x, top + 8.0), text);
        return;
    }
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    // Edges back pass more states than edges on.
    let bend = if dx < 0.0 { 0.2 } else { 0.12 } * length + 6.0;
    let middle = |share: f64| {
        let (x, y) = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
        (x + dy / length * bend * share, y - dx / length * bend * share)
    };
    let control = middle(2.0);
    curve(svg, towards(from, control), control, towards(to, control));
    draw_text(texts, middle(1.0), text);
}

/// The point on the border of a state in the direction of another point.
fn towards(from: Point, to: Point) -> Point {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let share = RADIUS / dx.hypot(dy);
    (from.0 + dx * share, from.1 + dy * share)
}

fn curve(svg: &mut String, from: Point, control: Point, to: Point) {
    let _ = writeln!(
        svg,
        "<path class=\"edge\" d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\" fill=\"none\" \
         stroke=\"black\" marker-end=\"url(#tip)\"/>",
        from.0, from.1, control.0, control.1, to.0, to.1
    );
}

fn draw_text(svg: &mut String, (x, y): Point, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>");
}
