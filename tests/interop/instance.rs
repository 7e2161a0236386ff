//! Rustsat's instances and formulas of ours have the same models and values, both ways.

use cnfkit::interop::InstanceError;
use cnfkit::{
    CardEncoding, ClauseSink, Cnf, Constrain, Constraint, Formula, Lit, PbEncoding, PbRelation, Relation, Var, rustsat,
};
use rustsat::instances::{ManageVars, Objective, OptInstance, SatInstance};
use rustsat::types::constraints::{CardConstraint, PbConstraint};
use rustsat::types::{Assignment, Clause, TernaryVal};

/// Numbers by lot.
struct Lot(u64);

impl Lot {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn lit(&mut self) -> Lit {
        Lit::new(self.below(N) as u32, self.below(2) == 0)
    }

    fn lits(&mut self, most: usize) -> Vec<Lit> {
        (0..self.below(most + 1)).map(|_| self.lit()).collect()
    }
}

const N: usize = 6;

fn assignments() -> impl Iterator<Item = Assignment> {
    (0..1_u32 << N).map(|bits| (0..N).map(|var| TernaryVal::from(bits >> var & 1 == 1)).collect())
}

fn is_true(model: &Assignment) -> impl Fn(Lit) -> bool + Copy {
    |lit| model.lit_value(lit) == TernaryVal::True
}

/// True if the formula allows this assignment of its first variables, whatever the others are.
fn allows(formula: &Formula, model: &Assignment) -> bool {
    let mut formula = formula.clone();
    model.iter().for_each(|lit| formula.add_clause(&[lit]).unwrap());
    formula.solve().unwrap().is_some()
}

fn theirs(lot: &mut Lot) -> SatInstance {
    let mut instance: SatInstance = SatInstance::new();
    instance.var_manager_mut().increase_next_free(Var::new(N as u32));
    for _ in 0..lot.below(3) {
        let clause = [vec![lot.lit()], lot.lits(3)].concat();
        instance.add_clause(Clause::from(&clause[..]));
    }
    for _ in 0..lot.below(3) {
        let (lits, bound) = (lot.lits(6), lot.below(5));
        instance.add_card_constr(match lot.below(3) {
            0 => CardConstraint::new_ub(lits, bound),
            1 => CardConstraint::new_lb(lits, bound),
            _ => CardConstraint::new_eq(lits, bound),
        });
    }
    for _ in 0..lot.below(3) {
        let weight = |lot: &mut Lot| lot.below(9) as isize - 4;
        let terms: Vec<(Lit, isize)> = lot.lits(6).into_iter().map(|lit| (lit, weight(lot))).collect();
        let bound = weight(lot);
        instance.add_pb_constr(match lot.below(3) {
            0 => PbConstraint::new_ub(terms, bound),
            1 => PbConstraint::new_lb(terms, bound),
            _ => PbConstraint::new_eq(terms, bound),
        });
    }
    instance
}

#[test]
fn what_rustsat_has_is_ours() {
    let mut lot = Lot(1);
    let mut models = 0;
    for _ in 0..300 {
        let instance = theirs(&mut lot);
        let formula = Formula::try_from(instance.clone()).unwrap();
        assert_eq!(formula.n_vars(), N);
        for model in assignments() {
            let expected = instance.evaluate(&model) == TernaryVal::True;
            models += u32::from(expected);
            let holds = formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(&model)(lit)))
                && formula.constraints().all(|constraint| constraint.holds(is_true(&model)));
            assert_eq!(holds, expected, "{instance:?}, {model}");
        }
    }
    assert!(models > 300, "{models}");
}

/// Any constraint that a formula keeps, with conditions and reified.
fn ours(lot: &mut Lot) -> Formula {
    let mut formula = Formula::with_vars(N);
    for _ in 0..lot.below(3) {
        formula.add_clause(&lot.lits(3)).unwrap();
    }
    for _ in 0..=lot.below(3) {
        let cond = lot.lits(2);
        let lits = lot.lits(6);
        let terms: Vec<(Lit, u64)> = lits.iter().map(|&lit| (lit, lot.below(6) as u64)).collect();
        let (bound, kind) = (lot.below(8), lot.below(3));
        let counted = [Relation::AtMost(bound / 2), Relation::AtLeast(bound / 2), Relation::Exactly(bound / 2)][kind];
        let bound = bound as u64;
        let weighed = [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)][kind];
        let constraint = if lot.below(2) == 0 {
            Constraint::count(&lits, counted)
        } else {
            Constraint::weights(cnfkit::Terms::new(&terms), weighed)
        };
        let constraint = if lot.below(2) == 0 { constraint.iff(lot.lit()) } else { constraint };
        let constraint = if lot.below(2) == 0 { constraint.when(&cond) } else { constraint };
        formula.post(&constraint, &CardEncoding::Auto).unwrap();
    }
    formula
}

