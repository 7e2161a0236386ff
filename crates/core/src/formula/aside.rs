//! Constraints that a [`Formula`](super::Formula) has as clauses because it could not keep them: their auxiliaries,
//! which are none of the caller's variables, and the first of them, which no proof can start from. Variables that a
//! text hides are none of the caller's, too.

use std::fmt;
use std::ops::Range;

/// The constraints that were written out at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Aside {
    /// The auxiliaries, ascending.
    auxiliaries: Vec<Range<u32>>,
    /// The first constraint, in words.
    constraint: Option<String>,
    /// The constraints that are being written, one within the other, and the first variable of the outermost.
    open: (u32, u32),
}

impl Aside {
    /// Takes note that a constraint begins, with its words, or ends; `n_vars` variables are there then.
    pub(super) fn note(&mut self, begins: Option<&dyn fmt::Display>, n_vars: u32) {
        let (depth, first) = self.open;
        let Some(words) = begins else {
            self.open.0 = depth.saturating_sub(1);
            if depth == 1 {
                self.take(first..n_vars);
            }
            return;
        };
        self.open = if depth == 0 { (1, n_vars) } else { (depth + 1, first) };
        if self.constraint.is_none() {
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
        let before = std::mem::take(&mut self.auxiliaries);
        let is_auxiliary =
            |var: u32| before.get(before.partition_point(|range| range.end <= var)).is_some_and(|at| at.contains(&var));
        let mut next = 0;
        for var in shown.filter(|&var| !is_auxiliary(var)).chain([n_vars]) {
            if next < var {
                self.auxiliaries.push(next..var);
            }
            next = var + 1;
        }
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
