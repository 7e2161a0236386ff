//! Grids from text, in any of the formats that [`Grid`] lists.
//!
//! Lines are told apart first: blank lines, remarks and borders go, the first ones may give the layout and the signs of
//! values. One line alone may be a record of fields or a puzzle with its number of solutions; everything else is rows
//! of cells, or all cells in one line, where a cell is a word or a character. Rows are read twice: to know the signs
//! that there are, and for their values. Time is linear in the text, and memory bounded by the largest grid there is:
//! whatever a text has beyond that is refused before it is stored.

use std::str::FromStr;

use crate::grid::alphabet::{Alphabet, Sign, Signs};
use crate::grid::cells::{Grid, WrongCell};
use crate::grid::error::{GridError, LayoutError, MAX_CELLS, MAX_SIDE, shown};
use crate::grid::frame::{is_rule, readings};
use crate::grid::layout::Layout;

/// Characters of a wrong value that its error shows.
const WORD_SHOWN: usize = 20;

impl FromStr for Grid {
    type Err = GridError;

    fn from_str(text: &str) -> Result<Self, GridError> {
        match nine(text.trim().as_bytes()) {
            Some(grid) => Ok(grid),
            None => parse(text, None),
        }
    }
}

impl Grid {
    /// A grid of this layout from text in any of the formats of [`Grid`]; a layout that the text names itself is passed
    /// over.
    ///
    /// ```
    /// use cnfkit::{Grid, Layout};
    /// let grid = Grid::parse_as(Layout::latin(4), "1234 34.. .... ...1").unwrap();
    /// assert_eq!((grid.layout(), grid.get(1, 0)), (&Layout::latin(4), Some(3)));
    /// ```
    ///
    /// # Errors
    /// As [`FromStr`] for a grid.
    pub fn parse_as(layout: Layout, text: &str) -> Result<Self, GridError> {
        parse(text, Some(layout))
    }
}

/// Any format, with frames and other signs for empty cells where that leads to one grid.
fn parse(text: &str, given: Option<Layout>) -> Result<Grid, GridError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let only_cr = (text.contains('\r') && !text.contains('\n')).then(|| text.replace('\r', "\n"));
    let text = only_cr.as_deref().unwrap_or(text);
    let read_as_it_is = read(text, given.clone());
    let Err(error) = read_as_it_is else { return read_as_it_is };
    let readings = readings(text);
    let mut found: Vec<Grid> = Vec::new();
    for text in &readings {
        let grid = read(text, given.clone()).ok().filter(Grid::has_no_wrong);
        found.extend(grid.filter(|grid| !found.contains(grid)));
    }
    match (found.len(), readings.first()) {
        (1, _) => Ok(found.swap_remove(0)),
        (0, Some(plain)) if error.is_at_change(text, plain) => read(plain, given),
        (0, _) => Err(error),
        _ => {
            let message =
                format!("two grids can be read here, {:.20}… and {:.20}…", found[0].to_string(), found[1].to_string());
            Err(GridError::Syntax {
                line: 1,
                column: 1,
                message: format!("{message}: write `.` for empty cells, without a frame"),
            })
        }
    }
}

/// Any format as it stands; the layout is `given`, or in the text, or what the side suggests.
fn read(text: &str, given: Option<Layout>) -> Result<Grid, GridError> {
    let lines = text.lines().enumerate().map(|(i, text)| TextLine { number: i + 1, text });
    let lines = lines.filter(|line| !line.text.trim().is_empty() && !line.text.trim_start().starts_with('#'));
    // Two lines of a head, a title, all rows, and one more that is too many: what follows is not even looked at.
    let mut lines: Vec<TextLine<'_>> = lines.filter(|line| !is_rule(line.text)).take(MAX_SIDE + 4).collect();
    let head = Head::taken(&mut lines, given)?;
    if let [.., line] = lines[..]
        && (lines.len() == 1 || lines.len() == 2 && !lines[0].text.contains(|sign: char| sign.is_ascii_digit()))
        && let Some(grid) = line.solved(head.layout.as_ref())
    {
        return grid;
    }
    if let [line] = &mut lines[..] {
        if let Some(grid) = line.record(head.layout.as_ref()) {
            return grid;
        }
        *line = line.counted().unwrap_or(*line);
    }
    rows(&lines, head, text.lines().count())
}

