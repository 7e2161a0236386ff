//! [`OneModel`]: the smallest encoding whose auxiliaries follow from the inputs, so that models can be counted.

use std::cmp::Reverse;

use rustsat::types::Lit;

use super::card::{ChosenAtMostOne, LONGEST, counting};
use crate::card::{Combinatorial, DecisionDiagram, Network, SequentialCounter, SequentialForm, Totalizer};
use crate::constraint::{Constraint, EncodingName, Goal, Sum};
use crate::encode::{AtMostK, ByRelation, Encoding, GoOn, Plan, ReifiedRange, Simple};
use crate::pb::{DefinedSum, SumRange};
use crate::relation::{PbRelation, Relation};
use crate::sink::free_variable;
use crate::size::Size;
use crate::truth::Truth;
use crate::writer::{Full, Writer, measured};

/// An encoding of everything with exactly one model for each assignment of the inputs that the constraint allows: the
/// encoding is *parsimonious*, and models can be counted.
///
/// | | by | strength |
/// |---|---|---|
/// | at most one | pairs, or groups of up to four whose commanders follow from them | GAC |
/// | counts | the smallest of those that are GAC, with definitions in both directions | GAC |
/// | parities | [`ParityCut`](crate::ParityCut) | of pieces |
/// | sums of weights | whole if-then-elses, or a binary adder where they are much larger | GAC as if-then-elses |
/// | reified | the same, as a literal | |
///
/// Under a condition there is one model also where the condition is false, as all that determines an auxiliary only
/// [defines](crate::encode::Writer::define). `Formula::for_counting` encodes all of a formula by this. Groups of terms
/// are not made use of.
///
/// ```
/// use cnfkit::{AtMostK, CardEncoding, OneModel};
/// let (one, smallest) = (OneModel.amk_size(10, 5), CardEncoding::Smallest.amk_size(10, 5));
/// assert!(one.cost() <= 2 * smallest.cost());
/// ```
///
/// By it, at most 5 of 10 has 638 models, as many as solutions; by other encodings it has tens of thousands.
#[doc(alias = "parsimonious")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OneModel;

crate::by_value!(OneModel);

impl AtMostK for OneModel {}

impl Encoding for OneModel {
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        self.plan_while(constraint, &mut || true)
    }

    fn plan_while(&self, constraint: &Constraint<'_>, go_on: &mut GoOn<'_>) -> Option<Plan<'_>> {
        Some(match constraint.sum {
            Sum::Count { lits, relation } => Plan::by_relation(smallest(lits.len(), relation).0, lits.len(), relation),
            Sum::Weights { terms, relation } => Plan::of_terms(sum_of(terms.all(), relation, go_on)),
            Sum::Parity { .. } => return None, // it has one model as it is cut
        })
    }

    fn plan_iff(&self, r: Lit, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        let sum = constraint.weighted().map(|(terms, relation)| sum_of(terms.all(), relation, &mut || true));
        let write = move |constraint: &Constraint<'_>, to: &mut Writer<'_>| {
            let mut all = Conjuncts::default();
            match (&sum, constraint.counted()) {
                (Some(sum), _) => all.sum(sum, to)?,
                (None, Some((lits, relation))) => all.count(lits, relation, to)?,
                (None, None) => {}
            }
            all.iff(r, to)
        };
        let size = iff_size(r, constraint.lits(), &mut |to| write(constraint, to));
        Some(Plan::new(size, write))
    }

    fn plan_between(&self, n: usize, least: usize, most: usize) -> Option<Plan<'_>> {
        let enc = counting(n, least, most + 1)?;
        let size = enc.outputs_size(n, least, most + 1)? + Size::clauses(2, 1);
        Some(Plan::new(size, move |constraint, to| {
            let Some((lits, _)) = constraint.counted() else { return Ok(()) };
            let outputs = enc.outputs(to, lits, least, most + 1)?;
            to.clause(&[outputs[0]])?;
            to.clause(&[!outputs[most + 1 - least]])
        }))
    }

    fn plan_ranges(&self, n: usize, ranges: &[ReifiedRange]) -> Option<Plan<'_>> {
        let (first, last) = ReifiedRange::span(ranges, n)?;
        Plan::by_ranges(counting(n, first, last)?, n, ranges)
    }

    fn plan_together(&self, all: &[Constraint<'_>], go_on: &mut GoOn<'_>) -> Option<Plan<'_>> {
        sums_together(all, true, go_on)
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        Some(EncodingName::Open(Goal::Counting))
    }

    fn count_size(&self, n: usize, relation: Relation) -> Option<Size> {
        Some(smallest(n, relation).1)
    }

    fn one_model(&self) -> bool {
        true
    }
}

