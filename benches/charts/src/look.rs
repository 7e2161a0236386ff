//! Common to all charts: colours, marks, and what is added to what plotters wrote: a title and a description for
//! screen readers, and a style sheet for dark pages.

use plotters::prelude::*;

/// A colour when light and when dark. The style sheet finds elements by the first.
pub(crate) type Pair = (RGBColor, RGBColor);

pub(crate) const PAPER: Pair = (RGBColor(255, 255, 255), RGBColor(20, 22, 26));
pub(crate) const INK: Pair = (RGBColor(27, 31, 36), RGBColor(236, 238, 241));
pub(crate) const SOFT: Pair = (RGBColor(85, 91, 99), RGBColor(185, 191, 200));
pub(crate) const GRID: Pair = (RGBColor(217, 221, 227), RGBColor(52, 57, 64));
pub(crate) const BLUE: Pair = (RGBColor(31, 79, 216), RGBColor(143, 184, 255));
pub(crate) const ORANGE: Pair = (RGBColor(179, 89, 0), RGBColor(255, 180, 84));
pub(crate) const GREEN: Pair = (RGBColor(24, 122, 48), RGBColor(127, 224, 147));
pub(crate) const PURPLE: Pair = (RGBColor(122, 46, 158), RGBColor(217, 162, 242));
pub(crate) const RED: Pair = (RGBColor(200, 16, 46), RGBColor(255, 153, 161));
pub(crate) const TEAL: Pair = (RGBColor(0, 107, 117), RGBColor(110, 216, 226));

const ALL: [Pair; 10] = [PAPER, INK, SOFT, GRID, BLUE, ORANGE, GREEN, PURPLE, RED, TEAL];

/// A shape, so that marks are told apart without colour, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Disc,
    Ring,
    Square,
    Triangle,
    Diamond,
    Cross,
    Plus,
}

/// A series' shape and colour.
pub(crate) type Mark = (Shape, Pair);

/// A mark with its middle at a point.
pub(crate) fn mark<DB: DrawingBackend>(
    area: &DrawingArea<DB, plotters::coord::Shift>,
    (x, y): (i32, i32),
    (shape, (colour, _)): Mark,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let full = colour.filled();
    let line = colour.stroke_width(2);
    match shape {
        Shape::Disc => area.draw(&Circle::new((x, y), 5, full)),
        Shape::Ring => {
            area.draw(&Circle::new((x, y), 5, PAPER.0.filled()))?;
            area.draw(&Circle::new((x, y), 5, line))
        }
        Shape::Square => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], full)),
        Shape::Triangle => area.draw(&Polygon::new(vec![(x - 6, y + 5), (x + 6, y + 5), (x, y - 6)], full)),
        Shape::Diamond => area.draw(&Polygon::new(vec![(x - 6, y), (x, y + 6), (x + 6, y), (x, y - 6)], full)),
        Shape::Cross => {
            area.draw(&PathElement::new(vec![(x - 5, y - 5), (x + 5, y + 5)], line))?;
            area.draw(&PathElement::new(vec![(x - 5, y + 5), (x + 5, y - 5)], line))
        }
        Shape::Plus => {
            area.draw(&PathElement::new(vec![(x - 6, y), (x + 6, y)], line))?;
            area.draw(&PathElement::new(vec![(x, y - 6), (x, y + 6)], line))
        }
    }
}

/// The picture with title and description for screen readers, dark where the reader's system or page is.
pub(crate) fn finish(picture: &str, title: &str, description: &str) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let hex = |RGBColor(red, green, blue): RGBColor| format!("#{red:02X}{green:02X}{blue:02X}");
    let rule = |property: &str, (light, dark): Pair| {
        format!("[{property}=\"{}\"] {{ {property}: {}; }}\n", hex(light), hex(dark))
    };
    let css: String = ALL.iter().flat_map(|&pair| [rule("fill", pair), rule("stroke", pair)]).collect();
    let (head, rest) = picture.split_once('>').expect("an element");
    let (title, description) = (escape(title), escape(description));
    format!(
        "{head} role=\"img\">\n<title>{title}</title>\n<desc>{description}</desc>\n<style>\n@media \
         (prefers-color-scheme: dark) {{\n{css}}}\n</style>{rest}"
    )
}
