//! A plot of throughput against message length.
//!
//! One panel for each algorithm, operation and AAD length: lengths on a
//! logarithmic axis, 10^9 bytes a second on a linear one, a line for each
//! contender with its name at the line's end. The file is alone: no script,
//! no font, and readable on a dark page because it brings its own background.

use super::Measured;
use crate::harness::{Kind, Operation};
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// A panel's box, in SVG units.
const PANEL_WIDTH: f64 = 670.0;
const PANEL_HEIGHT: f64 = 400.0;
/// Around the axes: names of the lines stand on the right.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 218.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 52.0;
const TITLE_HEIGHT: f64 = 64.0;
/// Two line names are at least this far apart.
const NAME_HEIGHT: f64 = 14.0;

const INK: &str = "#24292f";
const FAINT: &str = "#d8dee4";

/// Ours in one hue, the narrowest tier lightest; peers in hues of their own.
const OURS: [&str; 4] = ["#f0a37f", "#ec7a45", "#d1470f", "#8f2606"];
const PEERS: [&str; 6] = [
    "#1f6feb", "#1a7f37", "#8250df", "#0f8b8d", "#9a6700", "#57606a",
];

/// One contender in one panel.
struct Line {
    name: String,
    kind: Kind,
    colour: &'static str,
    /// Length in bytes and 10^9 bytes a second.
    points: Vec<(f64, f64)>,
}

/// Rows that differ in nothing but the length.
struct Panel {
    algorithm: &'static str,
    operation: Operation,
    aad_len: usize,
    lines: Vec<Line>,
}

/// Writes the plot of all single calls to the file at `path`, and says whether there was
/// something to plot: a line needs single calls of two lengths.
pub(crate) fn write(rows: &[Measured], title: &str, path: &Path) -> io::Result<bool> {
    let panels = panels(rows);
    if panels.is_empty() {
        return Ok(false);
    }
    fs::write(path, text(&panels, title))?;
    Ok(true)
}

fn panels(rows: &[Measured]) -> Vec<Panel> {
    let mut panels: Vec<Panel> = Vec::new();
    let single = |measured: &&Measured| {
        measured.row.shape.batch == 1 && measured.row.shape.interface.is_none()
    };
    for measured in rows.iter().filter(single) {
        let row = &measured.row;
        let here = |panel: &Panel| {
            panel.algorithm == row.algorithm
                && panel.operation == row.operation
                && panel.aad_len == row.shape.aad_len
        };
        let at = panels.iter().position(here).unwrap_or_else(|| {
            panels.push(Panel {
                algorithm: row.algorithm,
                operation: row.operation,
                aad_len: row.shape.aad_len,
                lines: Vec::new(),
            });
            panels.len() - 1
        });
        for figure in &measured.figures {
            let point = (row.shape.len as f64, measured.gigabytes(figure.min_ns));
            let lines = &mut panels[at].lines;
            match lines.iter_mut().find(|line| line.name == figure.name) {
                Some(line) => line.points.push(point),
                None => lines.push(Line {
                    name: figure.name.clone(),
                    kind: figure.kind,
                    colour: INK,
                    points: vec![point],
                }),
            }
        }
    }
    for panel in &mut panels {
        panel.lines.retain(|line| line.points.len() > 1);
        colour(&mut panel.lines);
    }
    panels.retain(|panel| !panel.lines.is_empty());
    panels
}

/// A yardstick has the colour of the peer of the same make, and is dashed.
fn colour(lines: &mut [Line]) {
    let ours = lines
        .iter()
        .filter(|line| matches!(line.kind, Kind::Ours(_)))
        .count();
    let (mut tier, mut makes) = (OURS.len().saturating_sub(ours), Vec::new());
    for line in lines {
        line.colour = match line.kind {
            Kind::Ours(_) => {
                tier += 1;
                OURS[(tier - 1).min(OURS.len() - 1)]
            }
            Kind::Peer | Kind::Yardstick => {
                let make = line.name.split(' ').next().unwrap_or_default().to_owned();
                let at = makes.iter().position(|other| *other == make);
                PEERS[at.unwrap_or_else(|| {
                    makes.push(make);
                    makes.len() - 1
                }) % PEERS.len()]
            }
        };
    }
}

/// Writes to a `String`, which takes any text.
macro_rules! put {
    ($out:expr, $($text:tt)*) => {
        writeln!($out, $($text)*).expect("a String takes any text")
    };
}

