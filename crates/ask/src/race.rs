//! Work in several threads, where the first answer ends all.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Does `own` here and `other` with each number from 1 to `others` in a thread of its own; what each came to, by its
/// number, that of `own` being 0, and the error where there can be no further thread. An answer, as `is_answer` says
/// with the number, raises `halt`; so does a panic, which goes on to the caller.
pub fn race<T: Send>(
    halt: &AtomicBool,
    own: impl FnOnce() -> T,
    others: usize,
    other: impl Fn(usize) -> T + Sync,
    is_answer: impl Fn(usize, &T) -> bool + Sync,
) -> Vec<io::Result<T>> {
    let (other, is_answer) = (&other, &is_answer);
    thread::scope(|scope| {
        let begin = |at| move || ending(halt, || other(at), |found| is_answer(at, found));
        let threads: Vec<_> = (1..=others).map(|at| thread::Builder::new().spawn_scoped(scope, begin(at))).collect();
        let own = ending(halt, own, |found| is_answer(0, found));
        let join = |thread: thread::ScopedJoinHandle<'_, T>| {
            thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked))
        };
        [Ok(own)].into_iter().chain(threads.into_iter().map(|thread| thread.map(join))).collect()
    })
}

/// Does the work, and raises `halt` with an answer or a panic.
fn ending<T>(halt: &AtomicBool, work: impl FnOnce() -> T, is_answer: impl FnOnce(&T) -> bool) -> T {
    let found = panic::catch_unwind(AssertUnwindSafe(work));
    halt.fetch_or(found.as_ref().map_or(true, is_answer), Ordering::Relaxed);
    found.unwrap_or_else(|panicked| panic::resume_unwind(panicked))
}