/// The size of what is written about these literals and `r`.
pub(crate) fn iff_size(
    r: Lit,
    lits: impl Iterator<Item = Lit>,
    write: &mut dyn FnMut(&mut Writer<'_>) -> Result<(), Full>,
) -> Size {
    measured(free_variable(lits.chain([r])), write)
}

fn sum_of(terms: &[(Lit, u64)], relation: PbRelation, go_on: &mut GoOn<'_>) -> DefinedSum {
    let terms = terms.iter().map(|&(lit, weight)| (lit, weight.into())).collect();
    DefinedSum::new(terms, relation.least().map(u128::from), relation.most().map(u128::from), go_on)
}

/// One structure for bounds on the same terms, each with its condition and what reifies it: `whole` if auxiliaries are
/// to follow from the inputs, or else as far as the bounds need them, where unit propagation derives what follows.
pub(super) fn sums_together(all: &[Constraint<'_>], whole: bool, go_on: &mut GoOn<'_>) -> Option<Plan<'static>> {
    let (terms, _) = all.first()?.weighted()?;
    let ranges = all.iter().map(|constraint| {
        let (_, relation) = constraint.weighted()?;
        let (least, most) = (relation.least().map(u128::from), relation.most().map(u128::from));
        Some(SumRange { least, most, is_one_sided: !whole && constraint.iff.is_none() })
    });
    let terms = terms.all().iter().map(|&(lit, weight)| (lit, weight.into())).collect();
    let sum = DefinedSum::of_ranges(terms, ranges.collect::<Option<_>>()?, go_on);
    if !whole && !sum.is_gac() {
        return None;
    }
    let guards = |constraint: &Constraint<'_>| constraint.cond.iter().map(|&lit| !lit).collect();
    let ties: Vec<(Vec<Lit>, Option<Lit>)> = all.iter().map(|one| (guards(one), one.iff)).collect();
    let write = move |to: &mut Writer<'_>| {
        sum.define(to)?.into_iter().zip(&ties).try_for_each(|(truths, (guards, iff))| {
            to.under(guards, false, &mut |to| {
                let Some(r) = *iff else { return DefinedSum::enforce(&truths, to) };
                let mut all = Conjuncts::default();
                all.truths(truths.clone());
                all.iff(r, to)
            })
        })
    };
    let size = measured(free_variable(all.iter().flat_map(Constraint::all_lits)), &mut |to| write(to));
    Some(Plan::new(size, move |_, to| write(to)))
}

/// The encoding with the fewest variables + clauses; of equally small ones the one with the fewest variables.
fn smallest(n: usize, relation: Relation) -> (&'static dyn ByRelation, Size) {
    const SEQUENTIAL: SequentialCounter = SequentialCounter::DEFAULT.form(SequentialForm::Full);
    const DIAGRAM: DecisionDiagram = DecisionDiagram::DEFAULT.full(true);
    const TOTALIZER: Totalizer = Totalizer::DEFAULT.full(true);
    const NETWORK: Network = Network::DEFAULT.full(true);
    const ALL: [&(dyn ByRelation + Sync); 5] = [&Combinatorial, &SEQUENTIAL, &DIAGRAM, &TOTALIZER, &NETWORK];
    let one: &'static dyn ByRelation = &ChosenAtMostOne(Goal::Counting);
    let one = ChosenAtMostOne::covers(relation, n).then_some(one);
    let all = ALL.into_iter().map(|enc| enc as &dyn ByRelation).chain(one);
    let sizes = all.map(|enc| (enc, relation.size_by(enc, n)));
    let rank = |&(_, size): &(&dyn ByRelation, Size)| {
        let is_short = size.lits <= size.clauses.saturating_mul(LONGEST);
        (Reverse(is_short), size.cost(), size.vars)
    };
    sizes.min_by_key(rank).unwrap_or_else(|| (&TOTALIZER, relation.size_by(&TOTALIZER, n)))
}

/// A constraint as literals and clauses, which are all true if and only if it holds. What was written for them only
/// defines.
#[derive(Debug, Default)]
pub(crate) struct Conjuncts {
    lits: Vec<Lit>,
    clauses: Vec<Vec<Lit>>,
    /// It cannot hold.
    never: bool,
}

