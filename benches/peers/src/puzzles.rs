//! Sudoku: puzzles a second on lists of 9x9, beside other libraries; milliseconds a puzzle on larger sides. All in CPU
//! time, so that other work on the machine counts less.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cnfkit::solvers::BatSat;
use cnfkit::sudoku::{Strategy, SudokuSolver};
use cnfkit::{Grid, SudokuEncoder, SudokuError};
use cpu_time::ThreadTime;

const LISTS: &[&str] = &["17clue_2000", "hardest_1000", "easy_1000", "side16", "side25", "giant", HALF];
/// The one list that is no file: 36x36, half the cells empty.
const HALF: &str = "half36";

/// The puzzles to solve, and for how long.
#[derive(clap::Args)]
pub struct Args {
    /// A list of the folder `$CNFKIT_DATA/sudoku`, without `.txt`; or a file; or `half36`: 36x36 with half the cells
    /// empty, made from seeds 1 to 5, or others as in `half36:6-15`. May be given more than once; by default all of the
    /// folder's that have a speed to reach
    #[arg(long = "list", value_name = "LIST")]
    lists: Vec<String>,
    /// At most this many of each list
    #[arg(long, default_value_t = 1000)]
    most: usize,
    /// Larger than 9x9: at most so many seconds (by the clock) for each puzzle
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// Larger than 9x9: the seed of the solver's choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub fn run(args: &Args) {
    let default: Vec<String> = LISTS.iter().map(ToString::to_string).collect();
    for name in if args.lists.is_empty() { &default } else { &args.lists } {
        match read(name) {
            Err(why) => println!("{name}: skipped, {why}"),
            Ok(lines) if lines.iter().all(|line| line.len() == 81) => nine(name, &lines[..lines.len().min(args.most)]),
            Ok(lines) => large(name, &lines[..lines.len().min(args.most)], args.seconds, args.seed),
        }
    }
}

/// The puzzles of a list, one a line.
fn read(name: &str) -> Result<Vec<String>, String> {
    if let Some(seeds) = name.strip_prefix(HALF) {
        let seeds = if seeds.is_empty() { Some((1, 5)) } else { range(seeds) };
        let (first, last) = seeds.ok_or("not like half36:6-15")?;
        return Ok((first..=last).map(half).collect());
    }
    let path = if Path::new(name).is_file() {
        PathBuf::from(name)
    } else {
        let folder = std::env::var_os("CNFKIT_DATA").ok_or("CNFKIT_DATA is not set")?;
        PathBuf::from(folder).join("sudoku").join(name).with_extension("txt")
    };
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect())
}

/// The two ends of `:6-15`.
fn range(seeds: &str) -> Option<(u64, u64)> {
    let (first, last) = seeds.strip_prefix(':')?.split_once('-')?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// The square of a pattern with rows, columns and values in another order, and half its cells empty; as one line
/// `name|n|box rows|box columns|cells|regions`.
fn half(seed: u64) -> String {
    const BOX: usize = 6;
    const SIDE: usize = BOX * BOX;
    let mut state = seed;
    // Knuth's MMIX generator: the same grids on every machine and in every version.
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % n as u64).expect("small")
    };
    let mut order = |n: usize| {
        let mut items: Vec<usize> = (0..n).collect();
        (1..n).rev().for_each(|last| items.swap(last, below(last + 1)));
        items
    };
    // Bands by lot, and the rows of each.
    let mut lines = || {
        order(BOX).into_iter().map(|band| order(BOX).into_iter().map(move |i| BOX * band + i)).fold(
            Vec::new(),
            |mut all, band| {
                all.extend(band);
                all
            },
        )
    };
    let (rows, columns) = (lines(), lines());
    let values = order(SIDE);
    let mut cells: Vec<usize> = Vec::new();
    for row in rows {
        cells.extend(columns.iter().map(|column| values[(row % BOX * BOX + row / BOX + column) % SIDE] + 1));
    }
    order(SIDE * SIDE).into_iter().take(SIDE * SIDE / 2).for_each(|hole| cells[hole] = 0);
    let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
    format!("half36-{seed}|{SIDE}|{BOX}|{BOX}|{}|-|?|-|", cells.join(","))
}

