//! Many puzzles, one a line, with a progress bar; then says how many a second.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cnfkit::sudoku::{Answer, StreamError};
use cnfkit::{Grid, Layout, SudokuEncoder, SudokuError};

use super::args::{ManyArgs, SudokuArgs};
use super::progress::{ReadProgress, thousands};
use crate::json::Json;
use crate::shard::{self, Answers, Shard};
use crate::{bytes, input};

/// Bytes of a line at most: a record of side 1290, the largest there is, with regions, has fewer.
const MOST: usize = 32 << 20;

#[derive(Default)]
struct LinesTally {
    solved: u64,
    unsolvable: u64,
    wrong: u64,
    stopped: bool,
}

pub(crate) fn main(lines: &ManyArgs, args: &SudokuArgs) -> Result<ExitCode, String> {
    Ok(match run(lines, args)? {
        LinesTally { unsolvable: 0, wrong: 0, stopped: false, .. } => ExitCode::SUCCESS,
        LinesTally { wrong: 0, stopped: false, .. } => ExitCode::from(1),
        _ => ExitCode::from(2),
    })
}

fn run(many: &ManyArgs, args: &SudokuArgs) -> Result<LinesTally, String> {
    let watch = args.solving.watch()?;
    let nine = Layout::boxes(3, 3);
    let like = SudokuEncoder::new(Grid::empty(nine)).strategy(args.strategy.into());
    let like = by!(args.solving, like.encoding(args.encoding).limits(watch.limits()));
    let path = many.file.as_deref().unwrap_or_else(|| Path::new("-"));
    let (name, input) = input::open(path)?;
    let failed = RefCell::new(None);
    let read = Cell::new(0);
    let answers = many
        .output
        .as_deref()
        .map(|path| Answers::open(path).map_err(|error| format!("{}: {error}", path.display())).map(RefCell::new));
    let part = Part {
        shard: many.shard,
        answers: answers.transpose()?,
        is_json: args.solving.printed().json,
        waiting: RefCell::default(),
        full: Cell::default(),
    };
    let lines = PuzzleLines { input, number: 0, read: &read, failed: &failed, part: &part };
    let size = std::fs::metadata(path).ok().map(|file| file.len());
    let bar = ReadProgress::new(size);

    let mut out = BufWriter::new(io::stdout().lock());
    let mut tally = LinesTally::default();
    let flag = watch.flag();
    let start = Instant::now();
    let mut each = |answer: Answer| -> ControlFlow<io::Error> {
        let printed = tally.count(&answer, &flag, &bar).and_then(|line| {
            let answered = part.write(&answer, &line).inspect_err(|_| part.full.set(true))?;
            if let Some(object) = answered {
                out.write_all(object.as_bytes())?;
            }
            if many.print { writeln!(out, "{line}") } else { Ok(()) }
        });
        if answer.line.is_multiple_of(1024) {
            bar.show(read.get());
        }
        match printed {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    };
    let end = cnfkit::sudoku::par_solve(lines, &like, &mut each);
    let took = start.elapsed();
    let end = match end {
        ControlFlow::Continue(()) => out.flush(),
        // The solutions found before stay printed.
        ControlFlow::Break(error) => out.flush().and(Err(error)),
    };
    bar.clear();
    match end {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {
            eprintln!("{}", watch.explain("interrupted".to_owned()));
        }
        Err(error) if part.full.get() => {
            let path = many.output.as_deref().unwrap_or_else(|| Path::new("answers"));
            return Err(format!("{}: {error}", path.display()));
        }
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(format!("standard output: {error}")),
        _ => {}
    }
    let LinesTally { solved, unsolvable, wrong, .. } = tally;
    let rate = u128::from(solved + unsolvable) * 1_000_000_000 / took.as_nanos().max(1);
    if !args.solving.printed().quiet {
        eprintln!("{solved} solved, {unsolvable} without a solution, {wrong} wrong lines");
        let rate = thousands(rate);
        eprintln!("{took:.1?}, {rate} puzzles/s, reading their text included");
    }
    match failed.take() {
        Some(error) => Err(format!("{name}: {error}")),
        None => Ok(tally),
    }
}

impl LinesTally {
    /// Counts an answer: the line to print for it.
    fn count(&mut self, answer: &Answer, stop: &AtomicBool, bar: &ReadProgress) -> io::Result<String> {
        match &answer.result {
            Ok(Some(grid)) => {
                self.solved += 1;
                return Ok(one_line(grid));
            }
            Ok(None) => self.unsolvable += 1,
            Err(StreamError::Sudoku { source: SudokuError::Interrupted(_), .. }) if stop.load(Ordering::Relaxed) => {
                self.stopped = true;
                return Err(io::ErrorKind::Interrupted.into());
            }
            Err(error) => {
                self.wrong += 1;
                bar.clear();
                eprintln!("{error}");
            }
        }
        Ok("-".to_owned())
    }
}

/// The lines of a text, as they are asked for, none longer than [`MOST`].
struct PuzzleLines<'a, R> {
    input: R,
    number: u64,
    /// The number of bytes that were read.
    read: &'a Cell<u64>,
    /// The reason why reading ended before the text did.
    failed: &'a RefCell<Option<String>>,
    part: &'a Part,
}