impl Conjuncts {
    /// Products of as many literals take the place of a literal for each clause.
    const DISTRIBUTED: usize = 4;

    pub(crate) fn never(&mut self) {
        self.never = true;
    }

    pub(crate) fn lits(&mut self, lits: impl IntoIterator<Item = Lit>) {
        self.lits.extend(lits);
    }

    pub(crate) fn clause(&mut self, clause: Vec<Lit>) {
        self.clauses.push(clause);
    }

    /// Adds all of these.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.never |= other.never;
        self.lits.append(&mut other.lits);
        self.clauses.append(&mut other.clauses);
    }

    /// Adds a sum of weights, which it defines.
    pub(crate) fn sum(&mut self, sum: &DefinedSum, to: &mut Writer<'_>) -> Result<(), Full> {
        sum.define(to)?.into_iter().for_each(|truths| self.truths(truths));
        Ok(())
    }

    fn truths(&mut self, truths: Vec<Truth>) {
        for truth in truths {
            match truth {
                Truth::Known(value) => self.never |= !value,
                Truth::If(lit) => self.lits.push(lit),
            }
        }
    }

    /// Adds a count of distinct variables, which it defines.
    pub(crate) fn count(&mut self, lits: &[Lit], relation: Relation, to: &mut Writer<'_>) -> Result<(), Full> {
        let negated = || lits.iter().map(|&lit| !lit).collect::<Vec<Lit>>();
        match relation.simple(lits.len()) {
            Some(Simple::Always) => {}
            Some(Simple::Never) => self.never = true,
            Some(Simple::AllTrue) => self.lits.extend(lits),
            Some(Simple::AllFalse) => self.lits.extend(negated()),
            Some(Simple::AnyTrue) => self.clauses.push(lits.to_vec()),
            Some(Simple::AnyFalse) => self.clauses.push(negated()),
            Some(Simple::OneOfTwo) => self.clauses.extend([lits.to_vec(), negated()]),
            None => {
                let (first, last) = (relation.least(), relation.most().map(|most| most + 1));
                let (from, upto) = (first.or(last).unwrap_or(1), last.or(first).unwrap_or(1));
                let enc = counting(lits.len(), from, upto).unwrap_or(&Totalizer::DEFAULT);
                let outputs = enc.outputs(to, lits, from, upto)?;
                self.lits.extend(first.map(|_| outputs[0]));
                self.lits.extend(last.map(|_| !outputs[upto - from]));
            }
        }
        Ok(())
    }

    /// Makes `r`, which may be an input, true if and only if all hold.
    pub(crate) fn iff(mut self, r: Lit, to: &mut Writer<'_>) -> Result<(), Full> {
        if self.never {
            return to.clause(&[!r]);
        }
        for &lit in &self.lits {
            enforce(to, [!r, lit])?;
        }
        for clause in &self.clauses {
            enforce(to, clause.iter().copied().chain([!r]))?;
        }
        let products = self.clauses.iter().try_fold(1, |product: usize, clause| product.checked_mul(clause.len()));
        let mut clauses = std::mem::take(&mut self.clauses);
        if clauses.len() > 1 && products.is_none_or(|products| products > Self::DISTRIBUTED) {
            for clause in clauses.drain(..) {
                let some = to.lit();
                for &lit in &clause {
                    to.define(&[!lit, some])?;
                }
                to.define(&clause.into_iter().chain([!some]).collect::<Vec<Lit>>())?;
                self.lits.push(some);
            }
        }
        let rest: Vec<Lit> = self.lits.iter().map(|&lit| !lit).chain([r]).collect();
        let mut choices = vec![rest];
        for clause in clauses {
            let with = |rest: &Vec<Lit>| {
                let rest = rest.clone();
                clause.iter().map(move |&lit| rest.iter().copied().chain([!lit]).collect()).collect::<Vec<Vec<Lit>>>()
            };
            choices = choices.iter().flat_map(with).collect();
        }
        choices.into_iter().try_for_each(|choice| enforce(to, choice))
    }
}

/// Sends a clause that enforces, without repeated literals, unless it always holds.
fn enforce(to: &mut Writer<'_>, clause: impl IntoIterator<Item = Lit>) -> Result<(), Full> {
    let mut clause: Vec<Lit> = clause.into_iter().collect();
    clause.sort_unstable();
    clause.dedup();
    if clause.windows(2).any(|pair| pair[0] == !pair[1]) { Ok(()) } else { to.clause(&clause) }
}
