//! Clauses of expressions: a literal, a *gate*, for each part that needs one, and clauses that define it in the
//! directions in which it is used.
//!
//! An expression that is required is taken apart first: each part of a conjunction is required, and a disjunction is a
//! clause. A gate that occurs in one polarity needs the clauses of that one alone (D. A. Plaisted, S. Greenbaum, *A
//! structure-preserving clause form translation*, Journal of Symbolic Computation 2, 1986, pages 293–304). Parts that
//! are alike, the same operation of the same literals, have one gate. Where models are counted, or a gate is the
//! caller's, all are defined in both directions (G. S. Tseitin 1968).

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use super::{BoolExpr, ExprKind, ExprNode};
use crate::truth::Truth;
use crate::writer::{Full, Writer};

/// All nodes of expressions, parts before the whole.
pub(super) struct ExprOrder<'e> {
    pub(super) nodes: Vec<&'e ExprNode>,
    places: FxHashMap<*const ExprNode, usize>,
}

impl ExprOrder<'_> {
    pub(super) fn at(&self, expr: &BoolExpr) -> usize {
        self.places[&std::ptr::from_ref(&*expr.node)]
    }

    /// The variables, as positive literals.
    pub(super) fn lits(&self) -> impl Iterator<Item = Lit> {
        self.nodes.iter().filter_map(|node| if let ExprKind::Lit(lit) = node.kind { Some(lit) } else { None })
    }
}

/// The nodes of these expressions.
pub(super) fn ordered<'e>(roots: impl IntoIterator<Item = &'e BoolExpr>) -> ExprOrder<'e> {
    let mut order = ExprOrder { nodes: Vec::new(), places: FxHashMap::default() };
    // Each with the number of its parts that were looked at.
    let mut open: Vec<(&'e ExprNode, usize)> = Vec::new();
    for root in roots {
        open.push((&root.node, 0));
        while let Some((node, next)) = open.pop() {
            if order.places.contains_key(&std::ptr::from_ref(node)) {
                continue;
            }
            if let Some(part) = node.parts.get(next) {
                open.push((node, next + 1));
                open.push((&part.node, 0));
            } else {
                order.places.insert(node, order.nodes.len());
                order.nodes.push(node);
            }
        }
    }
    order
}

/// The polarities in which a gate is used: what it implies, and what implies it.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BOTH: u8 = TRUE | FALSE;

const fn turned(polarity: u8, negated: bool) -> u8 {
    if negated { polarity >> 1 | polarity << 1 & BOTH } else { polarity }
}

/// The nodes of expressions, and the polarities in which each is used.
pub(crate) struct ExprGates<'e> {
    order: ExprOrder<'e>,
    polarities: Vec<u8>,
    /// Disjunctions that only one conjunction has, which needs no more than to imply them: they have no gate.
    has_no_gate: Vec<bool>,
}

/// The gates that were written.
#[derive(Default)]
struct WrittenGates {
    /// The truth of each node that may have a gate.
    truths: Vec<Truth>,
    /// The literals of a disjunction without a gate; nothing where one is always true.
    clauses: FxHashMap<usize, Vec<Lit>>,
    /// The gate of an operation of these literals, and the polarities in which it is defined.
    gates: FxHashMap<(ExprKind, Vec<Lit>), (Lit, u8)>,
}

