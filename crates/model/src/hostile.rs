//! Models that nobody should make: extreme numbers, empty lists and domains, negative factors, the same variable in
//! every place. Each gets a right answer or a typed error.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::tests::brute_force;
use super::*;
use cnfkit_core::internals::Random;
use cnfkit_core::{AmoEncoding, CardEncoding, Constrain, PbEncoding};

const EXTREMES: [i64; 12] = [
    i64::MIN,
    i64::MIN + 1,
    -(1 << 62),
    -(1 << 61),
    1 - (1 << 60),
    -1_000_000_007,
    1 << 33,
    (1 << 60) - 1,
    1 << 61,
    1 << 62,
    i64::MAX - 1,
    i64::MAX,
];

/// A maker of models by lot.
struct Maker {
    random: Random,
    vars: Vec<IntVar>,
    bools: Vec<Bool>,
    /// One number in so many is extreme; 0: none is.
    wild: usize,
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn var(&mut self) -> IntVar {
        let at = self.below(self.vars.len());
        self.vars[at]
    }

    fn bool(&mut self) -> Bool {
        let at = self.below(self.bools.len());
        self.bools[at]
    }

    fn number(&mut self) -> i64 {
        if self.wild > 0 && self.below(self.wild) == 0 {
            EXTREMES[self.below(EXTREMES.len())]
        } else {
            self.below(9) as i64 - 4
        }
    }

    fn numbers(&mut self) -> Vec<i64> {
        (0..self.below(5)).map(|_| self.number()).collect()
    }

    fn domain(&mut self) -> Domain {
        let (one, other) = (self.number(), self.number());
        match self.below(40) {
            0 if self.wild > 0 => Domain::EMPTY,
            0..10 if self.wild > 0 => (one.min(other)..=one.max(other)).into(),
            10..20 => [one, other, self.number()].into(),
            _ => (one % 4 - 1..=one % 4 + other.rem_euclid(4)).into(),
        }
    }

    fn expr(&mut self) -> Expr {
        let (var, bool) = (self.var(), self.bool());
        let (factor, offset) = (self.number(), self.number());
        match self.below(12) {
            0 => offset.into(),
            1 => bool.into(),
            2 => factor * !bool + offset,
            3 => factor * var + offset,
            4 => factor * var + self.vars[0] - bool,
            5 => -var,
            6 => -var + var,
            _ => var.into(),
        }
    }

    fn exprs(&mut self) -> Vec<Expr> {
        (0..self.below(5)).map(|_| self.expr()).collect()
    }

    fn some(&mut self) -> Vec<IntVar> {
        (0..self.below(5)).map(|_| self.var()).collect()
    }

    fn compared(&mut self, expr: &Expr) -> Constraint {
        let other = self.expr();
        match self.below(6) {
            0 => expr.le(other),
            1 => expr.lt(other),
            2 => expr.ge(other),
            3 => expr.gt(other),
            4 => expr.eq(other),
            _ => expr.ne(other),
        }
    }

