//! Counts as literals: bounds that are chosen after encoding, by assumptions.

use rustsat::types::{Lit, Var};

use crate::encode::check_known;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// An encoding that counts: it can say *at least j of the literals are true* as a literal, for each j.
///
/// Outputs are defined in both directions, so that a bound may be assumed, tightened, relaxed, negated, or used in a
/// clause, and no clause has to be added for it.
///
/// ```
/// use cnfkit::{Bound, ClauseSink, Cnf, Counter, Totalizer};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(5);
/// let count = Totalizer::default().count(&mut cnf, &x, 3).unwrap();
/// assert_eq!(count.at_most(2), Some(Bound::If(!count.outputs()[2])));
/// assert_eq!(count.at_most(5), Some(Bound::Always));
/// assert_eq!(count.at_most(3), None); // needs to know about 4, and was asked up to 3
/// ```
pub trait Counter {
    /// Defines outputs 1 to min(`upto`, n), where output j is true if and only if at least j of the n literals are.
    ///
    /// All clauses are sent as [definitions](ClauseSink::define). A literal given twice counts twice.
    ///
    /// # Errors
    /// As the sink fails.
    ///
    /// # Panics
    /// When a literal's variable is at or above [`next_var`](ClauseSink::next_var).
    fn count<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], upto: usize) -> Result<Count, S::Error>
    where
        Self: Sized,
    {
        check_known(sink, lits);
        let mut count = Count::new(lits.len(), Vec::new());
        sink.write_by(&mut |to| {
            to.writing(&"the outputs of a `Counter`", &mut |to| {
                count = self.count_to(to, lits, upto)?;
                Ok(())
            })
        })?;
        Ok(count)
    }

    /// [`count`](Self::count), of literals that the sink knows.
    ///
    /// # Errors
    /// When the sink takes no more.
    #[doc(hidden)]
    fn count_to(&self, to: &mut Writer<'_>, lits: &[Lit], upto: usize) -> Result<Count, Full>;

    /// Exactly what [`count`](Self::count) adds for n literals; [`u64::MAX`] of everything where `upto` > 0 and n is
    /// beyond rustsat's variables.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf, Counter, Totalizer};
    /// let (enc, mut cnf) = (Totalizer::default(), Cnf::new());
    /// let x = cnf.new_lits(9);
    /// enc.count(&mut cnf, &x, 4)?;
    /// assert_eq!(enc.count_size(9, 4).clauses, cnf.n_clauses() as u64);
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    fn count_size(&self, n: usize, upto: usize) -> Size;
}

/// The number of true literals, as literals; made by [`Counter::count`].
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Count, Counter, Totalizer};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(4);
/// let count: Count = Totalizer::default().count(&mut cnf, &x, 4)?;
/// assert_eq!((count.n(), count.outputs().len()), (4, 4));
/// assert_eq!(count.at_least(3).and_then(|bound| bound.lit()), Some(count.outputs()[2]));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    n: usize,
    outputs: Vec<Lit>,
}

impl Count {
    /// The count of `n` literals of which `outputs[j - 1]` says that at least j are true.
    pub(crate) const fn new(n: usize, outputs: Vec<Lit>) -> Self {
        Self { n, outputs }
    }

    /// The number of literals that are counted.
    #[must_use]
    pub const fn n(&self) -> usize {
        self.n
    }

    /// `outputs()[j - 1]` is true if and only if at least j of the literals are.
    #[must_use]
    pub fn outputs(&self) -> &[Lit] {
        &self.outputs
    }

    /// The condition for at most `k` to be true, or `None` when outputs do not reach `k` + 1.
    #[must_use]
    pub fn at_most(&self, k: usize) -> Option<Bound> {
        at_most(self.n, &self.outputs, k)
    }

    /// The condition for at least `k` to be true, or `None` when outputs do not reach `k`.
    #[must_use]
    pub fn at_least(&self, k: usize) -> Option<Bound> {
        at_least(self.n, &self.outputs, k)
    }
}

/// The size of outputs up to `upto` of `n` literals where nothing has to be computed: none, or more than there can be.
pub(super) fn trivial_size(n: usize, upto: usize) -> Option<Size> {
    match (n, upto) {
        (0, _) | (_, 0) => Some(Size::ZERO),
        (n, _) if n > Var::MAX_IDX as usize => Some(Size { vars: u64::MAX, clauses: u64::MAX, lits: u64::MAX }),
        _ => None,
    }
}

pub(super) fn at_most(n: usize, outputs: &[Lit], k: usize) -> Option<Bound> {
    if k >= n { Some(Bound::Always) } else { outputs.get(k).map(|&lit| Bound::If(!lit)) }
}