impl<'e> ExprGates<'e> {
    /// The gates of expressions that are used in these polarities.
    fn new(used: &[(&'e BoolExpr, u8)], both: bool) -> Self {
        let order = ordered(used.iter().map(|&(expr, _)| expr));
        let mut polarities = vec![if both { BOTH } else { 0 }; order.nodes.len()];
        for &(expr, polarity) in used {
            polarities[order.at(expr)] |= turned(polarity, expr.negated);
        }
        let mut uses = vec![0_usize; order.nodes.len()];
        used.iter().for_each(|(expr, _)| uses[order.at(expr)] += 1);
        for at in (0..order.nodes.len()).rev() {
            let (node, whole) = (order.nodes[at], polarities[at]);
            for (number, part) in node.parts.iter().enumerate() {
                let has_one = node.kind == ExprKind::All || node.kind == ExprKind::Ite && number > 0;
                polarities[order.at(part)] |= if has_one { turned(whole, part.negated) } else { BOTH };
                uses[order.at(part)] += 1;
            }
        }
        let mut has_no_gate = vec![false; order.nodes.len()];
        let conjunctions = order.nodes.iter().zip(&polarities).filter(|(node, _)| node.kind == ExprKind::All);
        for (node, _) in conjunctions.filter(|&(_, &polarity)| polarity == TRUE) {
            for part in node.parts.iter().filter(|part| part.negated && part.node.kind == ExprKind::All) {
                has_no_gate[order.at(part)] = uses[order.at(part)] == 1;
            }
        }
        Self { order, polarities, has_no_gate }
    }

    /// The gate of one expression, whatever its value, in both directions.
    pub(crate) fn whole(expr: &'e BoolExpr) -> Self {
        Self::new(&[(expr, BOTH)], true)
    }

    /// The variables, as positive literals.
    pub(crate) fn lits(&self) -> Vec<Lit> {
        self.order.lits().collect()
    }

    /// The truth of an expression whose gates were written.
    fn truth(&self, written: &WrittenGates, expr: &BoolExpr) -> Truth {
        let truth = written.truths[self.order.at(expr)];
        if expr.negated { !truth } else { truth }
    }

    /// Writes all gates.
    fn write(&self, to: &mut Writer<'_>) -> Result<WrittenGates, Full> {
        let mut written = WrittenGates::default();
        for (at, (node, &polarity)) in self.order.nodes.iter().zip(&self.polarities).enumerate() {
            let has_gate = |part: &&BoolExpr| !self.has_no_gate[self.order.at(part)];
            let parts = node.parts.iter().filter(has_gate).map(|part| self.truth(&written, part));
            let parts: Vec<Truth> = parts.collect();
            let truth = match node.kind {
                _ if self.has_no_gate[at] => {
                    written.disjunction(at, &parts);
                    Truth::Known(true)
                }
                ExprKind::All if parts.len() < node.parts.len() => {
                    let clauses = node.parts.iter().filter_map(|part| written.clauses.remove(&self.order.at(part)));
                    let clauses = clauses.collect();
                    written.implying(&parts, clauses, to)?
                }
                ExprKind::True => Truth::Known(true),
                ExprKind::Lit(lit) => Truth::If(lit),
                ExprKind::All => written.all(&parts, polarity, to)?,
                ExprKind::Xor => {
                    let mut truth = Truth::Known(false);
                    for (number, part) in parts.iter().enumerate() {
                        let is_last = number + 1 == parts.len();
                        truth = written.xor(truth, *part, if is_last { polarity } else { BOTH }, to)?;
                    }
                    truth
                }
                ExprKind::Ite => written.ite([parts[0], parts[1], parts[2]], polarity, to)?,
            };
            written.truths.push(truth);
        }
        Ok(written)
    }

    /// Writes the gate of [`whole`](Self::whole), and gives its literal.
    pub(crate) fn literal(&self, expr: &BoolExpr, to: &mut Writer<'_>) -> Result<Lit, Full> {
        let written = self.write(to)?;
        match self.truth(&written, expr) {
            Truth::If(lit) => Ok(lit),
            Truth::Known(value) => {
                let lit = to.lit();
                to.define(&[if value { lit } else { !lit }])?;
                Ok(lit)
            }
        }
    }
}

impl WrittenGates {
    /// The gate of an operation, and the polarities in which it is yet to be defined.
    fn gate(&mut self, kind: ExprKind, lits: &[Lit], polarity: u8, to: &mut Writer<'_>) -> (Lit, u8) {
        let gate = self.gates.entry((kind, lits.to_vec())).or_insert_with(|| (to.lit(), 0));
        let new = polarity & !gate.1;
        gate.1 |= polarity;
        (gate.0, new)
    }

    /// Takes note of a disjunction of the negations of these parts.
    fn disjunction(&mut self, at: usize, parts: &[Truth]) {
        let mut clause = Vec::with_capacity(parts.len());
        for part in parts {
            match *part {
                Truth::Known(true) => {}
                Truth::Known(false) => return,
                Truth::If(lit) => clause.push(!lit),
            }
        }
        self.clauses.insert(at, clause);
    }

    /// The gate of a conjunction that implies parts and clauses.
    fn implying(&mut self, parts: &[Truth], clauses: Vec<Vec<Lit>>, to: &mut Writer<'_>) -> Result<Truth, Full> {
        if parts.contains(&Truth::Known(false)) || clauses.iter().any(Vec::is_empty) {
            return Ok(Truth::Known(false));
        }
        if clauses.is_empty() {
            return self.all(parts, TRUE, to);
        }
        let gate = to.lit();
        for part in parts {
            if let Truth::If(lit) = part {
                to.define(&[!gate, *lit])?;
            }
        }
        for lits in clauses {
            clause(&lits.into_iter().chain([!gate]).collect::<Vec<Lit>>(), true, to)?;
        }
        Ok(Truth::If(gate))
    }

    fn all(&mut self, parts: &[Truth], polarity: u8, to: &mut Writer<'_>) -> Result<Truth, Full> {
        let mut lits = Vec::with_capacity(parts.len());
        for part in parts {
            match *part {
                Truth::Known(true) => {}
                Truth::Known(false) => return Ok(Truth::Known(false)),
                Truth::If(lit) => lits.push(lit),
            }
        }
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
            return Ok(Truth::Known(false));
        }
        match lits[..] {
            [] => return Ok(Truth::Known(true)),
            [lit] => return Ok(Truth::If(lit)),
            _ => {}
        }
        let (gate, new) = self.gate(ExprKind::All, &lits, polarity, to);
        if new & TRUE > 0 {
            lits.iter().try_for_each(|&lit| to.define(&[!gate, lit]))?;
        }
        if new & FALSE > 0 {
            let clause: Vec<Lit> = lits.iter().map(|&lit| !lit).chain([gate]).collect();
            to.define(&clause)?;
        }
        Ok(Truth::If(gate))
    }

    fn xor(&mut self, one: Truth, two: Truth, polarity: u8, to: &mut Writer<'_>) -> Result<Truth, Full> {
        let (one, two) = match (one, two) {
            (Truth::Known(value), other) | (other, Truth::Known(value)) => {
                return Ok(if value { !other } else { other });
            }
            (Truth::If(one), Truth::If(two)) => (one, two),
        };
        if one.var() == two.var() {
            return Ok(Truth::Known(one != two));
        }
        let negated = one.is_neg() != two.is_neg();
        let mut vars = [one.var().pos_lit(), two.var().pos_lit()];
        vars.sort_unstable();
        let [a, b] = vars;
        let (gate, new) = self.gate(ExprKind::Xor, &vars, turned(polarity, negated), to);
        if new & TRUE > 0 {
            to.define(&[!gate, a, b])?;
            to.define(&[!gate, !a, !b])?;
        }
        if new & FALSE > 0 {
            to.define(&[gate, !a, b])?;
            to.define(&[gate, a, !b])?;
        }
        Ok(Truth::If(if negated { !gate } else { gate }))
    }

    fn ite(&mut self, parts: [Truth; 3], polarity: u8, to: &mut Writer<'_>) -> Result<Truth, Full> {
        let (cond, then, other) = match parts {
            [Truth::Known(value), then, other] => return Ok(if value { then } else { other }),
            [Truth::If(cond), Truth::If(then), Truth::If(other)] => (cond, then, other),
            [cond, then, Truth::Known(value)] => {
                let [cond, then] = if value { [cond, !then] } else { [cond, then] };
                let both = self.all(&[cond, then], turned(polarity, value), to)?;
                return Ok(if value { !both } else { both });
            }
            [cond, Truth::Known(value), other] => {
                let other = if value { !other } else { other };
                let both = self.all(&[!cond, other], turned(polarity, value), to)?;
                return Ok(if value { !both } else { both });
            }
        };
        if then == other {
            return Ok(Truth::If(then));
        }
        if then == !other {
            return self.xor(Truth::If(cond), Truth::If(other), polarity, to);
        }
        let (gate, new) = self.gate(ExprKind::Ite, &[cond, then, other], polarity, to);
        if new & TRUE > 0 {
            clause(&[!gate, !cond, then], true, to)?;
            clause(&[!gate, cond, other], true, to)?;
        }
        if new & FALSE > 0 {
            clause(&[gate, !cond, !then], true, to)?;
            clause(&[gate, cond, !other], true, to)?;
        }
        Ok(Truth::If(gate))
    }
}

/// Writes a clause whose literals may repeat or complement each other.
fn clause(lits: &[Lit], defines: bool, to: &mut Writer<'_>) -> Result<(), Full> {
    let mut lits = lits.to_vec();
    lits.sort_unstable();
    lits.dedup();
    if lits.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
        return Ok(());
    }
    if defines { to.define(&lits) } else { to.clause(&lits) }
}

