//! The words for a person who waits, and the end of a question that has no answer yet.
//!
//! A command makes one [`Watch`], hands its limits to every question (`.limits(watch.limits())`), and asks through
//! [`Watch::run`]. After two seconds a line says what is being done, where standard error is a terminal. Ctrl-C, the
//! signals that end programs (SIGTERM, SIGHUP), and the time limit raise the flag; a question that has not come back a
//! moment later, whatever it is doing, ends the program with exit code 2, or with the [`BestAnswer`] so far. So all are
//! answered within 0.2 seconds on every path, but for a proof, whose last lines may take two seconds. A signal after
//! that ends the program at once, in the middle of a line if need be.

use std::io::IsTerminal;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cnfkit::Limits;

use crate::say;

/// The time after which a line says what is being done.
const SILENCE: Duration = Duration::from_secs(2);
/// The time that a question may go on after Ctrl-C or the time limit: the library's own checks are milliseconds apart.
const GRACE: Duration = Duration::from_millis(120);
/// The time in which a proof is brought to its end.
const PROOF_GRACE: Duration = Duration::from_secs(2);
/// The exit code of a program that was stopped.
const STOPPED: u8 = 2;

/// Watches one question after another.
pub(crate) struct Watch {
    cancel: Arc<AtomicBool>,
    shared: Arc<SharedWatch>,
    is_verbose: bool,
}

struct SharedWatch {
    now: Mutex<Now>,
    changed: Condvar,
}

#[derive(Default)]
struct Now {
    /// The question that is running, when it started, and whether that was said.
    task: Option<(String, Instant, bool)>,
    /// The time limit, and when it is over.
    limit: Option<(Duration, Instant)>,
    /// True while a proof is written.
    proves: bool,
    /// The reason and the time of the order to stop.
    stopped: Option<(Stop, Instant)>,
    /// The last words when the program is stopped: its exit code, from the reason.
    last_words: Option<Box<dyn FnOnce(&str) -> u8 + Send>>,
}

#[derive(Clone, Copy)]
enum Stop {
    Interrupt,
    Limit(Duration),
}

impl Stop {
    fn reason(self) -> String {
        match self {
            Self::Interrupt => "interrupted".to_owned(),
            Self::Limit(limit) => format!("the time limit of {limit:?} is over"),
        }
    }
}

impl Now {
    const fn grace(&self) -> Duration {
        if self.proves { PROOF_GRACE } else { GRACE }
    }
}

impl SharedWatch {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    /// Watches from now on, with a limit in seconds on everything together; `is_verbose` says each question that is
    /// done, and its time.
    ///
    /// # Errors
    /// A message when the limit is no duration.
    pub(crate) fn new(seconds: Option<f64>, is_verbose: bool) -> Result<Self, String> {
        let limit = seconds
            .map(|seconds| match Duration::try_from_secs_f64(seconds) {
                // So long that it never ends.
                Err(_) if seconds > 0.0 => Ok(Duration::MAX),
                Err(_) => Err(format!("--time-limit: {seconds} seconds; allowed are 0 and more")),
                Ok(limit) => Ok(limit),
            })
            .transpose()?
            .and_then(|limit| Some((limit, Instant::now().checked_add(limit)?)));
        let shared =
            Arc::new(SharedWatch { now: Mutex::new(Now { limit, ..Now::default() }), changed: Condvar::new() });
        let cancel = Arc::new(AtomicBool::new(false));
        let (pressed, flag) = (Arc::clone(&shared), Arc::clone(&cancel));
        // Where Ctrl-C cannot be caught it ends the program by itself.
        let _ = ctrlc::set_handler(move || {
            flag.store(true, Ordering::Relaxed);
            let mut now = pressed.now();
            match now.stopped {
                // MiniZinc passes a signal on that its whole group got.
                Some((Stop::Interrupt, at)) if at.elapsed() < GRACE => {}
                Some((Stop::Interrupt, _)) => process::exit(STOPPED.into()),
                Some((Stop::Limit(_), at)) => now.stopped = Some((Stop::Interrupt, at)),
                None => now.stopped = Some((Stop::Interrupt, Instant::now())),
            }
            pressed.changed.notify_all();
        });
        let (watched, flag) = (Arc::clone(&shared), Arc::clone(&cancel));
        thread::spawn(move || keep_watch(&watched, &flag));
        Ok(Self { cancel, shared, is_verbose })
    }

    /// Limits of a question of the library, which the flag ends. Engines are told the time that is left, and a second
    /// more: what stops them is the flag.
    pub(crate) fn limits(&self) -> Limits {
        let limits = Limits::none().cancel(self.flag());
        let left = self.shared.now().limit.map(|(_, end)| end.saturating_duration_since(Instant::now()));
        left.map_or(limits.clone(), |left| limits.time(left.saturating_add(Duration::from_secs(1))))
    }