    fn constraint(&mut self, depth: usize) -> Constraint {
        let kind = self.below(if depth == 0 { 26 } else { 34 });
        let (a, b, c) = (self.expr(), self.expr(), self.expr());
        match kind {
            0..=3 => self.compared(&a),
            4 => {
                let sum = sum(self.exprs());
                self.compared(&sum)
            }
            5 => all_different(self.exprs()),
            6 => all_different_except(self.exprs(), self.numbers()),
            7 => all_equal(self.exprs()),
            8 => element(self.exprs(), a, b),
            9 | 10 => {
                let exprs = self.exprs();
                let rows: Vec<Vec<i64>> =
                    (0..self.below(5)).map(|_| exprs.iter().map(|_| self.number()).collect()).collect();
                if kind == 9 { table(exprs, rows) } else { negative_table(exprs, rows) }
            }
            11 => {
                let count = count(self.some(), self.number());
                self.compared(&count)
            }
            12 => {
                let among = among(self.some(), self.numbers());
                self.compared(&among)
            }
            13 => {
                let counts: Vec<(i64, Expr)> = (0..self.below(3)).map(|_| (self.number(), self.expr())).collect();
                global_cardinality(self.some(), counts)
            }
            14 => abs(a, b),
            15 => times(a, b, c),
            16 => div(a, b, c),
            17 => modulo(a, b, c),
            18 => maximum(self.exprs(), a),
            19 => minimum(self.exprs(), a),
            20 => lex_less(self.exprs(), self.exprs()),
            21 => lex_lesseq(self.exprs(), self.exprs()),
            22 => {
                let exprs = self.exprs();
                let others = exprs.iter().map(|_| self.expr()).collect::<Vec<_>>();
                inverse(exprs, others)
            }
            23 => {
                let exprs = self.exprs();
                if self.below(2) == 0 { circuit(exprs) } else { subcircuit(exprs) }
            }
            24 => {
                let steps: Vec<(usize, i64, usize)> =
                    (0..self.below(9)).map(|at| (at % 3, self.number(), self.below(3))).collect();
                let mut one_each: Vec<(usize, i64, usize)> = Vec::new();
                for step in steps {
                    if !one_each.iter().any(|other| (other.0, other.1) == (step.0, step.1)) {
                        one_each.push(step);
                    }
                }
                regular(self.exprs(), &Automaton::new(3, 0, [self.below(3)], one_each))
            }
            25 => {
                let starts = self.exprs();
                let mut lot = || starts.iter().map(|_| self.number().saturating_abs()).collect::<Vec<_>>();
                let (durations, demands) = (lot(), lot());
                if self.below(2) == 0 {
                    cumulative(starts, durations, demands, self.number())
                } else {
                    disjunctive(starts, durations)
                }
            }
            26 => !self.constraint(depth - 1),
            27 => self.constraint(depth - 1).and(self.constraint(depth - 1)),
            28 => self.constraint(depth - 1).or(self.constraint(depth - 1)),
            29 => self.constraint(depth - 1).xor(self.constraint(depth - 1)),
            30 => self.constraint(depth - 1).implies(self.constraint(depth - 1)),
            31 => any((0..self.below(4)).map(|_| self.constraint(depth - 1)).collect::<Vec<_>>()),
            32 => all((0..self.below(4)).map(|_| self.constraint(depth - 1)).collect::<Vec<_>>()),
            _ => self.bools[0].iff(self.constraint(depth - 1)),
        }
    }

    fn model(&mut self) -> Model {
        let mut model = Model::new();
        self.vars = (0..=self.below(4)).map(|_| model.int(self.domain())).collect();
        self.bools = (0..2).map(|_| self.var().is(self.number())).collect();
        let (least, most) = (self.number(), self.number());
        self.bools.extend([!self.vars[0].at_least(least), self.vars[0].at_most(most)]);
        if self.below(4) == 0 {
            let of = |n: usize, len: usize| n % len;
            model.set_choice(Choice {
                amo: AmoEncoding::ALL[of(self.below(100), AmoEncoding::ALL.len())],
                card: CardEncoding::ALL[of(self.below(100), CardEncoding::ALL.len())],
                pb: PbEncoding::ALL[of(self.below(100), PbEncoding::ALL.len())],
                ..Choice::default()
            });
        }
        for _ in 0..=self.below(3) {
            let constraint = self.constraint(self.wild % 3);
            match self.below(5) {
                0 => model.group("some", |model| model.post(constraint)),
                1 => {
                    let bool = model.reify(constraint);
                    self.bools.push(bool);
                }
                _ => model.post(constraint),
            }
        }
        if self.below(4) == 0 {
            let lits: Vec<Lit> = self.bools.iter().map(|&bool| model.lit(bool)).collect();
            model.at_most(&lits, self.below(3), &CardEncoding::Auto).expect("small");
        }
        model.set_limits(Limits::none().time(Duration::from_secs(2)));
        model
    }
}