fn grid(line: &str) -> Grid {
    line.parse().unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// Solves one line of 81 characters; whether it found the solution.
type Solve = Box<dyn FnMut(&str) -> bool>;

fn ours(strategy: Strategy) -> Solve {
    Box::new(move |line| SudokuEncoder::new(grid(line)).strategy(strategy).solve().expect("no limit").is_some())
}

/// A new solver is one line here.
fn solvers() -> Vec<(&'static str, Solve)> {
    let kept = |strategy| -> Solve {
        let mut kept: Option<SudokuSolver> = None;
        Box::new(move |line| {
            let mut grid = grid(line);
            let solver = kept.get_or_insert_with(|| SudokuSolver::new(&SudokuEncoder::new(&grid).strategy(strategy)));
            solver.solve_in_place(&mut grid).expect("no limit")
        })
    };
    vec![
        ("cnfkit, one solver for all", kept(Strategy::Pruned)),
        ("cnfkit, base formula once", kept(Strategy::Base)),
        ("cnfkit, pruned", ours(Strategy::Pruned)),
        ("cnfkit, whole rules", ours(Strategy::Base)),
        (
            "CNF from scratch, BatSat",
            Box::new(|line| {
                let encoder = SudokuEncoder::new(grid(line)).strategy(Strategy::Base);
                encoder.solve_with(BatSat::default()).expect("no limit").is_some()
            }),
        ),
        (
            "sudoku",
            Box::new(|line| sudoku::Sudoku::from_str_line(line).expect("81 characters").some_solution().is_some()),
        ),
        (
            "rustoku",
            Box::new(|line| rustoku_lib::Rustoku::new_from_str(line).expect("81 characters").solve_any().is_some()),
        ),
    ]
}

/// Puzzles a second of CPU time, reading the line included.
fn nine(list: &str, lines: &[String]) {
    let lines: Vec<String> = lines.iter().map(|line| line.replace('.', "0")).collect();
    println!("{list}: {} puzzles", lines.len());
    for (name, mut solve) in solvers() {
        // As many as a second and a half allow.
        let (start, mut done) = (ThreadTime::now(), 0u32);
        for line in &lines {
            assert!(solve(line), "{name} finds no solution of {line}");
            done += 1;
            if start.elapsed().as_secs_f64() > 1.5 {
                break;
            }
        }
        println!("  {name:<26} {:>12.0} a second ({done} solved)", f64::from(done) / start.elapsed().as_secs_f64());
    }
}

/// Milliseconds of CPU time a puzzle, reading the line not included, and the most heap held meanwhile.
fn large(list: &str, lines: &[String], seconds: f64, seed: u64) {
    println!(
        "{list}: {} puzzles, at most {seconds} s each\n  {:<16}{:>12}{:>8}  answer",
        lines.len(),
        "name",
        "ms",
        "MiB"
    );
    let limit = Duration::from_secs_f64(seconds);
    let (mut total, mut solved) = (0.0, 0);
    for line in lines {
        let puzzle = grid(line);
        assert_eq!(puzzle.check(), [], "{line}");
        let encoder = SudokuEncoder::new(&puzzle).seed(seed).time_limit(limit);
        let mut answer = Ok(None);
        let start = ThreadTime::now();
        let heap = allocation_counter::measure(|| answer = encoder.solve());
        let ms = start.elapsed().as_secs_f64() * 1e3;
        total += ms;
        let answer = match answer {
            Ok(Some(solution)) => {
                assert_eq!(solution.verify(&puzzle), [], "{line}");
                solved += 1;
                "solved".to_owned()
            }
            Ok(None) => "no solution".to_owned(),
            Err(SudokuError::Interrupted(_)) => "not in time".to_owned(),
            Err(error) => error.to_string(),
        };
        let name = line.split('|').next().unwrap_or_default();
        println!("  {name:<16}{ms:>12.1}{:>8}  {answer}", heap.bytes_max.div_ceil(1 << 20));
    }
    println!("  {:<16}{total:>12.1}{:>8}  {solved} solved", "all", "");
}
