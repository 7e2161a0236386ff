//! The memory of all questions together: what each will need is known before it begins, and what they have is counted.
//!
//! A [`Memory`] is a limit in bytes. Every question has a [`Share`] of it from its place to its end. A question that
//! can tell how large its formula becomes reserves that ([`Share::reserve`]) and is refused when it does not fit beside
//! the others. What a solver learns on the way cannot be told before; so while anything is worked on, the bytes that
//! the program has allocated are compared with the limit ([`Memory::relieve`]), and beyond it the question with the
//! largest reservation is stopped, of equal ones the one that came last. The limit is on allocated bytes: the resident
//! memory of the process is somewhat larger, by what the allocator keeps and by the program itself.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use cap::Cap;
use mimalloc::MiMalloc;

use crate::problem::Problem;

/// Counts what is allocated; it limits nothing itself, since an allocation that fails ends the program. The allocator
/// gives memory back to the system when a question has ended: with that of glibc, half of what a solver of a million
/// variables had stayed with the process, for each thread anew.
#[global_allocator]
static ALLOCATOR: Cap<MiMalloc> = Cap::new(MiMalloc, usize::MAX);

/// One MiB.
pub const MIB: usize = 1 << 20;

/// The limit, and who has a share of it.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Shares>);

#[derive(Debug)]
struct Shares {
    most: usize,
    /// In the order in which they came.
    all: Mutex<Vec<Weak<Share>>>,
}

impl Memory {
    /// A limit in bytes.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Shares { most, all: Mutex::default() }))
    }

    /// The share of one more question, which is stopped by `stop`.
    #[must_use]
    pub fn share(&self, stop: Arc<AtomicBool>) -> Arc<Share> {
        let share = Arc::new(Share {
            shares: Arc::clone(&self.0),
            bytes: AtomicU64::new(0),
            stop,
            over: AtomicBool::new(false),
        });
        let mut all = self.0.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|share| share.strong_count() > 0);
        all.push(Arc::downgrade(&share));
        share
    }

    /// Stops a question if more is allocated than the limit. While one that was stopped has not ended, no other is,
    /// unless a quarter more than the limit is allocated.
    pub fn relieve(&self) {
        self.relieve_of(ALLOCATOR.allocated());
    }

    fn relieve_of(&self, allocated: usize) {
        let most = self.0.most;
        if allocated <= most {
            return;
        }
        let shares = self.0.living();
        if allocated <= most + most / 4 && shares.iter().any(|share| share.is_over()) {
            return;
        }
        // The last of equal ones.
        let largest = shares.iter().filter(|share| !share.is_over()).max_by_key(|share| share.bytes());
        if let Some(largest) = largest {
            largest.over.store(true, Ordering::Relaxed);
            largest.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Shares {
    fn living(&self) -> Vec<Arc<Share>> {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(Weak::upgrade).collect()
    }
}

/// The memory that one question may take, as long as it lives.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    bytes: AtomicU64,
    stop: Arc<AtomicBool>,
    over: AtomicBool,
}

impl Share {
    /// Sets apart so many bytes for this question, in place of what it had reserved before.
    ///
    /// # Errors
    /// 413 when it is more than all questions together may have; 503 when others have too much of it.
    pub fn reserve(&self, bytes: usize) -> Result<(), Problem> {
        let most = self.shares.most;
        if bytes > most {
            return Err(Problem::too_much_memory(bytes.div_ceil(MIB), most / MIB));
        }
        // Looked at and taken under one lock, so that no two get the same bytes.
        let all = self.shares.all.lock().unwrap_or_else(PoisonError::into_inner);
        let living = all.iter().filter_map(Weak::upgrade).filter(|share| !std::ptr::eq(&raw const **share, self));
        let taken: u64 = living.map(|share| share.bytes()).sum();
        if taken + bytes as u64 > most as u64 {
            return Err(Problem::no_memory(most / MIB));
        }
        self.bytes.store(bytes as u64, Ordering::Relaxed);
        Ok(())
    }

    /// True if the question was stopped because all of them took too much.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The most MiB of all questions.
    #[must_use]
    pub fn most_mib(&self) -> usize {
        self.shares.most / MIB
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(memory: &Memory) -> Arc<Share> {
        memory.share(Arc::default())
    }

    #[test]
    fn what_does_not_fit_beside_the_others_is_refused_until_they_end() {
        let memory = Memory::new(100);
        let (one, two) = (share(&memory), share(&memory));
        assert_eq!(one.reserve(101).unwrap_err().status, 413);
        one.reserve(60).unwrap();
        assert_eq!(two.reserve(41).unwrap_err().status, 503);
        two.reserve(40).unwrap();
        two.reserve(30).unwrap();
        drop(one);
        two.reserve(100).unwrap();
    }

    #[test]
    fn the_largest_is_stopped_first_and_one_at_a_time() {
        let memory = Memory::new(100);
        let shares: Vec<_> = [10, 30, 30, 0].map(|bytes| (bytes, share(&memory))).into();
        shares.iter().for_each(|(bytes, share)| share.reserve(*bytes).unwrap());
        let over = || shares.iter().map(|(_, share)| share.is_over()).collect::<Vec<_>>();
        memory.relieve_of(100);
        assert_eq!(over(), [false; 4]);
        memory.relieve_of(101);
        memory.relieve_of(125);
        assert_eq!(over(), [false, false, true, false]);
        assert!(shares[2].1.stop.load(Ordering::Relaxed) && !shares[1].1.stop.load(Ordering::Relaxed));
        memory.relieve_of(126);
        assert_eq!(over(), [false, true, true, false]);
    }

    #[test]
    fn what_is_allocated_is_counted() {
        let before = ALLOCATOR.allocated();
        // Otherwise the compiler may do without it; other tests allocate and free beside this one, but far less.
        let block = std::hint::black_box(vec![1_u8; 256 * MIB]);
        assert!(ALLOCATOR.allocated() >= before + 128 * MIB, "{} bytes", block.len());
    }
}
