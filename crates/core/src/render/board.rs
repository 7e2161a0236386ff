//! [`Board`]: cells in rows and columns with grounds, texts, marks and lines, as one SVG document.

use svg::Document;
use svg::Node;
use svg::node::element::{Description, Group, Line, Rectangle, Style, Text, Title};

use super::colour::{Colour, Look, Theme, style_sheet};

/// The side of a cell, in user units.
const CELL: usize = 40;
/// Room around the cells.
const MARGIN: usize = 2;

/// Cells in rows and columns, addressed from 0, to be drawn: each with a ground, a shade, a text. Lines are thin within
/// a region and thick between regions. Sudokus and Gem Hunter boards are drawn this way; a picture of a grid of your
/// own takes a few calls.
///
/// ```
/// use cnfkit::render::{Board, Colour, Look, Theme};
/// // Queens on a chessboard.
/// let mut board = Board::new(4, 4);
/// for (row, column) in [(0, 1), (1, 3), (2, 0), (3, 2)] {
///     board.write(row, column, "♛", Colour::Ink, false);
/// }
/// for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
///     board.ground(row, column, if (row + column) % 2 == 0 { Colour::Paper } else { Colour::Unknown });
/// }
/// board.describe("Four queens", "No two in one row, column or diagonal.");
/// let picture = board.to_svg(&Look::new(Theme::System));
/// assert_eq!(picture.matches("<text").count(), 4);
/// ```
///
/// All methods that take a cell panic when there is none: rows and columns are the caller's own.
#[derive(Clone, Debug)]
pub struct Board {
    rows: usize,
    columns: usize,
    cells: Vec<Square>,
    title: String,
    description: String,
}

#[derive(Clone, Debug, Default)]
struct Square {
    ground: Option<Colour>,
    shaded: bool,
    region: usize,
    text: Option<(String, Colour, bool)>,
}

impl Board {
    /// A board of empty cells on paper, all of one region.
    ///
    /// # Panics
    /// When `rows` · `columns` overflows.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Self {
        let cells = rows.checked_mul(columns).expect("a board of more cells than memory has");
        Self {
            rows,
            columns,
            cells: vec![Square::default(); cells],
            title: format!("{rows} × {columns} cells"),
            description: String::new(),
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    fn at(&mut self, row: usize, column: usize) -> &mut Square {
        assert!(row < self.rows && column < self.columns, "no cell ({row}, {column})");
        &mut self.cells[row * self.columns + column]
    }

    /// Paints the ground of a cell.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn ground(&mut self, row: usize, column: usize, colour: Colour) {
        self.at(row, column).ground = Some(colour);
    }

    /// Makes a cell somewhat darker than its ground, or lighter where all is dark.
    ///
    /// ```
    /// use cnfkit::render::{Board, Look};
    /// let plain = Board::new(2, 2);
    /// let mut shaded = plain.clone();
    /// shaded.shade(0, 1);
    /// assert_ne!(shaded.to_svg(&Look::default()), plain.to_svg(&Look::default()));
    /// ```
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn shade(&mut self, row: usize, column: usize) {
        self.at(row, column).shaded = true;
    }

