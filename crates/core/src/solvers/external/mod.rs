//! [`External`]: any program that solves DIMACS, as a solver.

mod error;
mod names;
mod output;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
mod process {
    use std::{path::Path, process::ExitStatus, time::Duration};

    use super::{Failure, Output, Tail};

    /// There are no process groups.
    pub(super) fn run(
        _: &str,
        _: &Path,
        _: Option<Duration>,
        _: &dyn Fn() -> bool,
        _: &mut Output,
        _: &mut Tail,
    ) -> Result<Option<ExitStatus>, Failure> {
        Err(Failure::Start(std::io::ErrorKind::Unsupported.into()))
    }
}

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use rustsat::solvers::{Interrupt, Solve, SolveIncremental, SolverResult};
use rustsat::types::{Cl, Clause, Lit, TernaryVal, Var};

pub use self::error::{ExternalError, Failure};
use self::output::{Model, Output, Status, Tail};
use super::interrupt::Interrupter;

/// A program that reads DIMACS and prints lines `s` and `v`, as a [`Solver`](super::Solver).
///
/// ```
/// # fn main() -> Result<(), cnfkit::SolveError> {
/// use std::time::Duration;
///
/// use cnfkit::solvers::{External, Failure};
/// use cnfkit::{ClauseSink, Limits, SolveError, SolverSink};
/// let mut sink = SolverSink::owned(External::new("kissat --time={limit} {file}"));
/// let x = sink.new_lits(3);
/// sink.add_clause(&x)?;
/// match sink.solve(&Limits::none().time(Duration::from_secs(10)), &[!x[0], !x[1]]) {
///     Ok(found) => assert!(found && sink.model()?.is_true(x[2])),
///     Err(error) => assert!(error.to_string().contains("does not start"), "{error}"), // where there is no Kissat
/// }
/// # Ok(())
/// # }
/// ```
///
/// **Command**: words between spaces, where quotes keep a word together; no shell is involved. `{file}` is the file
/// with the formula, which a command without it has as its standard input; `{limit}` is the time that the question has
/// left, in whole seconds, rounded up, or 10⁸. One word may be the name of a known engine, with its number of threads if
/// it has some: [`External::KNOWN`].
///
/// **Memory**: clauses are written to a file in the temporary directory (`TMPDIR`) as they are added, and nothing is
/// kept of them; a model takes a bit for each variable. To have no copy either, encode into a
/// [`SolverSink`](crate::SolverSink), by [`Formula::encode_into`](crate::Formula::encode_into) for example.
///
/// **Processes**: the program runs in a process group of its own. When a limit is over, it is interrupted, or this
/// process ends, even by SIGKILL, the group gets a SIGTERM, and SIGKILL 50 ms later; so it does not outlive the question
/// by 100 ms. Processes that leave the group, as those that MPI starts do, have to mind `{limit}`. The memory limit is
/// one on this process alone, and conflicts are not limited.
///
/// **Answers**: every model is compared with every clause and assumption. That there is none is believed, if line `s`
/// and exit code agree. Each question starts the program anew; an unsatisfiable core is all assumptions, so to optimise,
/// take `Strategy::SolutionImproving`. All else is an [`ExternalError`], and so is
/// every question on systems other than Unix.
///
/// rustsat's `ExternalSolver` keeps all clauses in memory, can be asked once, has no limits, checks no model, and leaves
/// the program running when its caller ends; so nothing of it is used.
pub struct External {
    command: String,
    formula: Option<Spool>,
    n_vars: usize,
    assumptions: Vec<Lit>,
    model: Option<Model>,
    interrupter: Interrupter,
}

impl External {
    /// The engines that are known by name, with their commands. `{threads}` is the number after a colon, as in
    /// `clasp:8`, and 1 without one.
    pub const KNOWN: [(&'static str, &'static str); 10] = names::KNOWN;

