//! Questions that may take long: asked on a thread of their own, without the GIL, while the calling thread looks for
//! signals and reports progress; they end soon after a signal, an exception in a callback, or their time limit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cnfkit::ask::Stopped;
use cnfkit::{Limits, SolveError};
use pyo3::BoundObject;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

use crate::convert::{named, natural};
use crate::errors::{panicked, unsolved};

/// The longest time between two looks for signals.
const PAUSE: Duration = Duration::from_millis(20);
/// The time between two reports of progress.
pub(crate) const REPORT: Duration = Duration::from_millis(100);
/// Room for recursion, as the main thread has it.
const STACK: usize = 8 << 20;

/// A time limit in seconds; `None` is none, and so is what is beyond a duration.
fn duration(time_limit: Option<f64>) -> PyResult<Option<Duration>> {
    match time_limit {
        Some(seconds) if seconds.is_nan() || seconds < 0.0 => {
            Err(PyValueError::new_err(format!("a time limit of {seconds} s: 0 or more are allowed")))
        }
        _ => Ok(time_limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())),
    }
}

/// The end of a time limit that begins now.
pub(crate) fn end_of(time_limit: Option<f64>) -> PyResult<Option<Instant>> {
    Ok(duration(time_limit)?.and_then(|time| Instant::now().checked_add(time)))
}

/// Limits of a question: its time in seconds, and a flag that ends it.
pub(crate) fn limits(time_limit: Option<f64>) -> PyResult<(Limits, Arc<AtomicBool>)> {
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits::none().cancel(flag.clone());
    Ok((duration(time_limit)?.map_or(limits.clone(), |time| limits.time(time)), flag))
}

/// Answers a question; `question` gets its limits.
pub(crate) fn ask<T: Send>(
    py: Python<'_>,
    time_limit: Option<f64>,
    question: impl FnOnce(Limits) -> PyResult<T> + Send,
) -> PyResult<T> {
    ask_showing(py, time_limit, None, question)
}

/// Answers a question, and calls `on_progress` with a `Progress` ten times a second meanwhile.
pub(crate) fn ask_showing<T: Send>(
    py: Python<'_>,
    time_limit: Option<f64>,
    on_progress: Option<&Bound<'_, PyAny>>,
    question: impl FnOnce(Limits) -> PyResult<T> + Send,
) -> PyResult<T> {
    ask_until(py, time_limit, on_progress, None, |limits, _| question(limits))
}

/// Answers a question until another thread raises `interrupted`; `question` gets its limits, and the flag that is
/// raised when it is to end.
pub(crate) fn ask_until<T: Send>(
    py: Python<'_>,
    time_limit: Option<f64>,
    on_progress: Option<&Bound<'_, PyAny>>,
    interrupted: Option<&AtomicBool>,
    question: impl FnOnce(Limits, &AtomicBool) -> PyResult<T> + Send,
) -> PyResult<T> {
    let (mut limits, flag) = limits(time_limit)?;
    let conflicts = Arc::new(AtomicU64::new(0));
    if on_progress.is_some() {
        limits = limits.count_conflicts(Arc::clone(&conflicts));
    }
    let (begun, mut reports) = (Instant::now(), 0);
    let raise = || flag.fetch_or(interrupted.is_some_and(|it| it.load(Ordering::Relaxed)), Ordering::Relaxed);
    raise();
    let meanwhile = || {
        raise();
        let elapsed = begun.elapsed();
        let Some(function) = on_progress.filter(|_| elapsed > REPORT * (reports + 1)) else { return Ok(()) };
        reports = (elapsed.as_millis() / REPORT.as_millis()) as u32;
        let now = named(py, "Progress", (elapsed.as_secs_f64(), conflicts.load(Ordering::Relaxed)))?;
        function.call1((now,)).map(|_| ())
    };
    wait(py, &flag, meanwhile, || question(limits, &flag))
}

/// Calls of a Python function from a question. The first exception ends the question, and is its error.
pub(crate) struct Callback {
    function: Option<Py<PyAny>>,
    flag: Arc<AtomicBool>,
    error: Option<PyErr>,
}

impl Callback {
    pub(crate) const fn new(function: Option<Py<PyAny>>, flag: Arc<AtomicBool>) -> Self {
        Self { function, flag, error: None }
    }

    pub(crate) fn call(
        &mut self,
        args: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>>,
    ) {
        let Some(function) = &self.function else { return };
        if self.error.is_some() {
            return;
        }
        if let Err(error) = Python::attach(|py| function.call1(py, args(py)?)) {
            self.error = Some(error);
            self.flag.store(true, Ordering::Relaxed);
        }
    }

