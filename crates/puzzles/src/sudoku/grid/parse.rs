//! Grids from text, in any of the formats that [`Grid`] lists.
//!
//! Lines are told apart first: blank lines, remarks and borders go, a first line may be a layout. One line alone may be
//! a record of fields or a puzzle with its number of solutions; everything else is rows of cells, or all cells in one
//! line, where a cell is a word or a character. Time is linear in the text, and memory bounded by the largest grid
//! there is: whatever a text has beyond that is refused before it is stored.

use std::str::FromStr;

use crate::sudoku::grid::cells::{Grid, Wrong};
use crate::sudoku::grid::error::{GridError, LayoutError, MAX_CELLS, MAX_SIDE, shown};
use crate::sudoku::grid::layout::Layout;

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

/// Any format; the layout is `given`, or in the text, or what the side suggests.
fn parse(text: &str, given: Option<Layout>) -> Result<Grid, GridError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text });
    let lines = lines.filter(|line| !line.text.trim().is_empty() && !line.text.trim_start().starts_with('#'));
    // A layout, all rows, and one more line that is too many: what comes after that is not even looked at.
    let mut lines: Vec<Line<'_>> = lines.filter(|line| !line.is_rule()).take(MAX_SIDE + 2).collect();
    let layout = match (lines.first().and_then(Line::header), given) {
        (None, given) => given,
        (Some(_), Some(given)) => {
            lines.remove(0);
            Some(given)
        }
        (Some((column, layout)), None) => {
            let line = lines.remove(0).number;
            Some(layout.parse().map_err(|source| GridError::Layout { line, column, source })?)
        }
    };
    if let [line] = &mut lines[..] {
        if let Some(grid) = line.record(layout.as_ref()) {
            return grid;
        }
        *line = line.counted().unwrap_or(*line);
    }
    rows(&lines, layout, text.lines().count())
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

#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

/// A piece of a line and the column at which it starts, from 1.
type Word<'a> = (usize, &'a str);