    /// The program of a command, or of a [known](Self::KNOWN) name. It is started by questions; that it is not there is
    /// an error of theirs.
    #[must_use]
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            formula: None,
            n_vars: 0,
            assumptions: Vec::new(),
            model: None,
            interrupter: Interrupter::default(),
        }
    }

    fn error(&self, failure: Failure, tail: Tail) -> ExternalError {
        ExternalError { command: self.command.clone(), failure, output: tail.lines() }
    }

    fn formula(&mut self) -> io::Result<&mut Spool> {
        let formula = match self.formula.take() {
            Some(formula) => formula,
            None => Spool::new()?,
        };
        Ok(self.formula.insert(formula))
    }

    fn add(&mut self, clause: &[Lit]) -> io::Result<()> {
        self.model = None;
        self.n_vars = clause.iter().map(|lit| lit.vidx() + 1).fold(self.n_vars, usize::max);
        self.formula()?.add(clause)
    }

    /// True if there is a model, none if the question was stopped.
    fn ask(&mut self, assumptions: &[Lit], tail: &mut Tail) -> Result<Option<bool>, Failure> {
        let command = names::command(&self.command)?;
        self.n_vars = assumptions.iter().map(|lit| lit.vidx() + 1).fold(self.n_vars, usize::max);
        let (n_vars, interrupter) = (self.n_vars, self.interrupter.clone());
        let formula = self.formula().map_err(Failure::File)?;
        formula.begin(n_vars, assumptions).map_err(Failure::File)?;
        let clock = interrupter.clock();
        let is_over = || interrupter.is_interrupted() || clock.as_ref().is_some_and(|clock| clock.is_over());
        let time_left = clock.as_ref().and_then(|clock| clock.time_left());
        let mut output = Output::new(n_vars);
        let ended = process::run(&command, &formula.path, time_left, &is_over, &mut output, tail)?;
        let Some(status) = ended else {
            // Stopped: it may have printed its model in time.
            let is_model = output.is_complete && formula.violated(&output.model).map_err(Failure::File)?.is_none();
            self.model = is_model.then_some(output.model);
            return Ok(is_model.then_some(true));
        };
        let code = status.code().filter(|code| [0, 10, 20, 30].contains(code)).ok_or(Failure::Died(status))?;
        let found = match output.status.ok_or(Failure::NoAnswer)? {
            Status::Sat | Status::Optimum => true,
            Status::Unsat => false,
            Status::Unknown => return Err(Failure::Unknown),
        };
        if code != 0 && (code == 20) == found {
            return Err(Failure::ExitCode(code));
        }
        if found && !output.is_complete {
            return Err(Failure::NoModel);
        }
        if found && let Some(clause) = formula.violated(&output.model).map_err(Failure::File)? {
            return Err(Failure::WrongModel(clause));
        }
        self.model = found.then_some(output.model);
        Ok(Some(found))
    }
}

impl fmt::Debug for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("External").field("command", &self.command).field("n_vars", &self.n_vars).finish_non_exhaustive()
    }
}

/// A formula in a file of the temporary directory, which is removed with it.
struct Spool {
    path: PathBuf,
    file: BufWriter<File>,
    n_clauses: usize,
    /// Where the clauses end, while the assumptions of a question stand behind them.
    end: Option<u64>,
}

/// The bytes of the header: a comment of spaces fills it up.
const HEADER: usize = 64;

