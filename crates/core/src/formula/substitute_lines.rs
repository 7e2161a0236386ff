//! Lines of a proof that say constraints in which equal literals are one.
//!
//! The weight of each literal times the clause by which it implies its equal is added to a line that was given. What
//! folding decides follows by unit propagation, and is added likewise. The rest of folding is a saturation, parts of
//! weights that are left out, and a division that rounds up. [`Formula::certify`] says where it cannot be followed.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use super::Formula;
use super::go_on::TryGoOn;
use super::keep::KeptConstraints;
use super::opb_line::{OpbLine, OpbLits, sides};
use super::parities::ParityRows;
use super::substitute::{EqualLits, parts};
use crate::certify::FoldingSteps;
use crate::constraint::Constraint;
use crate::encode::Full;
use cnfkit_encode::normal::NormalSum;

/// The divisors that are tried for a line.
const MOST_DIVISORS: usize = 64;

/// The constraints of a formula with equal literals as one, where clauses or parities of two literals say so, and
/// folding can be followed.
#[derive(Default)]
pub(super) struct SubstitutedConstraints {
    pub(super) kept: KeptConstraints,
    /// The number of the constraint from which each comes, and its lines; none where it is the same.
    pub(super) from: Vec<(u32, Option<SubstitutedLines>)>,
}

/// The lines of a constraint that is left when literals are one, on their way from those that were given.
pub(super) struct SubstitutedLines {
    /// The clauses by which literals of each line that was given imply their equals, and the weights of these.
    pub(super) as_one: Vec<Vec<([Lit; 2], u128)>>,
    /// The clauses that unit propagation derives from lines with equal literals as one.
    pub(super) decided: Vec<Vec<Lit>>,
    pub(super) folded: Vec<FoldedLine>,
}

/// A line that follows from one with equal literals as one, if it needs one, and from multiples of what is decided.
pub(super) struct FoldedLine {
    pub(super) of: Option<usize>,
    pub(super) decided: Vec<(usize, u128)>,
    pub(super) steps: FoldingSteps,
}

impl SubstitutedConstraints {
    /// The constraints, `None` if none is said of fewer literals when the formula is encoded, and the parities: reduced
    /// where only pairs of literals are new.
    pub(super) fn new(formula: &Formula, go_on: &mut TryGoOn<'_>) -> Result<(Option<Self>, ParityRows), Full> {
        let given = ParityRows::as_given(&formula.kept);
        let mut proven = EqualLits::new(formula, &given);
        if !proven.are_some() {
            return Ok((None, given));
        }
        let planned = formula.planned(go_on)?;
        let reduced = ParityRows::new(formula, go_on)?;
        let mut equal = EqualLits::new(formula, &reduced);
        let is_proven = reduced.are_kept_but(|[one, other]| proven.first(one) == proven.first(other));
        let parities = if is_proven { reduced } else { given };
        let mut numbers = planned.items.substituted.iter().copied().peekable();
        let mut all = Self::default();
        for (from, given) in (0..).zip(formula.constraints()) {
            go_on()?;
            let asked = formula.kept.asked(from as usize);
            let folded = numbers.next_if_eq(&from).and_then(|_| equal.substituted(formula, &given));
            let new: Option<Vec<(Constraint<'_>, SubstitutedLines)>> = folded.as_ref().and_then(|folded| {
                let few = OpbLits::last(formula).of(&formula.kept, 0);
                let lines = LinesAsOne::new(&sides(&given, few), &folded.units, [&mut equal, &mut proven])?;
                parts(folded, &given).map(|part| Some((part, lines.to(&sides(&part, few), &folded.units)?))).collect()
            });
            let new = new.map(|new| new.into_iter().map(|(part, lines)| (part, Some(lines))).collect());
            for (part, lines) in new.unwrap_or_else(|| vec![(given, None)]) {
                all.kept.push(&part, asked);
                all.from.push((from, lines));
            }
        }
        Ok((all.from.iter().any(|(_, lines)| lines.is_some()).then_some(all), parities))
    }

    /// The number here of a constraint that was given.
    pub(super) fn number(&self, given: u32) -> u32 {
        self.from.partition_point(|&(from, _)| from < given) as u32
    }
}

/// The lines of a constraint with equal literals as one.
struct LinesAsOne {
    lines: Vec<LineAsOne>,
    /// The literals that folding decides, with their places.
    units: FxHashMap<Lit, usize>,
}

/// A line with equal literals as one.
struct LineAsOne {
    guards: Vec<Lit>,
    terms: Vec<(Lit, u128)>,
    degree: u128,
    implied: Vec<([Lit; 2], u128)>,
}

