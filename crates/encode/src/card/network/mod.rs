//! Sorting, selection and cardinality networks: one planner, one emitter, two encodings ([`Network`],
//! [`CardinalityNetwork`]). This is the page of invariants: every word that the files beside it use, and what they rely
//! on.
//!
//! # The idea
//!
//! Inputs are split into parts, each part is sorted by the same means, and the sorted parts are merged, until one
//! sequence tells how many inputs are true. *At most k* needs little of that: that k + 1 true inputs make something
//! false. So a plan works backwards from the bound: it asks which outputs matter, and of the many ways to split and to
//! merge takes those that cost the fewest clauses and variables for just these outputs. *At least k* is at most n − k
//! of the negated inputs. *Exactly k* asks for two neighbouring outputs of one network.
//!
//! # Words
//!
//! * A **wire** is a literal that stands for "at least so many of these inputs are true"; or a conjunction of such
//!   literals.
//! * A **sequence** is a list of wires, counted from 1: element i stands for at least i. It is *sorted*: element i + 1
//!   implies element i, because of what the elements stand for. No clause says so, and none needs to.
//! * A **sorter** makes a sequence of inputs; a **merge** makes one of two to four sequences. The elements made are
//!   their **outputs**.
//! * An *up* clause makes an output true when enough is true; a *down* clause makes one false when enough is false. The
//!   **demand** on a sorter or merge is two **spans** of outputs, from `lo` to `hi` without gaps: those that get up
//!   clauses, and those that get down clauses. The **hull** of a demand is the smallest span that contains both;
//!   outputs outside it get no wire at all.
//! * The **cone** of a demand in a part of the inputs: the outputs of the part on which the demand depends. With m
//!   inputs outside the part, output l of all depends on outputs l − m to l of the part.
//! * A demand is **levelled** when both of its spans, if there are two, are the hull; it is **filled** when both are
//!   the hull, although one may have been empty.
//! * A merge is **direct** when each output has a clause for every way to share it among the sequences. It is
//!   **odd-even** when elements at odd places are merged, elements at even places are merged, and a *last step* makes
//!   outputs of the two results. It is in **groups** when some of its sequences are merged, the others are merged, and
//!   then the two results.
//! * A **shape** is a merge without its literals: the lengths of the sequences, longest first, and the demand, both
//!   *trimmed* (see `shape`).
//! * A **step** is the choice among direct, odd-even and groups for one shape; a **split** is the choice of parts for
//!   one sorter.
//! * A merge is **wide** when its last output is a conjunction, and has neither variable nor clause. An odd-even merge
//!   is **tight** when all outputs of its last step that have a single cause, two wires together, are conjunctions.
//! * A plan is made in one of four **modes**, by what may be left undefined (see `mode`): *plain*, *wide* (wires may be
//!   conjunctions), *lean* (each direction for outputs of its own) and *full* (both directions for every output). In
//!   the wide and in the lean mode a sequence may be **loose**: it may have conjunctions, or may lack a direction, so
//!   that only those may take it who can do with that.
//! * The **top** is where the bound is enforced: no output is made there, the counts of two to four sequences that
//!   together pass the bound are forbidden instead.
//! * Splits of bounds on few inputs are **on file**: found before, and **recalled** instead of searched (see `recall`).
//! * A **program** is a plan as a list; a **tape** is what a small sorter or merge emitted, kept to be emitted again.
//!
//! # A merge of 3 + 2
//!
//! ```text
//!    a1 a2 a3   b1 b2         direct: 5 variables, 11 clauses
//!     |  |  |    |  |
//!   +-----------------+       c1:  b1 → c1         a1 → c1
//!   |      merge      |       c2:  b2 → c2         a1 b1 → c2      a2 → c2
//!   +-----------------+       c3:  a1 b2 → c3      a2 b1 → c3      a3 → c3
//!     |  |  |  |  |           c4:  a2 b2 → c4      a3 b1 → c4
//!    c1 c2 c3 c4 c5           c5:  a3 b2 → c5
//!
//!    a1 a3 b1     a2 b2       odd-even: 9 variables, 14 clauses
//!     |  |  |      |  |
//!   +---------+  +-------+    odd:   b1 → d1     a1 → d1     a1 b1 → d2     a3 → d2     a3 b1 → d3
//!   | odd 2+1 |  | even  |    even:  b2 → e1     a2 → e1     a2 b2 → e2
//!   +---------+  +-------+    last step:
//!     |  |  |      |  |       c1 is d1     one element is true: the first of a or of b
//!    d1 d2 d3     e1 e2       c2:  e1 → c2         d2 → c2
//!   +--------------------+    c3:  d2 e1 → c3      the only cause: if tight, c3 is the conjunction of d2 and e1
//!   |     last step      |    c4:  e2 → c4         d3 → c4
//!   +--------------------+    c5:  d3 e2 → c5      the only cause, as for c3
//!     |  |  |  |  |
//!    c1 c2 c3 c4 c5
//! ```
//!
//! Of the true elements of one sequence as many are at odd places as at even places, or one more. So with two
//! sequences, the count at odd places exceeds the count at even places by 0, 1 or 2, and few sums have to be looked at:
//! 2 is 1 + 1 or 2 + 0, and as e1 implies d1, and d2 is true for 2 + 0 at the least, one wire is enough for either. For
//! so few elements direct is cheaper. For two sequences of length m direct takes m² + 2m clauses and odd-even O(m·log
//! m), which wins from some lengths on.
//!
//! If the bound depends on c3 and c4 alone, the demand is up 3 to 4, and only their five clauses are there. If it
//! depends on c4 and c5 alone, a1 counts as true: four are true only if one of a is, and when none is, nobody asks. The
//! merge is trimmed to (a2, a3) and (b1, b2) with up 3 to 4, and its outputs are called c4 and c5 again: the *shift* is
//! 1.
//!
//! For an exact bound with up 4 to 4 and down 3 to 3 the hull is 3 to 4. In a direct merge c4 needs only its up
//! clauses, and c3 only its down clauses: a1 ∨ ¬c3, a2 ∨ b2 ∨ ¬c3, a3 ∨ b1 ∨ ¬c3. An odd-even merge takes d and e from
//! merges of its own, and may use one of them in both directions; so its sequences come with levelled demands.
//!
//! # Invariants
//!
//! Each with when it breaks and who restores it.
//!
//! * **Sorted.** If l of a sorter's inputs are true, unit propagation makes its outputs up to l true, as far as they
//!   are demanded up; and likewise false, as far as they are demanded down. This does not hold between the clauses of
//!   one merge, while some of its outputs are still to be made; `emit` finishes a merge before anything takes its
//!   outputs. The suite of the crate tries every partial assignment of small networks, and `tests` tries random ones of
//!   larger networks.
//! * **Demanded is defined.** An output that is taken in a direction was demanded in that direction. Cones alone would
//!   break this: an odd-even merge may use an output of a part in a direction in which the cone of the bound does not
//!   ask for it. Levelling restores it, for every sequence that is not loose; a loose one goes to direct merges alone.
//! * **Conjunctions are premises.** A wire with several literals never stands in a down clause, nor is it the head of a
//!   clause. A demand in both directions would break this, so conjunctions exist in the wide mode only, where nothing
//!   is demanded down.
//! * **Trimmed.** No element of a shape is useless, and no output lies outside its hull. Merges inside a merge have
//!   shorter sequences and smaller demands, so that it breaks with every step down; `MergeShape::new` and
//!   `MergeShape::settle` trim each of them anew.
//! * **Definitions enforce nothing.** For every assignment of the inputs, some extension satisfies all clauses but
//!   those of the top. It never breaks: every other clause that `emit` makes has an output of its own merge as its
//!   head.
//! * **Planned once.** An entry of the planner rests on the entries of smaller shapes and never changes: `plan` enters
//!   a shape after the shapes inside it.
//! * **Recalled is searched.** The splits on file are those that a search finds; a change of prices, steps, limits or
//!   demands breaks that. The tests compare some of them each time, and all of them when asked to; the same command
//!   writes the file anew.
//! * **As large as announced.** The size of a program is the size of what it emits: `plan` counts variables and
//!   clauses, `measure` counts literals, and the tests compare both with what comes.
//!
//! # Files
//!
//! From the ground up; each uses only files before it.
//!
//! * `demand`, `shares`, `odd_even`, `cost`: spans and demands; how many clauses a direct merge has; the last step of
//!   odd-even; prices.
//! * `mode`: bound, policy, mode.
//! * `shape`: merges up to symmetry, and the merges inside them.
//! * `recall`, `likely`: splits on file, for bounds on up to 128 inputs; brief plans for up to 4,096.
//! * `plan`, `search`: the cheapest step for each shape; the cheapest split for each number of inputs, and the top.
//! * `wire`, `view`, `tape`: conjunctions; where sequences are; clauses to be emitted again.
//! * `program`, `measure`, `compile`: a plan as a list; its literals; how it is made.
//! * `emit`: clauses.
//! * `planned`, `free`, `cardinality`: the methods of the encoding traits; the two encodings.
//!
//! # Sources
//!
//! * K. E. Batcher, *Sorting networks and their applications*, AFIPS Spring Joint Computer Conference 1968, pages
//!   307–314: odd-even merges.
//! * N. Eén, N. Sörensson, *Translating pseudo-Boolean constraints into SAT*, Journal on Satisfiability, Boolean
//!   Modeling and Computation 2, 2006, pages 1–26: networks as clauses, one direction where one does.
//! * R. Asín, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, *Cardinality networks: a theoretical and empirical
//!   study*, Constraints 16, 2011, pages 195–221: only the outputs up to the bound.
//! * I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, *A parametric approach for smaller and better
//!   encodings of cardinality constraints*, CP 2013, LNCS 8124, pages 80–96: direct merges and any splits, chosen by
//!   cost.
//! * M. Karpiński, M. Piotrów, *Encoding cardinality constraints using multiway merge selection networks*, Constraints
//!   24, 2019, pages 234–251: four sequences at once.
//!
//! Demands in two directions with cones, trimming, groups, conjunctions and the forbidden top are our own.

mod cardinality;
mod compile;
mod cost;
mod demand;
mod emit;
mod free;
mod likely;
mod measure;
mod mode;
mod odd_even;
mod plan;
mod planned;
mod program;
mod recall;
mod search;
mod shape;
mod shares;
#[cfg(test)]
mod splitting;
mod tape;
#[cfg(test)]
mod tests;
mod view;
mod wire;

pub use self::cardinality::CardinalityNetwork;
pub use self::free::Network;
