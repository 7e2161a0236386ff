//! From variables to literals, and from rules to clauses.
//!
//! Rules say which literals they are going to use ([`Needs`]); [`ReadyLiterals::literals`] makes these with the clauses
//! that define them ([`VariableCodes`] knows where they are); and rules write through an [`Encoder`], which has the
//! context of a constraint, its condition in it, and appends to an [`EncodingOutput`]. A [`Trace`] takes note of who
//! wrote what.
//!
//! # Encodings of an integer
//!
//! A variable x with the values v₀ < v₁ < … < vₘ₋₁ has up to three encodings:
//!
//! | encoding | a literal for | literals | clauses | rules that ask for it |
//! |---|---|---|---|---|
//! | direct | each value: *x is vₖ* | m | exactly one of m | all different, circuit, table, element, regular |
//! | order | each value but the first: *x is at least vₖ* | m − 1 | m − 2 | sums, maximum, cumulative, objectives |
//! | binary | each bit of x − v₀ | ⌈log₂(vₘ₋₁ − v₀ + 1)⌉ | at most one a bit | the same, where domains are large |
//!
//! * **Two values** have one literal, whatever is asked for; a single value has none. A variable that is 1 where a
//!   truth value is true and 0 where it is not shares the literal of that truth value.
//! * **Order and direct** are channelled: *x is vₖ* if and only if x is at least vₖ and not at least vₖ₊₁. The first
//!   value is *not at least v₁* and the last *at least vₘ₋₁*, so only m − 2 literals and three clauses for each are
//!   added.
//! * **Binary beside either** is channelled in one direction: each value implies its bits.
//! * **Binary alone** has literals for the single tests that somebody asks for, *x is v* and *x is at least v*, each
//!   defined on the bits in both directions, and one for each gap of the domain.
//! * **Sums** take what others need, and order where nobody asks for anything; bits where sums are many and those are
//!   much cheaper ([`cost`](crate::cost)). Which domains are large is a constant of each rule, with the reason beside
//!   it, unless [`IntEncoding`](crate::IntEncoding) decides; [`WIDE`] is the number of values above which a single test
//!   makes a variable binary.
//!
//! Source: Walsh, *SAT v CSP*, CP 2000, pp. 441–456 (direct); Tamura, Taga, Kitagawa, Banbara, *Compiling finite linear
//! CSP into SAT*, Constraints 14 (2009), pp. 254–272 (order).

mod code;
mod context;
mod cuts;
mod encoder;
mod literals;
mod needs;
mod output;
mod trace;

pub(crate) use cnfkit_core::internals::Truth;
pub(crate) use code::{Amounts, VariableCodes};
pub(crate) use context::EncodingContext;
pub(crate) use cuts::{Cuts, in_model, some_of};
pub(crate) use encoder::{Encoder, MOST_WEIGHED, ValueLiterals};
pub(crate) use literals::ReadyLiterals;
pub(crate) use needs::{Needs, WIDE};
pub(crate) use output::{Chain, EncodingOutput, Lazily};
pub(crate) use trace::{Trace, WritingSource};
