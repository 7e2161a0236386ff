//! A question that is running: the [`Clock`] of its limits, and the [`Oracle`] that answers it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustsat::types::Lit;

use crate::limits::{Limits, SolveError, Stopped};
use crate::sink::ClauseSink;

/// The milliseconds between two looks at the memory of the process: short beside the time in which a solver takes
/// hundreds of megabytes, long beside the microseconds of a look.
const MEMORY_EVERY: u64 = 5;

/// A search by the built-in solver has this time for itself, before a program searches, too: many take less than the
/// start of a program.
pub const BEFORE_PROGRAMS: Duration = Duration::from_millis(200);
/// The time between two looks at whether a search is over.
const PAUSE: Duration = Duration::from_millis(5);

/// A solver as questions use it: asked again and again under assumptions, within a clock and a number of conflicts.
pub trait Oracle: ClauseSink<Error = SolveError> {
    /// From now on gives up when `clock` is over.
    fn watch(&mut self, clock: &Clock);

    /// A new variable; when the solver picks it, it tries `toward` first.
    ///
    /// # Errors
    /// As the solver fails, or the clock runs out.
    fn new_var_toward(&mut self, toward: Option<bool>) -> Result<(), SolveError>;

    /// True if there is a model in which all of `assumptions` hold; `None` if `conflicts` did not do.
    ///
    /// # Errors
    /// As the solver fails, or the clock runs out.
    fn ask(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, SolveError>;

    /// True if the model found last makes `lit` true. A variable that it leaves open is false.
    fn is_true(&self, lit: Lit) -> bool;

    /// Assumptions that the last question failed on.
    ///
    /// # Errors
    /// As the solver fails.
    fn failed(&mut self) -> Result<Vec<Lit>, SolveError>;

    /// The conflicts of all questions so far.
    fn n_conflicts(&self) -> u64;
}

/// The end of one call of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallEnd {
    /// Is there a model?
    Answer(bool),
    /// The conflicts that it was given did not do.
    Turn,
    /// A limit was reached, or somebody interrupted it.
    Interrupted,
}

/// Makes the solvers of a question: the default one, or one that the user chose.
#[derive(Clone, Default)]
pub struct EngineChoice(Option<Arc<dyn Fn() -> Box<dyn Oracle> + Send + Sync>>);

impl EngineChoice {
    pub(crate) fn of(make: impl Fn() -> Box<dyn Oracle> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(make)))
    }

    /// A new solver, unless it is the default one that is asked for.
    #[must_use]
    pub fn chosen(&self) -> Option<Box<dyn Oracle>> {
        self.0.as_ref().map(|make| make())
    }

    /// True if the user chose a solver.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_chosen(&self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_chosen() { "chosen" } else { "default" })
    }
}

/// The way of asking: the limits and the solver of every question of a builder.
#[derive(Clone, Debug, Default)]
pub struct Asking {
    /// The limits of each question.
    pub limits: Limits,
    /// The solver.
    pub engine: EngineChoice,
}

impl Asking {
    /// Starts the clock of a question.
    #[must_use]
    pub fn start(&self) -> Clock {
        Clock { engine: self.engine.clone(), ..self.limits.start() }
    }

    /// The limits of a question that is part of one whose clock runs: its time is that which is left.
    #[must_use]
    pub fn rest(&self, clock: &Clock) -> Limits {
        let limits = self.limits.clone();
        clock.time_left().map_or(limits.clone(), |left| limits.time(left))
    }
}

impl Limits {
    /// Starts the clock.
    #[doc(hidden)]
    #[must_use]
    pub fn start(&self) -> Clock {
        let running = (!self.is_none()).then(|| {
            let begun = Instant::now();
            Arc::new(RunningClock {
                begun,
                deadline: self.time.and_then(|time| begun.checked_add(time)),
                conflicts: self.conflicts.map(AtomicU64::new),
                memory: self.memory,
                looked: AtomicU64::new(0),
                cancel: self.cancel.clone(),
                counter: self.counter.clone(),
                stopped: AtomicU8::new(0),
            })
        });
        Clock { running, ..Clock::default() }
    }
}