/// The number of assignments of the model's domains, where that is small.
fn assignments(model: &Model) -> Option<u64> {
    let all = model.domains.iter().map(Domain::len).fold(1_u64, u64::saturating_mul);
    (all <= 20_000).then_some(all)
}

/// All questions; the number of solutions where everything could be looked at.
fn ask(model: &mut Model, maker: &mut Maker) -> Option<usize> {
    let expected = (model.error.is_none() && model.literals.is_empty() && assignments(model).is_some())
        .then(|| brute_force(model));
    let exists = model.solve().map(|solution| solution.is_some());
    let counted = model.count(30_000);
    if let (Some(expected), Ok(exists), Ok(counted)) = (expected, &exists, &counted) {
        assert_eq!((*exists, *counted), (expected > 0, expected));
    }
    if let (Ok(exists), Ok(counted)) = (&exists, &counted) {
        assert_eq!(*exists, *counted > 0);
    }
    assert!(model.error.is_none() || exists.is_err(), "{:?}", model.error);
    let _ = model.backbone();
    let _ = model.statistics();
    let (minimal, smallest) = (model.unsat_core(), model.smallest_unsat_core());
    if let (Ok(exists), Ok(minimal), Ok(smallest)) = (&exists, minimal, smallest) {
        assert_eq!(*exists, smallest.is_none());
        assert_eq!(smallest.is_none(), minimal.is_none());
        assert!(smallest.map(|core| core.len()) <= minimal.map(|core| core.len()));
    }
    if let Ok(formula) = model.formula() {
        let _ = formula.encode();
    }
    let goal = maker.expr() + maker.expr();
    let least = model.minimum(goal.clone());
    let most = model.maximum(goal.clone());
    if let (Ok(exists), Ok(Some(least)), Ok(Some(most))) = (exists, &least, &most) {
        assert!(exists && (least.value <= most.value || !least.is_optimal || !most.is_optimal));
        assert_eq!(least.solution.value_of(&goal), least.value);
    }
    expected
}

fn run(wild: usize, rounds: usize, seed: u64) -> (usize, usize) {
    let mut maker = Maker { random: Random::new(seed), vars: Vec::new(), bools: Vec::new(), wild };
    let (mut counted, mut refused) = (0, 0);
    for round in 0..rounds {
        let mut model = maker.model();
        let before = format!("{:?} {:?}", model.domains, model.posted);
        let asked = catch_unwind(AssertUnwindSafe(|| ask(&mut model, &mut maker)));
        assert!(asked.is_ok(), "seed {seed}, round {round}: {before}");
        counted += usize::from(asked.is_ok_and(|asked| asked.is_some()));
        refused += usize::from(model.error.is_some());
    }
    (counted, refused)
}

#[test]
fn tame_models_are_counted_right() {
    let (counted, refused) = run(0, 400, 1);
    assert!(counted > 250 && refused == 0, "{counted} {refused}");
}

#[test]
fn wild_models_are_answered_or_refused() {
    let (counted, refused) = run(12, 600, 2);
    assert!(counted > 100 && refused > 100, "{counted} {refused}");
    let (counted, refused) = run(50, 600, 3);
    assert!(counted > 200 && refused > 30, "{counted} {refused}");
}

type Use = fn(&mut Model, IntVar, Bool);

