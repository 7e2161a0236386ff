//! One suite that every encoder joins with one line.
//!
//! It goes through the front door and checks, against counting: every assignment of up to 8 inputs and every bound, at
//! most, at least and exactly; positive, negative, mixed, repeated and complementary literals; under a condition and
//! reified; the strength of unit propagation on every partial assignment of up to 9 inputs; the predicted size; and that
//! no clause is a tautology, repeats a literal, or comes twice.

use std::collections::HashSet;
use std::convert::Infallible;

use rustsat::types::{Lit, Var};

use crate::{AtMostK, AtMostOne, ClauseSink, Constrain, Size, Tally};

/// What unit propagation derives, from the strongest down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// Every input that is implied, and every contradiction: generalised arc consistency.
    Gac,
    /// Every contradiction, but not every implied input.
    Consistent,
    /// Contradictions for certain once all inputs are assigned.
    Checks,
    /// Nothing for certain.
    Weak,
}

/// Keeps every clause, and what was announced.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) clauses: Vec<Vec<Lit>>,
    /// How many of them came through `define`.
    pub(crate) defined: usize,
    pub(crate) announced: Size,
    n_vars: u32,
}

impl Recorder {
    pub(crate) fn new(inputs: usize) -> Self {
        Self { n_vars: inputs as u32, ..Self::default() }
    }

    /// What came beside `inputs`.
    pub(crate) fn size(&self, inputs: usize) -> Size {
        Size {
            vars: u64::from(self.n_vars) - inputs as u64,
            clauses: self.clauses.len() as u64,
            lits: self.clauses.iter().map(|clause| clause.len() as u64).sum(),
        }
    }
}

impl ClauseSink for Recorder {
    type Error = Infallible;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.clauses.push(clause.to_vec());
        Ok(())
    }

    fn define(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.defined += 1;
        self.add_clause(clause)
    }

    fn new_lit(&mut self) -> Lit {
        self.n_vars += 1;
        Lit::positive(self.n_vars - 1)
    }

    fn next_var(&self) -> Var {
        Var::new(self.n_vars)
    }

    fn reserve(&mut self, size: &Size) -> Result<(), Infallible> {
        self.announced += *size;
        Ok(())
    }
}

/// Unit propagation with undo, and a search for the variables that it leaves open.
pub(crate) struct Engine {
    clauses: Vec<Vec<Lit>>,
    /// The clauses in which a literal occurs, by literal.
    occurs: Vec<Vec<usize>>,
    value: Vec<Option<bool>>,
    trail: Vec<Lit>,
    /// Unit propagation of the clauses alone found a contradiction.
    broken: bool,
}

