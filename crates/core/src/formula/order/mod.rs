//! One linear order of the variables in which those that occur together stand together: the order in which the
//! literals of cardinality constraints are encoded.
//!
//! An encoding combines neighbouring literals first, and its auxiliaries say how many of a run of neighbours are
//! true. A solver learns from them what holds within such a run, so a run should hold what clauses and other
//! constraints connect. The numbers that a program happens to give its variables are at best an accident of that
//! kind.
//!
//! The formula is a [`hypergraph`] here, with an edge for each clause and constraint. Two variables in a clause of n
//! literals, or in a constraint on n, attract each other by 1/n, in a binary clause by 4. [`search`] takes four
//! steps:
//!
//! 1. *Colours* ([`colour`]): a few rounds of colour refinement, so that ties are broken by structure and not by
//!    number.
//! 2. *Members* ([`members`]): variables are renumbered by how often they occur and their colour; from here on
//!    nothing depends on the caller's numbers, unless two variables have the same colour.
//! 3. *Proximity* ([`proximity`]), twice, the second time starting where the first ended: the next variable is the
//!    one that those already placed attract most.
//! 4. *Arrangement* ([`arrange`]): variables move a few places while that brings what attracts each other closer.
//!
//! Where the formula is a grid of counts, steps 3 and 4 go by its [`lines`], and so do the counts.
//!
//! Constraints that share no literal with anything need no search: [`apart`] takes them out before.
//!
//! Time is O(s log s) for s literals in all edges; how thorough steps 3 and 4 are is cut down from a number of them
//! on. All sums are of integers, so that no order of summation, and hence no order of clauses, makes a difference.
//!
//! Source of step 3 and the weights: Reeves, Filipe, Hsu, Martins, Heule, *The Impact of Literal Sorting on
//! Cardinality Constraint Encodings*, AAAI 2025, who call it *Proximity*. The second sweep, the local search and the
//! ties by colour are ours.

mod apart;
mod arrange;
mod colour;
mod effort;
mod hypergraph;
mod lines;
mod members;
mod opposed;
mod places;
mod proximity;
mod search;

pub(super) use self::places::VariablePlaces;

#[cfg(test)]
mod tests;