fn text(panels: &[Panel], title: &str) -> String {
    let columns = if panels.len() > 1 { 2 } else { 1 };
    let width = PANEL_WIDTH * columns as f64;
    let height = TITLE_HEIGHT + PANEL_HEIGHT * panels.len().div_ceil(columns) as f64;
    let mut svg = String::new();
    put!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="system-ui, sans-serif" font-size="12" fill="{INK}">"#
    );
    put!(
        svg,
        r##"<rect width="100%" height="100%" fill="#ffffff"/>"##
    );
    put!(
        svg,
        r#"<text x="{LEFT}" y="30" font-size="18" font-weight="600">Throughput by message length</text>"#
    );
    put!(svg, r#"<text x="{LEFT}" y="50">{}</text>"#, escape(title));
    for (i, panel) in panels.iter().enumerate() {
        let x = PANEL_WIDTH * (i % columns) as f64;
        let y = TITLE_HEIGHT + PANEL_HEIGHT * (i / columns) as f64;
        put!(svg, r#"<g transform="translate({x} {y})">"#);
        draw(panel, &Axes::of(panels, panel.algorithm), &mut svg);
        put!(svg, "</g>");
    }
    put!(svg, "</svg>");
    svg
}

/// Where values lie in a panel.
struct Axes {
    least: f64,
    most: f64,
    top: f64,
}

impl Axes {
    /// Panels of one algorithm share their axes, so that they can be compared.
    fn of(panels: &[Panel], algorithm: &str) -> Self {
        let points = || {
            let panels = panels.iter().filter(|panel| panel.algorithm == algorithm);
            panels.flat_map(|panel| panel.lines.iter().flat_map(|line| &line.points))
        };
        Self {
            least: points()
                .map(|point| point.0.max(1.0))
                .fold(f64::INFINITY, f64::min),
            most: points().map(|point| point.0).fold(2.0, f64::max),
            top: 1.05
                * points()
                    .map(|point| point.1)
                    .fold(f64::MIN_POSITIVE, f64::max),
        }
    }

    fn x(&self, len: f64) -> f64 {
        let share = (len.max(1.0) / self.least).log2() / (self.most / self.least).log2();
        LEFT + share * (PANEL_WIDTH - LEFT - RIGHT)
    }

    fn y(&self, throughput: f64) -> f64 {
        PANEL_HEIGHT - BOTTOM - throughput / self.top * (PANEL_HEIGHT - TOP - BOTTOM)
    }
}

fn draw(panel: &Panel, axes: &Axes, svg: &mut String) {
    let (bottom, end) = (axes.y(0.0), PANEL_WIDTH - RIGHT);
    put!(
        svg,
        r#"<text x="{LEFT}" y="26" font-size="14" font-weight="600">{} {}, {} bytes of AAD</text>"#,
        panel.algorithm,
        panel.operation,
        panel.aad_len
    );
    let step = step(axes.top);
    let mut value = 0.0;
    while value <= axes.top {
        let y = axes.y(value);
        put!(
            svg,
            r#"<path d="M{LEFT} {y:.1}H{end}" stroke="{FAINT}"/><text x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
            LEFT - 8.0,
            y + 4.0,
            (value * 1000.0).round() / 1000.0
        );
        value += step;
    }
    put!(
        svg,
        r#"<text transform="translate(14 {:.1}) rotate(-90)" text-anchor="middle">GB/s</text>"#,
        (bottom + TOP) / 2.0
    );
    // A mark at every power of four, a number at every other.
    for power in (0..40).step_by(2) {
        let len = f64::from(power).exp2();
        if len < axes.least || len > axes.most {
            continue;
        }
        let x = axes.x(len);
        put!(svg, r#"<path d="M{x:.1} {bottom:.1}v5" stroke="{INK}"/>"#);
        if power % 4 == 0 {
            put!(
                svg,
                r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
                bottom + 18.0,
                bytes(len)
            );
        }
    }
    put!(
        svg,
        r#"<text x="{:.1}" y="{:.1}" text-anchor="middle">message length in bytes</text>"#,
        f64::midpoint(LEFT, end),
        bottom + 38.0
    );
    for line in &panel.lines {
        draw_line(line, axes, svg);
    }
    draw_names(&panel.lines, axes, svg);
}

fn draw_line(line: &Line, axes: &Axes, svg: &mut String) {
    let mut path = String::new();
    for (i, &(len, throughput)) in line.points.iter().enumerate() {
        let verb = if i == 0 { 'M' } else { 'L' };
        let (x, y) = (axes.x(len), axes.y(throughput));
        write!(path, "{verb}{x:.1} {y:.1}").expect("a String takes any text");
        put!(
            svg,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="2.4" fill="{}"/>"#,
            line.colour
        );
    }
    let (width, dashes) = match line.kind {
        Kind::Ours(_) => (2.6, ""),
        Kind::Peer => (1.6, ""),
        Kind::Yardstick => (1.4, r#" stroke-dasharray="5 4""#),
    };
    put!(
        svg,
        r#"<path d="{path}" fill="none" stroke="{}" stroke-width="{width}" stroke-linejoin="round"{dashes}/>"#,
        line.colour
    );
}

/// Names at the ends of their lines, pushed apart where lines end close together.
fn draw_names(lines: &[Line], axes: &Axes, svg: &mut String) {
    let end = |line: &Line| {
        line.points.last().map_or((0.0, 0.0), |&(len, throughput)| {
            (axes.x(len), axes.y(throughput))
        })
    };
    let mut names: Vec<(&Line, f64)> = lines.iter().map(|line| (line, end(line).1)).collect();
    names.sort_by(|a, b| a.1.total_cmp(&b.1));
    // Downwards first, then back up from the axis.
    let mut floor = f64::NEG_INFINITY;
    for (_, y) in &mut names {
        *y = y.max(floor + NAME_HEIGHT);
        floor = *y;
    }
    let mut ceiling = PANEL_HEIGHT - BOTTOM + NAME_HEIGHT;
    for (_, y) in names.iter_mut().rev() {
        *y = y.min(ceiling - NAME_HEIGHT);
        ceiling = *y;
    }
    let edge = PANEL_WIDTH - RIGHT;
    for (line, y) in names {
        let (from_x, from_y) = end(line);
        put!(
            svg,
            r#"<path d="M{from_x:.1} {from_y:.1}L{:.1} {y:.1}" stroke="{}" stroke-width="0.7"/><text x="{:.1}" y="{:.1}" fill="{}">{}</text>"#,
            edge + 14.0,
            line.colour,
            edge + 18.0,
            y + 4.0,
            line.colour,
            escape(&line.name)
        );
    }
}

/// The distance between two marks: 1, 2 or 5 times a power of ten, at most ten marks.
fn step(top: f64) -> f64 {
    let power = 10f64.powf((top / 10.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps
        .into_iter()
        .find(|step| top / step <= 10.0)
        .unwrap_or(power * 10.0)
}

fn bytes(len: f64) -> String {
    match len {
        len if len >= 1_048_576.0 => format!("{} Mi", len / 1_048_576.0),
        len if len >= 1024.0 => format!("{} Ki", len / 1024.0),
        len => len.to_string(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{panels, step, text};
    use crate::harness::{Figure, Kind, Operation, Row};
    use crate::messages::Shape;
    use crate::report::Measured;

    fn measured(len: usize, batch: usize) -> Measured {
        let figure = |name: &str, kind| Figure {
            name: name.to_owned(),
            algorithm: "a",
            kind,
            min_ns: 10.0,
            median_ns: 11.0,
        };
        let shape = Shape {
            len,
            aad_len: 0,
            nonce_len: 12,
            tag_len: 16,
            batch,
            interface: None,
        };
        let row = Row {
            algorithm: "a",
            operation: Operation::Seal,
            shape,
        };
        let figures = vec![
            figure("One", Kind::Peer),
            figure("One <other>", Kind::Yardstick),
        ];
        Measured::new(row, figures, None)
    }

    /// Batches stay out, names are escaped, and each contender has one line.
    #[test]
    fn a_line_for_each_contender() {
        let panels = panels(&[measured(16, 1), measured(64, 1), measured(64, 1000)]);
        assert_eq!(panels.len(), 1);
        assert!(panels[0].lines.iter().all(|line| line.points.len() == 2));
        let svg = text(&panels, "title & more");
        assert_eq!(svg.matches("stroke-linejoin").count(), 2);
        assert_eq!(svg.matches("stroke-dasharray").count(), 1);
        assert!(svg.contains("One &lt;other&gt;") && svg.contains("title &amp; more"));
    }

    #[test]
    fn marks_are_round_and_few() {
        for (top, expected) in [(17.1, 2.0), (9.0, 1.0), (0.4, 0.05), (100.0, 10.0)] {
            assert!((step(top) - expected).abs() < 1e-9, "{top}");
        }
    }
}
