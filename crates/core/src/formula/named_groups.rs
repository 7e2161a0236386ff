//! Which clauses and constraints were said in which group, as data: where groups begin and end.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// Groups of clauses and constraints, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedGroups {
    pub(super) names: Vec<String>,
    /// The place of each name.
    of: FxHashMap<String, u32>,
    /// Where another group begins, or none.
    marks: Vec<Mark>,
}

/// From here on, what is said belongs to this group.
#[derive(Clone, Copy, Debug)]
struct Mark {
    group: Option<u32>,
    /// The number of clauses before, and of constraints.
    at: [usize; 2],
}

impl NamedGroups {
    /// Begins a group, or goes on with one of this name, where there are `at` clauses and constraints; returns the
    /// group that it interrupts.
    pub(super) fn begin(&mut self, name: &str, at: [usize; 2]) -> Option<u32> {
        let index = self.of.get(name).copied().unwrap_or_else(|| {
            let next = self.names.len() as u32;
            self.names.push(name.to_owned());
            self.of.insert(name.to_owned(), next);
            next
        });
        let outer = self.marks.last().and_then(|mark| mark.group);
        self.marks.push(Mark { group: Some(index), at });
        outer
    }

    /// Goes back to what was interrupted.
    pub(super) fn end(&mut self, outer: Option<u32>, at: [usize; 2]) {
        self.marks.push(Mark { group: outer, at });
    }

    /// Each stretch of clauses and constraints, in order, with the group that it belongs to; `end` has their number.
    pub(super) fn stretches(&self, end: [usize; 2]) -> impl Iterator<Item = (Option<usize>, [Range<usize>; 2])> {
        let first = Mark { group: None, at: [0; 2] };
        let starts = std::iter::once(first).chain(self.marks.iter().copied());
        let ends = self.marks.iter().map(|mark| mark.at).chain([end]);
        starts.zip(ends).map(|(Mark { group, at: [clause, constraint] }, [clauses, constraints])| {
            (group.map(|group| group as usize), [clause..clauses, constraint..constraints])
        })
    }
}
