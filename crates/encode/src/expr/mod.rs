//! [`BoolExpr`]: Boolean expressions over literals, with parts that are shared, of any depth.
//!
//! `write` makes clauses of them, `steps` inequalities for proofs, `parse` reads them from text.

mod parse;
mod steps;
mod write;

use std::fmt;
use std::mem;
use std::ops::{BitAnd, BitOr, BitXor, Not};
use std::sync::Arc;

use rustsat::types::Lit;

pub use self::parse::ExprError;
pub use self::steps::{ExprLine, ExprStep};
pub(crate) use self::write::{ExprClauses, ExprGates};

/// A Boolean expression over literals: and, or, not, exclusive or, implication, equivalence, if-then-else.
///
/// A clone shares its parts with the original, and parts that are shared, or alike, get one literal:
/// [`Constrain::require`](crate::Constrain::require) says that an expression holds,
/// [`Constrain::literal`](crate::Constrain::literal) gives it a literal. Expressions may be
/// nested as deep as memory allows: the tests do 300,000.
///
/// | expression | as text |
/// |---|---|
/// | `a & b`, [`all`](Self::all) | `a & b` |
/// | <code>a \| b</code>, [`any`](Self::any) | <code>a \| b</code> |
/// | `!a` | `!a` |
/// | `a ^ b` | `a ^ b` |
/// | `a.implies(b)`, `a.iff(b)` | `a -> b`, `a <-> b` |
/// | [`ite(c, t, e)`](Self::ite) | `ite(c, t, e)` |
///
/// ```
/// use cnfkit::{BoolExpr, ClauseSink, Constrain, Formula};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let [a, b, c] = ["a", "b", "c"].map(|name| BoolExpr::from(formula.new_named(name)));
/// formula.require((a.clone() & b.clone()).implies(c.clone()) & (a.clone() ^ b.clone()))?;
/// formula.require(BoolExpr::ite(c, a, !b))?;
/// let model = formula.solve()?.expect("a model");
/// assert_eq!(model.by_name(&formula).into_values().collect::<Vec<_>>()[..2], [true, false]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct BoolExpr {
    node: Arc<ExprNode>,
    negated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ExprKind {
    True,
    Lit(Lit),
    /// All parts are true.
    All,
    /// An odd number of parts is true.
    Xor,
    /// The second part if the first is true, otherwise the third.
    Ite,
}

struct ExprNode {
    kind: ExprKind,
    parts: Vec<BoolExpr>,
}

/// Deep expressions are taken apart without recursion.
impl Drop for ExprNode {
    fn drop(&mut self) {
        let mut left = mem::take(&mut self.parts);
        while let Some(part) = left.pop() {
            if let Some(mut node) = Arc::into_inner(part.node) {
                left.append(&mut node.parts);
            }
        }
    }
}

impl From<Lit> for BoolExpr {
    fn from(lit: Lit) -> Self {
        Self::new(ExprKind::Lit(lit.var().pos_lit()), Vec::new(), lit.is_neg())
    }
}

impl From<bool> for BoolExpr {
    fn from(value: bool) -> Self {
        Self::new(ExprKind::True, Vec::new(), !value)
    }
}

impl From<&Self> for BoolExpr {
    fn from(expr: &Self) -> Self {
        expr.clone()
    }
}

impl BoolExpr {
    fn new(kind: ExprKind, parts: Vec<Self>, negated: bool) -> Self {
        Self { node: Arc::new(ExprNode { kind, parts }), negated }
    }

    fn constant(&self) -> Option<bool> {
        (self.node.kind == ExprKind::True).then_some(!self.negated)
    }

    /// All of these are true; true where there are none.
    #[must_use]
    pub fn all<E: Into<Self>>(exprs: impl IntoIterator<Item = E>) -> Self {
        let mut parts = Vec::new();
        for expr in exprs {
            let expr = expr.into();
            match expr.constant() {
                Some(true) => {}
                Some(false) => return expr,
                None => parts.push(expr),
            }
        }
        match parts.len() {
            0 => Self::from(true),
            1 => parts.remove(0),
            _ => Self::new(ExprKind::All, parts, false),
        }
    }