pub(super) fn at_least(n: usize, outputs: &[Lit], k: usize) -> Option<Bound> {
    match k.checked_sub(1) {
        None => Some(Bound::Always),
        Some(_) if k > n => Some(Bound::Never),
        Some(index) => outputs.get(index).map(|&lit| Bound::If(lit)),
    }
}

/// The condition for a bound to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// No condition: the bound always holds.
    Always,
    /// No condition makes the bound hold.
    Never,
    /// The bound holds under this literal: assume it, or add it as a unit clause.
    If(Lit),
}

impl Bound {
    /// The literal, if there is one.
    #[must_use]
    pub const fn lit(self) -> Option<Lit> {
        match self {
            Self::If(lit) => Some(lit),
            Self::Always | Self::Never => None,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::encode::ByRelation;
    use crate::testing::{Engine, Recorder, inputs, relations};
    use crate::{CardEncoding, Constrain, Constraint, Relation, SequentialCounter, Tally, Totalizer};

    /// Asserts that unit propagation gives every output its value as soon as the inputs decide it, on every partial
    /// assignment, and under an output's value every input that it implies.
    pub(crate) fn check_outputs(recorder: &Recorder, lits: &[Lit], first: usize, outputs: &[Lit]) {
        let n = lits.len();
        let mut engine = Engine::new(recorder);
        for code in 0..3_usize.pow(n as u32) {
            let digits: Vec<usize> = (0..n as u32).map(|i| code / 3_usize.pow(i) % 3).collect();
            let yes = digits.iter().filter(|&&digit| digit == 1).count();
            let no = digits.iter().filter(|&&digit| digit == 2).count();
            let mark = engine.mark();
            for (&lit, digit) in lits.iter().zip(&digits) {
                assert!(*digit == 0 || engine.assume(if *digit == 1 { lit } else { !lit }));
            }
            for (j, &output) in (first..).zip(outputs) {
                let expected = if yes >= j {
                    Some(true)
                } else if no > n - j {
                    Some(false)
                } else {
                    None
                };
                assert_eq!(engine.value(output), expected, "output {j} of {n} at {digits:?}");
                let inner = engine.mark();
                assert_eq!(engine.assume(output), expected != Some(false));
                if expected != Some(false) && yes < j && n - no == j {
                    assert!(
                        lits.iter().zip(&digits).all(|(&lit, &digit)| digit > 0 || engine.value(lit) == Some(true))
                    );
                }
                engine.undo(inner);
                assert_eq!(engine.assume(!output), expected != Some(true));
                if yes + 1 == j {
                    assert!(
                        lits.iter().zip(&digits).all(|(&lit, &digit)| digit > 0 || engine.value(lit) == Some(false))
                    );
                }
                engine.undo(inner);
            }
            engine.undo(mark);
        }
        // Definitions only: each assignment of the inputs has one model.
        assert_eq!(engine.count(0), 1 << n);
        assert_eq!(recorder.defined, recorder.clauses.len());
    }

    pub(crate) fn check_counter<C: Counter>(counter: &C) {
        for n in 0..=6 {
            for upto in 0..=n + 2 {
                let mut recorder = Recorder::new(n);
                let lits: Vec<Lit> = inputs(n).iter().map(|lit| lit.var().lit(lit.vidx() % 3 == 1)).collect();
                let count = counter.count(&mut recorder, &lits, upto).unwrap();
                assert_eq!((count.n(), count.outputs().len()), (n, upto.min(n)));
                check_outputs(&recorder, &lits, 1, count.outputs());
                for k in 0..=n + 2 {
                    let most =
                        if k >= n { Some(Bound::Always) } else { count.outputs().get(k).map(|&o| Bound::If(!o)) };
                    assert_eq!(count.at_most(k), most);
                    let least = match k {
                        0 => Some(Bound::Always),
                        k if k > n => Some(Bound::Never),
                        k => count.outputs().get(k - 1).map(|&o| Bound::If(o)),
                    };
                    assert_eq!(count.at_least(k), least);
                }
            }
        }
        for n in (0..=64_usize).chain([100, 127, 1000]) {
            for upto in
                [0, 1, 2, 3, 7, n / 2, n.saturating_sub(1), n, n + 1].into_iter().filter(|&upto| upto * n < 200_000)
            {
                let mut tally = Tally::new(n);
                counter.count(&mut tally, &inputs(n), upto).unwrap();
                assert_eq!(counter.count_size(n, upto), tally.size(), "up to {upto} of {n}");
            }
        }
    }

    /// Any range of outputs: defined in both directions, as large as announced.
    pub(crate) fn check_some_outputs<E: ByRelation>(enc: &E) {
        for n in 3..=6 {
            for (first, last) in (1..=n).flat_map(|first| (first..=n).map(move |last| (first, last))) {
                let mut recorder = Recorder::new(n);
                let lits: Vec<Lit> = inputs(n).iter().map(|lit| lit.var().lit(lit.vidx() % 3 == 1)).collect();
                let mut outputs = Vec::new();
                let Ok(()) = recorder.write_by(&mut |to| {
                    outputs = enc.outputs(to, &lits, first, last)?;
                    Ok(())
                });
                assert_eq!(outputs.len(), last + 1 - first);
                check_outputs(&recorder, &lits, first, &outputs);
            }
        }
        for (n, k) in (3..=24).flat_map(|n| (1..n).map(move |k| (n, k))).chain([(64, 7), (100, 50), (100, 95)]) {
            for last in [k, k + 1] {
                let mut tally = Tally::new(n);
                let Ok(()) = tally.write_by(&mut |to| enc.outputs(to, &inputs(n), k, last).map(drop));
                assert_eq!(enc.outputs_size(n, k, last), Some(tally.size()), "{k} to {last} of {n}");
            }
        }
    }

    /// Reified bounds on one structure: what is announced comes, never more than two halves; returns how often.
    pub(crate) fn check_shared<E: ByRelation>(enc: &E) -> usize {
        struct Halves<'a, E>(&'a E);
        impl<E: ByRelation> ByRelation for Halves<'_, E> {
            fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
                self.0.encode(to, lits, relation)
            }
            fn size(&self, n: usize, relation: Relation) -> Size {
                self.0.size(n, relation)
            }
        }
        let mut smaller = 0;
        for (n, k) in (3..=20).flat_map(|n| (0..=n).map(move |k| (n, k))).chain([(100, 10), (100, 50)]) {
            let (lits, r) = (inputs(n), Lit::positive(n as u32));
            for relation in relations(k) {
                let (mut one, mut two) = (Recorder::new(n + 1), Tally::new(n + 1));
                one.post(&Constraint::count(&lits, relation).iff(r), enc).unwrap();
                two.post(&Constraint::count(&lits, relation).iff(r), &Halves(enc)).unwrap();
                let (size, halves) = (one.size(n + 1), two.size());
                assert!(size.cost() <= halves.cost(), "{relation} of {n}: {size}");
                if size != halves {
                    assert_eq!(one.announced, size, "{relation} of {n}");
                    smaller += 1;
                }
            }
        }
        smaller
    }

    /// Sizes of counts that are too large to be made saturate: they once overflowed, from 2⁴⁰ literals on.
    #[test]
    fn sizes_of_any_number_of_literals() {
        const NUMBERS: [usize; 9] = [0, 1, 2, 3, (1 << 31) - 1, 1 << 31, 1 << 40, usize::MAX - 1, usize::MAX];
        fn check<C: Counter>(counter: &C) {
            let vast = Size { vars: u64::MAX, clauses: u64::MAX, lits: u64::MAX };
            for (n, upto) in NUMBERS.into_iter().flat_map(|n| NUMBERS.map(|upto| (n, upto))) {
                let size = counter.count_size(n, upto);
                assert_eq!(size == Size::ZERO, n < 2 || upto == 0, "up to {upto} of {n}: {size}");
                assert_eq!(size == vast, n >= 1 << 31 && upto > 0, "up to {upto} of {n}: {size}");
            }
        }
        check(&SequentialCounter::default());
        check(&Totalizer::default());
        check(&Totalizer { order: true, full: true, ..Totalizer::default() });
    }

    #[test]
    fn a_bound_has_a_literal_or_none() {
        let lit = Lit::negative(3);
        assert_eq!([Bound::Always, Bound::Never, Bound::If(lit)].map(Bound::lit), [None, None, Some(lit)]);
    }

    #[test]
    fn sequential_counts() {
        check_counter(&SequentialCounter::default());
        check_some_outputs(&SequentialCounter::default());
        assert!(check_shared(&SequentialCounter::default()) > 0);
    }

    #[test]
    fn totalizer_counts() {
        check_counter(&Totalizer::default());
        check_some_outputs(&Totalizer::default());
        check_some_outputs(&Totalizer { order: true, full: true, ..Totalizer::default() });
        for enc in [CardEncoding::Totalizer, CardEncoding::Auto, CardEncoding::Smallest] {
            assert!(check_shared(&enc) > 0, "{enc}");
        }
        check_some_outputs(&CardEncoding::Smallest);
        check_counter(&Totalizer { order: true, full: true, ..Totalizer::default() });
    }

    #[test]
    #[should_panic(expected = "not known to the sink")]
    fn unknown_inputs_are_refused() {
        let _ = Totalizer::default().count(&mut Recorder::new(2), &inputs(3), 1);
    }
}
