//! Functions: auxiliaries as the clauses define them that make them true (or false), whatever they stand for.

use super::batch::{Batch, BatchVar, negated, var};
use super::search::Inequality;
use crate::sort;

/// Definitions of all auxiliaries that have some, by the literals before them, each with the literal whose value it
/// defines, and the number of variables with those of the proof alone. The last auxiliary of a clause that defines, in
/// the order in which variables were made, is the one that it defines. Those that are nowhere a premise count as made
/// last: a carry that must not be, say, which all adders share.
///
/// An auxiliary is true if and only if all premises are of one of the clauses that make it true; without such clauses
/// it is false if and only if all premises are of one of those that make it false. `falling` prefers the latter. Each
/// conjunction of two premises or more is a variable of the proof.
///
/// Of `constants` the literals come first that clauses enforce, but do not define: a bound that the encoding has left
/// open.
pub(super) fn functions(batch: &Batch, falling: bool, constants: bool) -> (usize, Vec<(Inequality, u32)>) {
    let mut lines = Vec::new();
    let mut is_auxiliary = auxiliaries_of(batch);
    if constants {
        for lit in self::constants(batch, &is_auxiliary) {
            lines.push((Inequality::clause(&[lit]), lit));
            is_auxiliary[var(lit) as usize] = false;
        }
    }
    let (_, heads, place) = causes_of(batch, &is_auxiliary);
    let mut n_vars = batch.n_vars();
    let mut auxiliaries: Vec<BatchVar> =
        batch.auxiliaries.iter().copied().filter(|&aux| is_auxiliary[aux as usize]).collect();
    sort::by_key(&mut auxiliaries, |&aux| place[aux as usize]);
    for aux in auxiliaries {
        let [up, down] = &heads[aux as usize];
        let sign = u32::from(if falling { !down.is_empty() } else { up.is_empty() });
        let causes = [up, down][sign as usize];
        if causes.is_empty() {
            continue;
        }
        let mut any = Vec::with_capacity(causes.len());
        for premises in causes {
            if let &[premise] = &premises[..] {
                any.push(premise);
                continue;
            }
            let all = 2 * n_vars as u32;
            n_vars += 1;
            define(all, premises, premises.len(), &mut lines);
            any.push(all);
        }
        define(2 * aux + sign, &any, 1, &mut lines);
    }
    (n_vars, lines)
}

/// The premises of clauses that make a literal true.
pub(super) type Causes = Vec<Vec<u32>>;

/// The literal that each clause defines, and the premises of those that make each variable true, and false.
pub(super) fn causes(batch: &Batch) -> (Vec<Option<u32>>, Vec<[Causes; 2]>) {
    let (heads, causes, _) = causes_of(batch, &auxiliaries_of(batch));
    (heads, causes)
}

/// As [`causes`], and the place of each variable in the order of definitions.
pub(super) fn causes_by_place(batch: &Batch) -> (Vec<Option<u32>>, Vec<[Causes; 2]>, Vec<u64>) {
    causes_of(batch, &auxiliaries_of(batch))
}

fn auxiliaries_of(batch: &Batch) -> Vec<bool> {
    let mut is_auxiliary = vec![false; batch.n_vars()];
    batch.auxiliaries.iter().for_each(|&var| is_auxiliary[var as usize] = true);
    is_auxiliary
}

/// As [`causes`], and the place of each variable in the order of definitions.
fn causes_of(batch: &Batch, is_auxiliary: &[bool]) -> (Vec<Option<u32>>, Vec<[Causes; 2]>, Vec<u64>) {
    let mut is_there = vec![false; 2 * batch.n_vars()];
    let definitions = || batch.clauses().filter(|&(_, defines)| defines).map(|(clause, _)| clause);
    definitions().flatten().for_each(|&lit| is_there[lit as usize] = true);
    let place = |lit: u32| {
        let is_premise = is_there[lit as usize] && is_there[negated(lit) as usize];
        u64::from(!is_premise) << 32 | u64::from(batch.global(lit).vidx32())
    };
    let mut causes: Vec<[Causes; 2]> = vec![[Vec::new(), Vec::new()]; batch.n_vars()];
    let heads = batch.clauses().map(|(clause, defines)| {
        let own = clause.iter().copied().filter(|&lit| defines && is_auxiliary[var(lit) as usize]);
        let head = own.max_by_key(|&lit| place(lit))?;
        let premises = clause.iter().copied().filter(|&lit| lit != head).map(negated).collect();
        causes[var(head) as usize][(head & 1) as usize].push(premises);
        Some(head)
    });
    let heads = heads.collect();
    let places = (0..batch.n_vars() as u32).map(|var| place(2 * var)).collect();
    (heads, causes, places)
}

/// Auxiliary literals that a clause enforces and that definitions have the negation or the literal of, not both, beside
/// auxiliaries that were made later.
fn constants(batch: &Batch, is_auxiliary: &[bool]) -> Vec<u32> {
    let made = |lit: u32| (is_auxiliary[var(lit) as usize], batch.global(lit).vidx32());
    let mut is_there = vec![false; 2 * batch.n_vars()];
    let mut is_early = vec![false; batch.n_vars()];
    for (clause, _) in batch.clauses().filter(|&(_, defines)| defines) {
        let last = clause.iter().map(|&lit| made(lit)).max();
        for &lit in clause {
            is_there[lit as usize] = true;
            is_early[var(lit) as usize] |= Some(made(lit)) != last;
        }
    }
    let is_constant =
        |lit: u32| is_early[var(lit) as usize] && is_there[lit as usize] != is_there[negated(lit) as usize];
    let mut found: Vec<u32> = Vec::new();
    for (clause, _) in batch.clauses().filter(|&(_, defines)| !defines) {
        let is_defined = |lit: u32| is_there[lit as usize] || is_there[negated(lit) as usize];
        let mut own = clause.iter().copied().filter(|&lit| is_auxiliary[var(lit) as usize] && is_defined(lit));
        if let (Some(lit), None) = (own.next(), own.next())
            && is_constant(lit)
            && !found.contains(&negated(lit))
        {
            found.push(lit);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The literal `head` is true if and only if so many of these are.
pub(super) fn define(head: u32, lits: &[u32], least: usize, lines: &mut Vec<(Inequality, u32)>) {
    let mut side = |sign: u32, degree: i128, witness: u32| {
        let terms = lits.iter().map(|&lit| (lit ^ sign, 1)).chain([(witness, degree)]).collect();
        lines.push((Inequality { terms, degree }, witness));
    };
    side(0, least as i128, negated(head));
    side(1, (lits.len() - least) as i128 + 1, head);
}