    /// One of these is true; false where there are none.
    ///
    /// ```
    /// use cnfkit::{BoolExpr, ClauseSink, Cnf, Constrain};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(4);
    /// cnf.require(BoolExpr::any([BoolExpr::all(x[..2].iter().copied()), BoolExpr::from(x[3])]))?;
    /// assert_eq!((cnf.n_vars(), cnf.n_clauses()), (5, 3)); // the and implies its parts, and is one of two
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    pub fn any<E: Into<Self>>(exprs: impl IntoIterator<Item = E>) -> Self {
        !Self::all(exprs.into_iter().map(|expr| !expr.into()))
    }

    /// The second if the first is true, otherwise the third.
    #[must_use]
    pub fn ite(cond: impl Into<Self>, then: impl Into<Self>, other: impl Into<Self>) -> Self {
        let (cond, then, other) = (cond.into(), then.into(), other.into());
        match (cond.constant(), then.constant(), other.constant()) {
            (Some(true), ..) => then,
            (Some(false), ..) => other,
            (_, Some(true), _) => cond | other,
            (_, Some(false), _) => !cond & other,
            (.., Some(true)) => !cond | then,
            (.., Some(false)) => cond & then,
            _ => {
                let [then, other] = if cond.negated { [other, then] } else { [then, other] };
                let negated = then.negated;
                let parts = vec![Self { negated: false, ..cond }, then.flipped(negated), other.flipped(negated)];
                Self::new(ExprKind::Ite, parts, negated)
            }
        }
    }

    /// If this is true, `other` is.
    #[must_use]
    pub fn implies(self, other: impl Into<Self>) -> Self {
        !(self & !other.into())
    }

    /// Both are true, or neither is.
    #[must_use]
    pub fn iff(self, other: impl Into<Self>) -> Self {
        !(self ^ other)
    }

    /// The first list is lexicographically no greater than the second, *false* before *true*, the first pair deciding
    /// first; what one list has beyond the other is not looked at. Required, this breaks a symmetry that exchanges the
    /// lists, with n − 1 auxiliaries and 3n − 2 clauses.
    ///
    /// ```
    /// use cnfkit::{BoolExpr, ClauseSink, Cnf, Constrain};
    /// let mut cnf = Cnf::new();
    /// let (a, b) = (cnf.new_lits(3), cnf.new_lits(3));
    /// cnf.require(BoolExpr::lex_le(&a, &b))?;
    /// assert_eq!((cnf.n_vars(), cnf.n_clauses()), (6 + 2, 7));
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[doc(alias = "lexicographic order")]
    #[must_use]
    pub fn lex_le(one: &[Lit], other: &[Lit]) -> Self {
        let pairs = one.iter().zip(other).rev();
        pairs.fold(Self::from(true), |rest, (&a, &b)| {
            let last = rest.constant().is_some();
            let no_greater = Self::from(!a) | b;
            if last { no_greater } else { Self::all([no_greater, Self::from(!a) | rest.clone(), Self::from(b) | rest]) }
        })
    }

    /// The value under an assignment.
    ///
    /// ```
    /// use cnfkit::{BoolExpr, Lit};
    /// let [a, b] = [0, 1].map(Lit::positive);
    /// let expr = BoolExpr::from(a).iff(!b);
    /// assert!(expr.holds(|lit| lit == a || lit == !b) && !expr.holds(|lit| lit == a || lit == b));
    /// ```
    #[must_use]
    pub fn holds(&self, is_true: impl Fn(Lit) -> bool) -> bool {
        let order = self::write::ordered([self]);
        let mut values: Vec<bool> = Vec::with_capacity(order.nodes.len());
        for node in &order.nodes {
            let mut parts = node.parts.iter().map(|part| values[order.at(part)] != part.negated);
            values.push(match node.kind {
                ExprKind::True => true,
                ExprKind::Lit(lit) => is_true(lit),
                ExprKind::All => parts.all(|value| value),
                ExprKind::Xor => parts.filter(|&value| value).count() % 2 == 1,
                ExprKind::Ite => {
                    let at = if parts.next() == Some(true) { 1 } else { 2 };
                    values[order.at(&node.parts[at])] != node.parts[at].negated
                }
            });
        }
        values[order.at(self)] != self.negated
    }

