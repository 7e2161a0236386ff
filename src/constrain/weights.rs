//! Repeated literals are weights.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use super::distinct;
use super::fold::{Bounds, strictly_increasing};
use crate::AtMostK;
use crate::sink::{ClauseSink, forward_sink};

/// Repeated literals are weights. Forces what a weight forces alone, divides by the common divisor, and keeps what the
/// encoder then says free of repeated literals and clauses.
pub(super) fn weighted<S: ClauseSink + ?Sized, E: AtMostK>(
    sink: &mut S,
    lits: &[Lit],
    Bounds { mut least, mut most }: Bounds,
    enc: &E,
) -> Result<(), S::Error> {
    let mut weights: FxHashMap<Lit, usize> = FxHashMap::default();
    lits.iter().for_each(|&lit| *weights.entry(lit).or_default() += 1);
    let mut order: Vec<Lit> = Vec::with_capacity(weights.len());
    let mut seen = FxHashSet::default();
    order.extend(lits.iter().filter(|&&lit| seen.insert(lit)));

    let mut forced = Vec::new();
    loop {
        let total: usize = order.iter().map(|lit| weights[lit]).sum();
        if least > total {
            return sink.add_clause(&[]);
        }
        let slack = total - least;
        let (heavy, rest): (Vec<Lit>, Vec<Lit>) =
            order.iter().partition(|&lit| weights[lit] > most || weights[lit] > slack);
        if heavy.is_empty() {
            break;
        }
        for lit in heavy {
            let weight = weights[&lit];
            if weight > most && weight > slack {
                return sink.add_clause(&[]); // neither true nor false
            }
            if weight > most {
                forced.push(!lit);
            } else {
                forced.push(lit);
                least = least.saturating_sub(weight);
                // Earlier literals of this round may have used up the bound.
                match most {
                    usize::MAX => {}
                    _ if weight > most => return sink.add_clause(&[]),
                    _ => most -= weight,
                }
            }
        }
        order = rest;
    }

    let divisor = order.iter().map(|lit| weights[lit]).fold(0, gcd).max(1);
    let (low, high) = (least.div_ceil(divisor), if most == usize::MAX { most } else { most / divisor });
    if low > high {
        return sink.add_clause(&[]);
    }
    let copies: Vec<Lit> = order.iter().flat_map(|&lit| std::iter::repeat_n(lit, weights[&lit] / divisor)).collect();
    distinct(
        &mut Cleaned { sink, clause: Vec::new(), seen: FxHashSet::default() },
        &forced,
        &copies,
        Bounds { least: low, most: high },
        enc,
    )
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Drops repeated literals, tautologies and clauses already sent: what an encoder makes of repeated inputs.
struct Cleaned<'a, S: ?Sized> {
    sink: &'a mut S,
    clause: Vec<Lit>,
    seen: FxHashSet<Box<[Lit]>>,
}

impl<S: ClauseSink + ?Sized> Cleaned<'_, S> {
    /// Whether `clause` says something new; leaves it in order and without repetition in `self.clause`.
    fn clean(&mut self, clause: &[Lit]) -> bool {
        self.clause.clear();
        self.clause.extend_from_slice(clause);
        self.clause.sort_unstable();
        self.clause.dedup();
        strictly_increasing(&self.clause) && self.seen.insert(self.clause.as_slice().into())
    }
}

impl<S: ClauseSink + ?Sized> ClauseSink for Cleaned<'_, S> {
    type Error = S::Error;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), S::Error> {
        if self.clean(clause) { self.sink.add_clause(&self.clause) } else { Ok(()) }
    }

    fn define(&mut self, clause: &[Lit]) -> Result<(), S::Error> {
        if self.clean(clause) { self.sink.define(&self.clause) } else { Ok(()) }
    }

    forward_sink!(self => self.sink; variables, reserve, fixed, sorts_inputs);
}
