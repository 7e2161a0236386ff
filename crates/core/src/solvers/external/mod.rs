//! [`External`]: any program that solves DIMACS, as a solver.

mod error;
mod mallob;
mod names;
mod output;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
mod process {
    use std::path::Path;
    use std::process::{Child, ExitStatus};
    use std::time::Duration;

    use super::{EngineOutput, Failure, Tail};

    /// There are no process groups.
    pub(super) fn run(
        _: &str,
        _: &[(&str, &Path)],
        _: Option<Duration>,
        _: &dyn Fn() -> bool,
        _: &mut EngineOutput,
        _: &mut Tail,
    ) -> Result<Option<ExitStatus>, Failure> {
        Err(Failure::Start(std::io::ErrorKind::Unsupported.into()))
    }

    pub(super) fn lead(_: &str, _: &[&Path]) -> Result<Child, Failure> {
        Err(Failure::Start(std::io::ErrorKind::Unsupported.into()))
    }

    pub(super) fn keep(_: &Path) -> Result<Child, Failure> {
        Err(Failure::Start(std::io::ErrorKind::Unsupported.into()))
    }

    pub(super) fn tell(_: &mut Child, _: &str) {}
}

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};

use rustsat::solvers::{GetInternalStats, Interrupt, LimitConflicts, PhaseLit, Solve, SolveIncremental, SolverResult};
use rustsat::types::{Cl, Clause, Lit, TernaryVal, Var};

pub use self::error::{ExternalError, Failure};
pub(crate) use self::names::Format;
use self::output::{EngineOutput, Status, Tail, TrueVariables};
use crate::dimacs::push_lit;
use crate::limits::SolveError;
use crate::running::Clock;
use cnfkit_encode::solvers::Interrupter;

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
/// left, in whole seconds, rounded up, or 9,999,999. One word may be the name of a known engine, with its number of
/// threads if it has some: [`External::KNOWN`]. `mallob:DIR` is a Mallob that runs, with the directory of a client of
/// its own, such as `.api/jobs.0`: each question is a job that is put into `DIR/in`, and its result is taken out of
/// `DIR/out`.
///
/// **Memory**: clauses are written to a file in the temporary directory (`TMPDIR`) as they are added, and nothing is
/// kept of them; a model takes a bit for each variable. To have no copy either, encode into a
/// [`SolverSink`](crate::SolverSink), by [`Formula::encode_into`](crate::Formula::encode_into) for example.
///
/// **Processes**: the program runs in a process group of its own. When a limit is over, it is interrupted, or this
/// process ends, even by SIGKILL, the group gets a SIGTERM, and SIGKILL 50 ms later. Processes that leave the group, as
/// those that MPI starts do, have to mind `{limit}`. The memory limit is one on this process alone, and conflicts are
/// not limited.
///
/// **Answers**: every model is compared with every clause and assumption. That there is none is believed, if line `s`
/// and exit code agree; [`Formula::solve_certified_by`](crate::Formula::solve_certified_by) has it proven. Each
/// question starts the program anew, but for an empty clause and for no clause at all, which are no questions. An
/// unsatisfiable core is all assumptions; to optimise, take `minimum_by`. All else is an [`ExternalError`], and so is
/// every question on systems other than Unix.
pub struct External {
    command: String,
    formula: Option<Spool>,
    n_vars: usize,
    assumptions: Vec<Lit>,
    model: Option<TrueVariables>,
    interrupter: Interrupter,
    /// The file in which it is to write a proof.
    proof: Option<PathBuf>,
    /// The folder with proofs that are there already.
    proofs: Option<PathBuf>,
}

impl External {
    /// The engines that are known by name, with their commands. `{threads}` is the number after a colon, as in
    /// `clasp:8`, and 1 without one.
    pub const KNOWN: [(&'static str, &'static str); 10] = names::KNOWN;

