//! [`Product`]: literals in a rectangle of rows and columns.

use rustsat::types::Lit;

use super::Nested;
use crate::encode::Amo;
use crate::size::Size;
use crate::writer::{Full, Writer};

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

impl Amo for Product {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        if lits.len() <= 4 {
            return Nested.encode(to, lits);
        }
        let (rows, columns) = shape(lits.len());
        let (rows, columns) = (to.lits(rows), to.lits(columns));
        for (&row, inputs) in rows.iter().zip(lits.chunks(columns.len())) {
            for (&lit, &column) in inputs.iter().zip(&columns) {
                to.define(&[!lit, row])?;
                to.define(&[!lit, column])?;
            }
        }
        self.side(to, &rows)?;
        self.side(to, &columns)
    }

    fn size(&self, n: usize) -> Size {
        if n <= 4 {
            return Nested.size(n);
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
    fn side(self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        if lits.len() <= self.leaf { Nested.encode(to, lits) } else { self.encode(to, lits) }
    }

    fn side_size(self, n: usize) -> Size {
        if n <= self.leaf { Nested.size(n) } else { self.size(n) }
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
