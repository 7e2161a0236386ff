//! Two kinds of chart, drawn with plotters: lines over n, and marks in rows. Axes are of transformed values
//! (logarithms, mostly), and ticks are given.

use std::error::Error;
use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::look::{GRID, INK, Mark, PAPER, SOFT, finish, mark};

/// An axis: what it says, its ticks, of which the first and the last are its ends, and how values lie on it.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// Quantity and unit.
    pub(crate) name: String,
    ticks: Vec<f64>,
    place: fn(f64) -> f64,
}

impl Axis {
    pub(crate) fn new(name: &str, ticks: &[f64], place: fn(f64) -> f64) -> Self {
        Self { name: name.to_owned(), ticks: ticks.to_vec(), place }
    }

    fn ends(&self) -> (f64, f64) {
        (self.ticks.first().copied().unwrap_or(0.0), self.ticks.last().copied().unwrap_or(1.0))
    }
}

/// The pixel at this share of the way.
fn between(share: f64, (from, to): (i32, i32)) -> i32 {
    from + (share * f64::from(to - from)).round() as i32
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let (least, most) = self.ends();
        let (value, least, most) = ((self.place)(*value), (self.place)(least), (self.place)(most));
        between((value - least) / (most - least), limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        let (least, most) = self.ends();
        least..most
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        written(*value)
    }
}

/// The axis of named rows, the first on top.
struct Rows<'a>(&'a [String]);

impl Ranged for Rows<'_> {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, row: &f64, (bottom, top): (i32, i32)) -> i32 {
        between((row + 0.5) / self.0.len() as f64, (top, bottom))
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        (0..self.0.len()).map(|row| row as f64).collect()
    }

    fn range(&self) -> Range<f64> {
        0.0..self.0.len() as f64
    }
}

impl ValueFormatter<f64> for Rows<'_> {
    fn format_ext(&self, row: &f64) -> String {
        name(self.0, *row)
    }
}

/// A number with commas.
fn written(value: f64) -> String {
    if value.fract() != 0.0 {
        return value.to_string();
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Named points with a mark.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    /// The name of it.
    pub(crate) name: String,
    /// How it is drawn.
    pub(crate) mark: Mark,
    /// Values on both axes; in charts of rows, the second is the number of the row.
    pub(crate) points: Vec<(f64, f64)>,
}

/// A chart's words.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    /// The title above it.
    pub(crate) title: String,
    /// A line below that.
    pub(crate) subtitle: String,
    /// The description for a reader who does not see it; series and numbers follow by themselves.
    pub(crate) description: String,
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const WIDTH: u32 = 860;
const LEFT: i32 = 16;
const TOP: i32 = 60;
const FONT: &str = "sans-serif";

fn style(size: i32, colour: RGBColor, x: HPos) -> TextStyle<'static> {
    (FONT, size).into_font().color(&colour).pos(Pos::new(x, VPos::Center))
}

/// Lines, each with its name at its right end.
pub(crate) fn lines(words: &Words, x: &Axis, y: &Axis, series: &[Series]) -> Result<String> {
    const HEIGHT: u32 = 520;
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, (WIDTH, HEIGHT)).into_drawing_area();
        head(&area, words)?;
        let mut chart = ChartBuilder::on(&area)
            .margin_top(TOP)
            .margin_left(4)
            .margin_right(210)
            .margin_bottom(6)
            .x_label_area_size(48)
            .y_label_area_size(78)
            .build_cartesian_2d(x.clone(), y.clone())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID.0)
            .axis_style(SOFT.0)
            .label_style((FONT, 14).into_font().color(&INK.0))
            .axis_desc_style((FONT, 15).into_font().color(&INK.0))
            .x_labels(x.ticks.len())
            .y_labels(y.ticks.len())
            .x_desc(&*x.name)
            .y_desc(&*y.name)
            .draw()?;
        let mut ends = Vec::new();
        for one in series {
            let at = |&(a, b): &(f64, f64)| chart.backend_coord(&(a, b));
            let pixels: Vec<(i32, i32)> = one.points.iter().map(at).collect();
            area.draw(&PathElement::new(pixels.clone(), one.mark.1.0.stroke_width(2)))?;
            for &pixel in &pixels {
                mark(&area, pixel, one.mark)?;
            }
            ends.push(pixels.last().copied().ok_or("a line has points")?);
        }
        let heights = apart(&ends.iter().map(|end| f64::from(end.1)).collect::<Vec<_>>(), 20.0);
        for ((one, end), height) in series.iter().zip(&ends).zip(heights) {
            let from = end.0 + 8;
            area.draw(&PathElement::new(vec![(from, end.1), (from + 14, height as i32)], SOFT.0))?;
            let text = style(14, one.mark.1.0, HPos::Left);
            area.draw(&Text::new(one.name.clone(), (from + 18, height as i32), text))?;
        }
        area.present()?;
    }
    Ok(finish(&picture, &words.title, &described(words, series, |x, y| format!("{} at {}", written(y), written(x)))))
}