impl LinesAsOne {
    /// These lines, if it is `proven` that literals are equal, and no guard has the variable of a term.
    fn new(given: &[OpbLine], units: &[Lit], [equal, proven]: [&mut EqualLits; 2]) -> Option<Self> {
        let mut line = |line: &OpbLine| {
            let as_one: Vec<(Lit, i128)> = line.terms.iter().map(|&(w, lit)| (equal.first(lit), w.into())).collect();
            let mut both = line.terms.iter().map(|&(_, lit)| lit).zip(as_one.iter().map(|&(first, _)| first));
            let is_guard = |lit: Lit| line.guards.iter().any(|guard| guard.var() == lit.var());
            if both.any(|(lit, first)| is_guard(lit) || is_guard(first) || proven.first(lit) != proven.first(first)) {
                return None;
            }
            let replaced = line.terms.iter().zip(&as_one).filter(|((_, lit), (first, _))| lit != first);
            let implied = replaced.map(|(&(weight, lit), &(first, _))| ([!lit, first], weight.into())).collect();
            let NormalSum { offset, terms } = NormalSum::new(as_one);
            let degree = (line.least as i128 - offset).max(0).cast_unsigned();
            Some(LineAsOne { guards: line.guards.clone(), terms, degree, implied })
        };
        let places = units.iter().copied().zip(0..).collect();
        let lines = Self { lines: given.iter().map(&mut line).collect::<Option<_>>()?, units: places };
        let known = lines.known(None).unwrap_or_default();
        units.iter().all(|unit| known.contains(unit) || lines.known(Some(!*unit)).is_none()).then_some(lines)
    }

    /// The literals that unit propagation finds where all guards are false and one literal is true; `None` if not all
    /// lines are met.
    fn known(&self, assumed: Option<Lit>) -> Option<FxHashSet<Lit>> {
        let mut known: FxHashSet<Lit> = assumed.into_iter().collect();
        loop {
            let before = known.len();
            for LineAsOne { terms, degree, .. } in &self.lines {
                let open = terms.iter().filter(|&&(lit, _)| !known.contains(&!lit));
                let slack = open.clone().map(|&(_, weight)| weight).sum::<u128>().checked_sub(*degree)?;
                let forced: Vec<Lit> = open.filter(|&&(_, weight)| weight > slack).map(|&(lit, _)| lit).collect();
                known.extend(forced);
            }
            if known.len() == before {
                return Some(known);
            }
        }
    }

    /// The way to the lines of a constraint that folding has left.
    fn to(&self, wanted: &[OpbLine], units: &[Lit]) -> Option<SubstitutedLines> {
        let is_never = wanted.iter().any(|line| line.terms.is_empty());
        if is_never && self.known(None).is_some() {
            return None;
        }
        // There are none of what is reified.
        let guards = || wanted.iter().take(1).flat_map(|line| line.guards.iter().copied());
        let units = units.iter().copied().map(Some).chain(is_never.then_some(None));
        let decided = units.map(|unit| unit.into_iter().chain(guards()).collect()).collect();
        let folded = wanted.iter().map(|line| self.line(line)).collect::<Option<_>>()?;
        Some(SubstitutedLines { as_one: self.lines.iter().map(|line| line.implied.clone()).collect(), decided, folded })
    }

    fn line(&self, wanted: &OpbLine) -> Option<FoldedLine> {
        if wanted.terms.iter().all(|(_, lit)| self.units.contains_key(lit)) {
            let decided = (0..wanted.terms.len().max(1)).map(|at| (at, 1)).collect();
            let steps = FoldingSteps { saturates: false, weakened: Vec::new(), divisor: 1 };
            return Some(FoldedLine { of: None, decided, steps });
        }
        let mut of = self.lines.iter().enumerate().filter(|(_, line)| line.guards == wanted.guards);
        of.find_map(|(of, line)| {
            let place = |lit: Lit| self.units.get(&!lit).copied();
            let decided = line.terms.iter().filter_map(|&(lit, weight)| Some((place(lit)?, weight))).collect();
            let mut terms = line.terms.clone();
            terms.retain(|&(lit, _)| place(lit).is_none());
            Some(FoldedLine { of: Some(of), decided, steps: steps(&terms, line.degree, wanted)? })
        })
    }
}

/// The steps from one line to another.
fn steps(terms: &[(Lit, u128)], degree: u128, wanted: &OpbLine) -> Option<FoldingSteps> {
    let weights: FxHashMap<Lit, u128> = wanted.terms.iter().map(|&(weight, lit)| (lit, weight.into())).collect();
    let weight = |lit: Lit| weights.get(&lit).copied().unwrap_or(0);
    if terms.iter().filter(|(lit, _)| weights.contains_key(lit)).count() < weights.len() {
        return None;
    }
    let least = |own: u128, saturates| if saturates { own.min(degree) } else { own };
    let ratios = terms.iter().filter_map(|&(lit, own)| Some((own, *weights.get(&lit)?)));
    let ratios = ratios.flat_map(|(own, new)| [own.div_ceil(new), own.min(degree).div_ceil(new)]);
    let mut divisors: Vec<u128> = ratios.chain([1]).filter(|&divisor| divisor > 0).collect();
    divisors.sort_unstable();
    divisors.dedup();
    let ways = divisors.into_iter().take(MOST_DIVISORS).flat_map(|divisor| [(divisor, false), (divisor, true)]);
    ways.into_iter().find_map(|(divisor, saturates)| {
        let kept = |&(lit, own): &(Lit, u128)| least(own, saturates).min(divisor.saturating_mul(weight(lit)));
        let weakened = terms.iter().map(|term| (!term.0, least(term.1, saturates) - kept(term)));
        let weakened: Vec<(Lit, u128)> = weakened.filter(|term| term.1 > 0).collect();
        let left = degree.checked_sub(weakened.iter().map(|term| term.1).sum()).filter(|&left| left > 0)?;
        let is_wanted = |term: &(Lit, u128)| kept(term).min(left).div_ceil(divisor) == weight(term.0);
        let is_that = left.div_ceil(divisor) == wanted.least && terms.iter().all(is_wanted);
        is_that.then_some(FoldingSteps { saturates, weakened, divisor })
    })
}