    /// The flag that ends a question: it becomes true at Ctrl-C and when the time limit is over.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// [`run`](Self::run) for work that writes a proof, which has the time to end it.
    pub(crate) fn prove<T>(&self, what: impl Into<String>, work: impl FnOnce() -> T) -> T {
        self.shared.now().proves = true;
        let result = self.run(what, work);
        self.shared.now().proves = false;
        result
    }

    /// Does `work`, which `what` names: "solving", "counting answers".
    pub(crate) fn run<T>(&self, what: impl Into<String>, work: impl FnOnce() -> T) -> T {
        self.begin(what.into());
        let result = work();
        self.end();
        result
    }

    fn begin(&self, what: String) {
        self.shared.now().task = Some((what, Instant::now(), false));
        self.shared.changed.notify_all();
    }

    fn end(&self) {
        let task = self.shared.now().task.take();
        if let Some((what, start, _)) = task.filter(|_| self.is_verbose) {
            eprintln!("{what}: {:.3} s", start.elapsed().as_secs_f64());
        }
    }

    /// The best answer so far, `start` at first, for a program that has an answer before its questions are over. Where
    /// it is stopped, `last` says what is known in the end, and gives the exit code; it is given the reason, too.
    pub(crate) fn known<T: Send + 'static>(
        &self,
        start: T,
        last: impl FnOnce(&mut T, &str) -> u8 + Send + 'static,
    ) -> BestAnswer<T> {
        let known = BestAnswer(Arc::new(Mutex::new(start)));
        let shared = BestAnswer(Arc::clone(&known.0));
        self.shared.now().last_words = Some(Box::new(move |reason| shared.conclude(|known| last(known, reason))));
        known
    }

    /// The reason why a question failed: Ctrl-C or the time limit if it was one of these, else `error`.
    pub(crate) fn explain(&self, error: String) -> String {
        self.stopped().map_or(error, |reason| format!("{reason}: no answer yet"))
    }

    /// Ctrl-C or the time limit, if it was one of these that ended a question.
    pub(crate) fn stopped(&self) -> Option<String> {
        self.shared.now().stopped.map(|(stop, _)| stop.reason())
    }
}

/// The best answer so far. Whoever is first says it in the end: the program, or its [`Watch`] where it is stopped.
pub(crate) struct BestAnswer<T>(Arc<Mutex<T>>);
impl<T> BestAnswer<T> {
    /// Changes what is known, and says what belongs to that: nothing comes between.
    pub(crate) fn update<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Says what is known in the end. From then on nobody else says anything.
    pub(crate) fn conclude<R>(&self, last: impl FnOnce(&mut T) -> R) -> R {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let said = last(&mut known);
        std::mem::forget(known);
        said
    }
}

fn keep_watch(shared: &SharedWatch, cancel: &AtomicBool) {
    let mut now = shared.now();
    loop {
        let at = Instant::now();
        if let Some((limit, end)) = now.limit
            && at >= end
            && now.stopped.is_none()
        {
            cancel.store(true, Ordering::Relaxed);
            now.stopped = Some((Stop::Limit(limit), at));
        }
        if let Some((what, since, said)) = &mut now.task
            && !*said
            && at >= *since + SILENCE
        {
            *said = true;
            // Others who read it, such as MiniZinc, take the line for an answer or an error.
            if std::io::stderr().is_terminal() {
                eprintln!("{what} … (Ctrl-C stops it)");
            }
        }
        // After Ctrl-C also what is no question ends, such as a long output; the time limit lets an answer be written.
        if let Some((stop, since)) = now.stopped
            && at >= since + now.grace()
            && (matches!(stop, Stop::Interrupt) || now.task.is_some())
        {
            let what = now.task.as_ref().map(|(what, ..)| format!(" ({what})")).unwrap_or_default();
            let code = match now.last_words.take() {
                Some(last_words) => {
                    drop(now); // whoever holds what is known may be waiting for this
                    last_words(&stop.reason())
                }
                None => {
                    say::error(&format!("{}{what}", stop.reason()));
                    STOPPED
                }
            };
            process::exit(code.into());
        }
        let next = [
            now.task.as_ref().filter(|(.., said)| !said).map(|&(_, since, _)| since + SILENCE),
            now.limit.filter(|_| now.stopped.is_none()).map(|(_, end)| end),
            now.stopped
                .filter(|(stop, _)| matches!(stop, Stop::Interrupt) || now.task.is_some())
                .map(|(_, at)| at + now.grace()),
        ];
        now = match next.into_iter().flatten().min() {
            None => shared.changed.wait(now).unwrap_or_else(PoisonError::into_inner),
            Some(next) => {
                let wait = next.saturating_duration_since(Instant::now());
                shared.changed.wait_timeout(now, wait).unwrap_or_else(PoisonError::into_inner).0
            }
        };
    }
}