impl Engine {
    pub(crate) fn new(recorder: &Recorder) -> Self {
        let n_vars = recorder.n_vars as usize;
        let clauses = recorder.clauses.clone();
        let mut occurs = vec![Vec::new(); 2 * n_vars];
        for (index, clause) in clauses.iter().enumerate() {
            clause.iter().for_each(|lit| occurs[lit.lidx()].push(index));
        }
        let mut engine = Self { clauses, occurs, value: vec![None; n_vars], trail: Vec::new(), broken: false };
        for index in 0..engine.clauses.len() {
            engine.broken |= !(engine.visit(index) && engine.propagate(0));
        }
        engine
    }

    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        self.value[lit.vidx()].map(|value| value == lit.is_pos())
    }

    fn set(&mut self, lit: Lit) {
        self.value[lit.vidx()] = Some(lit.is_pos());
        self.trail.push(lit);
    }

    /// False when the clause is falsified; sets its last open literal.
    fn visit(&mut self, index: usize) -> bool {
        let mut open = None;
        for &lit in &self.clauses[index] {
            match self.value(lit) {
                Some(true) => return true,
                Some(false) => {}
                None if open.is_some() => return true,
                None => open = Some(lit),
            }
        }
        open.is_some_and(|lit| {
            self.set(lit);
            true
        })
    }

    fn propagate(&mut self, mut from: usize) -> bool {
        while let Some(&lit) = self.trail.get(from) {
            from += 1;
            for at in 0..self.occurs[(!lit).lidx()].len() {
                if !self.visit(self.occurs[(!lit).lidx()][at]) {
                    return false;
                }
            }
        }
        true
    }

    /// Assigns `lit` and propagates; false on a contradiction. Undo with [`Self::undo`] to the mark in any case.
    pub(crate) fn assume(&mut self, lit: Lit) -> bool {
        if self.broken {
            return false;
        }
        match self.value(lit) {
            Some(value) => value,
            None => {
                let from = self.trail.len();
                self.set(lit);
                self.propagate(from)
            }
        }
    }

    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    pub(crate) fn undo(&mut self, mark: usize) {
        for lit in self.trail.drain(mark..) {
            self.value[lit.vidx()] = None;
        }
    }

    /// Whether the clauses can be satisfied from here.
    pub(crate) fn satisfiable(&mut self) -> bool {
        if self.broken {
            return false;
        }
        let open = self.clauses.iter().find(|clause| !clause.iter().any(|&lit| self.value(lit) == Some(true)));
        let Some(open) = open else { return true };
        let lit = *open.iter().find(|&&lit| self.value(lit).is_none()).expect("propagated");
        let mark = self.mark();
        [lit, !lit].into_iter().any(|lit| {
            let sat = self.assume(lit) && self.satisfiable();
            self.undo(mark);
            sat
        })
    }

    /// How many assignments of the variables from `first` on satisfy the clauses from here.
    pub(crate) fn count(&mut self, first: usize) -> usize {
        if self.broken {
            return 0;
        }
        let Some(open) = (first..self.value.len()).find(|&var| self.value[var].is_none()) else {
            return usize::from(self.satisfiable());
        };
        let mark = self.mark();
        let lit = Lit::positive(open as u32);
        [lit, !lit]
            .into_iter()
            .map(|lit| {
                let count = if self.assume(lit) { self.count(first) } else { 0 };
                self.undo(mark);
                count
            })
            .sum()
    }
}

/// What a constraint allows: a range for the number of true literals.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    AtMost,
    AtLeast,
    Exactly,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::AtMost, Kind::AtLeast, Kind::Exactly];

impl Kind {
    pub(crate) fn allows(self, count: usize, k: usize) -> bool {
        match self {
            Self::AtMost => count <= k,
            Self::AtLeast => count >= k,
            Self::Exactly => count == k,
        }
    }

    pub(crate) fn post<S: ClauseSink + ?Sized, E: AtMostK>(self, sink: &mut S, lits: &[Lit], k: usize, enc: &E) {
        let done = match self {
            Self::AtMost => sink.at_most(lits, k, enc),
            Self::AtLeast => sink.at_least(lits, k, enc),
            Self::Exactly => sink.exactly(lits, k, enc),
        };
        assert!(done.is_ok());
    }

    pub(crate) fn post_iff<S: ClauseSink + ?Sized, E: AtMostK>(
        self,
        sink: &mut S,
        r: Lit,
        lits: &[Lit],
        k: usize,
        enc: &E,
    ) {
        let done = match self {
            Self::AtMost => sink.iff_at_most(r, lits, k, enc),
            Self::AtLeast => sink.iff_at_least(r, lits, k, enc),
            Self::Exactly => sink.iff_exactly(r, lits, k, enc),
        };
        assert!(done.is_ok());
    }

    fn predicted<E: AtMostK>(self, enc: &E, n: usize, k: usize) -> Option<Size> {
        match self {
            Self::AtMost => (k >= 1 && k + 2 <= n).then(|| enc.amk_size(n, k)),
            Self::AtLeast => (k >= 2 && k < n).then(|| enc.alk_size(n, k)),
            Self::Exactly => (k >= 1 && k < n && n >= 3).then(|| enc.exk_size(n, k)),
        }
    }
}

fn input(index: usize) -> Lit {
    Lit::positive(index as u32)
}

pub(crate) fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(input).collect()
}

