//! The clauses that break symmetries as lines of a proof, by dominance.
//!
//! An order is loaded over the variables that are compared: z is before z' if the first of them in which they differ is
//! true in z; as a sum, Σ 2ʳ⁽ᵛ⁾·(z(v) − z'(v)) ≥ 0, where r(v) is how many come after v. A clause or a sum that z
//! violates only if the image of z is before z may be demanded, because images are solutions that cost as much:
//!
//! * for a symmetry that leaves all variables before v alone, and moves v to w: v or not w;
//! * for each generator g: z is not after its image, Σ 2ʳ⁽ᵛ⁾·(v − g(v)) ≥ 0.
//!
//! The clauses of a lex-leader follow from the sum. An auxiliary is defined to be true if and only if the one before
//! it is, and a pair is equal; that the pair is, as often as it counts in the sum, takes it out of the sum.
//!
//! Source: B. Bogaerts, S. Gocht, C. `McCreesh`, J. Nordström, *Certified Dominance and Symmetry Breaking for
//! Combinatorial Optimisation*, Journal of Artificial Intelligence Research 77, 2023, pages 1539–1589.

use std::io;

use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

use super::rows::{lit_of, number_of};
use super::search::{Level, image};
use super::{ClauseReason, SymmetryBreaking, compared, is_exchanged};
use crate::certify::{Id, Lines};
use crate::formula::certify_error::CertifyError;
use crate::formula::go_on::TryGoOn;

/// The most variables of an order: the first of them weighs 2 to the power of that.
const MOST: usize = 1 << 12;

/// The variables that are compared, and the powers of two that they weigh.
struct LexOrder {
    vars: Vec<Var>,
    /// The power of the last first.
    powers: Vec<String>,
}

/// Twice a decimal number.
fn doubled(number: &str) -> String {
    let mut carry = 0;
    let mut digits: Vec<u8> = Vec::with_capacity(number.len() + 1);
    for digit in number.bytes().rev() {
        let twice = 2 * (digit - b'0') + carry;
        digits.push(b'0' + twice % 10);
        carry = twice / 10;
    }
    digits.extend((carry > 0).then_some(b'1'));
    digits.iter().rev().map(|&digit| char::from(digit)).collect()
}

impl LexOrder {
    fn weight(&self, var: Var) -> Option<&str> {
        self.vars.binary_search(&var).ok().map(|at| self.powers[self.vars.len() - 1 - at].as_str())
    }

    /// Defines the order, and loads it over the variables.
    fn load(&self, lines: &mut Lines<'_>) -> io::Result<()> {
        let n = self.vars.len();
        let names = |lines: &mut Lines<'_>, word: &str, name: char| {
            lines.word(word);
            (0..n).for_each(|at| lines.word(&format!(" {name}{at}")));
            lines.end(";\n")
        };
        lines.word("def_order lex\nvars\n");
        names(lines, "left", 'u')?;
        names(lines, "right", 'v')?;
        lines.word("end;\ndef\n");
        for (at, weight) in self.powers.iter().rev().enumerate() {
            lines.end(&format!("+{weight} u{at} -{weight} v{at} "))?;
        }
        lines.end(">= 0;\nend;\ntransitivity\nvars\n")?;
        names(lines, "fresh_right", 'w')?;
        lines.word("end;\nproof\nproofgoal #1\npol 1 2 + 3 +;\nqed : -1;\nqed;\nend;\nend;\nload_order lex");
        for &var in &self.vars {
            lines.word(" ");
            lines.literal(var.pos_lit());
        }
        lines.end(";\n")
    }
}

/// The lex-leader that is being derived.
struct Leader {
    generator: usize,
    /// The pairs that are compared.
    pairs: Vec<(Lit, Lit)>,
    /// The sum without the pairs that are equal.
    sum: Id,
    /// Of each auxiliary that the one before it is true if it is.
    chain: Vec<Id>,
    /// The last auxiliary.
    equal: Option<Lit>,
    /// The line that the last pair is in order.
    ordered: Option<Id>,
    /// True after the first of two clauses about a pair that is equal.
    is_half: bool,
    /// Lines that are no clauses of the formula.
    beside: Vec<Id>,
}