impl<'a> Line<'a> {
    /// The layout, when this line gives one.
    fn header(&self) -> Option<Word<'a>> {
        let trimmed = self.text.trim();
        let (word, rest) = trimmed.split_once([':', ' ', '\t'])?;
        let layout = match word.to_ascii_lowercase().as_str() {
            "layout" => rest.trim_start_matches(':').trim(),
            "boxes" | "latin" | "regions" | "side" => trimmed,
            _ => return None,
        };
        let before = &self.text[..layout.as_ptr() as usize - self.text.as_ptr() as usize];
        Some((before.chars().count() + 1, layout))
    }

    /// True if this line only draws a border.
    fn is_rule(&self) -> bool {
        let mut signs = self.text.chars().filter(|c| !c.is_whitespace()).peekable();
        signs.peek().is_some() && signs.all(|c| "|-+=".contains(c))
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
    fn words(&self, most: usize) -> Result<Vec<Word<'a>>, GridError> {
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
        let fields: [Word<'_>; 6] = std::array::from_fn(|_| fields.next().unwrap_or((end, "")));
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
        (column, regions): Word<'_>,
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

    fn record_cells(&self, layout: Layout, side: usize, (mut at, cells): Word<'_>) -> Result<Grid, GridError> {
        if layout.side() != side {
            let message = format!("a side of {side} beside a layout `{}` of side {}", layout.shown(), layout.side());
            return Err(self.wrong(1, message));
        }
        let found = cells.split(',').count();
        let fits = found == side * side;
        let mut values = Values::new(if fits { side } else { 0 });
        for cell in cells.split(',') {
            let value = number(cell.trim()).ok_or_else(|| self.no_value(at, cell.trim(), side))?;
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

/// Rows of cells, or all cells in one line.
fn rows(lines: &[Line<'_>], layout: Option<Layout>, n_lines: usize) -> Result<Grid, GridError> {
    let Some(first) = lines.first() else {
        let message = "the text ends without a single cell".into();
        return Err(GridError::Syntax { line: n_lines.max(1), column: 1, message });
    };
    if let Some(line) = lines.iter().find(|line| line.text.starts_with("p cnf ") || line.text.starts_with("p wcnf ")) {
        return Err(line.wrong(1, "this is a formula in DIMACS format, not a grid"));
    }
    let mut left = MAX_CELLS;
    let mut words: Vec<Vec<Word<'_>>> = Vec::with_capacity(lines.len());
    for line in lines {
        words.push(line.words(left)?);
        left -= words.last().map_or(0, Vec::len);
    }
    let characters = |words: &[Word<'_>]| words.iter().map(|word| word.1.chars().count()).sum::<usize>();
    let is_side = |n: usize| layout.as_ref().is_none_or(|layout| layout.side() == n);
    let square = |n: usize| n.isqrt() * n.isqrt() == n && is_side(n.isqrt());

    if let ([line], None) = (&words[..], &layout)
        && line.len() == 1
        && !square(characters(line))
    {
        let found = characters(line);
        let nearest = [found.isqrt(), found.isqrt() + 1].into_iter().min_by_key(|side| found.abs_diff(side * side));
        let side = nearest.unwrap_or(1);
        // A sign that no grid of about that size has says more than the length.
        let base = letters(&words);
        let mut signs = line.iter().flat_map(|&(column, word)| (column..).zip(word.chars()));
        if let Some((column, sign)) = signs.find(|&(_, sign)| character(sign, side, base).is_none()) {
            return Err(first.no_value(column, sign.encode_utf8(&mut [0; 4]), side));
        }
        let message = format!("{found} cells in one line make no grid; side {side} needs {}", side * side);
        return Err(first.wrong(line[0].0, message));
    }

    // One cell per word, or one per character; all in one line, or in rows.
    let (whole, by_word) = match &words[..] {
        [line] if line.len() > 1 && square(line.len()) => (true, true),
        [line] if square(characters(line)) => (true, false),
        lines => {
            let n = layout.as_ref().map_or(lines.len(), Layout::side);
            let by_character = lines.iter().filter(|line| characters(line) == n).count();
            let by_word = lines.iter().filter(|line| line.len() == n).count();
            (false, by_word >= by_character && (by_word > 0 || lines[0].len() > 1))
        }
    };
    let width = |words: &[Word<'_>]| if by_word { words.len() } else { characters(words) };
    let side = match &layout {
        Some(layout) => layout.side(),
        None if whole => width(&words[0]).isqrt(),
        None => width(&words[0]),
    };
    if side == 0 || side > Layout::MAX_SIDE {
        return Err(first.wrong(1, format!("{side} cells in a row; allowed are 1 to {}", Layout::MAX_SIDE)));
    }
    let base = if by_word { 10 } else { letters(&words) };
    let mut cells = Values::new(side);
    for (row, (line, words)) in lines.iter().zip(&words).enumerate() {
        let found = width(words);
        // A row that cannot fit is only searched for signs that are no values.
        let fits = whole || (found == side && row < side);
        for &(column, word) in words {
            if by_word {
                let value = number(word).or_else(|| character(single(word)?, side, base));
                let value = value.ok_or_else(|| line.no_value(column, word, side))?;
                if fits {
                    cells.push(value, line.number, column);
                }
                continue;
            }
            for (i, sign) in word.chars().enumerate() {
                let value = character(sign, side, base);
                let value = value.ok_or_else(|| line.no_value(column + i, sign.encode_utf8(&mut [0; 4]), side))?;
                if fits {
                    cells.push(value, line.number, column + i);
                }
            }
        }
        if !whole && found != side {
            let column = line.text.trim_end().chars().count() + 1;
            return Err(line.wrong(column, format!("{found} cells in this row; {side} are needed")));
        }
        if !whole && row >= side {
            return Err(line.wrong(1, format!("row {} of a grid of {side} rows", side + 1)));
        }
    }
    if !whole && lines.len() < side {
        let message = format!("the text ends after {} of {side} rows", lines.len());
        return Err(GridError::Syntax { line: n_lines + 1, column: 1, message });
    }
    let at = |source| GridError::Layout { line: first.number, column: 1, source };
    cells.grid(layout.map_or_else(|| Layout::try_for_side(side), Ok).map_err(at)?)
}

/// The value of `A`: letters go on after 9 where digits occur, and start at 1 where they do not.
fn letters(words: &[Vec<Word<'_>>]) -> u16 {
    let mut signs = words.iter().flatten().flat_map(|word| word.1.chars());
    if signs.any(|c| ('1'..='9').contains(&c)) { 10 } else { 1 }
}

/// The values read so far, and where those stand that are out of range.
struct Values {
    side: usize,
    cells: Vec<u16>,
    wrong: Vec<Wrong>,
}

impl Values {
    fn new(side: usize) -> Self {
        Self { side, cells: Vec::with_capacity(side * side), wrong: Vec::new() }
    }

    fn push(&mut self, value: u16, line: usize, column: usize) {
        if usize::from(value) > self.side {
            self.wrong.push(Wrong { cell: self.cells.len(), value, line, column });
        }
        self.cells.push(value);
    }

    fn grid(self, layout: Layout) -> Result<Grid, GridError> {
        Ok(Grid::new(layout, self.cells)?.with_wrong(self.wrong))
    }
}

/// A number, or a sign for an empty cell.
fn number(word: &str) -> Option<u16> {
    match word {
        "." | "*" | "_" => Some(0),
        _ if word.bytes().all(|byte| byte.is_ascii_digit()) => word.parse().ok(),
        _ => None,
    }
}

/// The only character of a word.
fn single(word: &str) -> Option<char> {
    let mut signs = word.chars();
    signs.next().filter(|_| signs.next().is_none())
}

fn character(sign: char, side: usize, base: u16) -> Option<u16> {
    match sign {
        '.' | '0' | '*' | '_' => Some(0),
        '1'..='9' => Some(sign as u16 - '0' as u16),
        'A'..='Z' | 'a'..='z' if side > 9 => Some(sign.to_ascii_uppercase() as u16 - 'A' as u16 + base),
        _ => None,
    }
}