/// The lines that are to be done, and where their answers go.
struct Part {
    shard: Option<Shard>,
    answers: Option<RefCell<Answers>>,
    /// Answers without a file are printed as JSON.
    is_json: bool,
    /// The numbers and the hashes of lines that have no answer yet.
    waiting: RefCell<VecDeque<(usize, u128)>>,
    /// An answer could not be written.
    full: Cell<bool>,
}

impl Part {
    /// Empties a line that is not to be done: it keeps its number.
    fn filter(&self, number: u64, line: &mut Vec<u8>) {
        if self.shard.is_none() && !self.is_kept() || line.is_empty() || line[0] == b'#' {
            return;
        }
        let hash = shard::hash(line);
        let is_done = || self.answers.as_ref().is_some_and(|answers| answers.borrow_mut().take(hash));
        if self.shard.is_some_and(|shard| !shard.has(hash)) || is_done() {
            line.clear();
        } else if self.is_kept() {
            self.waiting.borrow_mut().push_back((number as usize, hash));
        }
    }

    fn is_kept(&self) -> bool {
        self.answers.is_some() || self.is_json
    }

    /// Adds an answer to the file; without one, the line to print.
    fn write(&self, answer: &Answer, line: &str) -> io::Result<Option<String>> {
        let mut waiting = self.waiting.borrow_mut();
        // Blank lines have no answers.
        while let Some((number, hash)) = waiting.pop_front() {
            if number == answer.line {
                if matches!(&answer.result, Err(StreamError::Sudoku { source: SudokuError::Solver(_), .. })) {
                    return Ok(None); // the line is asked again
                }
                let error = answer.result.as_ref().map_err(ToString::to_string);
                let value = error.map(|grid| Json::from(grid.as_ref().map(|_| line)));
                let value = value.as_ref().map_err(String::as_str);
                return match &self.answers {
                    Some(answers) => answers.borrow_mut().write(hash, value).map(|()| None),
                    None => Ok(Some(shard::answer(hash, value))),
                };
            }
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for PuzzleLines<'_, R> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        self.number += 1;
        let failed = match bytes::line(&mut self.input, MOST, &mut line) {
            Ok(0) => return None,
            Ok(bytes) if line.len() <= MOST => match (self.number, bytes::unmark(&mut line)) {
                (1, Err(error)) => format!("line 1: {error}"),
                _ => {
                    self.read.set(self.read.get() + bytes);
                    self.part.filter(self.number, &mut line);
                    return Some(line);
                }
            },
            Ok(_) => format!("line {} is longer than 32 MiB; no puzzle is that large", self.number),
            Err(error) => format!("line {}: {error}", self.number),
        };
        self.failed.replace(Some(failed));
        None
    }
}

/// The cells of a solution in one line, whatever the side.
fn one_line(grid: &Grid) -> String {
    let by = if grid.side() <= 9 { "" } else { "," };
    grid.cells().iter().map(u16::to_string).collect::<Vec<_>>().join(by)
}