/// The usual 81 characters, without the way round.
fn nine(text: &[u8]) -> Option<Grid> {
    let text: &[u8; 81] = text.try_into().ok()?;
    let mut cells = [0; 81];
    for (cell, sign) in cells.iter_mut().zip(text) {
        *cell = match sign {
            b'.' | b'*' | b'_' => 0,
            b'0'..=b'9' => (sign - b'0').into(),
            _ => return None,
        };
    }
    Grid::new(Layout::boxes(3, 3), cells).ok()
}

/// The header before the cells.
struct Head {
    layout: Option<Layout>,
    /// The alphabet, the side it is for, and the place where that is said.
    values: Option<(Alphabet, usize, (usize, usize))>,
}

impl Head {
    /// Takes lines away that say the layout or the alphabet, each at most once.
    fn taken(lines: &mut Vec<TextLine<'_>>, given: Option<Layout>) -> Result<Self, GridError> {
        let (mut layout, mut values) = (None, None);
        while let Some(&line) = lines.first()
            && let Some((is_layout, (column, text))) = line.header()
        {
            if is_layout && layout.is_none() {
                let wrong = |source| GridError::Layout { line: line.number, column, source };
                layout = Some(given.clone().map_or_else(|| text.parse(), Ok).map_err(wrong)?);
            } else if !is_layout && values.is_none() {
                let (alphabet, side) = Alphabet::named(text).ok_or_else(|| {
                    let text = shown(text, WORD_SHOWN);
                    line.wrong(column, format!("`{text}` are no values; allowed are such as 0-F, 1-G, A-P, 1-16"))
                })?;
                values = Some((alphabet, side, (line.number, column)));
            } else {
                break;
            }
            lines.remove(0);
        }
        Ok(Self { layout: layout.or(given), values })
    }
}

#[derive(Clone, Copy)]
struct TextLine<'a> {
    number: usize,
    text: &'a str,
}

/// A piece of a line and the column at which it starts, from 1.
type PlacedWord<'a> = (usize, &'a str);

impl<'a> TextLine<'a> {
    /// The layout, or the alphabet (`false`), when this line gives one.
    fn header(&self) -> Option<(bool, PlacedWord<'a>)> {
        let trimmed = self.text.trim();
        let (word, rest) = trimmed.split_once([':', ' ', '\t'])?;
        let word = word.to_ascii_lowercase();
        let said = match word.as_str() {
            "layout" | "values" => rest.trim_start_matches(':').trim(),
            "boxes" | "latin" | "regions" | "side" => trimmed,
            _ => return None,
        };
        let before = &self.text[..said.as_ptr() as usize - self.text.as_ptr() as usize];
        Some((word != "values", (before.chars().count() + 1, said)))
    }

    /// The puzzle of a line `puzzle,solution`, both without blanks, unless the line is something else.
    fn solved(&self, given: Option<&Layout>) -> Option<Result<Grid, GridError>> {
        let (puzzle, solution) = self.text.split_once([',', ';', '\t'])?;
        let column = puzzle.chars().count() + 2;
        let (puzzle, solution) = (puzzle.trim(), solution.trim());
        let n = puzzle.chars().count();
        let is_pair = n >= 16 && n == solution.chars().count() && n.isqrt().pow(2) == n;
        let is_cells = |text: &str| text.chars().all(|sign| sign.is_ascii_alphanumeric() || ".*_".contains(sign));
        if !is_pair || !is_cells(puzzle) || !is_cells(solution) {
            return None;
        }
        let read = |text| read(text, given.cloned());
        Some(read(puzzle).and_then(|grid| match read(solution) {
            Ok(solution) if solution.is_full() && solution.verify(&grid).is_empty() => Ok(grid),
            _ => Err(self.wrong(column, "this is no solution of the puzzle before it")),
        }))
    }

    /// The puzzle of a line `puzzle:number of solutions`, with or without `:solution`, unless the line is something
    /// else.
    fn counted(&self) -> Option<Self> {
        let mut fields = self.text.trim().split(':');
        let (puzzle, count) = (fields.next()?.trim(), fields.next()?.trim());
        let is_count = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        let one_word = !puzzle.is_empty() && !puzzle.contains(char::is_whitespace);
        (is_count && one_word && fields.nth(1).is_none()).then_some(Self { number: self.number, text: puzzle })
    }

