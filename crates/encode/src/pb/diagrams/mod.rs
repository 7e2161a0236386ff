//! *At most a bound by weight* as a decision diagram whose nodes stand for intervals of bounds.
//!
//! The literals are decided one after the other, the heaviest first. After some of them, the rest of the constraint
//! depends on the *remainder*, the weight that may still be used up, and many remainders allow the same sets of
//! literals: of two literals of weight 4, a remainder of 4, 5, 6 or 7 allows one. So a node is made for each *interval*
//! of remainders that allow the same sets of the literals left, not for each remainder. With the interval of both its
//! children known, that of a node follows: the remainders that lead into both children's intervals. A remainder is
//! looked up among the intervals of its layer before a node is made for it, which gives the reduced diagram without
//! ever building a larger one.
//!
//! A node says: *the literals from here on weigh at most the remainder*. That can only become false when a literal
//! becomes true, so two clauses a node are enough, for a node v that decides x: v and x imply the child behind x, v
//! implies the child behind not x, which says less. All of them only define. The root holds, and so does every node
//! that is reached by deciding all literals to be false: these nodes need no variable, and the clauses that leave them,
//! *x implies the child behind x*, are the ones that enforce, one for each such node.
//!
//! A group of literals of which at most one is true is one layer, whose nodes have a child for each literal, and one
//! for none of them. For a bound from below the layer decides what the group is lacking (`trees/leaf`).
//!
//! | | |
//! |---|---|
//! | auxiliaries | one for each node but those on the path of false literals, and those that are a literal |
//! | clauses | at most two for each auxiliary, one for each node on the path of false literals |
//! | strength | generalised arc consistent |
//! | enforcing clauses | at most n |
//!
//! Its size is linear in the bound at worst for each literal, and not polynomial in the length of the weights as
//! numbers: [`Diagram::plan`] gives up at a limit.
//!
//! `problem` has the layers and the nodes, `search` decides which remainders are looked at, `intervals` knows those
//! that were, `links` are the clauses between nodes of a layer, and `diagram` writes them all.
//!
//! Source: I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger, *A New Look at BDDs for
//! Pseudo-Boolean Constraints*, Journal of Artificial Intelligence Research 45, 2012, pages 443–480.

mod diagram;
mod intervals;
mod links;
mod problem;
mod search;

pub use self::diagram::{Diagram, IntervalDiagram};
