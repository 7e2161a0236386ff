//! Work on threads of its own: how many questions run at once, how long, and who may stop them.
//!
//! A question gets a place ([`Jobs::place`]), or is told to come again. Its work gets a [`Work`]: the time that is
//! left, a flag that somebody raises when nobody waits any more, and a board to write on how far it has come. The place
//! is free when the work has really ended, so no more threads work than there are places, whatever the clients do.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use cnfkit::Limits;
use cnfkit::solvers::External;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::engines::{self, Engine};
use crate::memory::{Memory, Share};
use crate::problem::Problem;

/// The time of a question that names none, and the most it may name, in milliseconds.
pub const TIME: u64 = 10_000;
/// See [`TIME`].
pub const MOST_TIME: u64 = 120_000;
/// Questions that may wait for a place, and how long one waits before it is told to come again.
const WAITING: usize = 32;
const PATIENCE: Duration = Duration::from_secs(1);
/// The stack of a thread that works on a question.
const STACK: usize = 16 << 20;
/// The time between two looks at the memory that is taken: a solver takes less than 50 MiB in it.
const LOOK: Duration = Duration::from_millis(25);

/// The places of questions.
#[derive(Clone, Debug)]
pub struct Jobs {
    places: Arc<Semaphore>,
    most: usize,
    waiting: Arc<AtomicUsize>,
    patience: Duration,
    memory: Memory,
}

impl Jobs {
    /// Room for `most` questions at once, which have `bytes` bytes together.
    #[must_use]
    pub fn new(most: usize, bytes: usize) -> Self {
        let (places, memory) = (Arc::new(Semaphore::new(most)), Memory::new(bytes));
        Self { places, most, waiting: Arc::default(), patience: PATIENCE, memory }
    }

    /// Work that has so much time from now on, and a share of the memory.
    #[must_use]
    pub fn work(&self, time: Duration) -> Work {
        let stop = Arc::default();
        let share = self.memory.share(Arc::clone(&stop));
        Work { deadline: Instant::now() + time, stop, progress: Arc::default(), share, engine: None }
    }

    /// The number of questions that are being worked on.
    #[must_use]
    pub fn running(&self) -> usize {
        self.most - self.places.available_permits().min(self.most)
    }

    /// A place, at once or within a second.
    ///
    /// # Errors
    /// 429 when all places are taken that long, or too many questions wait for one already.
    pub async fn place(&self) -> Result<Place, Problem> {
        if let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(Place(permit));
        }
        let one_more = Waiting::new(&self.waiting);
        if one_more.before < WAITING {
            let permit = tokio::time::timeout(self.patience, Arc::clone(&self.places).acquire_owned()).await;
            if let Ok(Ok(permit)) = permit {
                return Ok(Place(permit));
            }
        }
        let text = format!("{} questions are being worked on, and no more than that are at once: ask again", self.most);
        Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, text))
    }
}

/// The right to work on one question.
#[derive(Debug)]
pub struct Place(OwnedSemaphorePermit);

/// One more that waits, as long as it lives.
struct Waiting<'a> {
    count: &'a AtomicUsize,
    before: usize,
}

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        Self { count, before: count.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How far a question has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// The step that is being done.
    pub text: String,
    /// Steps done.
    pub done: u64,
    /// Steps there are, where that is known.
    pub of: Option<u64>,
}

/// The world as the work on a question sees it: its time, whether to stop, and where to say how far it is.
#[derive(Clone, Debug)]
pub struct Work {
    deadline: Instant,
    stop: Arc<AtomicBool>,
    progress: Arc<Mutex<Progress>>,
    share: Arc<Share>,
    engine: Option<Engine>,
}

impl Work {
    /// Work on its own that has so much time from now on.
    #[must_use]
    pub fn new(time: Duration) -> Self {
        Jobs::new(1, usize::MAX / 2).work(time)
    }

    /// Sets memory apart, before it is taken; once for the largest thing that the question builds.
    ///
    /// # Errors
    /// 413 or 503 when there is not so much.
    pub fn reserve(&self, bytes: usize) -> Result<(), Problem> {
        self.share.reserve(bytes)
    }

    /// This work, to be done by an engine.
    #[must_use]
    pub fn by(self, engine: Option<Engine>) -> Self {
        Self { engine, ..self }
    }

    /// The solvers of the engine that is to answer, if there is one; its memory is set apart beside what is already.
    ///
    /// # Errors
    /// As [`reserve`](Self::reserve).
    pub fn engine(&self) -> Result<Option<impl Fn() -> External + Send + Sync + 'static>, Problem> {
        if self.engine.is_some() {
            self.reserve(self.share.bytes() as usize + engines::MOST)?;
        }
        Ok(self.engine.as_ref().map(Engine::make))
    }

    /// The time that is left.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// The flag that stops the work.
    #[must_use]
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Time and flag as the library takes them.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits::none().time(self.left()).cancel(self.stop())
    }

    /// Nothing, while there is time and somebody waits.
    ///
    /// # Errors
    /// 504 when that is over.
    pub fn check(&self) -> Result<(), Problem> {
        if self.stop.load(Ordering::Relaxed) || self.left().is_zero() { Err(Problem::out_of_time()) } else { Ok(()) }
    }

    /// Says how far it is.
    pub fn say(&self, text: &str, done: u64, of: Option<u64>) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        *progress = Progress { text: text.to_owned(), done, of };
    }

    /// The last report.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Raises the flag when it is dropped: whoever waits for the answer holds it.
    #[must_use]
    pub fn watch(&self) -> Watch {
        Watch(self.stop())
    }
}

/// Stops the work when it is dropped.
#[derive(Debug)]
pub struct Watch(Arc<AtomicBool>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Jobs {
    /// Starts the work on a thread of its own; the answer comes through the channel, or nothing if the work panicked.
    pub fn start<T, F>(&self, place: Place, work: Work, run: F) -> oneshot::Receiver<Result<T, Problem>>
    where
        T: Send + 'static,
        F: FnOnce(&Work) -> Result<T, Problem> + Send + 'static,
    {
        let (send, receive) = oneshot::channel();
        let (memory, share) = (self.memory.clone(), Arc::downgrade(&work.share));
        // The thread ends with the question, and the allocator gives back what the thread had.
        let thread = std::thread::Builder::new().name("question".into()).stack_size(STACK);
        let started = thread.spawn(move || {
            let Place(permit) = place;
            let answer = run(&work).map_err(|problem| match &work.share {
                share if share.is_over() && problem.is_interruption() => Problem::no_memory(share.most_mib()),
                _ => problem,
            });
            drop(work);
            drop(permit);
            // Nobody may wait for it any more.
            let _ = send.send(answer);
        });
        // A question whose thread does not start has no answer, as one that panicked.
        drop(started);
        tokio::spawn(async move {
            while share.strong_count() > 0 {
                memory.relieve();
                tokio::time::sleep(LOOK).await;
            }
        });
        receive
    }
}