/// Every way to assign the first `n` variables, as literals.
fn assignments(n: usize) -> impl Iterator<Item = Vec<Lit>> {
    (0..1_u32 << n).map(move |bits| (0..n).map(|i| Lit::new(i as u32, bits >> i & 1 == 0)).collect())
}

fn count_true(lits: &[Lit], assignment: &[Lit]) -> usize {
    lits.iter().filter(|lit| assignment[lit.vidx()] == **lit).count()
}

/// Compares the formula with `allowed` on every assignment of the first `n` variables.
fn check_models(recorder: &Recorder, n: usize, what: &str, allowed: impl Fn(&[Lit]) -> bool) {
    let mut engine = Engine::new(recorder);
    for assignment in assignments(n) {
        let mark = engine.mark();
        let sat = assignment.iter().all(|&lit| engine.assume(lit)) && engine.satisfiable();
        engine.undo(mark);
        assert_eq!(sat, allowed(&assignment), "{what}: wrong on {assignment:?} in {:?}", recorder.clauses);
    }
}

fn check_clauses(recorder: &Recorder, what: &str) {
    let mut seen = HashSet::new();
    for clause in &recorder.clauses {
        let mut sorted = clause.clone();
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[0].var() < pair[1].var()), "{what}: {clause:?} repeats a variable");
        assert!(seen.insert(sorted), "{what}: {clause:?} comes twice");
        assert!(clause.iter().all(|lit| lit.var() < recorder.next_var()), "{what}: unknown variable in {clause:?}");
    }
}

/// The size that was announced and the size of what came.
fn check_announced(recorder: &Recorder, n: usize, what: &str) {
    let emitted = recorder.size(n);
    assert!(
        recorder.announced == emitted || recorder.clauses == [vec![]],
        "{what}: announced {}, came {emitted}",
        recorder.announced
    );
}

/// The strength of unit propagation: the weakest answer over all partial assignments of `lits`.
fn strength(engine: &mut Engine, lits: &[Lit], kind: Kind, k: usize) -> Strength {
    let n = lits.len();
    let truth = |engine: &Engine, value| lits.iter().filter(|&&lit| engine.value(lit) == Some(value)).count();
    descend(engine, lits, 0, (0, 0), &|engine, (yes, no), conflict| {
        let (least, most) = (yes, n - no);
        if !(least..=most).any(|count| kind.allows(count, k)) {
            return match (conflict, least == most) {
                (true, _) => Strength::Gac,
                (false, false) => Strength::Checks,
                (false, true) => Strength::Weak,
            };
        }
        assert!(!conflict, "{kind:?} {k} of {n}: contradiction with {yes} true and {no} false");
        if least == most {
            return Strength::Gac;
        }
        // An open literal is implied when the other value leaves no count that is allowed.
        let implied_false = !(least + 1..=most).any(|count| kind.allows(count, k));
        let implied_true = !(least..most).any(|count| kind.allows(count, k));
        let complete =
            (!implied_false || truth(engine, false) == n - yes) && (!implied_true || truth(engine, true) == n - no);
        if complete { Strength::Gac } else { Strength::Consistent }
    })
}

/// What a partial assignment shows: given the numbers of true and false literals, and whether there is a contradiction.
type Judge<'a> = &'a dyn Fn(&Engine, (usize, usize), bool) -> Strength;

/// Visits every partial assignment of `lits`, with the numbers of true and false literals in it.
fn descend(engine: &mut Engine, lits: &[Lit], at: usize, (yes, no): (usize, usize), judge: Judge<'_>) -> Strength {
    let mut weakest = Strength::Gac;
    if at == lits.len() {
        return judge(engine, (yes, no), engine.broken);
    }
    for (value, counts) in [(None, (yes, no)), (Some(true), (yes + 1, no)), (Some(false), (yes, no + 1))] {
        let mark = engine.mark();
        let consistent = match value {
            None => !engine.broken,
            Some(value) => engine.assume(if value { lits[at] } else { !lits[at] }),
        };
        weakest = weakest.max(if consistent {
            descend(engine, lits, at + 1, counts, judge)
        } else {
            judge(engine, counts, true)
        });
        engine.undo(mark);
    }
    weakest
}

