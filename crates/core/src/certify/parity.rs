//! Long parities: sums of literals and of a number that is doubled, whose clauses are those of pieces of three.
//!
//! A piece says that its auxiliary t is the exclusive or of two literals: a + b = t + 2c, where c is a carry that only
//! the proof has. The sum of these lines and of the parity's own says that the literals of the last piece, and twice
//! something, are odd or even. Halved and rounded up, with the literals that a clause has on either side left out, the
//! sums from both sides add up to the clause.

use std::io;

use rustc_hash::FxHashSet;
use rustsat::types::{Lit, Var};

use super::batch::{Batch, negated, var};
use super::derive::Refused;
use super::lines::{Id, Lines};

/// Derives the clauses of a parity whose two bounds say it as a sum; the number of each is handed to `derived`.
pub(crate) fn derive_parity(
    batch: &Batch,
    go_on: &dyn Fn() -> bool,
    lines: &mut Lines<'_>,
    mut derived: impl FnMut(Id),
) -> io::Result<Result<(), Refused>> {
    let global = |clause: &[u32]| clause.iter().map(|&lit| batch.global(lit)).collect::<Vec<Lit>>();
    let refused = |clause: &[u32]| Ok(Err(Refused::Clause(global(clause))));
    let [least, most] = &batch.bounds[..] else { return refused(&[]) };
    let clauses: Vec<&[u32]> = batch.clauses().map(|(clause, _)| clause).collect();
    let (pieces, last) = clauses.split_at(batch.clauses().take_while(|&(_, defines)| defines).count());
    // The literals whose parity is still to be said.
    let mut open: FxHashSet<u32> = (0..batch.weights.len() as u32).map(|var| 2 * var).collect();
    let (mut sums, mut own) = ([Vec::new(), Vec::new()], Vec::new());
    for (carry, piece) in (batch.n_vars() as u32..).zip(pieces.chunks(4)) {
        if !go_on() {
            return Ok(Err(Refused::Interrupted));
        }
        let &[a, b, not_t] = piece[0] else { return refused(piece[0]) };
        if !(open.remove(&a) && open.remove(&b) && open.insert(negated(not_t))) {
            return refused(piece[0]);
        }
        let [a, b, t, c] = [a, b, negated(not_t), 2 * carry].map(|lit| batch.global(lit));
        own.push(lines.red([(2, !c), (1, a), (1, b)], 2, !c)?);
        own.push(lines.red([(1, c), (1, !a), (1, !b)], 1, c)?);
        let no_more = lines.red([(1, a), (1, b), (1, !t), (2, !c)], 3, !t)?;
        let no_less = lines.red([(1, !a), (1, !b), (1, t), (2, c)], 2, t)?;
        for clause in piece {
            derived(lines.rup(&global(clause), &[no_more, no_less])?);
        }
        own.extend([no_more, no_less]);
        sums[0].push((no_less, 1));
        sums[1].push((no_more, 1));
    }
    sums[0].push((least.id, 1));
    sums[1].push((most.id, 1));
    let sums = [lines.pol(&sums[0], &[])?, lines.pol(&sums[1], &[])?];
    let is_guard = |lit: u32| least.guards.iter().any(|&guard| var(guard) == var(lit));
    let mut open: Vec<u32> = open.into_iter().filter(|&lit| !is_guard(lit)).collect();
    open.sort_unstable();
    for clause in last {
        let is_true = |lit: u32| clause.contains(&negated(lit));
        let vars = |side: bool| {
            open.iter().filter(|&&lit| is_true(lit) == side).map(|&lit| batch.global(lit).var()).collect::<Vec<Var>>()
        };
        let sum = lines.halves([(sums[0], &vars(true)), (sums[1], &vars(false))])?;
        derived(lines.rup(&global(clause), &[sum])?);
        lines.list("del id", &[sum])?;
    }
    own.extend(sums);
    lines.list("del id", &own)?;
    Ok(Ok(()))
}
