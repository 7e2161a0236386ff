//! Puzzles in addresses of f-puzzles and `SudokuPad`, and the texts that these addresses hold.
//!
//! The address of f-puzzles has `?load=` and [its JSON](super::fpuzzles), compressed by lz-string and written in
//! base64. `SudokuPad` has a prefix before such a text: `fpuzzles` or `fpuz` for that JSON, `scl` or `ctc` for [its
//! own](super::sudokupad), `scf` for the 81 cells of a plain Sudoku. Addresses without a puzzle have the name of one
//! that the site keeps; this program asks no site.

use serde_json::{Map, Value};

use super::sheet::{Regions, Sheet};
use super::{fpuzzles, sudokupad};
use crate::api::shown;
use crate::jobs::Work;
use crate::problem::Problem;

/// Characters of a compressed puzzle at most. Those of large puzzles have some 5000; one made to grow as much as it can
/// has 20 million characters once it is unpacked.
const MOST: usize = 12_288;
/// Characters of JSON in an address at most.
const MOST_UNPACKED: usize = 1 << 20;
/// Ways at most in which slashes are doubled.
const MOST_TRIES: usize = 1000;
/// Memory that the worst texts take.
const MEMORY: usize = 192 << 20;
/// How compressed puzzles begin: `{`.
const BEGINS: &str = "N4";
/// Characters that no compressed puzzle is as short as.
const SHORT: usize = 40;
/// Sites whose addresses are known without `https://`.
const SITES: [&str; 4] = ["f-puzzles.com/", "www.f-puzzles.com/", "sudokupad.app/", "app.crackingthecryptic.com/"];

/// A puzzle, and its title, author and rules in words.
#[derive(Debug)]
pub(crate) struct Puzzle {
    pub(crate) sheet: Sheet,
    pub(crate) said: Option<String>,
}

impl Puzzle {
    /// Words that are not there are left out.
    pub(super) fn new(sheet: Sheet, [title, author, rules]: [Option<&str>; 3]) -> Self {
        let there = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(shown_whole);
        let by = there(author).map(|author| format!("by {author}"));
        let head: Vec<String> = [there(title).map(|title| format!("“{title}”")), by].into_iter().flatten().collect();
        let said = [Some(head.join(" ")).filter(|head| !head.is_empty()), there(rules)];
        let said = said.into_iter().flatten().collect::<Vec<_>>().join(": ");
        Self { sheet, said: Some(said).filter(|said| !said.is_empty()) }
    }
}

/// Rules in words, without line breaks, and not without end.
pub(super) fn shown_whole(text: &str) -> String {
    const MOST: usize = 1500;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST { line } else { line.chars().take(MOST).chain(['…']).collect() }
}

pub(super) fn wrong(error: impl Into<String>) -> Problem {
    Problem::refused("text", error)
}

/// The form in which a text holds a puzzle.
enum Held<'a> {
    /// JSON, compressed.
    Packed(&'a str),
    /// The cells of a plain Sudoku.
    Classic(&'a str),
}

/// The puzzle of an address or of what it holds; `None` for any other text.
pub(crate) fn read(text: &str, work: &Work) -> Result<Option<Puzzle>, Problem> {
    let text = text.trim();
    if text.starts_with('{') {
        work.reserve(MEMORY)?;
        let found = json(text).map_err(|error| wrong(format!("this puzzle's JSON has a mistake: {error}")))?;
        return puzzle(&found).map(Some);
    }
    match held(text)? {
        None => Ok(None),
        Some(Held::Packed(packed)) => puzzle(&unpacked(packed, work)?).map(Some),
        Some(Held::Classic(cells)) => classic(cells).map(Some),
    }
}

/// Which of the two formats it is, is told by the name of its cells.
fn puzzle(found: &Map<String, Value>) -> Result<Puzzle, Problem> {
    if ["cells", "ce"].iter().any(|name| found.contains_key(*name)) {
        sudokupad::puzzle(found)
    } else {
        fpuzzles::puzzle(found)
    }
}

fn json(text: &str) -> Result<Map<String, Value>, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| serde_json::from_str(&sudokupad::unzipped(text)).map_err(|_| error))
}

