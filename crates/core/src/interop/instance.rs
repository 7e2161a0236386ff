//! Rustsat's formulas and instances as ours, and ours as rustsat's, constraints as data both ways.

use rustsat::instances::{self, ManageVars, Objective, OptInstance, SatInstance};
use rustsat::types::constraints::{CardConstraint, PbConstraint};
use rustsat::types::{Clause, Lit, Var};
use thiserror::Error;

use crate::choose::{CardEncoding, PbEncoding};
use crate::cnf::CapacityError;
use crate::constrain::Constrain;
use crate::constraint::Constraint;
use crate::formula::Formula;
use crate::relation::{PbRelation, Relation};
use crate::sink::ClauseSink;

/// The reason why a formula is no instance of rustsat's.
///
/// ```
/// use cnfkit::interop::InstanceError;
/// use cnfkit::rustsat::instances::OptInstance;
/// use cnfkit::{ClauseSink, Formula};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// formula.set_objective([(x[0], i64::MAX), (x[1], i64::MAX)]);
/// let error = <OptInstance>::try_from(&formula).map(|_| ()).unwrap_err();
/// assert!(matches!(error, InstanceError::Weights { sum, .. } if sum > 1 << 63));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InstanceError {
    /// Weights, or a bound, that rustsat has no numbers for.
    #[error("weights that sum up to {sum}; rustsat has sums up to {}", isize::MAX)]
    #[non_exhaustive]
    Weights {
        /// The sum of the absolute weights of a constraint or of the objective, or the bound where that is greater.
        sum: u128,
    },
    /// The clauses of parities, which rustsat has no words for, are more than the formula's limit.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
}

impl TryFrom<&instances::Cnf> for Formula {
    type Error = CapacityError;

    /// The clauses in their order, and the variables up to the highest. [`detect`](Self::detect) finds constraints
    /// among them.
    ///
    /// # Errors
    /// When they are more than [`Cnf::DEFAULT_LIMIT`](crate::Cnf::DEFAULT_LIMIT).
    fn try_from(theirs: &instances::Cnf) -> Result<Self, CapacityError> {
        let mut formula = Self::new();
        theirs.iter().try_for_each(|clause| formula.add_clause(clause.as_ref()))?;
        Ok(formula)
    }
}

impl<VM: ManageVars> TryFrom<SatInstance<VM>> for Formula {
    type Error = CapacityError;

    /// The variables, clauses, cardinality and pseudo-Boolean constraints: the latter as data, which the formula puts
    /// in order and encodes by [`Auto`](CardEncoding::Auto).
    ///
    /// ```
    /// use cnfkit::rustsat::instances::SatInstance;
    /// use cnfkit::rustsat::types::constraints::{CardConstraint, PbConstraint};
    /// use cnfkit::Formula;
    /// let mut instance: SatInstance = SatInstance::new();
    /// let x: Vec<_> = (0..10).map(|_| instance.new_lit()).collect();
    /// instance.add_binary(x[0], x[1]);
    /// instance.add_card_constr(CardConstraint::new_ub(x.clone(), 3));
    /// instance.add_pb_constr(PbConstraint::new_lb([(x[0], 4), (x[1], -3), (x[2], 2)], 1));
    /// let formula = Formula::try_from(instance)?;
    /// assert_eq!((formula.n_vars(), formula.n_clauses(), formula.constraints().len()), (10, 1, 2));
    ///
    /// let instance = SatInstance::try_from(&formula)?;
    /// assert_eq!((instance.n_vars(), instance.n_clauses(), instance.n_cards(), instance.n_pbs()), (10, 1, 1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is more than [`Cnf::DEFAULT_LIMIT`](crate::Cnf::DEFAULT_LIMIT).
    fn try_from(instance: SatInstance<VM>) -> Result<Self, CapacityError> {
        let (mut cards, mut pbs) = (Vec::new(), Vec::new());
        // Nothing is encoded: rustsat has no other way to give its constraints away.
        let (cnf, vars) = instance.into_cnf_with_encoders(|card, _, _| cards.push(card), |pb, _, _| pbs.push(pb));
        let of_cards = cards.iter().flatten().copied();
        let of_pbs = pbs.iter().flatten().map(|&(lit, _)| lit);
        let highest = of_cards.chain(of_pbs).map(Lit::var).chain(vars.max_var()).max();
        let mut formula = Self::with_vars(highest.map_or(0, |var| var.idx() + 1));
        cnf.iter().try_for_each(|clause| formula.add_clause(clause.as_ref()))?;
        for card in cards {
            let relation = match &card {
                CardConstraint::Ub(_) => Relation::AtMost(card.bound()),
                CardConstraint::Lb(_) => Relation::AtLeast(card.bound()),
                CardConstraint::Eq(_) => Relation::Exactly(card.bound()),
            };
            formula.cardinality(&card.into_lits(), relation, &CardEncoding::Auto)?;
        }
        for pb in pbs {
            let terms: Vec<(Lit, u64)> = pb.iter().map(|&(lit, weight)| (lit, weight as u64)).collect();
            // No weight is negative: nothing is below 0.
            let relation = match (&pb, u64::try_from(pb.bound())) {
                (PbConstraint::Lb(_), Err(_)) => continue,
                (_, Err(_)) => {
                    formula.add_clause(&[])?;
                    continue;
                }
                (PbConstraint::Ub(_), Ok(bound)) => PbRelation::AtMost(bound),
                (PbConstraint::Lb(_), Ok(bound)) => PbRelation::AtLeast(bound),
                (PbConstraint::Eq(_), Ok(bound)) => PbRelation::Exactly(bound),
            };
            formula.pb(&terms, relation, &PbEncoding::Auto)?;
        }
        Ok(formula)
    }
}