    /// The variables of the expression, as positive literals, each once.
    #[must_use]
    pub fn lits(&self) -> Vec<Lit> {
        let mut lits: Vec<Lit> = self::write::ordered([self]).lits().collect();
        lits.sort_unstable();
        lits.dedup();
        lits
    }

    fn flipped(self, flip: bool) -> Self {
        Self { negated: self.negated != flip, ..self }
    }

    /// Puts `other` beside the parts of this where it is of that kind and nobody shares it.
    fn join(mut self, kind: ExprKind, other: Self) -> Self {
        if self.node.kind == kind
            && !(kind == ExprKind::All && self.negated)
            && let Some(node) = Arc::get_mut(&mut self.node)
        {
            node.parts.push(other);
            return self;
        }
        Self::new(kind, vec![self, other], false)
    }
}

impl Not for BoolExpr {
    type Output = Self;

    fn not(self) -> Self {
        self.flipped(true)
    }
}

impl<E: Into<Self>> BitAnd<E> for BoolExpr {
    type Output = Self;

    fn bitand(self, other: E) -> Self {
        let other = other.into();
        match (self.constant(), other.constant()) {
            (Some(true), _) | (_, Some(false)) => other,
            (Some(false), _) | (_, Some(true)) => self,
            _ => self.join(ExprKind::All, other),
        }
    }
}

impl<E: Into<Self>> BitOr<E> for BoolExpr {
    type Output = Self;

    fn bitor(self, other: E) -> Self {
        !(!self & !other.into())
    }
}

impl<E: Into<Self>> BitXor<E> for BoolExpr {
    type Output = Self;

    fn bitxor(self, other: E) -> Self {
        let other = other.into();
        match (self.constant(), other.constant()) {
            (Some(value), _) => other.flipped(value),
            (_, Some(value)) => self.flipped(value),
            _ => {
                let negated = self.negated != other.negated;
                let [one, two] = [self, other].map(|expr| Self { negated: false, ..expr });
                one.join(ExprKind::Xor, two).flipped(negated)
            }
        }
    }
}

/// In the notation that [`parse`](BoolExpr::parse) reads, with variables as `x1`, `x2`, …; of more than a hundred parts
/// only their number.
impl fmt::Display for BoolExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 100;
        let order = self::write::ordered([self]);
        if order.nodes.len() > MOST {
            return write!(f, "an expression of {} parts", order.nodes.len());
        }
        let mut texts: Vec<String> = Vec::new();
        let not = |negated: bool, text: &str| format!("{}{text}", if negated { "!" } else { "" });
        for node in &order.nodes {
            let parts: Vec<String> = node.parts.iter().map(|part| not(part.negated, &texts[order.at(part)])).collect();
            let text = match node.kind {
                ExprKind::True => "true".to_owned(),
                ExprKind::Lit(lit) => format!("x{}", lit.vidx32() + 1),
                ExprKind::All => format!("({})", parts.join(" & ")),
                ExprKind::Xor => format!("({})", parts.join(" ^ ")),
                ExprKind::Ite => format!("ite({})", parts.join(", ")),
            };
            if text.len() > 100 * MOST {
                return write!(f, "an expression of {} parts", order.nodes.len());
            }
            texts.push(text);
        }
        f.write_str(&not(self.negated, &texts[order.at(self)]))
    }
}

impl fmt::Debug for BoolExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