/// An expression that is required, taken apart.
pub(crate) struct ExprClauses<'e> {
    /// Each a clause of parts, negated where that says so.
    clauses: Vec<Vec<(&'e BoolExpr, bool)>>,
    /// Each an exclusive or of parts, and whether it is to be odd.
    parities: Vec<(&'e [BoolExpr], bool)>,
    pub(crate) gates: ExprGates<'e>,
}

impl<'e> ExprClauses<'e> {
    /// The expression, with gates in both directions where models are counted.
    pub(crate) fn new(expr: &'e BoolExpr, both: bool) -> Self {
        let (mut clauses, mut parities) = (Vec::new(), Vec::new());
        let mut used: Vec<(&BoolExpr, u8)> = Vec::new();
        let mut left = vec![(expr, false)];
        while let Some((expr, negated)) = left.pop() {
            let (parts, negated) = (&expr.node.parts, expr.negated != negated);
            match (expr.node.kind, negated) {
                (ExprKind::All, false) => left.extend(parts.iter().rev().map(|part| (part, false))),
                (ExprKind::All, true) => clauses.push(parts.iter().map(|part| (part, true)).collect()),
                (ExprKind::Xor, _) => {
                    used.extend(parts.iter().map(|part| (part, BOTH)));
                    parities.push((&parts[..], !negated));
                }
                (ExprKind::Ite, _) => {
                    clauses.push(vec![(&parts[0], true), (&parts[1], negated)]);
                    clauses.push(vec![(&parts[0], false), (&parts[2], negated)]);
                }
                (ExprKind::True | ExprKind::Lit(_), _) => clauses.push(vec![(expr, negated != expr.negated)]),
            }
        }
        let parts = clauses.iter().flatten();
        used.extend(parts.map(|&(part, negated)| (part, if negated { FALSE } else { TRUE })));
        let gates = ExprGates::new(&used, both);
        Self { clauses, parities, gates }
    }

    /// Writes gates, then what is required.
    pub(crate) fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        let mut written = self.gates.write(to)?;
        for (parts, odd) in &self.parities {
            let mut truth = Truth::Known(!odd);
            for part in &parts[1..] {
                let part = self.gates.truth(&written, part);
                truth = written.xor(truth, part, BOTH, to)?;
            }
            match (truth, self.gates.truth(&written, &parts[0])) {
                (Truth::If(one), Truth::If(two)) => {
                    clause(&[one, two], false, to)?;
                    clause(&[!one, !two], false, to)?;
                }
                (Truth::Known(value), other) | (other, Truth::Known(value)) => {
                    match if value { !other } else { other } {
                        Truth::Known(true) => {}
                        Truth::Known(false) => to.clause(&[])?,
                        Truth::If(lit) => to.clause(&[lit])?,
                    }
                }
            }
        }
        'clauses: for parts in &self.clauses {
            let mut lits = Vec::with_capacity(parts.len());
            for &(part, negated) in parts {
                let truth = self.gates.truth(&written, part);
                match if negated { !truth } else { truth } {
                    Truth::Known(true) => continue 'clauses,
                    Truth::Known(false) => {}
                    Truth::If(lit) => lits.push(lit),
                }
            }
            clause(&lits, false, to)?;
        }
        Ok(())
    }
}