impl SymmetryBreaking<'_> {
    /// The variables that are compared, in order.
    fn order(&self) -> Result<LexOrder, CertifyError> {
        let leaders = self.group.generators.iter().flat_map(|generator| compared(generator));
        let firsts = self.group.levels.iter().map(|level| lit_of(level.first).var());
        let mut vars: Vec<Var> = leaders.map(|(lit, _)| lit.var()).chain(firsts).collect();
        vars.sort_unstable();
        vars.dedup();
        if vars.len() > MOST {
            return Err(CertifyError::Symmetries { reason: "more than 4,096 variables are compared" });
        }
        let powers = std::iter::successors(Some("1".to_owned()), |last| Some(doubled(last)));
        let powers = powers.take(vars.len()).collect();
        Ok(LexOrder { vars, powers })
    }

    /// A line for each clause that was added.
    pub(in crate::formula) fn derive(
        &self,
        lines: &mut Lines<'_>,
        go_on: &mut TryGoOn<'_, CertifyError>,
    ) -> Result<Vec<Id>, CertifyError> {
        if self.reasons.is_empty() {
            return Ok(Vec::new());
        }
        if self.given.constraints().any(|constraint| constraint.reifies_exactly()) {
            return Err(CertifyError::Symmetries { reason: "an equality is reified" });
        }
        if self.given.kept.has_long_parities() {
            return Err(CertifyError::Symmetries { reason: "a parity has more than eight literals" });
        }
        let order = self.order()?;
        order.load(lines)?;
        let mut ids = Vec::with_capacity(self.reasons.len());
        let mut leader: Option<Leader> = None;
        let mut paths = (usize::MAX, FxHashMap::default());
        for (clause, &reason) in self.formula.clauses().skip(self.given.n_clauses()).zip(&self.reasons) {
            go_on()?;
            if let ClauseReason::Ordered { generator, .. } | ClauseReason::Equal { generator, .. } = reason
                && leader.as_ref().is_none_or(|leader| leader.generator != generator)
            {
                leader.take().map_or(Ok(()), |done| lines.list("del id", &done.beside))?;
                leader = Some(self.leader(generator, &order, lines)?);
            }
            if let ClauseReason::Moved { level, .. } | ClauseReason::Row { level } = reason
                && paths.0 != level
            {
                paths = (level, self.paths(&self.group.levels[level]));
            }
            let id = match (reason, &mut leader) {
                (ClauseReason::Moved { to, .. }, _) => lines.dom(clause, &self.element(&paths.1, to))?,
                (ClauseReason::Row { level }, _) => {
                    let Level { first, orbit, .. } = &self.group.levels[level];
                    let mut others = Vec::new();
                    for &to in orbit.iter().filter(|&lit| lit != first) {
                        let clause = [lit_of(*first), !lit_of(to)];
                        others.push(lines.dom(&clause, &self.element(&paths.1, to))?);
                    }
                    let id = lines.rup(clause, &[])?;
                    lines.list("del id", &others)?;
                    id
                }
                (ClauseReason::Ordered { .. }, Some(leader)) => {
                    let hints = [&leader.chain[..], &[leader.sum]].concat();
                    let id = lines.rup(clause, &hints)?;
                    leader.ordered = Some(id);
                    id
                }
                (ClauseReason::Equal { pair, .. }, Some(leader)) => {
                    let next = clause[clause.len() - 2];
                    let id = lines.red(clause.iter().map(|&lit| (1, lit)), 1, next)?;
                    leader.is_half = !leader.is_half;
                    if !leader.is_half {
                        let compared = leader.pairs[pair];
                        self.equal(leader, compared, next, &order, lines)?;
                    }
                    id
                }
                (ClauseReason::Ordered { .. } | ClauseReason::Equal { .. }, None) => continue,
            };
            ids.push(id);
        }
        leader.map_or(Ok(()), |done| lines.list("del id", &done.beside))?;
        lines.end("load_order;\n")?;
        Ok(ids)
    }

    /// Begins the lex-leader of a generator with its sum.
    fn leader(&self, generator: usize, order: &LexOrder, lines: &mut Lines<'_>) -> io::Result<Leader> {
        let moved = &self.group.generators[generator];
        let terms = moved.iter().filter_map(|&(from, to)| order.weight(from.var()).map(|weight| (from, to, weight)));
        let sum =
            lines.dom_order(terms.flat_map(|(from, to, weight)| [("+", weight, from), ("-", weight, to)]), moved)?;
        Ok(Leader {
            generator,
            pairs: compared(moved),
            sum,
            chain: Vec::new(),
            equal: None,
            ordered: None,
            is_half: false,
            beside: vec![sum],
        })
    }

    /// Takes a pair that is equal, as `next` says, out of the sum.
    fn equal(
        &self,
        leader: &mut Leader,
        (one, other): (Lit, Lit),
        next: Lit,
        order: &LexOrder,
        lines: &mut Lines<'_>,
    ) -> io::Result<()> {
        let ordered = match leader.ordered {
            Some(id) => id,
            // The first pair has no clause here.
            None => {
                let id = lines.rup(&[one, !other], &[leader.sum])?;
                leader.beside.push(id);
                id
            }
        };
        if let Some(equal) = leader.equal {
            let id = lines.red([(1, !next), (1, equal)], 1, !next)?;
            leader.chain.push(id);
            leader.beside.push(id);
        }
        let back = lines.red([(1, !next), (1, !one), (1, other)], 1, !next)?;
        let mut parts = vec![(leader.sum, "1")];
        parts.extend(order.weight(one.var()).map(|weight| (back, weight)));
        // The other of two that are exchanged counts in the sum, too.
        if is_exchanged(&self.group.generators[leader.generator], one, other) && one.var() != other.var() {
            let line = if other.is_neg() { back } else { ordered };
            parts.extend(order.weight(other.var()).map(|weight| (line, weight)));
        }
        leader.sum = lines.multiples(&parts)?;
        leader.beside.extend([back, leader.sum]);
        leader.equal = Some(next);
        Ok(())
    }

    /// For each literal to which that of a level may be moved, the one before it on the way, and by which generator.
    fn paths(&self, level: &Level) -> FxHashMap<u32, (u32, usize)> {
        let mut paths = FxHashMap::default();
        let mut open = vec![level.first];
        while let Some(lit) = open.pop() {
            for (generator, moved) in self.group.generators[..level.n_generators].iter().enumerate() {
                let to = image(moved, lit);
                if to != level.first && !paths.contains_key(&to) {
                    paths.insert(to, (lit, generator));
                    open.push(to);
                }
            }
        }
        paths
    }

    /// The symmetry on the way to a literal.
    fn element(&self, paths: &FxHashMap<u32, (u32, usize)>, to: u32) -> Vec<(Lit, Lit)> {
        let mut way = Vec::new();
        let mut at = to;
        while let Some(&(before, generator)) = paths.get(&at) {
            way.push(generator);
            at = before;
        }
        let mut images: FxHashMap<u32, u32> = FxHashMap::default();
        for &generator in way.iter().rev() {
            let moved = &self.group.generators[generator];
            images.values_mut().for_each(|to| *to = image(moved, *to));
            for &(from, to) in moved {
                images.entry(number_of(from)).or_insert_with(|| number_of(to));
            }
        }
        let mut images: Vec<(u32, u32)> = images.into_iter().filter(|(from, to)| from != to).collect();
        images.sort_unstable();
        images.into_iter().map(|(from, to)| (lit_of(from), lit_of(to))).collect()
    }
}