    /// The engines that are known by name and find least values.
    pub const KNOWN_OPTIMISERS: [(&'static str, &'static str); 4] = names::KNOWN_OPTIMISERS;

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
            proof: None,
            proofs: None,
        }
    }

    /// Makes the same program for another question.
    #[doc(hidden)]
    #[must_use]
    pub fn another(&self) -> Self {
        Self::new(self.command.clone())
    }

    /// This program for what is left of a formula in parts, others of which were refuted elsewhere: for each of its
    /// [`cubes`](crate::Formula::cubes), the folder may have a proof in DRAT, as text, in `cube-1.drat`, `cube-2.drat`
    /// and so on. [`Formula::solve_certified_by`](crate::Formula::solve_certified_by) makes them parts of its own, and
    /// asks the program where there is none, or one that breaks off.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::solvers::External;
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Limits};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// formula.at_least(&x, 2, &CardEncoding::Auto)?;
    /// formula.at_most(&x, 1, &CardEncoding::Auto)?;
    /// let dir = std::env::temp_dir().join(format!("cnfkit-proofs-in-{}", std::process::id()));
    /// std::fs::create_dir(&dir)?;
    /// std::fs::write(dir.join("cube-1.drat"), "1 0\n0\n")?; // the first literal, and so the empty clause
    /// let engine = External::new("no-such-program {file} {proof}").proofs_in(&dir);
    /// assert_eq!(formula.solve_certified_by(&engine, 1, dir.join("whole"), &Limits::none())?, None);
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn proofs_in(self, folder: impl Into<PathBuf>) -> Self {
        Self { proofs: Some(folder.into()), ..self }
    }

    /// The proof of the cube of this number that is there already.
    pub(crate) fn proof_of(&self, number: usize) -> Option<BufReader<File>> {
        let file = File::open(self.proofs.as_ref()?.join(format!("cube-{}.drat", number + 1)));
        file.ok().map(BufReader::new)
    }

    /// This program without a formula, which is to write a proof in DRAT to a file.
    pub(crate) fn proving(&self, proof: &Path) -> Self {
        Self { proof: Some(proof.to_owned()), ..Self::new(self.command.clone()) }
    }

    /// A failure that its output does not show.
    pub(crate) fn failed(&self, failure: Failure) -> SolveError {
        SolveError::solver(self.error(failure, Tail::default()))
    }

    /// The engines that are known by name and write proofs:
    /// [`Formula::solve_certified_by`](crate::Formula::solve_certified_by).
    pub const KNOWN_PROVERS: [(&'static str, &'static str); 2] = names::KNOWN_PROVERS;

    /// True if the program finds least values by itself: its command has `{opb}`, `{wcnf}` or, with a header and a top
    /// weight, as before 2022, `{old-wcnf}` for the file, or it is one of
    /// [`KNOWN_OPTIMISERS`](Self::KNOWN_OPTIMISERS).
    ///
    /// ```
    /// use cnfkit::solvers::External;
    /// assert!(External::new("solver --timeout {limit} {opb}").is_optimiser());
    /// assert!(!External::new("solver {file}").is_optimiser());
    /// ```
    #[must_use]
    pub fn is_optimiser(&self) -> bool {
        matches!(names::optimiser(&self.command), Ok(Some(_)))
    }

    /// The answer to a formula with an objective, which `write` writes over this number of variables. `value` is that
    /// of a model, in which the engine's lines `o` lack a constant, or says how the model is wrong.
    pub(crate) fn optimise(
        &self,
        n_vars: usize,
        write: impl FnOnce(Format, &mut dyn Write) -> io::Result<()>,
        value: impl Fn(&TrueVariables) -> Result<i128, Failure>,
        constant: impl FnOnce(Format) -> i128,
        clock: &Clock,
    ) -> Result<EngineAnswer, ExternalError> {
        let mut tail = Tail::default();
        let ask = || {
            let optimiser = names::optimiser(&self.command)?;
            let (command, format) = optimiser.ok_or(Failure::Command("it has no `{opb}` or `{wcnf}`"))?;
            let mut file = Temporary::new(format).map_err(Failure::File)?;
            write(format, &mut file.writer).and_then(|()| file.writer.flush()).map_err(Failure::File)?;
            let (mut output, is_over) = (EngineOutput::new(format, n_vars), || clock.is_over());
            let (place, left) = (format.place(), clock.time_left());
            let places: [(&str, &Path); 1] = [(place, &file.path)];
            let ended = process::run(&command, &places, left, &is_over, &mut output, &mut tail)?;
            let Some(ended) = ended else {
                // Stopped: a model that it printed in time is one.
                let model = output.last_complete();
                let found =
                    model.and_then(|model| value(&model).ok().map(|value| EngineAnswer::Model(model, value, false)));
                return Ok(found.unwrap_or(EngineAnswer::Stopped));
            };
            let Some(is_optimal) = judge(ended, &output)? else { return Ok(EngineAnswer::Unsatisfiable) };
            let (value, said) = (value(&output.model)?, output.value.map(|said| said.saturating_add(constant(format))));
            match said {
                Some(said) if said != value => Err(Failure::WrongValue { model: value, said }),
                _ => Ok(EngineAnswer::Model(output.model, value, is_optimal)),
            }
        };
        let answer = ask();
        answer.map_err(|failure| self.error(failure, tail))
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
        let way = match (mallob::directory(&self.command), &self.proof) {
            (Some(directory), None) => EngineRoute::Mallob(directory.to_owned()),
            (None, None) => EngineRoute::Program(names::command(&self.command)?),
            (_, Some(_)) => EngineRoute::Program(names::prover(&self.command)?),
        };
        let proof = self.proof.clone();
        self.n_vars = assumptions.iter().map(|lit| lit.vidx() + 1).fold(self.n_vars, usize::max);
        let (n_vars, interrupter) = (self.n_vars, self.interrupter.clone());
        let formula = self.formula().map_err(Failure::File)?;
        let is_empty = formula.n_clauses + assumptions.len() == 0;
        if proof.is_none() && (formula.is_refuted || is_empty) {
            self.model = is_empty.then(TrueVariables::default);
            return Ok(Some(is_empty));
        }
        formula.begin(n_vars, assumptions).map_err(Failure::File)?;
        let clock = interrupter.clock();
        let is_over = || interrupter.is_interrupted() || clock.as_ref().is_some_and(Clock::is_over);
        let time_left = clock.as_ref().and_then(Clock::time_left);
        let mut output = EngineOutput::new(Format::Dimacs, n_vars);
        let path = &formula.file.path;
        let answer = match way {
            EngineRoute::Mallob(directory) => {
                let ended = mallob::run(&directory, path, n_vars, time_left, &is_over, &mut output, tail)?;
                ended.then(|| said(&output))
            }
            EngineRoute::Program(command) => {
                let mut places: Vec<(&str, &Path)> = vec![(Format::Dimacs.place(), path)];
                places.extend(proof.as_deref().map(|proof| (names::PROOF, proof)));
                let ended = process::run(&command, &places, time_left, &is_over, &mut output, tail)?;
                ended.map(|status| judge(status, &output))
            }
        };
        let Some(answer) = answer else {
            // Stopped: it may have printed its model in time.
            let is_model = output.is_complete && formula.violated(&output.model).map_err(Failure::File)?.is_none();
            self.model = is_model.then_some(output.model);
            return Ok(is_model.then_some(true));
        };
        let found = answer?.is_some();
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

/// The way to an engine.
enum EngineRoute {
    Program(String),
    Mallob(PathBuf),
}

/// The answer of an engine that was asked for a least value.
pub(crate) enum EngineAnswer {
    Stopped,
    Unsatisfiable,
    /// A model, its value, and true if the engine says that none is less.
    Model(TrueVariables, i128, bool),
}

/// The answer that exit code and lines agree on: none if there is no model, true if the model is the best one.
fn judge(ended: ExitStatus, output: &EngineOutput) -> Result<Option<bool>, Failure> {
    let code = ended.code().filter(|code| [0, 10, 20, 30].contains(code)).ok_or(Failure::Died(ended))?;
    let status = output.status.ok_or(Failure::NoAnswer)?;
    if code != 0 && status != Status::Unknown && (code == 20) != (status == Status::Unsat) {
        return Err(Failure::ExitCode(code));
    }
    said(output)
}

/// The answer of the lines alone.
fn said(output: &EngineOutput) -> Result<Option<bool>, Failure> {
    match output.status.ok_or(Failure::NoAnswer)? {
        Status::Unknown => Err(Failure::Unknown),
        Status::Unsat => Ok(None),
        _ if !output.is_complete => Err(Failure::NoModel),
        status => Ok(Some(status == Status::Optimum)),
    }
}

/// The model in what a solver of DIMACS printed, none if it says that there is none. `violated` finds a clause that a
/// model violates.
pub(crate) fn answer_in(
    name: &str,
    text: Option<impl BufRead>,
    n_vars: usize,
    violated: &dyn Fn(&dyn Fn(Lit) -> bool) -> Option<Vec<Lit>>,
) -> Result<Option<TrueVariables>, ExternalError> {
    let (mut output, mut tail) = (EngineOutput::new(Format::Dimacs, n_vars), Tail::default());
    let read = || {
        let mut text = text.ok_or(Failure::NoAnswer)?;
        loop {
            let piece = text.fill_buf().map_err(Failure::File)?;
            if piece.is_empty() {
                break output.end_word()?;
            }
            tail.feed(0, piece);
            output.feed(piece)?;
            let n = piece.len();
            text.consume(n);
        }
        if said(&output)?.is_none() {
            return Ok(None);
        }
        let model = std::mem::take(&mut output.model);
        match violated(&|lit: Lit| model.is_true(lit.vidx()) == lit.is_pos()) {
            Some(clause) => Err(Failure::WrongModel(clause)),
            None => Ok(Some(model)),
        }
    };
    let answer = read();
    answer.map_err(|failure| ExternalError { command: name.to_owned(), failure, output: tail.lines() })
}

/// A file of the temporary directory, which is removed with this, and with the process.
struct Temporary {
    path: PathBuf,
    writer: BufWriter<File>,
    keeper: Option<Child>,
}

impl Temporary {
    fn new(format: Format) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("cnfkit-{}-{number}.{}", std::process::id(), format.extension());
            let path = std::env::temp_dir().join(name);
            match options.write(true).create_new(true).open(&path) {
                Ok(file) => {
                    let keeper = process::keep(&path).ok();
                    return Ok(Self { path, writer: BufWriter::with_capacity(1 << 16, file), keeper });
                }
                // Of a process that had this number and was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        if let Some(mut keeper) = self.keeper.take() {
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        }
    }
}