    /// The pieces between signs that part cells; no more than `most`.
    fn words(&self, most: usize) -> Result<Vec<PlacedWord<'a>>, GridError> {
        let mut words = Vec::new();
        let mut start = None;
        let mut comma_at = None;
        let end = (self.text.chars().count(), (self.text.len(), ' '));
        for (i, (byte, sign)) in self.text.char_indices().enumerate().chain([end]) {
            let parts = sign.is_whitespace() || "|,;".contains(sign);
            match (parts, start) {
                (true, Some((column, _))) if words.len() == most => {
                    return Err(self.wrong(column, format!("more than {MAX_CELLS} values, the most a grid has")));
                }
                (true, Some((column, from))) => {
                    words.push((column, &self.text[from..byte]));
                    (start, comma_at) = (None, None);
                }
                (false, None) => start = Some((i + 1, byte)),
                _ => {}
            }
            if sign == ',' || sign == ';' {
                if comma_at.is_some() || words.is_empty() {
                    return Err(self.wrong(i + 1, "a value is missing before this comma; an empty cell is `.` or 0"));
                }
                comma_at = Some(i);
            }
        }
        Ok(words)
    }

    fn wrong(&self, column: usize, message: impl Into<String>) -> GridError {
        GridError::Syntax { line: self.number, column, message: message.into() }
    }

    /// The line as `name|n|box rows|box columns|cells|regions|…`, unless it is something else.
    fn record(&self, given: Option<&Layout>) -> Option<Result<Grid, GridError>> {
        let mut column = 1;
        let mut fields = self.text.split('|').map(|field| {
            let here = (column, field.trim());
            column += field.chars().count() + 1;
            here
        });
        // A field that is not there would begin where the line ends.
        let end = self.text.chars().count() + 1;
        let fields: [PlacedWord<'_>; 6] = std::array::from_fn(|_| fields.next().unwrap_or((end, "")));
        let [side, rows, cols] = [fields[1].1.parse().ok()?, fields[2].1.parse().ok()?, fields[3].1.parse().ok()?];
        if fields[1].1.is_empty() || (fields[4].1.split(',').count() < 2 && side != 1) {
            return None;
        }
        let layout = given.map_or_else(|| self.record_layout((rows, cols), side, fields[5]), |given| Ok(given.clone()));
        Some(layout.and_then(|layout| self.record_cells(layout, side, fields[4])))
    }

    fn record_layout(
        &self,
        (rows, cols): (usize, usize),
        side: usize,
        (column, regions): PlacedWord<'_>,
    ) -> Result<Layout, GridError> {
        let layout = match (rows, cols, regions) {
            (0, 0, "" | "-") => Layout::try_boxes(1, side),
            (0, 0, regions) if regions.split(',').nth(MAX_CELLS).is_some() => {
                Err(LayoutError::Side { side: MAX_SIDE + 1 })
            }
            (0, 0, regions) => Layout::from_labels(&regions.split(',').map(str::trim).collect::<Vec<_>>()),
            _ => Layout::try_boxes(rows, cols),
        };
        let column = if rows == 0 { column } else { 1 };
        layout.map_err(|source| GridError::Layout { line: self.number, column, source })
    }

    fn record_cells(&self, layout: Layout, side: usize, (mut at, cells): PlacedWord<'_>) -> Result<Grid, GridError> {
        if layout.side() != side {
            let message = format!("a side of {side} beside a layout `{}` of side {}", layout.shown(), layout.side());
            return Err(self.wrong(1, message));
        }
        let found = cells.split(',').count();
        let fits = found == side * side;
        let mut values = ParsedValues::new(if fits { side } else { 0 });
        for cell in cells.split(',') {
            let value = match Sign::read(cell.trim()) {
                Some(Sign::Empty) => 0,
                Some(Sign::Number(number)) => number,
                _ => return Err(self.no_value(at, cell.trim(), side)),
            };
            if fits {
                values.push(value, self.number, at);
            }
            at += cell.chars().count() + 1;
        }
        if fits {
            values.grid(layout)
        } else {
            Err(self.wrong(at - 1, format!("{found} cells where side {side} needs {}", side * side)))
        }
    }

    fn no_value(&self, column: usize, word: &str, side: usize) -> GridError {
        let word = shown(word, WORD_SHOWN);
        let message = format!("`{word}` is no value: allowed are 1 to {side}, and . 0 * or _ for an empty cell");
        self.wrong(column, message)
    }
}