#[test]
fn what_is_ours_rustsat_has() {
    let mut lot = Lot(2);
    let (mut models, mut exact, mut counts, mut weights) = (0, 0, 0, 0);
    for _ in 0..300 {
        let formula = ours(&mut lot);
        let instance = SatInstance::try_from(&formula).unwrap();
        (counts, weights) = (counts + instance.n_cards(), weights + instance.n_pbs());
        // A reified *exactly* has one more variable.
        let is_data = instance.n_vars() as usize == N;
        exact += usize::from(!is_data);
        let again = Formula::try_from(instance.clone()).unwrap();
        for model in assignments() {
            let expected = allows(&formula, &model);
            models += u32::from(expected);
            assert_eq!(allows(&again, &model), expected, "{formula:?}, {model}");
            if is_data {
                assert_eq!(instance.evaluate(&model) == TernaryVal::True, expected, "{formula:?}, {model}");
            }
        }
    }
    assert!(models > 300 && exact > 30 && counts > 5 && weights > 30, "{models} {exact} {counts} {weights}");
}

#[test]
fn objectives_have_the_same_values() {
    let mut lot = Lot(3);
    for _ in 0..200 {
        let mut objective = Objective::new();
        lot.lits(4).into_iter().for_each(|lit| objective.increase_soft_lit_int(lot.below(9) as isize - 4, lit));
        for _ in 0..lot.below(3) {
            let clause = [lot.lit(), lot.lit()];
            objective.increase_soft_clause(1 + lot.below(4), Clause::from(clause));
        }
        objective.increase_offset(lot.below(9) as isize - 4);
        let instance = OptInstance::compose(theirs(&mut lot), objective);
        let formula = Formula::try_from(instance.clone()).unwrap();
        let least = assignments().filter_map(|model| instance.cost(&model)).min();
        let minimum = |formula: &Formula| cnfkit::Questions::minimum(formula).unwrap().map(|best| best.value as isize);
        assert_eq!(minimum(&formula), least, "{instance:?}");
        let again = OptInstance::try_from(&formula).unwrap();
        assert_eq!(minimum(&Formula::try_from(again).unwrap()), least, "{instance:?}");
        assert_eq!(Formula::try_from(instance).unwrap().objective(), formula.objective(), "the order of a map");
    }
}

#[test]
fn weights_beyond_theirs_are_refused() {
    let mut formula = Formula::new();
    let x = formula.new_lits(6);
    let weights = [1 << 62, (1 << 61) + 1, (1 << 60) + 3, (1 << 59) + 5, (1 << 62) + 7, (1 << 61) + 9];
    let terms: Vec<(Lit, u64)> = x.iter().copied().zip(weights).collect();
    formula.pb_at_most(&terms, (1 << 63) - 1, &PbEncoding::Auto).unwrap();
    let error = SatInstance::try_from(&formula).unwrap_err();
    assert!(matches!(error, InstanceError::Weights { .. }) && error.to_string().contains("9223372036854775807"));
    let mut formula = Formula::with_vars(2);
    formula.set_objective([(x[0], i64::MIN), (x[1], 1)]);
    assert!(matches!(OptInstance::try_from(&formula), Err(InstanceError::Weights { .. })));
}

#[test]
fn formulas_of_clauses() {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(7);
    cnf.at_most(&x[..5], 2, &CardEncoding::Totalizer).unwrap();
    let instance = SatInstance::from(&cnf);
    assert_eq!((instance.n_vars() as usize, instance.n_clauses()), (cnf.n_vars(), cnf.n_clauses()));
    assert_eq!(Formula::try_from(instance).unwrap().encode().unwrap(), cnf);
    let theirs = rustsat::instances::Cnf::from(&cnf);
    assert_eq!(Formula::try_from(&theirs).unwrap().encode().unwrap(), Cnf::try_from(&theirs).unwrap());
}