/// A formula in DIMACS that is asked about, and grows.
struct Spool {
    file: Temporary,
    /// The line at hand.
    line: Vec<u8>,
    n_clauses: usize,
    /// True once a clause is empty.
    is_refuted: bool,
    /// Where the clauses end, while the assumptions of a question stand behind them.
    end: Option<u64>,
}

/// The bytes of the header: a comment of spaces fills it up.
const HEADER: usize = 64;

impl Spool {
    fn new() -> io::Result<Self> {
        let mut file = Temporary::new(Format::Dimacs)?;
        file.writer.write_all(&[b' '; HEADER])?;
        Ok(Self { file, line: Vec::new(), n_clauses: 0, is_refuted: false, end: None })
    }

    fn add(&mut self, clause: &[Lit]) -> io::Result<()> {
        self.end()?;
        self.n_clauses += 1;
        self.is_refuted |= clause.is_empty();
        self.write(clause)
    }

    fn write(&mut self, clause: &[Lit]) -> io::Result<()> {
        self.line.clear();
        clause.iter().for_each(|&lit| push_lit(&mut self.line, lit));
        self.line.extend_from_slice(b"0\n");
        self.file.writer.write_all(&self.line)
    }

    /// Makes the file that of a question.
    fn begin(&mut self, n_vars: usize, assumptions: &[Lit]) -> io::Result<()> {
        self.end()?;
        self.end = Some(self.file.writer.stream_position()?);
        assumptions.iter().try_for_each(|lit| self.write(&[*lit]))?;
        let header = format!("p cnf {n_vars} {}\n", self.n_clauses + assumptions.len());
        self.file.writer.seek(SeekFrom::Start(0))?;
        write!(self.file.writer, "c{:1$}\n{header}", "", HEADER - 2 - header.len())?;
        self.file.writer.flush()
    }

    /// Takes the assumptions off.
    fn end(&mut self) -> io::Result<()> {
        if let Some(end) = self.end.take() {
            self.file.writer.get_ref().set_len(end)?;
            self.file.writer.seek(SeekFrom::Start(end))?;
        }
        Ok(())
    }

    /// A clause of the file in which the model makes no literal true.
    fn violated(&self, model: &TrueVariables) -> io::Result<Option<Vec<Lit>>> {
        let mut reader = BufReader::with_capacity(1 << 16, File::open(&self.file.path)?);
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

cnfkit_encode::lacking!(External);

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