/// Every way in says that a variable is another model's.
#[test]
fn variables_of_another_model() {
    let mut other = Model::new();
    let (x, b) = (other.int(0..=2), other.bool());
    let uses: [Use; 12] = [
        |model, x, _| model.post(x.le(1)),
        |model, x, _| model.post((2 * x + 3).ne(1)),
        |model, _, b| model.post(b),
        |model, _, b| model.post(b.as_int().eq(1)),
        |model, x, _| model.all_different([x]),
        |model, x, _| model.post(element([x], x, x)),
        |model, x, b| model.post(x.le(1).when(b)),
        |model, x, _| _ = model.reify(x.le(1)),
        |model, _, b| _ = model.lit(b),
        |model, x, _| _ = model.domain(x).len(),
        |model, x, _| drop(model.minimum(x)),
        |model, x, _| drop(model.solve().map(|solution| solution.map(|solution| solution.value(x)))),
    ];
    for (at, wrong) in uses.into_iter().enumerate() {
        let mut model = Model::new();
        model.ints(3, 0..=2);
        let why = catch_unwind(AssertUnwindSafe(|| wrong(&mut model, x, b))).expect_err("it is refused");
        let text = why.downcast_ref::<&str>().map(ToString::to_string).or(why.downcast_ref::<String>().cloned());
        assert_eq!(text.as_deref(), Some("a variable of another model"), "use {at}");
    }
}

/// A variable that a clone makes is none of the model's, and one that the model makes afterwards none of the clone's.
#[test]
fn clones_make_variables_of_their_own() {
    let refuses = |use_it: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(use_it)).is_err();
    let mut model = Model::new();
    let x = model.int(0..=2);
    let mut clone = model.clone();
    let y = model.int(0..=3);
    assert!(refuses(&mut || clone.post(y.le(2))), "before it has made any");
    let z = clone.int(0..=9);
    assert!(refuses(&mut || model.post(z.le(2))) && refuses(&mut || clone.post(y.le(2))));
    let mut second = clone.clone();
    let (u, v) = (second.int(0..=1), clone.int(0..=1));
    second.post((x + z + u).eq(12));
    assert!(refuses(&mut || second.post(v.eq(1))) && refuses(&mut || second.post(y.eq(1))));
    let found = second.solve().unwrap().unwrap();
    assert_eq!(found.values([x, z, u]), [2, 9, 1]);
    assert!(refuses(&mut || drop(found.values([y]))) && refuses(&mut || drop(found.values([v]))));
    model.post((x + y).eq(5));
    assert_eq!(model.backbone().unwrap().unwrap().value(y), Some(3));
    // Solutions are equal where values and variables are, whoever found them.
    let same = model.clone();
    assert_eq!(model.solve().unwrap(), same.solve().unwrap());
    let early = model.solve().unwrap().unwrap();
    let late = model.int(0..=1);
    assert!(refuses(&mut || drop(early.values([late]))));
    // A clone that makes variables between questions is the same model still.
    let mut clone = second.clone();
    let mut asked = clone.incremental();
    assert!(asked.solve().unwrap().is_some());
    let w = asked.model().int(3..=4);
    asked.model().post((w + u).eq(5));
    assert_eq!(asked.solve().unwrap().unwrap().value(w), 4);
    let t = asked.model().int(0..=1);
    asked.model().post(t.eq(u));
    assert_eq!(asked.solve().unwrap().unwrap().values([t, w]), [1, 4]);
}

/// Domains of all numbers where values would have to be looked at one by one.
#[test]
fn huge_domains_do_not_take_for_ever() {
    let all = 1 - (1_i64 << 60)..=(1_i64 << 60) - 1;
    let mut model = Model::new();
    let x = model.ints(4, all);
    model.post(table([x[0], x[1]], [[1, 2], [3, 4]]));
    model.post(element([x[0], x[1], x[2]], x[3], 7));
    model.post(x[2].le(9));
    let solution = model.solve().unwrap().unwrap();
    assert_eq!((solution.value(x[2]), solution.value(x[3])), (7, 2));
    let mut model = Model::new();
    let x = model.ints(3, -1_000_000_000_000_i64..=1_000_000_000_000);
    model.post(times(x[0], x[0], x[1]));
    model.post(x[0].le(1000).and(x[0].ge(999)));
    model.post(regular([x[2]], &Automaton::runs(&[1])));
    model.post(inverse([x[2] - 1], [x[2] - 1]));
    assert_eq!(model.count(10).unwrap(), 2);
    let mut model = Model::new();
    let grid = model.int_grid(3, 3, 0..=1);
    assert!(grid.get(usize::MAX, 0).is_none() && grid.get(0, usize::MAX).is_none());
    assert!(catch_unwind(|| grid.row(usize::MAX).len()).is_err());
    assert!(catch_unwind(|| grid[(usize::MAX / 3 + 1, 0)]).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| model.int_grid(usize::MAX, 3, 0..=1))).is_err());
}

