//! The rules behind constraints, one a file.

mod all_different;
mod arithmetic;
mod circuit;
mod counting;
mod cumulative;
mod element;
mod function;
mod graph;
mod inverse;
mod lex;
mod linear;
mod overlap;
mod parity;
mod register;
mod regular;
mod sequence;
mod table;
mod weighted;

use std::fmt::{Debug, Display};

pub use all_different::{all_different, all_different_except};
pub use circuit::{circuit, subcircuit};
pub use counting::{
    among, bin_packing, bin_packing_load, count, count_eq, global_cardinality, global_cardinality_low_up, nvalue,
};
pub use cumulative::cumulative;
pub(super) use cumulative::{Cumulative, Task};
pub use element::element;
pub use function::{abs, div, maximum, minimum, modulo, pow, times};
pub use graph::{Edge, connected, dreachable, path, reachable, single_cycle, tree};
pub use inverse::inverse;
pub use lex::{lex_less, lex_lesseq};
pub(super) use linear::Linear;
pub use overlap::{all_different_tuples, diffn, disjunctive, no_overlap};
pub use parity::parity;
pub use regular::{Automaton, regular};
pub use sequence::{all_equal, decreasing, increasing, strictly_decreasing, strictly_increasing, value_precede};
pub use table::{negative_table, table};

use crate::ModelError;
use crate::constraint::Constraint;
use crate::variables::{Domains, Empty, IntVar, View};
use crate::writer::{Encoder, Needs};
use cnfkit_core::CapacityError;

/// Takes each sum of a constraint; true where it holds under a condition.
pub(super) type VisitSum<'a> = dyn FnMut(&Linear, bool) -> Result<(), ModelError> + 'a;

/// A rule about views: the trait that every file of this room implements.
pub(super) trait ViewRule: Debug + Send + Sync {
    /// The rule as people write it: `all_different(x0, x1 + 2)`.
    fn text(&self) -> String;

    /// Adds the variables that wake it: none, where there is nothing that it filters.
    fn variables(&self, _found: &mut Vec<IntVar>) {}

    /// Filters the domains: removes values that no solution of this rule has.
    fn shrink(&self, _domains: &mut Domains) -> Result<(), Empty> {
        Ok(())
    }

    /// Values that the variables of the rule may well have together, found without a search: tried first where nothing
    /// is [hinted at](crate::Model::set_hint).
    fn likely(&self, _domains: &Domains, _found: &mut Vec<(IntVar, i64)>) {}

    /// Visits the sums that it is made of, where their size depends on the encoding of their variables.
    fn each_sum(&self, _domains: &Domains, _has_theory: bool, _visit: &mut VisitSum<'_>) -> Result<(), ModelError> {
        Ok(())
    }

    /// The expressions of which no two have the same value, if that is the rule.
    fn different(&self) -> Option<&[View]> {
        None
    }

    /// The tasks that it keeps within a capacity, if it does.
    fn work(&self) -> Option<&Cumulative> {
        None
    }

    /// Says which literals [`encode`](Self::encode) is going to use.
    fn needs(&self, domains: &Domains, needs: &mut Needs);

    /// Adds the clauses that make the rule hold under the [condition](Encoder::clause) of the encoder.
    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError>;

    /// The constraint that holds if and only if this rule does not.
    fn negated(&self) -> Constraint;

    /// The rule as sums of multiples of variables, each with what it is at most, if it is a sum.
    fn rows(&self) -> Vec<(Vec<(IntVar, i64)>, i64)> {
        Vec::new()
    }

    /// Sums of multiples of variables, each with what it is at most, that follow where variables have these domains.
    fn relaxed(&self, _domains: &Domains) -> Vec<(Vec<(IntVar, i64)>, i64)> {
        self.rows()
    }

    /// True if these values satisfy the rule: its definition, for tests and for the check of every solution.
    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool;
}

/// Of lists that are longer, texts have the beginning only.
const SHOWN: usize = 20;

/// `x0, x1, …, 100 in all` of many.
fn items<T: Display>(items: &[T]) -> String {
    let shown: Vec<String> = items.iter().take(SHOWN).map(T::to_string).collect();
    let rest = if items.len() > SHOWN { format!(", …, {} in all", items.len()) } else { String::new() };
    shown.join(", ") + &rest
}

fn list<T: Display>(all: &[T]) -> String {
    format!("[{}]", items(all))
}

fn call<T: Display>(name: &str, args: &[T]) -> String {
    format!("{name}({})", items(args))
}

/// Adds the variables of views.
fn variables_of(views: &[View], found: &mut Vec<IntVar>) {
    found.extend(views.iter().filter(|view| !view.is_constant()).map(|view| view.var));
}