/// Models, clauses and sizes for up to 8 inputs, every bound and relation.
pub(crate) fn check_every_assignment<E: AtMostK>(enc: &E) {
    for n in 0..=8 {
        for (k, kind) in (0..=n + 1).flat_map(|k| KINDS.map(|kind| (k, kind))) {
            let what = format!("{kind:?} {k} of {n}");
            let lits = inputs(n);
            let mut recorder = Recorder::new(n);
            kind.post(&mut recorder, &lits, k, enc);
            check_models(&recorder, n, &what, |assignment| kind.allows(count_true(&lits, assignment), k));
            check_clauses(&recorder, &what);
            check_announced(&recorder, n, &what);
        }
    }
}

/// Negated and mixed literals, in natural and in reverse order.
pub(crate) fn check_signs_and_order<E: AtMostK>(enc: &E) {
    for n in 1..=6 {
        for (k, kind) in (0..=n).flat_map(|k| KINDS.map(|kind| (k, kind))) {
            for signs in [0, u32::MAX, 0b01_0101, 0b10_0110] {
                let mut lits: Vec<Lit> = (0..n).map(|i| Lit::new(i as u32, signs >> i & 1 == 1)).collect();
                for keep in [false, true] {
                    let what = format!("{kind:?} {k} of {lits:?}, order kept: {keep}");
                    let mut recorder = Recorder::new(n);
                    if keep {
                        lits.reverse();
                        kind.post(&mut recorder.keep_order(), &lits, k, enc);
                    } else {
                        kind.post(&mut recorder, &lits, k, enc);
                    }
                    check_models(&recorder, n, &what, |assignment| kind.allows(count_true(&lits, assignment), k));
                    check_clauses(&recorder, &what);
                }
            }
        }
    }
}

/// Every sequence of up to 4 literals over 3 variables, and some longer ones over 4.
pub(crate) fn check_repeats_and_complements<E: AtMostK>(enc: &E) {
    let mut sequences: Vec<Vec<Lit>> = vec![vec![]];
    for length in 0..4 {
        let longer: Vec<_> = sequences.iter().filter(|lits| lits.len() == length).cloned().collect();
        for lits in longer {
            sequences.extend((0..6).map(|i| [&lits[..], &[Lit::new(i / 2, i % 2 == 1)]].concat()));
        }
    }
    for text in ["11223344", "1122334-4", "12121212", "1112234", "-1-1-123-4", "1-12-23-34", "4433221", "111122234"] {
        let mut negated = false;
        let mut lits = Vec::new();
        for sign in text.bytes() {
            match sign {
                b'-' => negated = true,
                digit => lits.push(Lit::new(u32::from(digit - b'1'), std::mem::take(&mut negated))),
            }
        }
        sequences.push(lits);
    }
    for lits in sequences {
        let n = if lits.iter().any(|lit| lit.vidx() == 3) { 4 } else { 3 };
        for (k, kind) in (0..=lits.len() + 1).flat_map(|k| KINDS.map(|kind| (k, kind))) {
            for keep in [false, true] {
                let what = format!("{kind:?} {k} of {lits:?}, order kept: {keep}");
                let mut recorder = Recorder::new(n);
                if keep {
                    kind.post(&mut recorder.keep_order(), &lits, k, enc);
                } else {
                    kind.post(&mut recorder, &lits, k, enc);
                }
                check_models(&recorder, n, &what, |assignment| kind.allows(count_true(&lits, assignment), k));
                check_clauses(&recorder, &what);
            }
        }
    }
}