/// Long chains of words are no deep recursion.
#[test]
fn long_conjunctions() {
    let mut model = Model::new();
    let x = model.ints(3_000, 0..=2);
    let (mut both, mut either) = (Constraint::from(x[0].is(1)), Constraint::from(x[0].is(1)));
    for &var in &x[1..] {
        both = both.and(var.ge(1));
        either = either.or(var.is(2));
    }
    model.post(both.and(either));
    model.post(lex_less(&x[..1_500], &x[1_500..]));
    assert!(model.solve().unwrap().is_some());
}

/// Each step of a chain of equivalences is said once, and no depth is too much for the stack.
#[test]
fn long_chains_and_deep_nests() {
    for is_right in [false, true] {
        let mut model = Model::new();
        let x = model.bools(10);
        let parity = x[1..]
            .iter()
            .fold(Constraint::from(x[0]), |parity, &bool| if is_right { bool.xor(parity) } else { parity.xor(bool) });
        model.post(parity);
        assert_eq!(model.count(1_000).unwrap(), 1 << 9);
    }
    let mut model = Model::new();
    let x = model.bools(2_000);
    let parity = |of: &[Bool]| of[1..].iter().fold(Constraint::from(of[0]), |parity, &bool| parity.iff(bool));
    model.post(parity(&x));
    assert!(model.solve().unwrap().is_some());
    // x0 ∧ (x1 ∨ (x2 ∧ …)), and the opposite of that.
    let nest = |negated: bool| {
        (0..100_000_usize).rev().fold(Constraint::from(x[7]), |nest, at| {
            let nest = if at % 2 == 0 { all([x[at % 5].into(), nest]) } else { any([x[at % 5].into(), nest]) };
            if negated { !nest } else { nest }
        })
    };
    drop(nest(true));
    let mut model = model.clone();
    model.post(nest(false));
    model.post(nest(true).or(x[3]));
    assert!(model.clone().solve().unwrap().is_some());
    assert!(model.unsat_core().unwrap().is_none() && model.statistics().is_ok());
}

/// Bounds that would creep towards a contradiction by hundreds of millions of steps are no reason to wait.
#[test]
fn slow_bounds_end() {
    for kind in 0..4 {
        let mut model = Model::new();
        let x = model.ints(3, 0..=100_000_000);
        for at in 0..3 {
            let (one, other, third) = (x[at], x[(at + 1) % 3], x[(at + 2) % 3]);
            match kind {
                0 | 1 => model.post((2 * one).eq(other + third)),
                2 => model.post((2 * one).eq(other + third + 1)),
                _ => model.post(one.lt(other)),
            }
        }
        if kind == 1 {
            model.post(x[0].lt(x[1]));
        }
        model.post(x[0].ge(1));
        model.set_limits(Limits::none().time(Duration::from_secs(20)));
        assert_eq!(model.solve().unwrap().is_some(), kind == 0, "{kind}");
    }
}

