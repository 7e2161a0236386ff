//! `cnfkit gems`: a board of Gem Hunter solved, counted, weighed, proven or made.

use std::fmt::{Display, Write as _};
use std::io::{self, ErrorKind};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};

use cnfkit::gem_hunter::{self, GemParser, Strategy};
use cnfkit::{CardEncoding, Cell, Deduction, GemError, GemHunterEncoder, GemMap, Kind};

use crate::formula::listed as names;
use crate::json::Json;
use crate::printed::Printed;
use crate::solving::Solving;
use crate::watch::Watch;
use crate::{proof, text};

const BUILT_IN: &str = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n";

/// The most cells of a board whose formula is written out, in order to show its size: about a second.
const FORMULA_CELLS: usize = 2_000_000;
/// The most cells where the formula counts all traps: it grows faster than the board. Writing it takes about a second,
/// too.
const FORMULA_CELLS_WITH_TOTAL: usize = 20_000;
/// The time in which numbers that contradict a total are looked for, once the total itself is named.
const EXPLAIN: Duration = Duration::from_secs(2);
/// The most cells of a board that is made.
const MOST_CELLS: usize = 10_000_000;

/// Solves a Gem Hunter board.
///
/// The text has a row a line, with cells separated by commas or blanks: a number counts the traps around it, `_` is
/// unknown, `T` a trap, `G` a gem, `#` a hole, which is no cell of the board.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct GemsArgs {
    /// The board's file, `-` for standard input; without it, what is piped in, or else a built-in board.
    file: Option<PathBuf>,
    /// The encoding of numbers; the names are listed below.
    #[arg(long, default_value = "combinatorial", value_name = "NAME", hide_default_value = false)]
    encoding: CardEncoding,
    /// Demand exactly this many traps on the whole board.
    #[arg(long, value_name = "TOTAL")]
    traps: Option<usize>,
    /// Accept only the format `3, _, 2, _`.
    #[arg(long)]
    strict: bool,
    /// Also print what is certain of each cell: `T` or `G` in every answer, `?` not the same in all answers, `*`
    /// touched by no number.
    #[arg(long)]
    certain: bool,
    /// Also print the chance of a trap in each cell when all answers are equally likely, and the best next move.
    #[arg(long)]
    chances: bool,
    /// Also count the answers, up to this many.
    #[arg(long, value_name = "LIMIT")]
    count: Option<NonZero<usize>>,
    /// Write proofs of an answer, or that there is none, and of what is certain to this new folder; VeriPB checks them.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["generate", "engine", "count", "chances"])]
    proof: Option<PathBuf>,
    /// Make a board with exactly one answer instead of reading one, and print it; DENSITY is the share of traps, from 0
    /// to 1.
    #[arg(long, num_args = 4, value_names = ["ROWS", "COLUMNS", "DENSITY", "SEED"], conflicts_with = "file")]
    generate: Option<Vec<String>>,
    #[command(flatten)]
    solving: Solving,
    /// The way to solve: whole, parts or windows.
    #[arg(long, default_value_t, value_name = "NAME")]
    strategy: Strategy,
}

fn after_help() -> String {
    format!(
        "Encodings: {}.\n\nExit codes:\n  0  solved\n  1  the board cannot be solved\n  2  no board, a wrong option, \
         a question that is too large or was stopped (Ctrl-C, --time-limit), or output that cannot be written",
        names(CardEncoding::ALL.iter())
    )
}

/// The reason why the program ends without an answer.
enum GemsFailure {
    Message(String),
    Write(io::Error),
}

