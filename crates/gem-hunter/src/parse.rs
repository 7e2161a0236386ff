//! Boards from text.

use std::str::FromStr;

use thiserror::Error;

use super::export::board;
use super::map::{Cell, GemMap};

/// The longest text of another program that is looked at, in bytes.
const MOST_EXPORTED: usize = 1 << 22;

/// The reason why a text is not a board, and where. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GemParseError {
    /// There is no cell in the whole text.
    #[error("line {line}, column 1: the text ends without a cell")]
    #[non_exhaustive]
    Empty {
        /// The last line.
        line: usize,
    },
    /// Neither a number nor one of `_`, `.`, `T`, `G`, `#`.
    #[error(
        "line {line}, column {column}: `{found}` is no cell: allowed are 0 to {most}, `_` or `.`, `T`, `G` and `#`"
    )]
    #[non_exhaustive]
    Symbol {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The text found there, shortened.
        found: String,
        /// The largest number allowed.
        most: u8,
    },
    /// A number that is negative or larger than a cell has neighbours.
    #[error("line {line}, column {column}: the number {found} is out of range: allowed are 0 to {most}")]
    #[non_exhaustive]
    Number {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The text found there, shortened.
        found: String,
        /// The largest number allowed.
        most: u8,
    },
    /// Two commas, or a line's beginning and a comma, with nothing between.
    #[error("line {line}, column {column}: a cell is missing before this comma")]
    #[non_exhaustive]
    Missing {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// A row shorter or longer than the first.
    #[error("line {line}, column {column}: the row has {found} cells; the first row has {expected}")]
    #[non_exhaustive]
    Ragged {
        /// The line.
        line: usize,
        /// The column where the row ends, or of its first cell too many.
        column: usize,
        /// Cells in this row.
        found: usize,
        /// Cells in the first row.
        expected: usize,
    },
    /// The board's size is not that of the header line.
    #[error(
        "line {line}, column {column}: the header says {} rows of {} cells; the board has {} rows of {}",
        .expected.0, .expected.1, .found.0, .found.1
    )]
    #[non_exhaustive]
    Header {
        /// The header's line.
        line: usize,
        /// Its column.
        column: usize,
        /// Rows and columns of the board.
        found: (usize, usize),
        /// Rows and columns the header says.
        expected: (usize, usize),
    },
    /// A sign has two meanings in boards like this one.
    #[error("line 1, column 1: {message}")]
    #[non_exhaustive]
    Ambiguous {
        /// Both meanings, and how to write either.
        message: &'static str,
    },
    /// The text says the number of traps, which [`GemParser::parse_with_traps`] gives.
    #[error(
        "line 1, column 1: the third number says that there are {traps} traps, which a board alone does not have: \
         `GemParser::parse_with_traps` gives both; a row has commas"
    )]
    #[non_exhaustive]
    Traps {
        /// That number.
        traps: usize,
    },
    /// A tolerant reading would have passed; strict mode takes only the format of `Display`.
    #[error("line {line}, column {column}: strict mode: {message}")]
    #[non_exhaustive]
    Strict {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The demand of strict mode.
        message: &'static str,
    },
}

impl GemParseError {
    /// Line and column, from 1, the column in characters.
    ///
    /// ```
    /// use cnfkit::gem_hunter::GemParser;
    /// let error = GemParser::new().parse("1, _\n_, 9").unwrap_err();
    /// assert_eq!(error.position(), (2, 4));
    /// ```
    #[must_use]
    pub const fn position(&self) -> (usize, usize) {
        match *self {
            Self::Empty { line } => (line, 1),
            Self::Ambiguous { .. } | Self::Traps { .. } => (1, 1),
            Self::Symbol { line, column, .. }
            | Self::Number { line, column, .. }
            | Self::Missing { line, column }
            | Self::Ragged { line, column, .. }
            | Self::Header { line, column, .. }
            | Self::Strict { line, column, .. } => (line, column),
        }
    }
}

