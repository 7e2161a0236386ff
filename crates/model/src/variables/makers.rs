//! [`Makers`]: which model made which variables.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::expr::IntVar;

/// The models that made the variables of one model: itself, and before it the models that it is a clone of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Makers(
    /// Numbers of models, each with the first of its variables, ascending.
    Arc<Vec<(u32, u32)>>,
);

impl Makers {
    fn next() -> u32 {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }

    /// The variable of this number.
    pub(crate) fn var(&self, index: u32) -> IntVar {
        let after = self.0.partition_point(|&(first, _)| first <= index);
        IntVar { model: self.0[after - 1].1, index }
    }

    /// True if a variable of this number would be that one.
    pub(crate) fn made(&self, var: IntVar) -> bool {
        self.var(var.index).model == var.model
    }

    /// True if those made the first variables.
    pub(crate) fn begin_with(&self, first: &Self) -> bool {
        self.0.starts_with(&first.0)
    }

    /// For what is known of the first variables, `n` of them.
    ///
    /// # Panics
    /// When the variable belongs to another model, or was made after the question was asked.
    #[track_caller]
    pub(crate) fn check(&self, var: IntVar, n: usize) {
        assert!((var.index as usize) < n || !self.made(var), "a variable that was made after the question was asked");
        assert!(self.made(var), "a variable of another model");
    }

    /// The makers of the first variables, `n` of them.
    pub(crate) fn until(&self, n: usize) -> Self {
        let kept = self.0.iter().take_while(|&&(first, _)| first == 0 || (first as usize) < n).count();
        if kept == self.0.len() { self.clone() } else { Self(Arc::new(self.0[..kept].to_vec())) }
    }
}

/// The makers of a model's variables; those of its clone are other ones from then on.
#[derive(Debug)]
pub(crate) struct Lineage {
    pub(crate) makers: Makers,
    /// Nothing was made since it was cloned.
    is_clone: bool,
}

impl Lineage {
    pub(crate) fn new() -> Self {
        Self { makers: Makers(Arc::new(vec![(0, Makers::next())])), is_clone: false }
    }

    /// For a model that takes the variables of another for its own, as long as both make the same.
    #[cfg(test)]
    pub(crate) fn twin(&self) -> Self {
        Self { makers: self.makers.clone(), is_clone: false }
    }

    /// A new variable of this number.
    pub(crate) fn make(&mut self, index: u32) -> IntVar {
        if std::mem::take(&mut self.is_clone) {
            let makers = Arc::make_mut(&mut self.makers.0);
            makers.retain(|&(first, _)| first < index);
            makers.push((index, Makers::next()));
        }
        self.makers.var(index)
    }
}

impl Clone for Lineage {
    fn clone(&self) -> Self {
        Self { makers: self.makers.clone(), is_clone: true }
    }
}
