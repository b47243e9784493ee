//! The few shapes of a drawing, as SVG text.

use std::fmt::{Display, Write as _};

/// SVG elements, written one after the other.
#[derive(Default)]
pub(super) struct Shapes {
    pub(super) out: String,
}

/// A point, in pixels.
pub(super) type Point = (f64, f64);

impl Shapes {
    pub(super) fn raw(&mut self, text: impl Display) {
        writeln!(self.out, "{text}").expect("a String takes every text");
    }

    pub(super) fn line(&mut self, class: &str, (x1, y1): Point, (x2, y2): Point) {
        self.raw(format_args!(
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        ));
    }

    /// A box around its centre.
    pub(super) fn boxed(
        &mut self,
        class: &str,
        (x, y): Point,
        width: f64,
        height: f64,
        round: f64,
    ) {
        let (left, top) = (x - width / 2.0, y - height / 2.0);
        self.raw(format_args!(
            r#"<rect class="{class}" x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" rx="{round:.0}"/>"#
        ));
    }

    pub(super) fn circle(&mut self, class: &str, (x, y): Point, radius: f64) {
        self.raw(format_args!(r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius}"/>"#));
    }

    pub(super) fn path(&mut self, class: &str, data: &str) {
        self.raw(format_args!(r#"<path class="{class}" d="{data}"/>"#));
    }

    pub(super) fn cross(&mut self, class: &str, (x, y): Point, size: f64) {
        let (left, top, both) = (x - size, y - size, size * 2.0);
        let data = format!("M{left:.1} {top:.1}l{both} {both}m-{both} 0l{both} -{both}");
        self.path(class, &data);
    }

    /// Text; `class` also says where its anchor is.
    pub(super) fn text(&mut self, class: &str, (x, y): Point, text: &str) {
        let text = escape(text);
        self.raw(format_args!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{text}</text>"#));
    }

    /// The head of an arrow that comes from `from` and ends at `to`.
    pub(super) fn head(&mut self, class: &str, from: Point, to: Point) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let (back, half) = (10.0, 4.0);
        let base = (to.0 - ux * back, to.1 - uy * back);
        let left = (base.0 - uy * half, base.1 + ux * half);
        let right = (base.0 + uy * half, base.1 - ux * half);
        let data = format!(
            "M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
            to.0, to.1, left.0, left.1, right.0, right.1
        );
        self.path(class, &data);
    }
}

pub(super) fn escape(text: &str) -> String {
    let text = crate::fit::clean(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