/// A line cut into words.
struct RowOfWords<'a> {
    line: TextLine<'a>,
    words: Vec<PlacedWord<'a>>,
}

impl<'a> RowOfWords<'a> {
    /// The cells: words, or characters.
    fn cells(&self, by_word: bool) -> impl Iterator<Item = PlacedWord<'a>> {
        let most = if by_word { 1 } else { usize::MAX };
        self.words.iter().flat_map(move |&(column, word)| {
            word.char_indices().take(most).enumerate().map(move |(i, (at, sign))| {
                let end = if by_word { word.len() } else { at + sign.len_utf8() };
                (column + i, &word[at..end])
            })
        })
    }

    /// The number of cells.
    fn width(&self, by_word: bool) -> usize {
        if by_word { self.words.len() } else { self.words.iter().map(|word| word.1.chars().count()).sum() }
    }

    fn sign(&self, (column, cell): PlacedWord<'_>, side: usize, letters: bool) -> Result<Sign, GridError> {
        let sign = Sign::read(cell).filter(|sign| letters || !matches!(sign, Sign::Letter(_)));
        sign.ok_or_else(|| self.line.no_value(column, cell, side))
    }
}

/// One cell per word, or one per character; all in one line (`whole`), or in rows.
#[derive(Clone, Copy)]
struct TextShape {
    side: usize,
    by_word: bool,
    whole: bool,
}

impl TextShape {
    fn of(rows: &[RowOfWords<'_>], layout: Option<&Layout>) -> Self {
        let root = |n: usize| {
            let side = n.isqrt();
            (side * side == n && layout.is_none_or(|layout| layout.side() == side)).then_some(side)
        };
        if let [row] = rows {
            let by_word = row.words.len() > 1 && root(row.words.len()).is_some();
            if let Some(side) = root(row.width(by_word)) {
                return Self { side, by_word, whole: true };
            }
        }
        let side = layout.map_or(rows.len(), Layout::side);
        let fitting = |by_word| rows.iter().filter(|row| row.width(by_word) == side).count();
        let by_word = fitting(true) >= fitting(false) && (fitting(true) > 0 || rows[0].words.len() > 1);
        Self { side: layout.map_or_else(|| rows[0].width(by_word), Layout::side), by_word, whole: false }
    }

    fn fits(self, row: &RowOfWords<'_>) -> bool {
        self.whole || row.width(self.by_word) == self.side
    }

    /// The rows without a title: a first line with letters and of another length, before a grid that is complete.
    fn untitled<'r, 'a>(rows: &'r [RowOfWords<'a>], layout: Option<&Layout>) -> &'r [RowOfWords<'a>] {
        match rows {
            [title, grid @ ..] if !grid.is_empty() && title.line.text.contains(char::is_alphabetic) => {
                let shape = Self::of(grid, layout);
                let is_complete = shape.side >= 4 && (shape.whole || grid.len() == shape.side);
                let is_grid = is_complete && grid.iter().all(|row| shape.fits(row));
                if is_grid && title.width(shape.by_word) != shape.side { grid } else { rows }
            }
            _ => rows,
        }
    }

    /// Refuses a row that is too long or too short, or one too many.
    fn check(self, row: &RowOfWords<'_>, number: usize) -> Result<(), GridError> {
        let (side, line) = (self.side, &row.line);
        let text = line.text.trim_end();
        let has_gaps = ["  ", "\t\t"].iter().any(|gap| text.contains(gap));
        let gaps = if has_gaps { "; an empty cell is `.` or 0, blanks only part cells" } else { "" };
        if !self.fits(row) {
            let message = format!("{} cells in this row; {side} are needed{gaps}", row.width(self.by_word));
            return Err(line.wrong(text.chars().count() + 1, message));
        }
        if number >= side && !self.whole {
            return Err(line.wrong(1, format!("row {} of a grid of {side} rows{gaps}", side + 1)));
        }
        Ok(())
    }
}