/// Under conditions of one and two literals, some of which are inputs, nested, and reified.
pub(crate) fn check_conditions<E: AtMostK>(enc: &E) {
    for n in 0..=6 {
        let total = n + 2;
        let lits = inputs(n);
        let (p, q) = (input(n), input(n + 1));
        let mut conditions = vec![vec![p], vec![!p], vec![p, q], vec![q, p, q], vec![p, !p]];
        if n > 0 {
            conditions.extend([vec![lits[0]], vec![!lits[n - 1]], vec![p, lits[0], !lits[n - 1]]]);
        }
        for (k, kind) in (0..=n + 1).flat_map(|k| KINDS.map(|kind| (k, kind))) {
            for cond in &conditions {
                for nested in [false, true] {
                    let what = format!("when {cond:?}, {kind:?} {k} of {n}, nested: {nested}");
                    let mut recorder = Recorder::new(total);
                    if nested {
                        let (first, rest) = cond.split_at(1);
                        kind.post(&mut recorder.when(first).when(rest), &lits, k, enc);
                    } else {
                        kind.post(&mut recorder.when(cond), &lits, k, enc);
                    }
                    check_models(&recorder, total, &what, |assignment| {
                        !cond.iter().all(|lit| assignment[lit.vidx()] == *lit)
                            || kind.allows(count_true(&lits, assignment), k)
                    });
                    check_clauses(&recorder, &what);
                }
            }
            let mut reifiers = vec![p, !p];
            reifiers.extend(lits.first());
            for r in reifiers {
                let what = format!("{r} iff {kind:?} {k} of {n}");
                let mut recorder = Recorder::new(total);
                kind.post_iff(&mut recorder, r, &lits, k, enc);
                check_models(&recorder, total, &what, |assignment| {
                    (assignment[r.vidx()] == r) == kind.allows(count_true(&lits, assignment), k)
                });
                check_clauses(&recorder, &what);
            }
        }
    }
}

/// The claimed strength is the weakest that occurs: no encoder is weaker than it says, and none stronger.
pub(crate) fn check_strength<E: AtMostK>(enc: &E, claimed: Strength) {
    let mut weakest = Strength::Gac;
    for n in 2..=9 {
        for (k, kind) in (0..=n).flat_map(|k| KINDS.map(|kind| (k, kind))) {
            let lits = inputs(n);
            let mut recorder = Recorder::new(n);
            kind.post(&mut recorder, &lits, k, enc);
            let found = strength(&mut Engine::new(&recorder), &lits, kind, k);
            assert!(found <= claimed, "{kind:?} {k} of {n}: only {found:?}");
            weakest = weakest.max(found);

            // A condition costs no strength once it is true.
            if n <= 6 && claimed == Strength::Gac {
                let mut recorder = Recorder::new(n + 1);
                kind.post(&mut recorder.when(&[input(n)]), &lits, k, enc);
                let mut engine = Engine::new(&recorder);
                engine.broken |= !engine.assume(input(n));
                assert_eq!(strength(&mut engine, &lits, kind, k), claimed, "{kind:?} {k} of {n} under a condition");
            }
        }
    }
    assert_eq!(weakest, claimed, "stronger than claimed");
}

/// The predicted size against what is emitted, for all n ≤ 40 and some larger.
pub(crate) fn check_sizes<E: AtMostK>(enc: &E) {
    const MOST: u64 = 60_000;
    let large =
        [64, 65, 100, 127, 128, 129].iter().flat_map(|&n| [1, 2, 3, 7, n / 2, n - 3, n - 2, n - 1].map(|k| (n, k)));
    for (n, k) in (0..=40).flat_map(|n| (0..=n).map(move |k| (n, k))).chain(large) {
        for kind in KINDS {
            let Some(size) = kind.predicted(enc, n, k) else { continue };
            if size.clauses > MOST {
                continue;
            }
            let mut tally = Tally::new(n);
            let lits = tally.inputs();
            kind.post(&mut tally, &lits, k, enc);
            assert_eq!(size, tally.size(), "{kind:?} {k} of {n}: predicted, emitted");
        }
    }
}

