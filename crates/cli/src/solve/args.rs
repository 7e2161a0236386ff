//! The options of `cnfkit solve`.

use std::num::NonZero;
use std::path::PathBuf;

use crate::formula::EncodedArgs;
use crate::input::SourceArgs;
use crate::lines::LinesArgs;
use crate::solving::Solving;

/// Solves a formula: DIMACS, KNF, OPB, WCNF or rules, a constraint a line.
///
/// At-most-ones and exactly-ones are found in the clauses and encoded anew. An objective is not minimised, any model
/// will do: `cnfkit optimise` minimises.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
#[allow(clippy::struct_excessive_bools)] // options
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(super) source: SourceArgs,
    /// Take clauses as they are
    #[arg(long)]
    pub(super) no_detect: bool,
    /// Say which clauses and constraints contradict each other, none of which can be left out
    #[arg(long, group = "question")]
    pub(super) core: bool,
    /// Say which literals are true in all models: lines `b`
    #[arg(long, group = "question")]
    pub(super) backbone: bool,
    /// Print all models, a `v` line each
    #[arg(long, group = "question")]
    pub(super) all: bool,
    /// Count the models, up to this many
    #[arg(long, value_name = "LIMIT", num_args = 0..=1, require_equals = true, default_missing_value = MOST,
          group = "question")]
    pub(super) count: Option<NonZero<usize>>,
    /// Solve with clauses that leave one of many symmetric models
    #[arg(long, conflicts_with = "question")]
    pub(super) symmetries: bool,
    /// Write a proof of the answer to this new folder, which VeriPB checks: with what is found in the clauses, unless
    /// it is encoded smallest or symmetries are broken. With --engine, which is to write one in DRAT, also of the
    /// answer by --cubes
    #[arg(long, value_name = "DIR", conflicts_with = "question")]
    pub(super) proof: Option<PathBuf>,
    /// The format of the proof: DRAT is about clauses, as they are
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "veripb", requires = "proof")]
    pub(super) proof_format: ProofFormat,
    /// Split the encoded formula into at most this number of parts that exclude each other, and solve these
    #[arg(long, value_name = "NUMBER", conflicts_with = "question")]
    pub(super) cubes: Option<NonZero<usize>>,
    /// Combine the answers in this folder, `cube-1.out` …, which solvers have printed for the parts that `encode`
    /// wrote with the same --cubes. With --proof, its proofs in DRAT, `cube-1.drat` …; --engine is asked where there is
    /// none
    #[arg(long, value_name = "DIR", requires = "cubes", conflicts_with = "threads")]
    pub(super) answers: Option<PathBuf>,
    /// Solve in this number of threads: other orders and encodings of the formula, the first answer wins; or its cubes
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["proof", "question"],
          value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) threads: Option<u16>,
    /// Seed of the choices of the solver that is built in
    #[arg(long, conflicts_with_all = ["proof", "question", "threads", "cubes", "engine"])]
    pub(super) seed: Option<u64>,
    #[command(flatten)]
    pub(super) encoded: EncodedArgs,
    #[command(flatten)]
    pub(super) solving: Solving,
    #[command(flatten)]
    pub(super) lines: LinesArgs,
}

/// Who checks a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ProofFormat {
    /// VeriPB, of any formula
    Veripb,
    /// drat-trim and others, of clauses
    Drat,
}

const MOST: &str = "18446744073709551615";

const EXIT_CODES: &str = "\
Each line of --lines is a file, and its answer what is printed for it; --time-limit is for all of them together.

What `encode --cubes` wrote to formula.icnf is solved cube by cube, and then outside of all cubes.

Exit codes:
  0   there is no answer in time
  2   no formula, wrong arguments, a formula that is too large, stopped while reading or encoding, or the solver or
      writing failed
  10  satisfiable
  20  unsatisfiable";