impl<VM: ManageVars> TryFrom<OptInstance<VM>> for Formula {
    type Error = CapacityError;

    /// The constraints, and the objective with the same values: an offset is the weight of a literal and of its
    /// negation, soft clauses are relaxed as by [`add_soft_clause`](Self::add_soft_clause).
    ///
    /// ```
    /// use cnfkit::rustsat::{clause, instances::{Objective, OptInstance, SatInstance}};
    /// use cnfkit::Formula;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut constraints: SatInstance = SatInstance::new();
    /// let (a, b) = (constraints.new_lit(), constraints.new_lit());
    /// constraints.add_binary(a, b);
    /// let mut objective = Objective::from_iter([(a, 5_usize), (b, 3)]);
    /// objective.add_soft_clause(4, clause![!a, !b]);
    /// objective.set_offset(10);
    /// let formula = Formula::try_from(OptInstance::compose(constraints, objective))?;
    /// use cnfkit::Questions;
    /// assert_eq!(formula.minimum()?.map(|best| best.value), Some(13));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When there is more than [`Cnf::DEFAULT_LIMIT`](crate::Cnf::DEFAULT_LIMIT).
    fn try_from(instance: OptInstance<VM>) -> Result<Self, CapacityError> {
        let (constraints, objective) = instance.decompose();
        let mut formula = Self::try_from(constraints)?;
        // A map has them in any order.
        let mut softs: Vec<(Clause, usize)> = objective.iter_soft_cls().into_iter().collect();
        softs.sort_unstable();
        if let Some(highest) = objective.max_var() {
            let missing = (highest.idx() + 1).saturating_sub(formula.n_vars());
            formula.new_lits(missing);
        }
        for (clause, weight) in &softs {
            formula.add_soft_clause(clause.as_ref(), *weight as u64)?;
        }
        let offset = objective.offset() as i64;
        if offset != 0 {
            let any = if formula.n_vars() == 0 { formula.new_lit() } else { Lit::positive(0) };
            let terms = formula.objective().to_vec();
            formula.set_objective(terms.into_iter().chain([(any, offset), (!any, offset)]));
        }
        Ok(formula)
    }
}

impl TryFrom<&Formula> for SatInstance {
    type Error = InstanceError;

    /// The variables, clauses and constraints; the objective is left out. Constraints with a condition and reified ones
    /// are pseudo-Boolean constraints there; a reified *exactly* has one more variable, as
    /// [`write_opb`](Formula::write_opb) says; parities are clauses.
    ///
    /// # Errors
    /// When rustsat has no numbers for the weights.
    fn try_from(formula: &Formula) -> Result<Self, InstanceError> {
        let formula = &*formula.without_parities()?;
        let mut instance: Self = formula.clauses().map(Clause::from).collect();
        let n_sides = formula.constraints().filter(Constraint::reifies_exactly).count();
        let next = Var::new((formula.n_vars() + n_sides) as u32);
        instance.var_manager_mut().increase_next_free(next);
        for (constraint, below) in formula.with_sides() {
            match constraint.counted() {
                Some((lits, relation)) if constraint.cond.is_empty() && constraint.iff.is_none() => {
                    let lits = lits.iter().copied();
                    instance.add_card_constr(match relation {
                        Relation::AtMost(k) => CardConstraint::new_ub(lits, k),
                        Relation::AtLeast(k) => CardConstraint::new_lb(lits, k),
                        Relation::Exactly(k) => CardConstraint::new_eq(lits, k),
                    });
                }
                _ => constraint.linear(below, |terms, relation| {
                    instance.add_pb_constr(their_pb(terms, relation)?);
                    Ok::<(), InstanceError>(())
                })?,
            }
        }
        Ok(instance)
    }
}

impl TryFrom<&Formula> for OptInstance {
    type Error = InstanceError;

    /// The constraints as [`SatInstance`] has them, and the objective.
    ///
    /// # Errors
    /// When rustsat has no numbers for the weights.
    fn try_from(formula: &Formula) -> Result<Self, InstanceError> {
        let sum = formula.objective().iter().map(|(_, weight)| u128::from(weight.unsigned_abs())).sum();
        within(sum)?;
        let objective: Objective = formula.objective().iter().map(|&(lit, weight)| (lit, weight as isize)).collect();
        Ok(Self::compose(formula.try_into()?, objective))
    }
}

/// Refuses sums of weights that rustsat would overflow at.
fn within(sum: u128) -> Result<(), InstanceError> {
    if sum <= isize::MAX as u128 { Ok(()) } else { Err(InstanceError::Weights { sum }) }
}

fn their_pb(terms: &[(Lit, u64)], relation: PbRelation) -> Result<PbConstraint, InstanceError> {
    let (PbRelation::AtMost(bound) | PbRelation::AtLeast(bound) | PbRelation::Exactly(bound)) = relation;
    let sum: u128 = terms.iter().map(|&(_, weight)| u128::from(weight)).sum();
    within(sum.max(bound.into()))?;
    let terms = terms.iter().map(|&(lit, weight)| (lit, weight as usize));
    let bound = bound as isize;
    Ok(match relation {
        PbRelation::AtMost(_) => PbConstraint::new_ub_unsigned(terms, bound),
        PbRelation::AtLeast(_) => PbConstraint::new_lb_unsigned(terms, bound),
        PbRelation::Exactly(_) => PbConstraint::new_eq_unsigned(terms, bound),
    })
}