impl Spool {
    fn new() -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("cnfkit-{}-{number}.cnf", std::process::id()));
            match options.write(true).create_new(true).open(&path) {
                Ok(file) => {
                    let mut spool =
                        Self { path, file: BufWriter::with_capacity(1 << 16, file), n_clauses: 0, end: None };
                    spool.file.write_all(&[b' '; HEADER])?;
                    return Ok(spool);
                }
                // Of a process that had this number and was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn add(&mut self, clause: &[Lit]) -> io::Result<()> {
        self.end()?;
        self.n_clauses += 1;
        self.write(clause)
    }

    fn write(&mut self, clause: &[Lit]) -> io::Result<()> {
        let mut number = itoa::Buffer::new();
        for lit in clause {
            self.file.write_all(number.format(lit.to_ipasir()).as_bytes())?;
            self.file.write_all(b" ")?;
        }
        self.file.write_all(b"0\n")
    }

    /// Makes the file that of a question.
    fn begin(&mut self, n_vars: usize, assumptions: &[Lit]) -> io::Result<()> {
        self.end()?;
        self.end = Some(self.file.stream_position()?);
        assumptions.iter().try_for_each(|lit| self.write(&[*lit]))?;
        let header = format!("p cnf {n_vars} {}\n", self.n_clauses + assumptions.len());
        self.file.seek(SeekFrom::Start(0))?;
        write!(self.file, "c{:1$}\n{header}", "", HEADER - 2 - header.len())?;
        self.file.flush()
    }

    /// Takes the assumptions off.
    fn end(&mut self) -> io::Result<()> {
        if let Some(end) = self.end.take() {
            self.file.get_ref().set_len(end)?;
            self.file.seek(SeekFrom::Start(end))?;
        }
        Ok(())
    }

    /// A clause of the file in which the model makes no literal true.
    fn violated(&self, model: &Model) -> io::Result<Option<Vec<Lit>>> {
        let mut reader = BufReader::with_capacity(1 << 16, File::open(&self.path)?);
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        reader.read_until(b'\n', &mut line)?;
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            let lits = || line.split(|&byte| byte == b' ').filter_map(lit);
            if !lits().any(|lit| model.is_true(lit.vidx()) == lit.is_pos()) {
                return Ok(Some(lits().collect()));
            }
        }
    }
}

/// The literal of a word of the file; the end of a line is none.
fn lit(word: &[u8]) -> Option<Lit> {
    let (is_negated, digits) = word.strip_prefix(b"-").map_or((false, word), |digits| (true, digits));
    let number = digits.iter().take_while(|byte| byte.is_ascii_digit());
    let number = number.fold(0, |number: u32, &digit| number * 10 + u32::from(digit - b'0'));
    Some(Lit::new(number.checked_sub(1)?, is_negated))
}

impl Drop for Spool {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Interrupt for External {
    type Interrupter = Interrupter;

    fn interrupter(&mut self) -> Interrupter {
        self.interrupter.clone()
    }
}

impl Extend<Clause> for External {
    fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
        clauses.into_iter().for_each(|clause| self.add_clause_ref(&clause).expect("room for a clause"));
    }
}

impl<'a> Extend<&'a Clause> for External {
    fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
        clauses.into_iter().for_each(|clause| self.add_clause_ref(clause).expect("room for a clause"));
    }
}

impl Solve for External {
    fn signature(&self) -> &'static str {
        "a program"
    }

    fn reserve(&mut self, max_var: Var) -> anyhow::Result<()> {
        self.n_vars = self.n_vars.max(max_var.idx() + 1);
        Ok(())
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        match &self.model {
            Some(model) => Ok((model.is_true(lit.vidx()) == lit.is_pos()).into()),
            None => anyhow::bail!("there is no model"),
        }
    }

    fn add_clause_ref<C: AsRef<Cl> + ?Sized>(&mut self, clause: &C) -> anyhow::Result<()> {
        self.add(AsRef::<[Lit]>::as_ref(clause.as_ref()))
            .map_err(|error| self.error(Failure::File(error), Tail::default()).into())
    }
}

impl SolveIncremental for External {
    fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
        self.model = None;
        assumps.clone_into(&mut self.assumptions);
        let mut tail = Tail::default();
        let answer = self.ask(assumps, &mut tail);
        self.interrupter.clear();
        match answer {
            Ok(Some(true)) => Ok(SolverResult::Sat),
            Ok(Some(false)) => Ok(SolverResult::Unsat),
            Ok(None) => Ok(SolverResult::Interrupted),
            Err(failure) => Err(self.error(failure, tail).into()),
        }
    }

    /// All assumptions: such a program does not say which.
    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        Ok(self.assumptions.iter().map(|&lit| !lit).collect())
    }
}
