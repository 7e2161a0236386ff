//! [`Interrupter`]: the end of a search that looks at a clock by itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustsat::solvers::InterruptSolver;

use crate::running::Clock;

/// Interrupts the search that runs, or the next one.
///
/// ```
/// use cnfkit::rustsat::solvers::{Interrupt, InterruptSolver};
/// use cnfkit::solvers::{BatSat, Interrupter};
/// let interrupter: Interrupter = BatSat::default().interrupter();
/// let other = std::thread::spawn(move || interrupter.interrupt());
/// assert!(other.join().is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupter(Arc<SharedInterrupt>);

#[derive(Debug, Default)]
struct SharedInterrupt {
    interrupted: AtomicBool,
    clock: Mutex<Option<Clock>>,
}

impl InterruptSolver for Interrupter {
    fn interrupt(&self) {
        self.0.interrupted.store(true, Ordering::Relaxed);
    }
}

impl Interrupter {
    /// The next searches look at this clock by themselves, without another thread.
    pub(crate) fn heed(&self, clock: Option<&Clock>) {
        *self.0.clock.lock().unwrap_or_else(PoisonError::into_inner) = clock.cloned();
    }

    /// The clock of the search that begins.
    pub fn clock(&self) -> Option<Clock> {
        self.0.clock.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// True if the search is to end.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.0.interrupted.load(Ordering::Relaxed)
    }

    /// The search is over.
    pub fn clear(&self) {
        self.0.interrupted.store(false, Ordering::Relaxed);
    }
}
