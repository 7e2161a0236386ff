//! Proofs that the clauses of a constraint follow from it, in the format of VeriPB 3.0.
//!
//! No encoding is asked for anything. [`Batch`] collects the clauses of one constraint, `meaning` finds out what their
//! auxiliaries stand for, and [`derive()`] writes the proof:
//!
//! 1. Each auxiliary p is defined by two lines, *p implies that a sum is at least j* and *not p implies that it is
//!    less*. Both are redundant as long as nothing else speaks of p.
//! 2. A clause holds if nothing can make all of its literals false. False, each literal of an auxiliary says one of its
//!    two lines; the sum of these lines, and of the constraint once or several times, contradicts itself. So a clause
//!    takes one line for the sum, and one for the clause, which unit propagation derives from the sum.
//! 3. Few clauses are no such sum. A search learns lemmas until unit propagation derives the clause: where no sum of
//!    weights hits the bound, say.
//! 4. Networks count what inputs make of them, level by level: [`levels`] finds what, and [`sequences`] derives their
//!    clauses.
//! 5. Adders have lines of their own, in closed form: [`adders`], and so has a long parity, which is a sum and not
//!    clauses: [`parity`].
//! 6. Where that does not do, auxiliaries are defined by what the clauses say that make them true, and all clauses are
//!    searched for.
//! 7. All lines but the clauses are deleted: what is kept of a constraint is the numbers of its clauses.
//!
//! Whatever is wrong here makes a proof that the checker refuses, or none at all: a batch whose clauses do not all
//! follow in these ways is given back with the clause, before anything of it is written.
//!
//! Source: S. Gocht, R. Martins, J. Nordström, A. Oertel, *Certified CNF Translations for Pseudo-Boolean Solving*, SAT
//! 2022, `LIPIcs` 236, article 16.

mod adders;
mod batch;
mod columns;
mod derive;
mod function;
mod levels;
mod line_sum;
mod lines;
mod meaning;
mod parity;
mod search;
mod sequences;

pub(crate) use self::batch::Batch;
pub(crate) use self::derive::{Attempt, Refused, derive, follows, is_too_long_a_totalizer, is_worth_an_attempt};
pub(crate) use self::lines::{FoldingSteps, Id, Lines};
pub(crate) use self::parity::derive_parity;
pub(crate) use self::search::DerivationEffort;