/// Running [`Limits`], and the solver of the question that they are for.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    running: Option<Arc<RunningClock>>,
    pause: Option<Instant>,
    /// Ends it beside the limits, when another thread has the answer.
    halt: Option<Arc<AtomicBool>>,
    engine: EngineChoice,
}

#[derive(Debug)]
struct RunningClock {
    begun: Instant,
    deadline: Option<Instant>,
    /// The conflicts that are left.
    conflicts: Option<AtomicU64>,
    memory: Option<u64>,
    /// The milliseconds after the beginning at which the memory is looked at next.
    looked: AtomicU64,
    cancel: Option<Arc<AtomicBool>>,
    counter: Option<Arc<AtomicU64>>,
    /// One more than the place in [`REASONS`] of what has ended it, 0 before.
    stopped: AtomicU8,
}

const REASONS: [Stopped; 4] = [Stopped::Cancelled, Stopped::Time, Stopped::Conflicts, Stopped::Memory];

impl RunningClock {
    fn stopped(&self) -> Option<Stopped> {
        let known = self.stopped.load(Ordering::Relaxed);
        if known != 0 {
            return Some(REASONS[usize::from(known) - 1]);
        }
        let conflicts = || self.conflicts.as_ref().is_some_and(|left| left.load(Ordering::Relaxed) == 0);
        let reasons = [
            self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)),
            self.deadline.is_some_and(|deadline| Instant::now() >= deadline),
            conflicts(),
            self.memory.is_some_and(|most| self.is_large(most)),
        ];
        let at = reasons.iter().position(|&is_over| is_over)?;
        self.stopped.store(at as u8 + 1, Ordering::Relaxed);
        Some(REASONS[at])
    }

    fn is_large(&self, most: u64) -> bool {
        let now = self.begun.elapsed().as_millis() as u64;
        if now < self.looked.load(Ordering::Relaxed) {
            return false;
        }
        self.looked.store(now + MEMORY_EVERY, Ordering::Relaxed);
        resident_memory().is_some_and(|bytes| bytes > most)
    }
}

/// The bytes of memory that the process has, as far as the system tells.
#[must_use]
pub fn resident_memory() -> Option<u64> {
    memory_stats::memory_stats().map(|stats| stats.physical_mem as u64)
}