    /// Puts a cell into a region: the line between cells of two regions is thick. All cells start in region 0.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn region(&mut self, row: usize, column: usize, region: usize) {
        self.at(row, column).region = region;
    }

    /// Writes a text of a few characters into a cell, instead of what is there; more than three are made smaller.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn write(&mut self, row: usize, column: usize, text: impl Into<String>, colour: Colour, bold: bool) {
        self.at(row, column).text = Some((text.into(), colour, bold));
    }

    /// A title, which a [`Look`] may replace, and a description of the picture for screen readers.
    pub fn describe(&mut self, title: impl Into<String>, description: impl Into<String>) {
        (self.title, self.description) = (title.into(), description.into());
    }

    /// The picture: one SVG document, 40 units a cell.
    #[must_use]
    pub fn to_svg(&self, look: &Look) -> String {
        let theme = look.theme;
        let (mut grounds, mut texts) = (Group::new(), Group::new());
        for (at, cell) in self.cells.iter().enumerate() {
            let (row, column) = (at / self.columns, at % self.columns);
            if let Some(colour) = cell.ground {
                grounds.append(square(row, column).set("fill", colour.value(theme)));
            }
            if cell.shaded {
                grounds.append(square(row, column).set("fill", Colour::Shade.value(theme)).set("fill-opacity", 0.1));
            }
            if let Some((text, colour, bold)) = &cell.text {
                let weight = if *bold { "bold" } else { "normal" };
                texts.append(label(row, column, text).set("fill", colour.value(theme)).set("font-weight", weight));
            }
        }
        let mut rings =
            Group::new().set("fill", "none").set("stroke", Colour::Mark.value(theme)).set("stroke-width", 3);
        let mut marked = look.marked.clone();
        marked.sort_unstable();
        marked.dedup();
        marked.retain(|&(row, column)| row < self.rows && column < self.columns);
        let no_rings = marked.is_empty();
        for (row, column) in marked {
            rings.append(ring(row, column));
        }
        let (width, height) = (self.columns * CELL + 2 * MARGIN, self.rows * CELL + 2 * MARGIN);
        let title = look.title.as_ref().unwrap_or(&self.title);
        let page = document(width as f64, height as f64, theme, title, &self.description)
            .add(grounds)
            .add(self.lines(theme))
            .add(texts);
        if no_rings { page } else { page.add(rings) }.to_string()
    }

    /// Lines between cells, thick between regions and around the board.
    fn lines(&self, theme: Theme) -> Group {
        let (rows, columns) = (self.rows, self.columns);
        let region = |row: usize, column: usize| self.cells[row * columns + column].region;
        let mut thin = Vec::new();
        let mut strong = Vec::new();
        for row in 0..=rows {
            for column in 0..=columns {
                if row < rows {
                    let inside = column > 0 && column < columns;
                    let is_thin = inside && region(row, column - 1) == region(row, column);
                    let to = if is_thin { &mut thin } else { &mut strong };
                    to.push(line((column, row), (column, row + 1)));
                }
                if column < columns {
                    let inside = row > 0 && row < rows;
                    let is_thin = inside && region(row - 1, column) == region(row, column);
                    let to = if is_thin { &mut thin } else { &mut strong };
                    to.push(line((column, row), (column + 1, row)));
                }
            }
        }
        let add = |group: Group, lines: Vec<Line>| lines.into_iter().fold(group, Group::add);
        let thin = add(Group::new().set("stroke-width", 0.5), thin);
        let strong = add(Group::new().set("stroke-width", 2.5), strong);
        let all = Group::new().set("stroke", Colour::Ink.value(theme)).set("stroke-linecap", "square");
        all.add(thin).add(strong)
    }
}

/// A document with title and description, on paper.
pub(super) fn document(width: f64, height: f64, theme: Theme, title: &str, description: &str) -> Document {
    // XML has no way to write most control characters.
    let clean = |text: &str| text.chars().filter(|sign| !sign.is_control()).collect::<String>();
    let mut page = Document::new()
        .set("viewBox", (0.0, 0.0, width, height))
        .set("width", width)
        .set("height", height)
        .set("role", "img")
        .add(Title::new(clean(title)));
    if !description.is_empty() {
        page = page.add(Description::new().add(svg::node::Text::new(clean(description))));
    }
    if theme == Theme::System {
        page = page.add(Style::new(style_sheet()));
    }
    let paper = Colour::Paper.value(theme);
    page.add(Rectangle::new().set("width", width).set("height", height).set("fill", paper))
}

/// The start of a row or column.
const fn start(index: usize) -> usize {
    MARGIN + index * CELL
}

fn square(row: usize, column: usize) -> Rectangle {
    Rectangle::new().set("x", start(column)).set("y", start(row)).set("width", CELL).set("height", CELL)
}

/// Inside of the cell's lines.
fn ring(row: usize, column: usize) -> Rectangle {
    const INSET: usize = 4;
    Rectangle::new()
        .set("x", start(column) + INSET)
        .set("y", start(row) + INSET)
        .set("width", CELL - 2 * INSET)
        .set("height", CELL - 2 * INSET)
        .set("rx", 6)
}

/// Text in the middle of a cell.
fn label(row: usize, column: usize, text: &str) -> Text {
    let text: String = text.chars().filter(|sign| !sign.is_control()).collect();
    // Three characters fit at this size; what is longer is made smaller.
    let size = (CELL * 3 / 5).min(CELL * 5 / 3 / text.chars().count().max(1));
    Text::new(text)
        .set("x", start(column) + CELL / 2)
        .set("y", start(row) + CELL / 2)
        .set("font-size", size)
        .set("text-anchor", "middle")
        .set("dominant-baseline", "central")
        .set("font-family", "sans-serif")
}

fn line(from: (usize, usize), to: (usize, usize)) -> Line {
    Line::new().set("x1", start(from.0)).set("y1", start(from.1)).set("x2", start(to.0)).set("y2", start(to.1))
}