    /// The answer, unless a call failed.
    pub(crate) fn end<T>(self, answer: PyResult<T>) -> PyResult<T> {
        self.error.map_or(answer, Err)
    }
}

/// Runs `work` on a thread of its own; a signal raises `flag`, and so does an error of `meanwhile`, which is called
/// again and again.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    flag: &AtomicBool,
    mut meanwhile: impl FnMut() -> PyResult<()>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let (done, caller) = (AtomicBool::new(false), thread::current());
    let mut ended = Ok(());
    let answer = thread::scope(|scope| {
        let run = || {
            let answer = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(&*panic)));
            done.store(true, Ordering::Release);
            caller.unpark();
            answer
        };
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run)?;
        while !done.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(PAUSE));
            if ended.is_ok() {
                ended = py.check_signals().and_then(|()| meanwhile());
                flag.fetch_or(ended.is_err(), Ordering::Relaxed);
            }
        }
        py.detach(|| worker.join()).unwrap_or_else(|panic| Err(panicked(&*panic)))
    });
    ended.and(answer)
}

/// The result of work that nothing interrupts: after a signal, or at `end`, it goes on by itself until it ends, and
/// what it makes is dropped.
pub(crate) fn ask_apart<T: Send + 'static>(
    py: Python<'_>,
    end: Option<Instant>,
    work: impl FnOnce() -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = sync_channel(1);
    thread::Builder::new().stack_size(STACK).spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(&*panic)));
        // Nobody may wait for it any more.
        let _ = send.send(result);
    })?;
    let receive = Mutex::new(receive);
    loop {
        let result = py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PAUSE));
        match result {
            Ok(result) => return result,
            Err(RecvTimeoutError::Disconnected) => return Err(panicked(&"no result")),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            return Err(unsolved(SolveError::Interrupted(Stopped::Time)));
        }
    }
}

/// A solution, made to a Python object when it is asked for.
type Make = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// A solution that becomes an object when it is asked for.
pub(crate) fn object<T>(solution: T) -> Make
where
    T: for<'py> IntoPyObject<'py, Error: Into<PyErr>> + Send + 'static,
{
    Box::new(|py| Ok(solution.into_pyobject(py).map_err(Into::into)?.into_bound().into_any().unbind()))
}

/// Solutions, one after the other; a thread searches for the next one until it is asked for.
#[pyclass(module = "cnfkit", frozen)]
pub(crate) struct Solutions {
    next: Mutex<Option<Receiver<PyResult<Make>>>>,
    flag: Arc<AtomicBool>,
}

impl Solutions {
    /// `search` hands each solution to its second argument until that returns false.
    pub(crate) fn new(
        time_limit: Option<f64>,
        search: impl FnOnce(Limits, &mut dyn FnMut(PyResult<Make>) -> bool) + Send + 'static,
    ) -> PyResult<Self> {
        let (limits, flag) = limits(time_limit)?;
        let (send, receive) = sync_channel(0);
        thread::Builder::new().stack_size(STACK).spawn(move || {
            let mut found = |solution| send.send(solution).is_ok();
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| search(limits, &mut found))) {
                found(Err(panicked(&*panic)));
            }
        })?;
        Ok(Self { next: Mutex::new(Some(receive)), flag })
    }
}

#[pymethods]
impl Solutions {
    const fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        loop {
            let found = py.detach(|| {
                let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
                let found = next.as_ref().map_or(Err(RecvTimeoutError::Disconnected), |next| next.recv_timeout(PAUSE));
                if matches!(found, Err(RecvTimeoutError::Disconnected) | Ok(Err(_))) {
                    *next = None;
                }
                found
            });
            match found {
                Ok(solution) => return solution?(py).map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    py.check_signals().inspect_err(|_| self.flag.store(true, Ordering::Relaxed))?;
                }
            }
        }
    }

    fn __repr__(&self) -> &'static str {
        "<solutions, each once>"
    }
}

impl Drop for Solutions {
    fn drop(&mut self) {
        self.flag.store(true, Ordering::Relaxed);
    }
}

/// The number of solutions, counted up to `limit`; without one, where it is not only the most that can be counted.
pub(crate) fn counted(
    limit: Option<&Bound<'_, PyAny>>,
    count: impl FnOnce(usize) -> PyResult<usize>,
) -> PyResult<usize> {
    let most = limit.map_or(Ok(usize::MAX), |limit| natural(limit, "limit").map(|limit| limit as usize))?;
    match count(most)? {
        usize::MAX if limit.is_none() => {
            Err(PyOverflowError::new_err("more solutions than can be counted: a `limit` ends sooner"))
        }
        count => Ok(count),
    }
}
