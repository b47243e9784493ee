//! A run as an SVG picture that stands alone.
//!
//! An arrow starts in the row that sends and ends in the row that takes, so what crosses in time
//! crosses in the picture. A message that is never taken ends in an open circle before the lane;
//! a lost one ends in a cross on the way.

mod geometry;
mod shapes;

use queueproof::{Chart, ChartEvent};

use crate::fit::clean;
use crate::reading::{self, Target};
use geometry::{Geometry, HEAD, chip_width, chips_of, head_width, local_label, name, wide};
use shapes::{Point, Shapes, escape};

/// The picture. `title` is what a browser shows as its name, usually the model's path.
pub fn svg(chart: &Chart, title: &str) -> String {
    let geometry = Geometry::of(chart);
    let mut drawing = Drawing { chart, geometry, shapes: Shapes::default() };
    drawing.lifelines();
    drawing.frame();
    drawing.rounds();
    for row in 0..chart.rows.len() {
        drawing.step(row);
    }
    for row in 0..chart.rows.len() {
        drawing.state(row);
        drawing.contents(row);
    }
    if !chart.ending.is_empty() {
        drawing.ending();
    }
    drawing.heads();
    drawing.finish(title)
}

/// Colours are neutral and follow the reader's preference for dark or light.
const LOOK: &str = r"
text{font:12px system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2328}
.bg{fill:#ffffff}.mid{text-anchor:middle}.end{text-anchor:end}
.halo{paint-order:stroke;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round;font-weight:600}
.name{font-size:14px;font-weight:700}.small{font-size:11px}.faint{fill:#6e7781}
.head{fill:#f6f8fa;stroke:#57606a;stroke-width:1.2}.lane{stroke:#afb8c1;stroke-width:1.4}
.arrow{stroke:#0969da;stroke-width:1.6;fill:none}.tip{fill:#0969da}.open{stroke:#0969da;stroke-width:1.6;fill:#ffffff}
.meet{stroke:#0969da;stroke-width:3.2;fill:none}.new{stroke:#57606a;stroke-width:1.4;stroke-dasharray:4 4;fill:none}
.newtip,.dot{fill:#57606a}.state{fill:#ffffff;stroke:#8c959f}.chip{fill:#ddf4ff;stroke:#54aeff}
.frame{fill:#8c959f;fill-opacity:.08;stroke:#8c959f;stroke-dasharray:6 4}.tab{fill:#eaeef2;stroke:#8c959f}
.round{stroke:#8c959f;stroke-dasharray:2 5}.arrow.marked{stroke:#bc4c00;stroke-width:2.6}
.tip.marked{fill:#bc4c00}.open.marked{stroke:#bc4c00}
.bad{stroke:#cf222e;stroke-width:3;fill:none;stroke-linecap:round}.wrong{fill:#cf222e;font-weight:700}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.bg{fill:#0d1117}.halo{stroke:#0d1117}.faint{fill:#8d96a0}
.head{fill:#161b22;stroke:#8d96a0}.lane{stroke:#484f58}
.arrow,.meet,.open{stroke:#58a6ff}.open{fill:#0d1117}.tip{fill:#58a6ff}.new{stroke:#8d96a0}.newtip,.dot{fill:#8d96a0}
.state{fill:#0d1117;stroke:#6e7681}.chip{fill:#121d2f;stroke:#1f6feb}.tab{fill:#21262d}
.arrow.marked,.open.marked{stroke:#f0883e}.tip.marked{fill:#f0883e}
.bad{stroke:#f85149}.wrong{fill:#f85149}}
";

struct Drawing<'a> {
    chart: &'a Chart,
    geometry: Geometry,
    shapes: Shapes,
}

/// Half the height of the box of a machine that is created during the run.
const BORN: f64 = 14.0;

impl Drawing<'_> {
    fn lane(&self, machine: usize) -> Option<f64> {
        self.geometry.lanes.get(machine).copied()
    }

    fn lifelines(&mut self) {
        for (machine, x) in self.geometry.lanes.clone().into_iter().enumerate() {
            let (born, ended) = reading::lifetime(self.chart, machine);
            let top = match born {
                Some(row) => self.geometry.y(row) + BORN,
                None => Geometry::head_y() + HEAD / 2.0,
            };
            let bottom = self.geometry.y(ended.unwrap_or(self.geometry.rows));
            self.shapes.line("lane", (x, top), (x, bottom.max(top)));
        }
    }

    /// Drawn last: arrows may end at these boxes but not cover them.
    fn heads(&mut self) {
        for (machine, x) in self.geometry.lanes.clone().into_iter().enumerate() {
            let title = name(&reading::machine_name(self.chart, machine));
            let width = head_width(self.chart, machine);
            if let Some(row) = reading::lifetime(self.chart, machine).0 {
                let y = self.geometry.y(row);
                self.shapes.boxed("head", (x, y), width, BORN * 2.0, 5.0);
                self.shapes.text("name mid", (x, y + 5.0), &title);
                continue;
            }
            let y = Geometry::head_y();
            let control = self.chart.controls.get(machine).map_or("", String::as_str);
            self.shapes.boxed("head", (x, y), width, HEAD, 5.0);
            self.shapes.text("name mid", (x, y - 2.0), &title);
            self.shapes.text("small faint mid", (x, y + 13.0), &name(control));
        }
    }

    fn frame(&mut self) {
        let Some((left, top, right, bottom)) = self.geometry.frame() else { return };
        let centre = (f64::midpoint(left, right), f64::midpoint(top, bottom));
        self.shapes.boxed("frame", centre, right - left, bottom - top, 6.0);
        self.shapes.boxed("tab", (left + 22.0, top + 9.0), 44.0, 18.0, 4.0);
        self.shapes.text("small mid", (left + 22.0, top + 13.0), "loop");
        let effect = reading::turn_effect(self.chart).unwrap_or_default();
        self.shapes.text("halo", (left + 52.0, top + 13.0), &effect);
        let needed = left + 60.0 + wide(&effect, 12);
        self.geometry.width = self.geometry.width.max(needed);
    }

    /// A line between two rounds.
    fn rounds(&mut self) {
        let left = 20.0;
        let right = self.geometry.queues - 20.0;
        for (number, round) in self.chart.rounds.iter().enumerate() {
            let y = self.geometry.y(round.from) - 22.0;
            self.shapes.line("round", (left, y), (right.max(left), y));
            let name = reading::round_name(self.chart, number);
            self.shapes.text("small faint", (left, y - 3.0), &name);
        }
    }

    /// How something of a step looks that is drawn like this otherwise.
    fn look(&self, row: usize, class: &'static str) -> String {
        if self.chart.rows[row].marked { format!("{class} marked") } else { class.to_owned() }
    }

    fn step(&mut self, row: usize) {
        let y = self.geometry.y(row);
        let Some(from) = self.lane(self.chart.rows[row].machine) else { return };
        let left = self.geometry.lanes[0] - head_width(self.chart, 0) / 2.0 - 18.0;
        self.shapes.text("small faint end", (left, y + 4.0), &(row + 1).to_string());
        match reading::target(self.chart, row) {
            Some(Target::Machine(machine)) => {
                if let Some(to) = self.lane(machine) {
                    self.arrow(row, (from, y), to);
                }
            }
            Some(Target::Itself) => self.arrow_to_itself(row, (from, y)),
            Some(Target::Queue(_)) => {
                let look = self.look(row, "arrow");
                self.shapes.line(&look, (from, y), (from + 40.0, y + 6.0));
                self.ending_mark(row, (from + 46.0, y + 7.0));
            }
            None => self.local_mark(row, (from, y)),
        }
        if let Some(label) = local_label(self.chart, row) {
            self.shapes.text("halo", (from + 10.0, y - 5.0), &label);
        }
    }

    fn local_mark(&mut self, row: usize, at: Point) {
        match &self.chart.rows[row].event {
            ChartEvent::Fails { .. } => self.shapes.cross("bad", at, 5.0),
            ChartEvent::Ends => {
                self.shapes.line("lane", (at.0 - 10.0, at.1), (at.0 + 10.0, at.1));
            }
            ChartEvent::Takes { .. } => self.shapes.circle(&self.look(row, "tip"), at, 4.0),
            _ => self.shapes.circle("dot", at, 4.0),
        }
    }

    fn arrow(&mut self, row: usize, from: Point, to: f64) {
        let side = (to - from.0).signum();
        let event = &self.chart.rows[row].event;
        let (shaft, tip) = (self.look(row, "arrow"), self.look(row, "tip"));
        match event {
            ChartEvent::Sends { taken: Some(taken), .. } => {
                let end = (to, self.geometry.y(*taken));
                // The head ends at the rim of the dot that marks the taking.
                self.shapes.line(&shaft, from, nearer(from, end, 8.0));
                self.shapes.head(&tip, from, nearer(from, end, 3.5));
            }
            ChartEvent::Meets { .. } => {
                self.shapes.line("meet", from, (to - side * 8.0, from.1));
                self.shapes.head("tip", from, (to, from.1));
            }
            ChartEvent::Creates { machine } => {
                let end = (to - side * head_width(self.chart, *machine) / 2.0, from.1);
                self.shapes.line("new", from, end);
                self.shapes.head("newtip", from, end);
            }
            ChartEvent::Loses { .. } => {
                let end = (from.0 + (to - from.0) * 0.75, from.1 + 10.0);
                self.shapes.line("arrow", from, end);
                self.shapes.cross("bad", end, 5.0);
            }
            _ => {
                let end = (to - side * 14.0, self.geometry.untaken_y(row));
                self.shapes.line(&shaft, from, end);
                self.ending_mark(row, end);
            }
        }
        let label = reading::arrow_text(event).map(name).unwrap_or_default();
        // Near the sender and above the line, which only sinks: a label never meets its own arrow.
        let class = if side > 0.0 { "halo" } else { "halo end" };
        self.shapes.text(class, (from.0 + side * 12.0, from.1 - 5.0), &label);
    }

    /// The message is lost, or waits in the queue until the end of the run.
    fn ending_mark(&mut self, row: usize, at: Point) {
        if matches!(self.chart.rows[row].event, ChartEvent::Loses { .. }) {
            self.shapes.cross("bad", at, 5.0);
        } else {
            self.shapes.circle(&self.look(row, "open"), at, 5.0);
        }
    }

    fn arrow_to_itself(&mut self, row: usize, (x, y): Point) {
        let taken = match &self.chart.rows[row].event {
            ChartEvent::Sends { taken, .. } => *taken,
            _ => None,
        };
        let Some(taken) = taken else {
            self.shapes.path("arrow", &format!("M{x:.1} {y:.1}h36q10 0 10 9"));
            self.ending_mark(row, (x + 46.0, y + 14.0));
            return;
        };
        let end = self.geometry.y(taken);
        let out = x + 50.0;
        let data =
            format!("M{x:.1} {y:.1}C{out:.1} {y:.1} {out:.1} {end:.1} {:.1} {end:.1}", x + 4.0);
        self.shapes.path("arrow", &data);
        self.shapes.head("tip", (out, end), (x, end));
    }

    /// The control state that a step enters, or the statements that it consists of, as a box on the lane.
    fn state(&mut self, row: usize) {
        let text = reading::state_text(self.chart, row).map(|text| geometry::caption(&text));
        let (Some(x), Some(text)) = (self.lane(self.chart.rows[row].machine), text) else { return };
        let y = self.geometry.y(row) + 21.0;
        self.shapes.boxed("state", (x, y), wide(&text, 11) + 14.0, 17.0, 8.0);
        self.shapes.text("small mid", (x, y + 4.0), &text);
    }

    /// The queues that a step changed, one below the other.
    fn contents(&mut self, row: usize) {
        let mut y = self.geometry.y(row);
        for (queue, content) in self.chart.rows[row].contents.iter().take(geometry::CONTENTS_MAX) {
            self.content(*queue, content, y);
            y += 21.0;
        }
    }

    /// A queue: its name, and its messages with the front at the left.
    fn content(&mut self, queue: usize, content: &[String], y: f64) {
        let title = name(&reading::queue_name(self.chart, queue));
        self.shapes.text("faint", (self.geometry.queues, y + 4.0), &title);
        let mut x = self.geometry.contents;
        if content.is_empty() {
            self.shapes.text("faint", (x, y + 4.0), "empty");
        }
        let (shown, more) = chips_of(content);
        for text in shown {
            let width = chip_width(&text);
            self.shapes.boxed("chip", (x + width / 2.0, y), width, 19.0, 4.0);
            self.shapes.text("small mid", (x + width / 2.0, y + 4.0), &text);
            x += width + 4.0;
        }
        if more > 0 {
            self.shapes.text("small faint", (x + 2.0, y + 4.0), &format!("+{more}"));
        }
    }

    fn ending(&mut self) {
        let y = self.geometry.y(self.geometry.rows);
        let about = self.chart.ending_machine.and_then(|machine| self.lane(machine));
        let lanes = about.map_or_else(|| self.geometry.lanes.clone(), |x| vec![x]);
        for x in &lanes {
            self.shapes.cross("bad", (*x, y), 7.0);
        }
        let text = clean(&self.chart.ending);
        let at = match about {
            Some(x) => (x + 16.0, y + 4.0),
            None => (20.0, y + 30.0),
        };
        self.shapes.text("halo wrong", at, &text);
        self.geometry.width = self.geometry.width.max(at.0 + wide(&text, 12) + 24.0);
    }

    fn finish(mut self, title: &str) -> String {
        let mut height = self.geometry.y(self.geometry.rows) + 30.0;
        if self.chart.ending_machine.is_none() {
            height += 20.0;
        }
        let marks = reading::marks(self.chart)
            .map(|sentence| sentence.replacen(reading::MARK, "thick:", 1));
        for sentence in reading::crossing(self.chart).into_iter().chain(marks) {
            self.shapes.text("faint", (20.0, height + 4.0), &sentence);
            self.geometry.width = self.geometry.width.max(wide(&sentence, 12) + 30.0);
            height += 24.0;
        }
        let (width, title) = (self.geometry.width, escape(title));
        let (queues, y) = (self.geometry.queues, Geometry::head_y() + 4.0);
        if self.chart.rows.iter().any(|row| !row.contents.is_empty()) {
            self.shapes.text("faint", (queues, y), "queue, front first");
            self.geometry.width = width.max(queues + 130.0);
        }
        let width = self.geometry.width;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n<title>{title}</title>\n\
             <style>{LOOK}</style>\n<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
            self.shapes.out
        )
    }
}

/// The point on the way from `from` to `to` that is this far before the end.
fn nearer(from: Point, to: Point, distance: f64) -> Point {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let part = distance / dx.hypot(dy).max(1.0);
    (to.0 - dx * part, to.1 - dy * part)
}

#[cfg(test)]
mod tests;
