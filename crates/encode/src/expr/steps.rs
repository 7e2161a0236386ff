//! Expressions step by step: each operation has a variable of its own, and inequalities that say it as it is read. No
//! encoding is asked, so that a proof can begin here and end at the clauses of one.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use super::write::{ExprOrder, ordered};
use super::{BoolExpr, ExprKind};

/// An operation of an expression, and the variable that is true if and only if it is.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExprStep {
    own: Lit,
    kind: ExprKind,
    parts: Vec<Lit>,
}

/// The weights of true literals sum up to at least that.
#[doc(hidden)]
pub type ExprLine = (Vec<(u64, Lit)>, u64);

impl ExprStep {
    /// The inequalities that say it in both directions.
    #[doc(hidden)]
    #[must_use]
    pub fn lines(&self) -> Vec<ExprLine> {
        let (own, parts) = (self.own, &self.parts);
        let clause = |lits: [Lit; 3]| (lits.map(|lit| (1, lit)).to_vec(), 1);
        match self.kind {
            ExprKind::Xor => {
                let (a, b) = (parts[0], parts[1]);
                [[!own, a, b], [!own, !a, !b], [own, !a, b], [own, a, !b]].map(clause).to_vec()
            }
            ExprKind::Ite => {
                let (c, t, e) = (parts[0], parts[1], parts[2]);
                [[!own, !c, t], [!own, c, e], [own, !c, !t], [own, c, !e]].map(clause).to_vec()
            }
            ExprKind::All | ExprKind::True | ExprKind::Lit(_) => {
                let n = parts.len() as u64;
                let if_own = parts.iter().map(|&part| (1, part)).chain([(n, !own)]);
                let if_not = parts.iter().map(|&part| (1, !part)).chain([(1, own)]);
                vec![(if_own.collect(), n), (if_not.collect(), 1)]
            }
        }
    }

    /// The variable, as its own literal or negated, where the parts are as `is_true` says.
    #[doc(hidden)]
    #[must_use]
    pub fn value(&self, is_true: impl Fn(Lit) -> bool) -> Lit {
        let mut parts = self.parts.iter().map(|&part| is_true(part));
        let value = match self.kind {
            ExprKind::Xor => parts.filter(|&value| value).count() == 1,
            ExprKind::Ite => {
                let at = if parts.next() == Some(true) { 1 } else { 2 };
                is_true(self.parts[at])
            }
            ExprKind::All | ExprKind::True | ExprKind::Lit(_) => parts.all(|value| value),
        };
        if value { self.own } else { !self.own }
    }
}

impl BoolExpr {
    /// The operations of this expression, parts before the whole, whose variables are numbered from `first` on, and the
    /// literal of the whole. An exclusive or of n parts is n − 1 operations: in the order of its parts, but that the
    /// first comes last where it is required.
    #[doc(hidden)]
    #[must_use]
    pub fn steps(&self, first: u32) -> (Vec<ExprStep>, Lit) {
        let order = ordered([self]);
        let required = order.required(self);
        let (mut steps, mut lits): (Vec<ExprStep>, Vec<Lit>) = Default::default();
        let mut known: FxHashMap<(ExprKind, Vec<Lit>), Lit> = FxHashMap::default();
        let mut step = |kind: ExprKind, parts: Vec<Lit>| {
            *known.entry((kind, parts.clone())).or_insert_with(|| {
                let own = Lit::positive(first + steps.len() as u32);
                steps.push(ExprStep { own, kind, parts });
                own
            })
        };
        for (at, node) in order.nodes.iter().enumerate() {
            let part = |part: &Self| if part.negated { !lits[order.at(part)] } else { lits[order.at(part)] };
            let mut parts: Vec<Lit> = node.parts.iter().map(part).collect();
            lits.push(match node.kind {
                ExprKind::Lit(lit) => lit,
                ExprKind::Xor => {
                    parts.rotate_left(usize::from(required[at]));
                    let mut parts = parts.into_iter();
                    let begin = parts.next().unwrap_or_else(|| step(ExprKind::True, Vec::new()));
                    parts.fold(begin, |one, other| step(ExprKind::Xor, vec![one, other]))
                }
                kind => step(kind, parts),
            });
        }
        let whole = lits[order.at(self)];
        (steps, if self.negated { !whole } else { whole })
    }
}

impl ExprOrder<'_> {
    /// For each node, whether an expression has it as a part of nothing but conjunctions.
    fn required(&self, expr: &BoolExpr) -> Vec<bool> {
        let mut required = vec![false; self.nodes.len()];
        let mut left = vec![expr];
        while let Some(expr) = left.pop() {
            required[self.at(expr)] = true;
            if expr.node.kind == ExprKind::All && !expr.negated {
                left.extend(&expr.node.parts);
            }
        }
        required
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// For each assignment of the variables, exactly one of the operations' variables meets all lines, the one that
    /// their values are; and the whole is true if and only if the expression is.
    #[test]
    fn lines_say_what_the_expression_does() {
        let mut random = Random::new(8);
        for _ in 0..60 {
            let mut parts: Vec<BoolExpr> = (0..4).map(|var| BoolExpr::from(Lit::positive(var))).collect();
            for _ in 0..3 {
                let mut part = || {
                    let part = parts[random.below(parts.len())].clone();
                    if random.below(3) == 0 { !part } else { part }
                };
                let (a, b, c) = (part(), part(), part());
                parts.push(match random.below(4) {
                    0 => BoolExpr::all([a, b, c]),
                    1 => BoolExpr::any([a, b, c]),
                    2 => a ^ b ^ c,
                    _ => BoolExpr::ite(a, b, c),
                });
            }
            let expr = parts.pop().unwrap();
            let (steps, whole) = expr.steps(4);
            let lines: Vec<ExprLine> = steps.iter().flat_map(ExprStep::lines).collect();
            let is_true = |values: usize| move |lit: Lit| (values >> lit.vidx() & 1 == 1) == lit.is_pos();
            for values in 0..1 << 4 {
                let mut all = values;
                for step in &steps {
                    let own = step.value(is_true(all));
                    all |= usize::from(own.is_pos()) << own.vidx();
                }
                assert_eq!(is_true(all)(whole), expr.holds(is_true(values)), "{expr}");
                for others in 0..1 << steps.len() {
                    let meets = |(terms, least): &ExprLine| {
                        let sum: u64 =
                            terms.iter().filter(|term| is_true(values | others << 4)(term.1)).map(|t| t.0).sum();
                        sum >= *least
                    };
                    assert_eq!(lines.iter().all(meets), values | others << 4 == all, "{expr}: {values:b} {others:b}");
                }
            }
        }
    }
}