impl From<io::Error> for GemsFailure {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<String> for GemsFailure {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

pub(crate) fn main(args: &GemsArgs) -> Result<ExitCode, crate::CommandFailure> {
    let mut out = Printed::new(io::stdout(), "gems", args.solving.printed());
    match run(&mut args.clone(), &mut out) {
        Ok(code) => Ok(code),
        // A reader that has seen enough is no error.
        Err(GemsFailure::Write(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(GemsFailure::Write(error)) => Err(crate::CommandFailure::Output(format!("standard output: {error}"))),
        Err(GemsFailure::Message(message)) => Err(crate::CommandFailure::Output(message)),
    }
}

fn run(args: &mut GemsArgs, out: &mut Printed<'_>) -> Result<ExitCode, GemsFailure> {
    let watch = args.solving.watch()?;
    if let Some(board) = &args.generate {
        let (rows, columns): (usize, usize) = (number(&board[0])?, number(&board[1])?);
        let (density, seed) = (number(&board[2])?, number(&board[3])?);
        if !(0.0..=1.0).contains(&density) {
            return Err(format!("--generate: density {density}; allowed are 0 to 1, the share of traps").into());
        }
        if rows == 0 || columns == 0 {
            return Err("--generate: a board has a row and a column".to_owned().into());
        }
        if rows.checked_mul(columns).is_none_or(|cells| cells > MOST_CELLS) {
            return Err(format!("--generate: at most {MOST_CELLS} cells, rows times columns").into());
        }
        let limits = watch.limits();
        let made = || gem_hunter::generate_within(rows, columns, density, seed, &limits);
        let map = watch.run("making a board", made);
        if let Some(reason) = watch.stopped() {
            eprintln!("{reason}: one answer takes fewer numbers than are shown");
        }
        if !out.is_json() {
            write!(out.lines(), "{map}")?;
        }
        out.member("board", cells(&map, |row, column| map.get(row, column).to_string().into()));
        out.end(Some("SATISFIABLE"), 0)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (name, text) = watch.run("reading", || text::read_or(args.file.as_deref(), "board", BUILT_IN))?;
    let map = watch.run("reading", || GemParser::new().strict(args.strict).parse_with_traps(&text));
    let (map, said) = map.map_err(|error| format!("{name}: {error}"))?;
    args.traps = args.traps.or(said);
    let args = &*args;
    // As a row, the first line would be a board of one more.
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if map.columns() == 2 && first.split_whitespace().eq([map.rows().to_string(), "2".into()]) {
        eprintln!("{name}: `{}` is taken for the size; with a comma it is a row", first.trim());
    }
    let encoder = GemHunterEncoder::new(map).encoding(args.encoding).strategy(args.strategy).limits(watch.limits());
    let mut encoder = by!(args.solving, encoder);
    let any_total = encoder.clone();
    if let Some(total) = args.traps {
        encoder = encoder.traps(total);
    }
    let wrong = |error: GemError| watch.explain(error.to_string());
    if let Some(dir) = &args.proof {
        let proven = watch.prove("proving the answer", || encoder.deduce_certified(dir)).map_err(wrong)?;
        return write_proven(encoder.map(), proven, dir, out);
    }

    let (answer, solving) = timed(|| watch.run("solving", || encoder.solve()));
    let answer = answer.map_err(wrong)?;
    let map = encoder.map();
    out.detail(format_args!("{map}"))?;
    out.member("board", cells(map, |row, column| map.get(row, column).to_string().into()));
    if let Some(answer) = &answer {
        out.line(format_args!("{answer}"))?;
        let new = |cell| answer.count(cell) - map.count(cell);
        out.detail(format_args!("Filled: {}", map.count(Cell::Unknown)))?;
        out.detail(format_args!("Gems: {}", new(Cell::Gem)))?;
        out.detail(format_args!("Traps: {}", new(Cell::Trap)))?;
        out.member("solution", cells(map, |row, column| answer.get(row, column).to_string().into()));
        out.member("gems", new(Cell::Gem));
        out.member("traps", new(Cell::Trap));
    } else {
        let why =
            watch.run("looking for the numbers that contradict each other", || why(&encoder, &any_total, args.traps));
        let why = why.map_err(wrong)?;
        out.line(format_args!("No solution: {why}"))?;
        out.member("reason", why);
    }
    out.detail(format_args!("Size: {} x {}", map.rows(), map.columns()))?;
    out.detail(format_args!("Strategy: {}", args.strategy))?;
    out.detail(format_args!("Solving time: {solving:.1?}"))?;
    if !out.is_quiet() {
        write_formula(args, &encoder, &watch, out)?;
    }
    let (status, code) = if answer.is_some() { ("SATISFIABLE", 0) } else { ("UNSATISFIABLE", 1) };
    let more = if answer.is_some() { write_more(args, &encoder, &watch, out) } else { Ok(()) };
    // What is known is said where more was asked for than there was time.
    match more {
        Err(GemsFailure::Message(why)) => {
            out.member("reason", why.as_str());
            out.end(Some(status), 2)?;
            Err(why.into())
        }
        more => {
            more?;
            out.end(Some(status), code)?;
            Ok(ExitCode::from(code))
        }
    }
}

/// A number of `--generate`.
fn number<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("--generate: `{}`: {error}", text.escape_debug()))
}

/// The size of the whole board's formula, which only the strategy `whole` solves.
fn write_formula(
    args: &GemsArgs,
    encoder: &GemHunterEncoder,
    watch: &Watch,
    out: &mut Printed<'_>,
) -> Result<(), GemsFailure> {
    let map = encoder.map();
    out.line(format_args!("Encoding: {}", args.encoding))?;
    let most = if args.traps.is_some() { FORMULA_CELLS_WITH_TOTAL } else { FORMULA_CELLS };
    if map.cells().len() > most {
        out.line(format_args!("The formula is not written out: more than {most} cells"))?;
        return Ok(());
    }
    let (cnf, encoding) = timed(|| watch.run("writing out the formula", || encoder.encode()));
    let cnf = cnf.map_err(|error| watch.explain(error.to_string()))?;
    out.line(format_args!("Variables: {}", map.count(Cell::Unknown) + cnf.n_vars() - map.cells().len()))?;
    out.line(format_args!("Clauses: {}", cnf.n_clauses()))?;
    out.line(format_args!("Encoding time: {encoding:.1?}"))?;
    let vars = cnf.n_vars() - map.cells().len();
    out.member("encoded", Json::object([("auxiliaries", vars.into()), ("clauses", Json::from(cnf.n_clauses()))]));
    Ok(())
}

/// Writes the answers to the other questions about a board that has answers.
fn write_more(
    args: &GemsArgs,
    encoder: &GemHunterEncoder,
    watch: &Watch,
    out: &mut Printed<'_>,
) -> Result<(), GemsFailure> {
    let wrong = |error: GemError| watch.explain(error.to_string());
    if args.certain {
        let (deduction, time) = timed(|| watch.run("finding out what is certain", || encoder.deduce()));
        let deduction = deduction.map_err(wrong)?;
        out.detail(format_args!("Time for what is certain: {time:.1?}\n"))?;
        if let Some(deduction) = deduction {
            write_certain(encoder.map(), &deduction, out)?;
            if !deduction.is_complete() {
                out.flush()?;
                return Err(watch.explain("not all cells were decided".to_owned()).into());
            }
        }
    }
    if let Some(limit) = args.count.map(NonZero::get) {
        let (count, time) = timed(|| watch.run("counting answers", || encoder.count_so_far(limit)));
        let (count, stopped) = count.map_err(wrong)?;
        if let Some(why) = stopped {
            out.line(format_args!("Answers: at least {}", count.max(1)))?; // one was found above
            out.member("count", count.max(1));
            out.member("complete", false);
            out.flush()?;
            let reason = watch.stopped().unwrap_or_else(|| why.to_string());
            return Err(format!("{reason}: there may be more answers").into());
        }
        out.line(format_args!("Answers: {count}{}", if count == limit { " or more" } else { "" }))?;
        out.detail(format_args!("Time for counting: {time:.1?}"))?;
        out.member("count", count);
        out.member("complete", count < limit);
    }
    if args.chances {
        let (found, time) = timed(|| watch.run("weighing answers", || encoder.probabilities()));
        let found = found.map_err(wrong)?;
        out.detail(format_args!("Time for chances: {time:.1?}\n"))?;
        if let Some(found) = found {
            let map = encoder.map();
            write_cells(map, out, |row, column| match map.get(row, column) {
                Cell::Unknown => format!("{:.4}", found.get(row, column)),
                shown => shown.to_string(),
            })?;
            out.line(format_args!("\nAnswers: 10^{:.3}", found.log10_count()))?;
            out.member(
                "chances",
                cells(map, |row, column| match map.get(row, column) {
                    Cell::Unknown => Some(found.get(row, column)).into(),
                    _ => None::<f64>.into(),
                }),
            );
            out.member("log10_count", found.log10_count());
            if let Some((row, column)) = found.best_move() {
                let chance = found.get(row, column);
                let place =
                    [("row", (row + 1).into()), ("column", (column + 1).into()), ("chance", Json::from(chance))];
                out.member("best_move", Json::object(place));
                out.line(format_args!(
                    "Best move: row {}, column {}, a trap with chance {chance:.4}",
                    row + 1,
                    column + 1
                ))?;
            }
        }
    }
    Ok(())
}

/// Writes what is proven, and the commands that check it.
fn write_proven(
    map: &GemMap,
    proven: Option<(GemMap, Deduction)>,
    dir: &Path,
    out: &mut Printed<'_>,
) -> Result<ExitCode, GemsFailure> {
    let first = proof::check(&dir.join("solution"));
    let Some((answer, deduction)) = proven else {
        out.line(format_args!("No solution\n{first}"))?;
        out.member("proofs", Json::list([dir.join("solution").display().to_string()]));
        out.end(Some("UNSATISFIABLE"), 1)?;
        return Ok(ExitCode::FAILURE);
    };
    out.line(format_args!("{answer}\n{first}\n\nCertain:"))?;
    out.member("solution", cells(map, |row, column| answer.get(row, column).to_string().into()));
    write_certain(map, &deduction, out)?;
    let second = dir.join("other");
    let proofs = [dir.join("solution"), second.clone()].into_iter().filter(|dir| dir.exists());
    out.member("proofs", Json::list(proofs.map(|dir| dir.display().to_string())));
    // Where nothing is certain there is nothing to prove.
    if second.exists() {
        out.line(format_args!("\n{}", proof::check(&second)))?;
    }
    out.end(Some("SATISFIABLE"), 0)?;
    Ok(ExitCode::SUCCESS)
}

fn write_certain(map: &GemMap, deduction: &Deduction, out: &mut Printed<'_>) -> io::Result<()> {
    let cell = |row, column| match deduction.get(row, column) {
        Kind::Trap => "T".into(),
        Kind::Gem => "G".into(),
        Kind::Undecided => "?".into(),
        Kind::Free => "*".into(),
        Kind::Number => map.get(row, column).to_string(),
    };
    out.member("certain", cells(map, |row, column| cell(row, column).into()));
    write_cells(map, out, cell)
}

/// The cells of a board in JSON, a list a row.
fn cells(map: &GemMap, cell: impl Fn(usize, usize) -> Json) -> Json {
    Json::list((0..map.rows()).map(|row| Json::list((0..map.columns()).map(|column| cell(row, column)))))
}

fn write_cells(map: &GemMap, out: &mut Printed<'_>, cell: impl Fn(usize, usize) -> String) -> io::Result<()> {
    for row in 0..map.rows() {
        let cells: Vec<String> = (0..map.columns()).map(|column| cell(row, column)).collect();
        out.line(format_args!("{}", cells.join(", ")))?;
    }
    Ok(())
}

/// The reason why there is no answer: the numbers that contradict each other, or the total that no answer has. Rows and
/// columns count from 1.
fn why(encoder: &GemHunterEncoder, any_total: &GemHunterEncoder, total: Option<usize>) -> Result<String, GemError> {
    let totals = match total {
        None => None,
        Some(total) => any_total.trap_totals()?.map(|totals| (total, totals)),
    };
    let Some((total, totals)) = totals else {
        let numbers = any_total.explain()?.unwrap_or_default();
        return Ok(match named(encoder.map(), &numbers).as_slice() {
            [one] => format!("{one} {}", alone(encoder.map(), numbers[0])),
            several => format!("these contradict each other: {}", listed(several)),
        });
    };
    let traps = if total == 1 { "1 trap".to_owned() } else { format!("{total} traps") };
    let mut message = match totals.nearest(total) {
        (Some(below), Some(above)) => {
            format!("no answer has a total of {traps}; the nearest totals are {below} and {above}")
        }
        _ if totals.min() == totals.max() => format!("no answer has a total of {traps}; all have {}", totals.min()),
        _ => format!("no answer has a total of {traps}; answers have {} to {}", totals.min(), totals.max()),
    };
    match encoder.clone().time_limit(EXPLAIN).explain() {
        Ok(Some(numbers)) if !numbers.is_empty() => {
            let named = listed(&named(encoder.map(), &numbers));
            let _ =
                write!(message, "; the total contradicts {}{named}", if numbers.len() > 1 { "these: " } else { "" });
        }
        _ => {}
    }
    Ok(message)
}

/// The first of many, and how many more there are.
fn listed(numbers: &[String]) -> String {
    const MOST: usize = 20;
    let first = numbers[..numbers.len().min(MOST)].join("; ");
    if numbers.len() > MOST { format!("{first}; and {} more", numbers.len() - MOST) } else { first }
}

fn named(map: &GemMap, numbers: &[(usize, usize)]) -> Vec<String> {
    let name = |&(row, column)| format!("the {} in row {}, column {}", map.get(row, column), row + 1, column + 1);
    numbers.iter().map(name).collect()
}

/// The fault of a number that is a contradiction by itself.
fn alone(map: &GemMap, (row, column): (usize, usize)) -> String {
    let (rows, columns) =
        (row.saturating_sub(1)..map.rows().min(row + 2), column.saturating_sub(1)..map.columns().min(column + 2));
    let around: Vec<Cell> = rows.flat_map(|row| columns.clone().map(move |column| map.get(row, column))).collect();
    let count = |kind| around.iter().filter(|&&cell| cell == kind).count();
    let (traps, unknown) = (count(Cell::Trap), count(Cell::Unknown));
    match map.get(row, column) {
        Cell::Number(number) if usize::from(number) < traps => {
            format!("asks for fewer traps than its neighbours are already: {traps}")
        }
        _ => format!("asks for more traps than its neighbours can be: {}", traps + unknown),
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