/// Reads boards.
///
/// Tolerant, as [`str::parse`] is: commas, blanks or both between cells; blank lines, blanks and commas at the end of a
/// line, CRLF and a byte order mark are passed over; `.` means `_`; a first line of two numbers without a comma is a
/// header, `rows columns`, when the size of the board that follows says so, or when it cannot be a row; one of three is
/// a header, `rows columns traps`, when that size says so, and a row of three cells otherwise.
///
/// Exports of Minesweeper programs, of up to 4 MiB, where the text is no board as it stands: rows without blanks, JSON
/// lists, `F` and `*` for traps, `?`, `-` and `.` for unknown cells, `#` where nothing else is one, and in lists -1 or
/// 9, behind such headers, too.
///
/// [Strict](Self::strict): cells separated by a comma and one blank, `_` for unknown, a row a line, nothing else.
///
/// ```
/// use cnfkit::gem_hunter::GemParser;
/// let tolerant = GemParser::new();
/// assert_eq!(tolerant.parse("2 3\r\n1 . G\r\n\r\n_ T 2 \r\n")?.to_string(), "1, _, G\n_, T, 2\n");
/// assert!(tolerant.strict(true).parse("1,_").is_err());
/// let wrong = tolerant.parse("1, _, 2\n_, 9, _\n").unwrap_err();
/// assert_eq!(wrong.to_string(), "line 2, column 4: the number 9 is out of range: allowed are 0 to 8");
/// # Ok::<(), cnfkit::gem_hunter::GemParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GemParser {
    strict: bool,
    most: u8,
}

impl Default for GemParser {
    fn default() -> Self {
        Self::new()
    }
}

impl GemParser {
    /// A tolerant reader of boards whose numbers are at most 8.
    #[must_use]
    pub const fn new() -> Self {
        Self { strict: false, most: 8 }
    }

    /// Takes, if `strict`, only the format that `Display` of a [`GemMap`] writes.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// The largest number a cell may show: 8 unless a board has [other neighbourhoods](super::Neighbourhood).
    ///
    /// ```
    /// use cnfkit::Cell;
    /// use cnfkit::gem_hunter::GemParser;
    /// let map = GemParser::new().largest_number(12).parse("11, _")?;
    /// assert_eq!(map.get(0, 0), Cell::Number(11));
    /// # Ok::<(), cnfkit::gem_hunter::GemParseError>(())
    /// ```
    #[must_use]
    pub const fn largest_number(mut self, most: u8) -> Self {
        self.most = most;
        self
    }

    /// Reads a board.
    ///
    /// # Errors
    /// [`GemParseError`] for the first thing that is wrong, with its line and column; among it a number of traps.
    pub fn parse(self, text: &str) -> Result<GemMap, GemParseError> {
        match self.parse_with_traps(text)? {
            (map, None) => Ok(map),
            (_, Some(traps)) => Err(GemParseError::Traps { traps }),
        }
    }

    /// Reads a board, and the number of traps where the first line is `rows columns traps`.
    ///
    /// ```
    /// use cnfkit::gem_hunter::GemParser;
    /// let (map, traps) = GemParser::new().parse_with_traps("2 4 3\n1?2F\n??1-\n")?;
    /// assert_eq!((map.to_string().as_str(), traps), ("1, _, 2, T\n_, _, 1, _\n", Some(3)));
    /// // Of three columns and rows, and not a board of four rows, as that of two rows is one of three.
    /// let three = GemParser::new().parse_with_traps("3 3 2\n_ 2 _\n_ _ _\n_ _ _\n")?;
    /// assert_eq!((three.0.rows(), three.1), (3, Some(2)));
    /// assert_eq!(GemParser::new().parse_with_traps("3 3 2\n_ 2 _\n_ _ _\n")?.0.rows(), 3);
    /// # Ok::<(), cnfkit::gem_hunter::GemParseError>(())
    /// ```
    ///
    /// # Errors
    /// [`GemParseError`] for the first thing that is wrong, with its line and column.
    pub fn parse_with_traps(self, text: &str) -> Result<(GemMap, Option<usize>), GemParseError> {
        let only_cr = (!self.strict && !text.contains('\n')).then(|| text.replace('\r', "\n"));
        let text = only_cr.as_deref().unwrap_or(text);
        let text = text.strip_prefix('\u{feff}').filter(|_| !self.strict).unwrap_or(text);
        if !self.strict
            && let Some((map, traps)) = self.behind_traps(text)
        {
            return Ok((map, Some(traps)));
        }
        let error = match self.read(text) {
            Err(error) if !self.strict && text.len() <= MOST_EXPORTED => error,
            read => return read.map(|map| (map, None)),
        };
        match board(text) {
            Ok(Some((text, traps))) => self.read(&text).map(|map| (map, traps)).map_err(|_| error),
            Ok(None) => Err(error),
            Err(message) => Err(GemParseError::Ambiguous { message }),
        }
    }

