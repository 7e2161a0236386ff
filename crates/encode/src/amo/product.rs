//! [`Product`]: literals in a rectangle of rows and columns.

use rustsat::types::Lit;

use super::Nested;
use crate::AtMostOne;
use crate::sink::ClauseSink;
use crate::size::Size;

/// Inputs in a rectangle: at most one row and at most one column.
///
/// | | |
/// |---|---|
/// | rectangle | p = ⌈√n⌉ rows, q = ⌈n/p⌉ columns |
/// | auxiliaries | p + q, and those of the two smaller constraints |
/// | clauses | 2n, and those of the two smaller constraints: 2n + 4√n + O(⁴√n); two literals each |
/// | strength | generalised arc consistent |
/// | direction | inputs → row and column; these may be true without an input |
/// | under a condition | only what is left of the recursion is guarded: O(⁴√n) clauses |
///
/// Chen, *A New SAT Encoding of the At-Most-One Constraint*, Modelling and Reformulating Constraint Satisfaction
/// Problems, 2010. Rows and columns are encoded the same way, down to [`leaf`](Self::leaf) literals; up to four inputs
/// are pairwise. It is small and shallow: of the encodings in clauses of two literals it has the fewest clauses from n
/// ≈ 25 on. [`Nested`](crate::Nested) is smaller below, and [`Optimal`](crate::Optimal) never larger.
///
/// ```
/// use cnfkit::{AtMostOne, Product};
/// assert_eq!(Product::default().amo_size(100).clauses, 248);
/// assert_eq!(Product::default().amo_size(10_000).clauses, 20_496);
/// ```
#[doc(alias = "ProductEncoder")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Product {
    /// The number of rows or columns up to which they are [`Nested`](crate::Nested) instead of a rectangle again; at
    /// least 4 (less counts as 4). 24 by default, up to which nested is smaller.
    pub leaf: usize,
}

crate::encode::options!(Product { leaf: usize = 24 });

impl AtMostOne for Product {
    fn at_most_one<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        if lits.len() <= 4 {
            return Nested.at_most_one(sink, lits);
        }
        let (rows, columns) = shape(lits.len());
        let (rows, columns) = (sink.new_lits(rows), sink.new_lits(columns));
        for (&row, inputs) in rows.iter().zip(lits.chunks(columns.len())) {
            for (&lit, &column) in inputs.iter().zip(&columns) {
                sink.define(&[!lit, row])?;
                sink.define(&[!lit, column])?;
            }
        }
        self.side(sink, &rows)?;
        self.side(sink, &columns)
    }

    fn amo_size(&self, n: usize) -> Size {
        if n <= 4 {
            return Nested.amo_size(n);
        }
        let (rows, columns) = shape(n);
        Size::variables((rows + columns) as u64)
            + Size::clauses((n as u64).saturating_mul(2), 2)
            + self.side_size(rows)
            + self.side_size(columns)
    }

    crate::encode::named!("product");
}

impl Product {
    fn side<S: ClauseSink + ?Sized>(self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        if lits.len() <= self.leaf { Nested.at_most_one(sink, lits) } else { self.at_most_one(sink, lits) }
    }

    fn side_size(self, n: usize) -> Size {
        if n <= self.leaf { Nested.amo_size(n) } else { self.amo_size(n) }
    }
}

/// Rows and columns, almost a square.
const fn shape(n: usize) -> (usize, usize) {
    let root = n.isqrt();
    let rows = if root * root < n { root + 1 } else { root };
    (rows, n.div_ceil(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::testing::amo_suite!(rectangle: Product::default(), Gac);
    crate::testing::amo_suite!(recursive: Product { leaf: 0 }, Gac);
}