/// At most one and exactly one: everything above, for encodings of nothing else.
pub(crate) fn check_amo<E: AtMostOne>(enc: &E, claimed: Strength) {
    let mut weakest = Strength::Gac;
    for n in 0..=9 {
        for kind in [Kind::AtMost, Kind::Exactly] {
            let what = format!("{kind:?} one of {n}");
            let post = |sink: &mut dyn ClauseSink<Error = Infallible>, lits: &[Lit]| match kind {
                Kind::AtMost => sink.at_most_one(lits, enc),
                _ => sink.exactly_one(lits, enc),
            };
            let allowed = |lits: &[Lit], assignment: &[Lit]| kind.allows(count_true(lits, assignment), 1);

            let lits = inputs(n);
            let mut recorder = Recorder::new(n);
            post(&mut recorder, &lits).unwrap();
            check_models(&recorder, n, &what, |assignment| allowed(&lits, assignment));
            check_clauses(&recorder, &what);
            check_announced(&recorder, n, &what);
            let found = strength(&mut Engine::new(&recorder), &lits, kind, 1);
            assert!(found <= claimed, "{what}: only {found:?}");
            weakest = weakest.max(found);

            // Negated, backwards, with a repetition, with a complement, under a condition on an input and not.
            let mixed: Vec<Lit> = lits.iter().rev().map(|lit| lit.var().lit(lit.vidx() % 3 == 0)).collect();
            let doubled = [&mixed[..], &mixed[..n.min(1)]].concat();
            let cancelled: Vec<Lit> = mixed.iter().copied().chain(mixed.first().map(|&lit| !lit)).collect();
            for lits in [mixed, doubled, cancelled] {
                let mut recorder = Recorder::new(n);
                post(&mut recorder, &lits).unwrap();
                check_models(&recorder, n, &what, |assignment| allowed(&lits, assignment));
                check_clauses(&recorder, &what);
                let mut recorder = Recorder::new(n);
                post(&mut recorder.keep_order(), &lits).unwrap();
                check_models(&recorder, n, &what, |assignment| allowed(&lits, assignment));
            }
            for cond in [vec![input(n)], vec![!input(n), input(n + 1)], vec![input(0)]] {
                let mut recorder = Recorder::new(n + 2);
                post(&mut recorder.when(&cond), &lits).unwrap();
                check_models(&recorder, n + 2, &what, |assignment| {
                    !cond.iter().all(|lit| assignment[lit.vidx()] == *lit) || allowed(&lits, assignment)
                });
                check_clauses(&recorder, &what);
            }
        }
    }
    assert_eq!(weakest, claimed, "stronger than claimed");
    for n in (2..=300).chain([1000, 1023, 1024, 1025, 2000]) {
        let mut tally = Tally::new(n);
        let lits = tally.inputs();
        tally.at_most_one(&lits, enc).unwrap();
        assert_eq!(enc.amo_size(n), tally.size(), "at most one of {n}: predicted, emitted");
    }
}

/// The clauses that a condition is added to.
pub(crate) fn guarded<E: AtMostK>(enc: &E, kind: Kind, n: usize, k: usize) -> usize {
    let mut recorder = Recorder::new(n);
    kind.post(&mut recorder, &inputs(n), k, enc);
    recorder.clauses.len() - recorder.defined
}

/// Joins an at-most-one encoding, behind `#[cfg(test)]`: `crate::testing::amo_suite!(suite: Pairwise, Gac);`
macro_rules! amo_suite {
    ($name:ident: $enc:expr, $strength:ident) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn at_most_one_and_exactly_one() {
                $crate::testing::check_amo(&$enc, $crate::testing::Strength::$strength);
            }
        }
    };
}
pub(crate) use amo_suite;

/// Joins an at-most-k encoding, behind `#[cfg(test)]`: `crate::testing::card_suite!(suite: Totalizer::default(), Gac);`
macro_rules! card_suite {
    ($name:ident: $enc:expr, $strength:ident) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            use $crate::testing;

            #[test]
            fn every_assignment() {
                testing::check_every_assignment(&$enc);
            }

            #[test]
            fn signs_and_order() {
                testing::check_signs_and_order(&$enc);
            }

            #[test]
            fn repeats_and_complements() {
                testing::check_repeats_and_complements(&$enc);
            }

            #[test]
            fn conditions() {
                testing::check_conditions(&$enc);
            }

            #[test]
            fn strength() {
                testing::check_strength(&$enc, testing::Strength::$strength);
            }

            #[test]
            fn sizes() {
                testing::check_sizes(&$enc);
            }
        }
    };
}
pub(crate) use card_suite;