/// A comparison with any number is one, also where a sum of that size is none.
#[test]
fn comparisons_with_any_number() {
    let mut model = Model::new();
    let (x, y) = (model.int(-4..=5), model.int(0..=1));
    let holds = [
        x.gt(i64::MIN),
        x.ge(i64::MIN),
        x.le(i64::MAX),
        x.lt(i64::MAX),
        x.ne(i64::MAX),
        x.ne(i64::MIN),
        (x + y).le(u64::MAX),
        (x - y).gt(i128::MIN / 2),
        !x.gt(i64::MAX),
        !x.lt(i64::MIN),
        !x.ge(u64::MAX),
        !x.eq(i64::MIN),
        !(x + y).eq(1_u64 << 62),
    ];
    model.post(all(holds));
    assert_eq!(model.count(100).unwrap(), 20);
    model.post(x.gt(i64::MAX));
    assert!(model.solve().unwrap().is_none());
}

/// An index that may be anything is clamped, and never listed; also where the element may not hold.
#[test]
fn an_element_with_an_index_without_bounds() {
    for end in [99, 10_000_000_000_i64] {
        let mut model = Model::new();
        let (x, y, index) = (model.int(0..=1), model.int(0..=3), model.int(0..=end));
        model.post(element([Expr::from(index), x.into()], index, x).or(y.eq(1)));
        assert!(model.solve().unwrap().is_some());
        model.post(y.eq(0));
        model.post(index.le(1));
        assert!(model.solve().unwrap().is_some());
    }
}

/// Variables may have any number of values where what need not hold is false out of a range.
#[test]
fn ranges_of_variables_without_bounds() {
    let far = -3_000_000_000_i64..=3_000_000_000;
    let automaton = Automaton::new(2, 0, [1], [(0, 5, 1), (1, 6, 0)]);
    for kind in 0..7 {
        let mut model = Model::new();
        let (x, y) = (model.int(far.clone()), model.int(0..=1));
        let holds = model.reify(match kind {
            0 => element([7, 8, 9], x, y + 7),
            1 => circuit([Expr::from(x), y.into()]),
            2 => inverse([Expr::from(x), y.into()], [1, 0]),
            3 => regular([Expr::from(x), y + 5, Expr::from(5)], &automaton),
            4 => table([Expr::from(x), y.into()], [[-7, 0], [900, 1]]),
            5 => regular([Expr::from(x), y.into()], &Automaton::new(1, 0, [0], [])),
            _ => subcircuit([Expr::from(x), y.into()]),
        });
        let right = |x: i64, y: i64| match kind {
            0 => (0..3).contains(&x) && x == y,
            1 | 2 => (x, y) == (1, 0),
            3 => (x, y) == (5, 1),
            4 => [(-7, 0), (900, 1)].contains(&(x, y)),
            5 => false,
            _ => [(1, 0), (0, 1)].contains(&(x, y)),
        };
        model.post(any([-7_i64, -1, 0, 1, 2, 5, 900, 2_999_999_999].map(|value| x.eq(value))));
        let mut count = 0;
        for solution in model.solutions().unwrap() {
            let solution = solution.unwrap();
            let (x, y) = (solution.value(x), solution.value(y));
            assert_eq!(solution.is_true(holds), right(x, y), "{kind}: {x} {y}");
            count += 1;
        }
        assert_eq!(count, 16, "{kind}");
    }
}

/// A sum that stands for itself has the values that it may have, and no others.
#[test]
fn sums_of_few_values_have_no_others() {
    let mut model = Model::new();
    let (x, y, z) = (model.int([-2, 0, 300]), model.int(0..=2), model.int([5, 2_101]));
    model.post(all_different([7 * x + y, z.into(), 3 * z - 1]));
    assert!(model.formula().unwrap().n_vars() < 40, "{}", model.formula().unwrap().n_vars());
    // Only 7 · 300 + 1 = 2101 is excluded.
    assert_eq!(model.count(100).unwrap(), 17);

    // A variable that is a sum has them, too.
    let mut model = Model::new();
    let (x, y, sum) = (model.int([-1_000, 1, 1_000, 2_999]), model.int(1..=3), model.int(-9_999..=9_999));
    model.post((x - 2 * sum).eq(-y));
    model.post(table([sum, x], [[-499, -1_000], [1, 1], [2, 1], [1_500, 2_999]]));
    assert!(model.formula().unwrap().n_vars() < 40, "{}", model.formula().unwrap().n_vars());
    assert_eq!(model.count(100).unwrap(), 4);
}