/// Rows of marks, with a legend above.
pub(crate) fn rows(words: &Words, x: &Axis, names: &[String], series: &[Series], label_width: u32) -> Result<String> {
    const ROW: u32 = 28;
    const LEGEND: u32 = 34;
    let height = TOP as u32 + LEGEND + ROW * names.len() as u32 + 60;
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, (WIDTH, height)).into_drawing_area();
        head(&area, words)?;
        let mut from = LEFT + 6;
        for one in series {
            mark(&area, (from, TOP + 8), one.mark)?;
            area.draw(&Text::new(one.name.clone(), (from + 12, TOP + 8), style(14, INK.0, HPos::Left)))?;
            // About the width of a letter.
            from += 12 + (one.name.chars().count() as f64 * 7.4) as i32 + 22;
        }
        let mut chart = ChartBuilder::on(&area)
            .margin_top(TOP + LEGEND as i32 - 8)
            .margin_left(4)
            .margin_right(40)
            .margin_bottom(6)
            .x_label_area_size(48)
            .y_label_area_size(label_width)
            .build_cartesian_2d(x.clone(), Rows(names))?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID.0)
            .axis_style(SOFT.0)
            .label_style((FONT, 14).into_font().color(&INK.0))
            .axis_desc_style((FONT, 15).into_font().color(&INK.0))
            .x_labels(x.ticks.len())
            .y_labels(names.len())
            .x_desc(&*x.name)
            .draw()?;
        for one in series {
            for &(value, row) in &one.points {
                mark(&area, chart.backend_coord(&(value, row)), one.mark)?;
            }
        }
        area.present()?;
    }
    let row = |value: f64, row: f64| format!("{} {}", name(names, row), written(value));
    Ok(finish(&picture, &words.title, &described(words, series, row)))
}

/// The name of a row by its number.
fn name(names: &[String], row: f64) -> String {
    let found = names.iter().zip(0_u32..).find(|(_, at)| (f64::from(*at) - row).abs() < 1e-9);
    found.map_or(String::new(), |(name, _)| name.clone())
}

fn head<DB: DrawingBackend>(area: &DrawingArea<DB, plotters::coord::Shift>, words: &Words) -> Result<()>
where
    DB::ErrorType: 'static,
{
    area.fill(&PAPER.0)?;
    let title = (FONT, 18, FontStyle::Bold).into_font().color(&INK.0).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw(&Text::new(words.title.clone(), (LEFT, 20), title))?;
    area.draw(&Text::new(words.subtitle.clone(), (LEFT, 42), style(14, SOFT.0, HPos::Left)))?;
    Ok(())
}

fn described(words: &Words, series: &[Series], point: impl Fn(f64, f64) -> String) -> String {
    let mut text = format!("{} {}", words.subtitle, words.description);
    for one in series {
        let points: Vec<String> = one.points.iter().map(|&(a, b)| point(a, b)).collect();
        text.extend([" ", &one.name, ": ", &points.join("; "), "."]);
    }
    text
}

/// The heights moved apart to this distance, in turns of small steps, so that names do not cover each other.
fn apart(heights: &[f64], distance: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
    let mut moved = heights.to_vec();
    for _ in 0..200 {
        for pair in order.windows(2) {
            let missing = distance - (moved[pair[1]] - moved[pair[0]]);
            if missing > 0.0 {
                moved[pair[0]] -= missing / 2.0;
                moved[pair[1]] += missing / 2.0;
            }
        }
    }
    moved
}
