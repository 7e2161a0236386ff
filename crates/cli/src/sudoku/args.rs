//! The options of `cnfkit sudoku`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::ValueEnum;
use cnfkit::sudoku::Strategy;
use cnfkit::{AmoEncoding, Layout};

use crate::formula::listed;
use crate::shard::Shard;
use crate::solving::Solving;

const EXIT_CODES: &str = "\
Exit codes:
  0  solved
  1  there is no solution
  2  wrong input, no answer in time (or Ctrl-C), or output that cannot be written

With --lines, 1 says that some lines have no solution, and 2 that some are no puzzles or have no answer in time.";

/// Solves a Sudoku, or many; makes new ones.
///
/// Without an argument it solves a built-in puzzle. Text may be 81 characters, rows of characters or numbers, boxed,
/// with a line `layout: boxes 2x3` (or `latin 5`, `side 9`, `regions AAB…`, each with `+ diagonals` …) before it; or
/// one line `puzzle:number of solutions`, or `name|n|box rows|box columns|cells|regions`, with commas between numbers.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
#[allow(clippy::struct_excessive_bools)] // options
pub(crate) struct SudokuArgs {
    /// A file with one puzzle, or - for standard input; without it, what is piped in, or else a built-in puzzle
    pub(crate) file: Option<PathBuf>,
    /// The layout, whatever the side suggests: `boxes 2x3`, `latin 5`, `regions AAB…`, each with
    /// `+ diagonals` …
    #[arg(long)]
    pub(crate) layout: Option<Layout>,
    /// Propagate givens first, or encode all rules
    #[arg(long, value_enum, default_value_t = How::Pruned)]
    pub(crate) strategy: How,
    #[arg(long, default_value_t = AmoEncoding::Pairwise, help = encodings())]
    pub(crate) encoding: AmoEncoding,
    /// The minimal set of rules, or the extended set with those that follow from it
    #[arg(long, value_enum, default_value_t = Which::Extended)]
    pub(crate) constraints: Which,
    /// Also count the solutions, up to this many
    #[arg(long, value_name = "LIMIT")]
    pub(crate) count: Option<NonZero<usize>>,
    /// Print the next forced cells and the reason for each, one or this many, and no solution
    #[arg(long, value_name = "STEPS", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    pub(crate) hint: Option<usize>,
    /// Write a proof that there is no other solution, or none at all, to this new folder; VeriPB checks it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["hint", "engine"])]
    pub(crate) proof: Option<PathBuf>,
    /// Seed of the solver's choices
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) solving: Solving,
    /// Make this many puzzles instead, of the layout or on 9×9
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["file", "hint", "count", "proof"])]
    pub(crate) generate: Option<u32>,
    /// The hardest technique that new puzzles need
    #[arg(long, value_enum, default_value_t = Difficulty::Medium, requires = "generate")]
    pub(crate) difficulty: Difficulty,
    /// Also draw the solution, or the puzzle where it has none, into this file; new puzzles and their solutions into
    /// this folder, with a page to print
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<String>,
    #[command(flatten)]
    pub(crate) lines: ManyArgs,
}

/// The names of the encodings, for `--help`.
fn encodings() -> String {
    format!("The encoding of at most one: {}", listed(AmoEncoding::ALL.iter()))
}

/// The techniques that a new puzzle may need.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Difficulty {
    /// Naked singles
    Easy,
    /// Hidden singles, too
    Medium,
    /// Locked candidates, too
    Hard,
    /// More than these
    Expert,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum How {
    Pruned,
    Base,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Which {
    Minimal,
    Extended,
}

impl From<How> for Strategy {
    fn from(how: How) -> Self {
        match how {
            How::Pruned => Self::Pruned,
            How::Base => Self::Base,
        }
    }
}

/// Many puzzles.
#[derive(Debug, clap::Args)]
pub(crate) struct ManyArgs {
    /// Solve each line of this file, 81 characters, `puzzle:number of solutions`, or `name|n|box rows|box
    /// columns|cells|regions|…`, on all cores; `-` is standard input
    #[arg(id = "lines", long, value_name = "FILE", conflicts_with_all = ["file", "hint", "count", "proof", "generate"])]
    pub(crate) file: Option<PathBuf>,
    /// Print the solutions of --lines, one a line, in the order of the puzzles (`-` where there is none)
    #[arg(short, long, requires = "lines", conflicts_with = "json")]
    pub(crate) print: bool,
    /// Take only the i-th of n parts of --lines, by a hash of the line: all parts together are all lines
    #[arg(long, value_name = "i/n", requires = "lines")]
    pub(crate) shard: Option<Shard>,
    /// Add the answers to this file, one a line as JSON with the line's hash; lines that it has are not done again
    #[arg(short, long, value_name = "FILE", requires = "lines")]
    pub(crate) output: Option<PathBuf>,
}