/// A result that need not be one is compared as a number where it has many values, and right in all cases.
#[test]
fn results_of_many_values_that_need_not_hold() {
    type Case = (fn(IntVar, IntVar, IntVar) -> Constraint, fn(i64, i64) -> i64);
    let cases: [Case; 3] = [
        (|x, y, z| times(x, y, z), |x, y| x * y),
        (|x, y, z| div(x, y, z), |x, y| x / y),
        (|x, y, z| modulo(x, y, z), |x, y| x % y),
    ];
    for (make, of) in cases {
        let mut model = Model::new();
        let (x, y) = (model.int([-3, 1, 7, 100_000]), model.int([-1, 2, 500]));
        let (z, holds) = (model.int(-9_000_000..=90_000_000), model.bool());
        model.post(holds.iff(make(x, y, z)));
        model.post(any([-3, 0, 2_000].map(|value| z.eq(value))));
        assert!(model.formula().unwrap().n_vars() < 3_000, "{}", model.formula().unwrap().n_vars());
        let mut count = 0;
        for solution in model.solutions().unwrap() {
            let solution = solution.unwrap();
            let [x, y, z] = [x, y, z].map(|var| solution.value(var));
            assert_eq!(of(x, y) == z, solution.is_true(holds), "{x} {y} {z}");
            count += 1;
        }
        assert_eq!(count, 4 * 3 * 3);
    }
}

/// Constraints that come after a question, on variables of any number of values: only the few that matter get literals.
#[test]
fn later_constraints_on_huge_variables() {
    use crate::{Automaton, all_different_except, element, inverse, negative_table, regular, table};
    let makers: [(&str, fn(IntVar, IntVar) -> Constraint); 6] = [
        ("element", |x, y| element([5, 6, 7], y, x)),
        ("table", |x, y| table([x, y], [[5, 6], [7, 1 << 30]])),
        ("negative table", |x, y| negative_table([x, y], [[0, 0], [7, 1 << 30]])),
        ("regular", |x, y| regular([y, x], &Automaton::new(1, 0, [0], [(0, 1, 0), (0, 7, 0)]))),
        ("inverse", |x, y| inverse([x + 0], [y - 3])),
        ("quotient", |x, y| crate::div(y, 1_000_000, x + 4)),
    ];
    for (name, make) in makers {
        for is_later in [false, true] {
            let mut model = Model::new();
            let (x, y) = (model.int(0..=9), model.int(0..=1_i64 << 45));
            if is_later {
                let mut questions = model.incremental();
                assert!(questions.solve().unwrap().is_some());
                questions.model().post(make(x, y));
                assert!(questions.solve().unwrap().is_some(), "{name}");
                let value = questions.solve().unwrap().expect("the same").value(y);
                questions.model().post(y.ne(value));
                let other = questions.solve().unwrap().map(|found| found.value(y));
                assert!(other.is_none_or(|other| other != value), "{name}");
            } else {
                model.post(make(x, y));
                assert!(model.solve().unwrap().is_some(), "{name}");
            }
            let choice = model.bool();
            model.post(make(x, y).iff(choice));
            model.post(choice | x.is(3));
            assert!(is_later || model.solve().unwrap().is_some(), "{name}");
        }
    }
    let mut model = Model::new();
    let (x, y) = (model.int(0..=9), model.int(0..=1_i64 << 45));
    let mut questions = model.incremental();
    assert!(questions.solve().unwrap().is_some());
    questions.model().post(all_different_except([y + 0, x + 0, 5 * x + 9], [7]));
    assert!(matches!(questions.solve(), Err(ModelError::Capacity(_)) | Ok(Some(_))));
}