    /// The board in our own signs behind a first line `rows columns traps`, if it has that size; then the line is no
    /// row of a board of three columns.
    fn behind_traps(self, text: &str) -> Option<(GemMap, usize)> {
        let (first, rest) = text.trim_start().split_once('\n')?;
        let words: Option<Vec<usize>> = first.split_whitespace().take(4).map(|word| word.parse().ok()).collect();
        let &[rows, columns, traps] = words?.as_slice() else { return None };
        let map = self.read(rest).ok()?;
        ((map.rows(), map.columns()) == (rows, columns)).then_some((map, traps))
    }

    /// Reads a board in our own signs.
    fn read(self, text: &str) -> Result<GemMap, GemParseError> {
        let mut board = BoardRows { cells: Vec::with_capacity(text.len() / 3), columns: 0, height: 0 };
        let mut header = None;
        let mut lines = 0;
        let mut rows = text.split('\n').peekable();
        while let Some(row) = rows.next() {
            lines += 1;
            let line = lines;
            if self.strict {
                check_strict(line, row, rows.peek().is_none())?;
            } else if board.height == 0 && header.is_none() {
                header = BoardHeader::read(line, row, self.most);
                if header.is_some() {
                    continue;
                }
            }
            self.row(line, row, &mut board)?;
        }
        if let Some(header) = header {
            header.settle(&mut board)?;
        }
        if board.cells.is_empty() {
            return Err(GemParseError::Empty { line: lines });
        }
        Ok(GemMap::from_cells(board.columns, board.cells))
    }

    /// Reads one line; a blank one adds nothing.
    fn row(self, line: usize, row: &str, board: &mut BoardRows) -> Result<(), GemParseError> {
        let row = row.trim_end_matches(|c: char| c == ',' || c.is_whitespace());
        let from = board.cells.len();
        let mut extra = None;
        // A cell may follow: at the start, and after each separator.
        let mut separated = false;
        let mut rest = row.char_indices().peekable();
        while let Some((start, first)) = rest.next() {
            if first.is_whitespace() {
                continue;
            }
            if first == ',' {
                if separated || board.cells.len() == from {
                    return Err(GemParseError::Missing { line, column: column(row, start) });
                }
                separated = true;
                continue;
            }
            let mut end = start + first.len_utf8();
            while let Some((at, c)) = rest.next_if(|&(_, c)| c != ',' && !c.is_whitespace()) {
                end = at + c.len_utf8();
            }
            separated = false;
            if board.height > 0 && board.cells.len() - from == board.columns {
                extra.get_or_insert(start);
            }
            board.cells.push(self.cell(line, row, start, &row[start..end])?);
        }
        let found = board.cells.len() - from;
        if found == 0 {
            return Ok(());
        }
        if board.height == 0 {
            board.columns = found;
        } else if found != board.columns {
            let column = column(row, extra.unwrap_or(row.len()));
            return Err(GemParseError::Ragged { line, column, found, expected: board.columns });
        }
        board.height += 1;
        Ok(())
    }