/// Lines cut into words; what is certainly no grid is refused.
fn cut<'a>(lines: &[TextLine<'a>], n_lines: usize) -> Result<Vec<RowOfWords<'a>>, GridError> {
    if lines.is_empty() {
        let message = "the text ends without a single cell".into();
        return Err(GridError::Syntax { line: n_lines.max(1), column: 1, message });
    }
    if let Some(line) = lines.iter().find(|line| line.text.starts_with("p cnf ") || line.text.starts_with("p wcnf ")) {
        return Err(line.wrong(1, "this is a formula in DIMACS format, not a grid"));
    }
    let mut left = MAX_CELLS;
    let cut = lines.iter().map(|&line| {
        let words = line.words(left)?;
        left -= words.len();
        Ok(RowOfWords { line, words })
    });
    cut.collect()
}

/// Rows of cells, or all cells in one line.
fn rows(lines: &[TextLine<'_>], head: Head, n_lines: usize) -> Result<Grid, GridError> {
    let rows = cut(lines, n_lines)?;
    let rows = TextShape::untitled(&rows, head.layout.as_ref());
    let shape @ TextShape { side, by_word, whole } = TextShape::of(rows, head.layout.as_ref());
    let first = &rows[0];
    if rows.len() == 1 && head.layout.is_none() && first.words.len() == 1 && !whole {
        return Err(no_square(first));
    }
    if side == 0 || side > Layout::MAX_SIDE {
        return Err(first.line.wrong(1, format!("{side} cells in a row; allowed are 1 to {}", Layout::MAX_SIDE)));
    }
    let letters = side > 9 || head.values.is_some();
    let mut signs = Signs::new(side, by_word);
    for (number, row) in rows.iter().enumerate() {
        for cell in row.cells(by_word) {
            signs.note(row.sign(cell, side, letters)?, (row.line.number, cell.0));
        }
        shape.check(row, number)?;
    }
    if !whole && rows.len() < side {
        let message = format!("the text ends after {} of {side} rows", rows.len());
        return Err(GridError::Syntax { line: n_lines + 1, column: 1, message });
    }
    let alphabet = match head.values {
        Some((alphabet, values, _)) if values == side => alphabet,
        Some((_, values, (line, column))) => {
            let message = format!("these are {values} values, and the grid has side {side}");
            return Err(GridError::Syntax { line, column, message });
        }
        None => signs.alphabet()?,
    };
    let mut cells = ParsedValues::new(side);
    for row in rows {
        for cell @ (column, text) in row.cells(by_word) {
            let sign = row.sign(cell, side, letters)?;
            let (at, value) = (cells.cells.len(), alphabet.value(sign));
            cells.push(value.ok_or_else(|| row.line.no_value(column, text, side))?, row.line.number, column);
            if let (Sign::Letter(_), Some(wrong)) = (sign, cells.wrong.last_mut().filter(|wrong| wrong.cell == at)) {
                let mut ends = alphabet.name(side, false).into_iter().flat_map(|name| name.chars().collect::<Vec<_>>());
                wrong.letter = ends.next().zip(ends.last()).and_then(|(a, b)| Some([text.chars().next()?, a, b]));
            }
        }
    }
    let at = |source| GridError::Layout { line: first.line.number, column: 1, source };
    cells.grid(head.layout.map_or_else(|| Layout::try_for_side(side), Ok).map_err(at)?)
}

/// One word that is no square: a sign that no grid of about that size has says more than the length.
fn no_square(row: &RowOfWords<'_>) -> GridError {
    let found = row.width(false);
    let sides = [found.isqrt(), found.isqrt() + 1].into_iter();
    let side = sides.min_by_key(|side| found.abs_diff(side * side)).unwrap_or(1);
    let wrong = row.cells(false).find_map(|cell| row.sign(cell, side, side > 9).err());
    wrong.unwrap_or_else(|| {
        let message = format!("{found} cells in one line make no grid; side {side} needs {}", side * side);
        row.line.wrong(row.words[0].0, message)
    })
}

/// The values read so far, and where those stand that are out of range.
struct ParsedValues {
    side: usize,
    cells: Vec<u16>,
    wrong: Vec<WrongCell>,
}

impl ParsedValues {
    fn new(side: usize) -> Self {
        Self { side, cells: Vec::with_capacity(side * side), wrong: Vec::new() }
    }

    fn push(&mut self, value: u16, line: usize, column: usize) {
        if usize::from(value) > self.side {
            self.wrong.push(WrongCell { cell: self.cells.len(), value, line, column, letter: None });
        }
        self.cells.push(value);
    }

    fn grid(self, layout: Layout) -> Result<Grid, GridError> {
        Ok(Grid::new(layout, self.cells)?.with_wrong(self.wrong))
    }
}
