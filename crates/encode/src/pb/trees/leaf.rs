//! The inputs of one side of a constraint, group by group, and what a group adds to a sum.
//!
//! Every bound is one from above here. *At most* a bound by weight is one already: a group adds the weight of its true
//! literal. *At least* is one on what is *lacking*: a group lacks the weight of its heaviest literal if none is true,
//! less if a lighter one is, and together they may lack the greatest sum less the bound. For a group of one literal
//! that is the weight of its negation.

use rustsat::types::Lit;

use crate::constraint::Terms;
use crate::pb::prepared::ClauseTemplate;
use crate::sink::ClauseSink;
use crate::sort;

/// Inputs whose sum, or lack, is at most a bound. Literals are those of a [`ClauseTemplate`]: input i is variable i.
#[derive(Clone, Debug)]
pub(in crate::pb) struct TreeInputs {
    /// Group by group; in each, the weights ascend.
    terms: Vec<(Lit, u64)>,
    /// Where the groups end.
    ends: Vec<u32>,
    /// True if the lack is bounded, where there are groups of several literals.
    lacks: bool,
    /// The most that all groups together may add.
    pub(in crate::pb) bound: u64,
}

impl TreeInputs {
    /// The sum is at most `bound`.
    pub(in crate::pb) fn most(terms: &Terms<'_>, bound: u64) -> Self {
        Self::new(terms, bound, false, false)
    }

    /// The sum is at least `bound`.
    pub(in crate::pb) fn least(terms: &Terms<'_>, bound: u64) -> Self {
        let grouped = terms.is_grouped();
        Self::new(terms, terms.total() - bound, !grouped, grouped)
    }

    fn new(terms: &Terms<'_>, bound: u64, negate: bool, lacks: bool) -> Self {
        let inputs = terms.all().iter().enumerate();
        let lit = |at: usize| if negate { Lit::negative(at as u32) } else { Lit::positive(at as u32) };
        let mut local: Vec<(Lit, u64)> = inputs.map(|(at, &(_, weight))| (lit(at), weight)).collect();
        let mut ends = Vec::with_capacity(local.len());
        let mut start = 0;
        for group in terms.groups() {
            let end = start + group.len();
            sort::by_key(&mut local[start..end], |&(_, weight)| weight);
            ends.push(end as u32);
            start = end;
        }
        Self { terms: local, ends, lacks, bound }
    }

    /// The number of groups.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// The literals of a group, lightest first.
    pub(super) fn group(&self, at: usize) -> &[(Lit, u64)] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.terms[start..self.ends[at] as usize]
    }

    /// The heaviest weight of a group.
    pub(super) fn heaviest(&self, at: usize) -> u64 {
        self.group(at).last().map_or(0, |&(_, weight)| weight)
    }

    /// The groups, heavy ones first.
    pub(in crate::pb) fn heavy_first(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        sort::by_key(&mut order, |&at| !self.heaviest(at as usize));
        order
    }

    /// All that a group may add, ascending from 0; above `most` it is `most`.
    pub(super) fn sums(&self, at: usize, most: u64) -> Vec<u64> {
        let group = self.group(at);
        let mut sums = Vec::with_capacity(group.len() + 1);
        sums.push(0);
        if self.lacks {
            let heaviest = self.heaviest(at);
            sums.extend(group.iter().rev().map(|&(_, weight)| (heaviest - weight).min(most)));
            sums.push(heaviest.min(most));
        } else {
            sums.extend(group.iter().map(|&(_, weight)| weight.min(most)));
        }
        sums.dedup();
        sums
    }

    /// Literals that are true if the group adds at least as much as each number of `wanted`, which ascends from 1 or
    /// more, in one direction.
    pub(super) fn reached(&self, at: usize, wanted: &[u64], template: &mut ClauseTemplate) -> Vec<Lit> {
        if self.lacks { self.lacking(at, wanted, template) } else { self.adding(at, wanted, template) }
    }

    /// Literals with what the group adds if they are true, if not more, for all numbers that it may add.
    pub(in crate::pb) fn choices(&self, at: usize, template: &mut ClauseTemplate, choices: &mut Vec<(Lit, u64)>) {
        if !self.lacks {
            return choices.extend_from_slice(self.group(at));
        }
        let wanted = &self.sums(at, u64::MAX)[1..];
        choices.extend(self.reached(at, wanted, template).into_iter().zip(wanted.iter().copied()));
    }

    /// A literal, or the next number, makes a number reached.
    fn adding(&self, at: usize, wanted: &[u64], template: &mut ClauseTemplate) -> Vec<Lit> {
        let mut group = self.group(at);
        let mut reached = Vec::with_capacity(wanted.len());
        for &number in wanted.iter().rev() {
            let (rest, own) = group.split_at(group.partition_point(|&(_, weight)| weight < number));
            group = rest;
            let &[(lit, _)] = own else {
                let head = template.new_lit();
                own.iter().for_each(|&(lit, _)| define(template, &[!lit, head]));
                reached.last().into_iter().for_each(|&next: &Lit| define(template, &[!next, head]));
                reached.push(head);
                continue;
            };
            if let Some(&next) = reached.last() {
                let head = template.new_lit();
                define(template, &[!lit, head]);
                define(template, &[!next, head]);
                reached.push(head);
            } else {
                reached.push(lit);
            }
        }
        reached.reverse();
        reached
    }

    /// A number is lacking when all literals are false that leave less to lack. A lighter literal makes it lacking,
    /// too: that follows from the group, but not by unit propagation from the number to the literal.
    fn lacking(&self, at: usize, wanted: &[u64], template: &mut ClauseTemplate) -> Vec<Lit> {
        let heaviest = self.heaviest(at);
        let mut group = self.group(at);
        let mut reached: Vec<Lit> = Vec::with_capacity(wanted.len());
        // The last number that has a variable of its own.
        let mut defined = None;
        let mut clause = Vec::new();
        for &number in wanted {
            // Literals that leave less than that to lack.
            let (rest, own) = group.split_at(group.partition_point(|&(_, weight)| heaviest - weight >= number));
            if let (None, &[(lit, _)]) = (reached.last(), own) {
                reached.push(!lit);
                group = rest;
                continue;
            }
            if let Some(before) = defined {
                own.iter().for_each(|&(lit, _)| define(template, &[!lit, before]));
            }
            let head = template.new_lit();
            clause.clear();
            clause.extend(reached.last().map(|&before| !before));
            clause.extend(own.iter().map(|&(lit, _)| lit));
            clause.push(head);
            define(template, &clause);
            if let Some(before) = defined {
                define(template, &[!head, before]);
            }
            reached.push(head);
            defined = Some(head);
            group = rest;
        }
        if let Some(before) = defined {
            group.iter().for_each(|&(lit, _)| define(template, &[!lit, before]));
        }
        reached
    }
}

/// Templates take everything.
pub(super) fn define(template: &mut ClauseTemplate, clause: &[Lit]) {
    let Ok(()) = template.define(clause);
}

/// Templates take everything.
pub(super) fn enforce(template: &mut ClauseTemplate, clause: &[Lit]) {
    let Ok(()) = template.add_clause(clause);
}
