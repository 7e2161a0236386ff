//! Constraints that a [`Formula`](super::Formula) has as clauses because it could not keep them: their auxiliaries,
//! which are none of the caller's variables, and the first of them, which no proof can start from. Variables that a
//! text hides are none of the caller's, too.

use std::any::Any;
use std::fmt;
use std::ops::Range;

use rustsat::types::Lit;

use crate::{BoolExpr, sort};

/// An expression, and where its clauses are.
#[derive(Clone, Debug)]
pub(super) struct SaidExpr {
    pub(super) expr: BoolExpr,
    pub(super) cond: Vec<Lit>,
    /// It has a literal, and need not hold.
    pub(super) is_literal: bool,
    pub(super) counts_models: bool,
    /// The first auxiliary.
    pub(super) first: u32,
    pub(super) clauses: Range<usize>,
}

/// The constraints that were written out at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Aside {
    /// The auxiliaries, ascending.
    auxiliaries: Vec<Range<u32>>,
    /// The first constraint, in words.
    constraint: Option<String>,
    /// The constraints that are being written, one within the other, and the first variable of the outermost.
    open: (u32, u32),
    /// The expressions, in the order of their clauses.
    said: Vec<SaidExpr>,
    /// The expression whose clauses come next.
    next: Option<SaidExpr>,
    /// A text said which variables are the caller's.
    pub(super) shows: bool,
}

impl Aside {
    /// Takes note of what will be written next.
    pub(super) fn say(&mut self, what: &dyn Any, cond: &[Lit], is_literal: bool, counts_models: bool) {
        let said = |expr: &BoolExpr| SaidExpr {
            expr: expr.clone(),
            cond: cond.to_vec(),
            is_literal,
            counts_models,
            first: 0,
            clauses: 0..0,
        };
        self.next = what.downcast_ref().filter(|_| self.open.0 == 0).map(said);
    }

    /// The expressions that were written out with auxiliaries.
    pub(super) fn said(&self) -> &[SaidExpr] {
        &self.said
    }

    /// Takes note that a constraint begins, with its words, or ends; so many variables and clauses are there then.
    pub(super) fn note(&mut self, begins: Option<&dyn fmt::Display>, n_vars: u32, n_clauses: usize) {
        let (depth, first) = self.open;
        let Some(words) = begins else {
            self.open.0 = depth.saturating_sub(1);
            if depth == 1 {
                self.take(first..n_vars);
                self.said
                    .extend(self.next.take().map(|said| SaidExpr { clauses: said.clauses.start..n_clauses, ..said }));
            }
            return;
        };
        self.open = if depth == 0 { (1, n_vars) } else { (depth + 1, first) };
        if let Some(said) = &mut self.next {
            if depth == 0 {
                (said.first, said.clauses) = (n_vars, n_clauses..n_clauses);
            }
        } else if self.constraint.is_none() {
            self.constraint = Some(words.to_string()).filter(|words| !words.is_empty());
        }
    }

    /// Takes note of auxiliaries above all others.
    pub(super) fn take(&mut self, vars: Range<u32>) {
        match self.auxiliaries.last_mut() {
            Some(last) if last.end == vars.start => last.end = vars.end,
            _ if vars.is_empty() => {}
            _ => self.auxiliaries.push(vars),
        }
    }

    /// Says which of the first variables, ascending, are the caller's, auxiliaries aside.
    pub(super) fn show(&mut self, shown: impl Iterator<Item = u32>, n_vars: u32) {
        let before = std::mem::take(self);
        let mut next = 0;
        for var in shown.filter(|&var| !before.has(var)).chain([n_vars]) {
            if next < var {
                self.auxiliaries.push(next..var);
            }
            next = var + 1;
        }
        *self = Self { auxiliaries: std::mem::take(&mut self.auxiliaries), shows: true, ..before };
    }

    fn has(&self, var: u32) -> bool {
        let at = self.auxiliaries.partition_point(|range| range.end <= var);
        self.auxiliaries.get(at).is_some_and(|range| range.contains(&var))
    }

    /// These auxiliaries and more of a formula that has no constraint aside.
    pub(super) fn with(&self, more: impl Iterator<Item = u32>) -> Self {
        let more = more.filter(|&var| !self.has(var)).map(|var| var..var + 1);
        let mut all: Vec<Range<u32>> = self.auxiliaries.iter().cloned().chain(more).collect();
        sort::by_key(&mut all, |vars| vars.start.into());
        let mut aside = Self { shows: self.shows, ..Self::default() };
        all.into_iter().for_each(|vars| aside.take(vars));
        aside
    }

    /// The first constraint that was written out by an encoding.
    pub(super) fn constraint(&self) -> Option<&str> {
        self.constraint.as_deref()
    }

    /// All variables but the auxiliaries, ascending.
    pub(super) fn others(&self, n_vars: u32) -> impl Iterator<Item = u32> {
        let starts = std::iter::once(0).chain(self.auxiliaries.iter().map(|range| range.end));
        let ends = self.auxiliaries.iter().map(|range| range.start).chain([n_vars]);
        starts.zip(ends).flat_map(|(start, end)| start..end)
    }
}