fn held(text: &str) -> Result<Option<Held<'_>>, Problem> {
    let word = text.split_whitespace().next().unwrap_or_default();
    let site = word.split_once("://").map(|(_, rest)| rest);
    let site = site.or_else(|| SITES.iter().any(|site| word.starts_with(site)).then_some(word));
    let asked = site.and_then(|site| ["load=", "puzzleid="].iter().find_map(|name| Some(site.split_once(name)?.1)));
    let path = site.map(|site| site.split_once('/').map_or("", |(_, path)| path));
    let path = path.map(|path| path.strip_prefix("sudoku/").unwrap_or(path));
    let id = asked.or(path).unwrap_or(word);
    let id = id.split(['?', '&', '#']).next().unwrap_or_default();
    let prefixed = ["fpuzzles", "fpuz", "scl", "ctc"].iter().find_map(|prefix| id.strip_prefix(prefix));
    let packed = prefixed.unwrap_or(id);
    // Names of puzzles and words of other texts may begin with these letters, too.
    let begins = packed.starts_with(BEGINS) && (prefixed.is_some() || packed.len() > SHORT);
    if begins || site.is_some_and(|site| site.contains("load=")) {
        return Ok(Some(Held::Packed(packed)));
    }
    match (site, id.strip_prefix("scf")) {
        (None, _) => Ok(None),
        (Some(_), Some(cells)) => Ok(Some(Held::Classic(cells))),
        (Some(site), None) => {
            let advice = if site.contains("sudokupad.app") || site.contains("crackingthecryptic") {
                format!("; https://sudokupad.app/api/puzzle/{} shows what it holds, which can be read here", shown(id))
            } else {
                ": open it there, and take the long address that has the puzzle in it, such as one with `?load=`".into()
            };
            Err(wrong(format!(
                "this address has no puzzle in it, only the name under which a site keeps one, and this program asks \
                 no site{advice}"
            )))
        }
    }
}

/// The JSON of a compressed text.
///
/// Servers on the way make one of two slashes that follow each other; where the text cannot be unpacked, one or two are
/// doubled again.
fn unpacked(packed: &str, work: &Work) -> Result<Map<String, Value>, Problem> {
    if packed.len() > MOST {
        return Err(wrong(format!("{} characters; a compressed puzzle has at most {MOST}", packed.len())));
    }
    work.reserve(MEMORY)?;
    let signs = [("%2B", "+"), ("%2b", "+"), ("%2F", "/"), ("%2f", "/"), ("%3D", "="), ("%3d", "="), ("%20", "+")];
    let packed = signs.iter().fold(packed.to_owned(), |text, (from, to)| text.replace(from, to));
    let found = |packed: &str| {
        let signs = lz_str::decompress_from_base64(packed).filter(|signs| signs.len() <= MOST_UNPACKED)?;
        json(&String::from_utf16(&signs).ok()?).ok()
    };
    if let Some(puzzle) = found(&packed) {
        return Ok(puzzle);
    }
    let slashes: Vec<usize> = packed.match_indices('/').map(|(at, _)| at).collect();
    let alone = slashes.iter().map(|&at| [at, at]);
    let pairs = slashes.iter().enumerate().flat_map(|(from, &at)| slashes[from + 1..].iter().map(move |&to| [at, to]));
    for [first, second] in alone.chain(pairs).take(MOST_TRIES) {
        work.check()?;
        let mut doubled = packed.clone();
        doubled.insert(second, '/');
        if first != second {
            doubled.insert(first, '/');
        }
        if let Some(puzzle) = found(&doubled) {
            return Ok(puzzle);
        }
    }
    Err(wrong("this puzzle cannot be unpacked; is it all there?"))
}

/// A Sudoku of 9 rows. Each character is a value, or 0 for an empty cell, and how many empty cells follow: the digits
/// of its place among these.
fn classic(cells: &str) -> Result<Puzzle, Problem> {
    const SIGNS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx";
    let numbers = cells.chars().map(|sign| SIGNS.find(sign)).collect::<Option<Vec<usize>>>().unwrap_or_default();
    let values = numbers.iter().flat_map(|number| {
        let value = std::iter::once((number % 10) as u16);
        value.chain(std::iter::repeat_n(0, number / 10))
    });
    let values: Vec<u16> = values.collect();
    if values.len() != 81 {
        return Err(wrong("this is no plain Sudoku of SudokuPad (`scf`): it needs 81 cells, and no rules after them"));
    }
    let cells = values.chunks(9).map(<[u16]>::to_vec).collect();
    let sheet = Sheet { cells, ..Sheet::blank(9, Regions::Named("boxes:3x3".into())) };
    Ok(Puzzle::new(sheet, [None; 3]))
}