impl Clock {
    /// True if there is anything to watch.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.running.is_some() || self.pause.is_some() || self.halt.is_some()
    }

    /// The limit that was reached.
    #[must_use]
    pub fn stopped(&self) -> Option<Stopped> {
        self.running.as_ref()?.stopped()
    }

    /// True when it is time to give up, or to pause.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let is_halted = self.halt.as_ref().is_some_and(|halt| halt.load(Ordering::Relaxed));
        is_halted || self.stopped().is_some() || self.pause.is_some_and(|pause| Instant::now() >= pause)
    }

    /// [`SolveError::Interrupted`] when it is time to give up.
    ///
    /// # Errors
    /// As the solver fails, or the clock runs out.
    pub fn check(&self) -> Result<(), SolveError> {
        if self.is_over() { Err(self.interrupted()) } else { Ok(()) }
    }

    /// The end of a question that has no answer: the limit that was reached or, if there is none, the solver.
    #[must_use]
    pub fn why(&self) -> Stopped {
        self.stopped().unwrap_or(if self.is_over() { Stopped::Cancelled } else { Stopped::Solver })
    }

    /// [`SolveError::Interrupted`], and [why](Self::why).
    #[must_use]
    pub fn interrupted(&self) -> SolveError {
        SolveError::Interrupted(self.why())
    }

    /// The time that is left, if it is limited.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let ends = [self.running.as_ref().and_then(|running| running.deadline), self.pause];
        Some(ends.into_iter().flatten().min()?.saturating_duration_since(Instant::now()))
    }

    /// Waits, unless it is over before.
    ///
    /// # Errors
    /// When it is over.
    pub fn sleep(&self, time: Duration) -> Result<(), SolveError> {
        let begun = Instant::now();
        while begun.elapsed() < time {
            self.check()?;
            std::thread::sleep(PAUSE);
        }
        self.check()
    }

    /// These limits, which also seem to be over at `pause`.
    #[must_use]
    pub fn paused(&self, pause: Option<Instant>) -> Self {
        Self { pause, ..self.clone() }
    }

    /// These limits, which are over when `halt` is raised, too.
    #[must_use]
    pub fn halted(self, halt: Arc<AtomicBool>) -> Self {
        Self { halt: Some(halt), ..self }
    }

    /// These limits, for a question to another solver.
    #[must_use]
    pub fn with_engine(self, engine: EngineChoice) -> Self {
        Self { engine, ..self }
    }

    /// The solver of the question.
    #[must_use]
    pub const fn engine(&self) -> &EngineChoice {
        &self.engine
    }

    /// Counts a conflict while a solver searches, where somebody wants to know.
    pub fn count_conflict(&self) {
        if let Some(total) = self.running.as_ref().and_then(|running| running.counter.as_ref()) {
            total.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The conflicts that the question may still take.
    #[must_use]
    pub fn conflicts_left(&self) -> u64 {
        let left = self.running.as_ref().and_then(|running| running.conflicts.as_ref());
        left.map_or(u64::MAX, |left| left.load(Ordering::Relaxed))
    }

    /// Puts a question to a solver by `call`, which is told how many conflicts it may take, and says how it ended and
    /// how many it took; `None` if `conflicts` did not do.
    ///
    /// # Errors
    /// As `call` fails, or [`SolveError::Interrupted`] when it was, or the clock has run out.
    pub fn ask(
        &self,
        conflicts: u64,
        call: impl FnOnce(u64) -> Result<(CallEnd, u64), SolveError>,
    ) -> Result<Option<bool>, SolveError> {
        self.check()?;
        let most = self.conflicts_left();
        let (end, spent) = call(conflicts.min(most))?;
        // Solvers may stop before they have taken all: then nothing is left all the same.
        let is_last = end == CallEnd::Turn && most <= conflicts;
        self.spend(if is_last { most } else { spent });
        match end {
            CallEnd::Answer(answer) => Ok(Some(answer)),
            CallEnd::Turn if !is_last => Ok(None),
            CallEnd::Turn | CallEnd::Interrupted => Err(self.interrupted()),
        }
    }

    /// Takes conflicts off those that are left.
    pub fn spend(&self, conflicts: u64) {
        if let Some(left) = self.running.as_ref().and_then(|running| running.conflicts.as_ref()) {
            left.store(left.load(Ordering::Relaxed).saturating_sub(conflicts), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a call ended, what it took, and what becomes of the question and of the ten conflicts that it may take.
    #[test]
    fn ends_of_calls() {
        use CallEnd::{Answer, Interrupted, Turn};
        let stopped = Err(Stopped::Conflicts);
        for (conflicts, most, (end, spent), answer, left) in [
            (4, 4, (Answer(true), 3), Ok(Some(true)), 7),
            (u64::MAX, 10, (Answer(false), 10), Ok(Some(false)), 0),
            (4, 4, (Turn, 4), Ok(None), 6),
            (10, 10, (Turn, 10), stopped, 0),
            // A solver that counts otherwise is not asked for ever.
            (u64::MAX, 10, (Turn, 8), stopped, 0),
            (4, 4, (Interrupted, 1), Err(Stopped::Solver), 9),
        ] {
            let clock = Limits::none().conflicts(10).start();
            let found = clock.ask(conflicts, |given| {
                assert_eq!(given, most);
                Ok((end, spent))
            });
            let found = found.map_err(|error| match error {
                SolveError::Interrupted(stopped) => stopped,
                error => panic!("{error}"),
            });
            assert_eq!((found, clock.conflicts_left()), (answer, left), "{conflicts} {end:?} {spent}");
        }
        let over = Limits::none().conflicts(0).start();
        assert!(over.ask(4, |_| unreachable!()).is_err());
    }
}