    #[inline]
    fn cell(self, line: usize, row: &str, start: usize, word: &str) -> Result<Cell, GemParseError> {
        Ok(match word.as_bytes() {
            b"_" | b"." => Cell::Unknown,
            b"T" => Cell::Trap,
            b"G" => Cell::Gem,
            b"#" => Cell::Hole,
            &[digit @ b'0'..=b'9'] if digit - b'0' <= self.most => Cell::Number(digit - b'0'),
            _ => {
                let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
                let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
                let padded = self.strict && word.starts_with('0');
                match word.parse::<u8>() {
                    Ok(number) if digits == word && number <= self.most && !padded => return Ok(Cell::Number(number)),
                    _ => {}
                }
                let (column, found, most) = (column(row, start), shown(word), self.most);
                return Err(if is_number {
                    GemParseError::Number { line, column, found, most }
                } else {
                    GemParseError::Symbol { line, column, found, most }
                });
            }
        })
    }
}

impl FromStr for GemMap {
    type Err = GemParseError;

    fn from_str(text: &str) -> Result<Self, GemParseError> {
        GemParser::new().parse(text)
    }
}

struct BoardRows {
    cells: Vec<Cell>,
    columns: usize,
    height: usize,
}

/// A first line of two numbers: a header, or a row of a board of two columns.
struct BoardHeader {
    line: usize,
    column: usize,
    size: (usize, usize),
    /// The line as a row, if it can be one.
    row: Option<[Cell; 2]>,
}

impl BoardHeader {
    fn read(line: usize, row: &str, most: u8) -> Option<Self> {
        let mut words = row.split_whitespace();
        let (first, second) = (words.next()?, words.next()?);
        let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
        if words.next().is_some() || !is_number(first) || !is_number(second) {
            return None;
        }
        let number = |word: &str| word.parse::<u8>().ok().filter(|&number| number <= most).map(Cell::Number);
        Some(Self {
            line,
            column: column(row, row.len() - row.trim_start().len()),
            // A number that overflows is the size of no board.
            size: (first.parse().unwrap_or(usize::MAX), second.parse().unwrap_or(usize::MAX)),
            row: number(first).zip(number(second)).map(|(a, b)| [a, b]),
        })
    }

    /// Checks the board against the header, or puts the line back as the row it is.
    fn settle(self, board: &mut BoardRows) -> Result<(), GemParseError> {
        let found = (board.height, board.columns);
        match self.row {
            _ if found == self.size && board.height > 0 => Ok(()),
            Some(row) if board.height == 0 || board.columns == 2 => {
                board.cells.splice(0..0, row);
                board.columns = 2;
                Ok(())
            }
            _ => Err(GemParseError::Header { line: self.line, column: self.column, found, expected: self.size }),
        }
    }
}

fn check_strict(line: usize, row: &str, last: bool) -> Result<(), GemParseError> {
    let wrong = |at: usize, message| Err(GemParseError::Strict { line, column: column(row, at), message });
    if row.is_empty() && !last {
        return wrong(0, "a line must hold a row");
    }
    for (at, c) in row.char_indices() {
        let (before, after) = (&row[..at], &row[at + c.len_utf8()..]);
        match c {
            ',' if !after.starts_with(' ') => return wrong(at, "a comma must be followed by one blank"),
            ' ' if !before.ends_with(',') => return wrong(at, "a blank may only follow a comma"),
            ' ' if after.is_empty() => return wrong(at, "a line must end with a cell"),
            '.' => return wrong(at, "an unknown cell is written `_`"),
            c if c.is_whitespace() && c != ' ' => return wrong(at, "only `, ` may separate cells, and only LF lines"),
            _ => {}
        }
    }
    Ok(())
}

/// The column, from 1 and in characters, of byte `at`.
fn column(row: &str, at: usize) -> usize {
    row[..at].chars().count() + 1
}

/// A word as a message shows it: shortened, and printable.
fn shown(word: &str) -> String {
    const MOST: usize = 20;
    let mut shown: String = word.chars().take(MOST).flat_map(char::escape_debug).collect();
    if word.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
