//! The least value of an objective, with a proof: solutions are lines of it, and so are unsatisfiable cores.
//!
//! * **Solution-improving search**: a solution is a line that says that the objective is less. The solver watches the
//!   last one, or gets clauses anew for each.
//! * **Core-guided search** (OLL): of a core K, a clause of literals that cost something, the weights are lowered by
//!   the least of them, w, which moves into the lower bound; from then on each true literal of K beyond the first costs
//!   w. Output o(j) is true if and only if at least j literals of K are, two lines of the proof. From
//!   ΣK ≥ 1 + o(2) + ⋯ + o(j − 1) and ΣK ≥ j·o(j) follows ΣK ≥ 1 + o(2) + ⋯ + o(j): the first j − 1 times, and the
//!   second, divided by j and rounded up. The sum of these lines, each as often as its weight was moved, is
//!   *objective ≥ lower bound + what is left of the weights*. With the line of a solution whose cost is that bound,
//!   it is a contradiction.
//!
//! Source of the second: J. Berg, B. Bogaerts, J. Nordström, A. Oertel, D. Vandesande, *Certified Core-Guided `MaxSAT`
//! Solving*, CADE 2023, LNCS 14132, pages 1–22.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::{self, Lit};

use super::frame::because;
use super::run::Run;
use crate::certify::{Id, Lines};
use crate::formula::{CertifiedSource, Certifier, CertifyError, Formula, Needless};
use crate::gcd::gcd;
use crate::limits::Limits;
use crate::normal::NormalSum;
use crate::running::Clock;
use crate::sink::ClauseSink;
use crate::solve::{Assignment, Strategy};

/// The objective, its weights divided by what they have in common, and that divisor.
fn objective(formula: &Formula) -> (NormalSum, Vec<(Lit, u128)>, u128) {
    let sum = NormalSum::new(formula.objective().iter().map(|&(lit, weight)| (lit, weight.into())));
    let divisor = sum.terms.iter().fold(0, |all, &(_, weight)| gcd(all, weight)).max(1);
    let divided = sum.terms.iter().map(|&(lit, weight)| (lit, weight / divisor)).collect();
    (sum, divided, divisor)
}

/// Weights that sum up to less than 2⁶⁴, which a bound can be put on.
fn bounded(terms: &[(Lit, u128)]) -> Option<Vec<(Lit, u64)>> {
    u64::try_from(terms.iter().map(|&(_, weight)| weight).sum::<u128>()).ok()?;
    Some(terms.iter().map(|&(lit, weight)| (lit, weight as u64)).collect())
}

/// The conflicts of the first turn; each later one, whichever strategy has it, takes half as many more.
const TURN: u64 = 1_000;
/// The times that a solver is asked for a smaller core, and its conflicts each time.
const SMALLER: (usize, u64) = (4, 200);

/// The best solution of the proof so far.
struct BestSolution {
    cost: u128,
    /// The line that says that the objective is less.
    better: Id,
    is_written: bool,
}

/// The literals of a core, which are counted.
struct CoreCounter {
    lits: Vec<Lit>,
    /// For each j from 1 on, the line ΣK ≥ 1 + o(2) + ⋯ + o(j), and how often the lower bound has it.
    lines: Vec<(Id, u128)>,
    /// The outputs from o(2) on.
    outputs: Vec<Lit>,
}

/// The objective after cores.
struct Cores {
    /// The weight that is left of each literal.
    weights: BTreeMap<Lit, u128>,
    counters: Vec<CoreCounter>,
    /// The counter of which a literal is the output o(j), and j.
    outputs: FxHashMap<Lit, (usize, usize)>,
    lower: u128,
    /// Only literals of this weight or more are assumed to be false.
    stratum: u128,
    /// Literals that are false in what is left to be found.
    fixed: FxHashSet<Lit>,
}

impl Cores {
    fn new(terms: &[(Lit, u128)]) -> Self {
        let stratum = terms.iter().map(|&(_, weight)| weight).max().unwrap_or(0);
        let mut weights = BTreeMap::new();
        weights.extend(terms.iter().copied());
        Self {
            weights,
            counters: Vec::new(),
            outputs: FxHashMap::default(),
            lower: 0,
            stratum,
            fixed: FxHashSet::default(),
        }
    }

    fn assumptions(&self) -> Vec<Lit> {
        let heavy = self.weights.iter().filter(|&(_, &weight)| weight >= self.stratum);
        heavy.map(|(&lit, _)| !lit).collect()
    }

    /// Goes on to lighter literals.
    fn next_stratum(&mut self) {
        let lighter = self.weights.values().filter(|&&weight| weight < self.stratum);
        let half = lighter.clone().filter(|&&weight| weight <= self.stratum / 2).max();
        self.stratum = half.or(lighter.min()).copied().unwrap_or(0);
    }

    /// Moves a core, which the line `id` says, into the lower bound.
    fn relax(&mut self, run: &mut Run<'_, '_>, core: &[Lit], id: Id) -> Result<(), CertifyError> {
        let least = core.iter().map(|lit| self.weights[lit]).min().unwrap_or(0);
        let own = self.counters.len();
        // First of all: where a limit ends the rest, the lower bound has the line.
        self.counters.push(CoreCounter { lits: core.to_vec(), lines: vec![(id, least)], outputs: Vec::new() });
        self.lower += least;
        for lit in core {
            let left = self.weights[lit] - least;
            if left > 0 {
                self.weights.insert(*lit, left);
            } else {
                self.weights.remove(lit);
            }
            if let Some(&(counter, j)) = self.outputs.get(lit)
                && j < self.counters[counter].lits.len()
            {
                self.count(run, counter, j + 1, least)?;
            }
        }
        if core.len() > 1 { self.count(run, own, 2, least) } else { Ok(()) }
    }

    /// From now on output o(j) of a counter costs so much, too.
    fn count(&mut self, run: &mut Run<'_, '_>, at: usize, j: usize, weight: u128) -> Result<(), CertifyError> {
        let CoreCounter { lits, lines, outputs } = &mut self.counters[at];
        lines[j - 2].1 -= weight;
        if let Some(output) = outputs.get(j - 2) {
            lines[j - 1].1 += weight;
            *self.weights.entry(*output).or_insert(0) += weight;
            return Ok(());
        }
        let output = run.proof.cnf.new_lit();
        let (n, least, most) = (lits.len() as u128, j as u128, (lits.len() + 1 - j) as u128);
        let out = &mut run.proof.lines;
        let is_reached = out.red(lits.iter().map(|&lit| (1, lit)).chain([(least, !output)]), least, !output)?;
        let reaches = out.red(lits.iter().map(|&lit| (1, !lit)).chain([(most, output)]), n + 1 - least, output)?;
        let sum = out.pol(&[(lines[j - 2].0, least - 1), (is_reached, 1)], &[])?;
        lines.push((out.quotient(&[(sum, 1)], least)?, weight));
        outputs.push(output);
        self.outputs.insert(output, (at, j));
        self.weights.insert(output, weight);
        run.proof.iff_at_least(output, lits, j, [is_reached, reaches])?;
        Ok(run.proof.lines.list("del id", &[is_reached, reaches, sum])?)
    }

    /// The line that the objective is at least the lower bound, if there is a core; `divisor`: what its weights have in
    /// common.
    fn bound(&self, lines: &mut Lines<'_>, divisor: u128) -> io::Result<Option<Id>> {
        let parts: Vec<(Id, u128)> = self.counted().map(|(id, times)| (id, times * divisor)).collect();
        if parts.is_empty() { Ok(None) } else { lines.pol(&parts, &[]).map(Some) }
    }

    /// The lines that the lower bound has, and how often.
    fn counted(&self) -> impl Iterator<Item = (Id, u128)> {
        self.counters.iter().flat_map(|counter| &counter.lines).copied().filter(|&(_, times)| times > 0)
    }

    /// The line that the weights that are left sum up to less than what a solution costs beyond the lower bound.
    fn left(&self, lines: &mut Lines<'_>, better: Id) -> io::Result<Id> {
        let parts: Vec<(Id, u128)> = self.counted().chain([(better, 1)]).collect();
        lines.pol(&parts, &[])
    }

    /// Fixes literals that are too heavy for a solution that is better than one of this cost (hardening).
    fn fix(&mut self, run: &mut Run<'_, '_>, best: &BestSolution) -> Result<(), CertifyError> {
        let most = best.cost - 1 - self.lower;
        let heavy = self.weights.iter().filter(|&(lit, &weight)| weight > most && !self.fixed.contains(lit));
        let heavy: Vec<Lit> = heavy.map(|(&lit, _)| lit).collect();
        if heavy.is_empty() {
            return Ok(());
        }
        let left = self.left(&mut run.proof.lines, best.better)?;
        for &lit in &heavy {
            run.proof.lemma(&[!lit], &[left])?;
        }
        run.proof.lines.list("del id", &[left])?;
        self.fixed.extend(heavy);
        Ok(())
    }
}

/// The listener to each better solution with its value, and to the best, if there is one, where a limit ends the
/// search; a bound on all values is told, too.
pub(super) type BetterListener<'t> = &'t mut dyn FnMut(Option<(&Assignment, i128)>, i128);

/// The least value of the formula's objective.
pub(super) fn minimum(
    source: CertifiedSource<'_, '_>,
    dir: &Path,
    strategy: Strategy,
    limits: &Limits,
    told: BetterListener<'_>,
) -> Result<Option<(Assignment, i128)>, CertifyError> {
    let clock = limits.start();
    minimum_on(source, dir, strategy, &clock, told).map_err(|error| because(error, &clock))
}

fn minimum_on(
    source: CertifiedSource<'_, '_>,
    dir: &Path,
    strategy: Strategy,
    clock: &Clock,
    told: BetterListener<'_>,
) -> Result<Option<(Assignment, i128)>, CertifyError> {
    let (sum, terms, divisor) = objective(source.formula);
    let go_on = || !clock.is_over();
    let run = Run::new(source, dir, true, clock, &go_on)?;
    let cores = Cores::new(&terms);
    let needless = source.detected.is_none().then(|| Needless::new(source.given(), &terms));
    let bounded = bounded(&terms);
    let mut proof = MinimumProof { run, sum, divisor, bounded, cores, needless, best: None, answer: None, told };
    let proven = proof.search(strategy, clock);
    let lower = proof.value(proof.cores.lower);
    let value = proof.best.as_ref().map(|best| proof.value(best.cost));
    let upper = value.map_or_else(|| "INF".into(), |value| value.to_string());
    let answer = proof.answer.take().map(|(model, cost)| (model, proof.value(cost)));
    let MinimumProof { run: Run { proof: Certifier { mut lines, .. }, .. }, cores, told, .. } = proof;
    match proven {
        Ok(contradiction) => {
            // The proof has the solution already.
            lines.conclude(&format!("BOUNDS {upper} : {contradiction} {upper}"), None)?;
            Ok(answer)
        }
        Err(error @ CertifyError::Interrupted(_)) => {
            let line = cores.bound(&mut lines, divisor)?.map_or_else(String::new, |line| format!(": {line} "));
            let conclusion = format!("BOUNDS {lower} {line}{upper}");
            // Nothing was left to be shown.
            if value == Some(lower) {
                lines.conclude(&conclusion, None)?;
                return Ok(answer);
            }
            told(answer.as_ref().map(|(model, value)| (model, *value)), lower);
            Err(error.stops(lines, &conclusion))
        }
        Err(error) => Err(error),
    }
}

/// A proof of the least value, as far as it has come.
struct MinimumProof<'s, 'f, 't> {
    run: Run<'s, 'f>,
    sum: NormalSum,
    /// The greatest common divisor of the weights.
    divisor: u128,
    /// The weights, where a bound can be put on their sum; else only cores lead to the optimum.
    bounded: Option<Vec<(Lit, u64)>>,
    cores: Cores,
    /// Takes from solutions what costs without need.
    needless: Option<Needless<'s>>,
    best: Option<BestSolution>,
    /// The best solution, and its cost: it may be less than that of the proof, which has values of all its variables.
    answer: Option<(Assignment, u128)>,
    told: BetterListener<'t>,
}

impl MinimumProof<'_, '_, '_> {
    /// The value of the objective at this cost.
    fn value(&self, cost: u128) -> i128 {
        self.sum.value(cost * self.divisor)
    }

    /// The line of a contradiction, once there is nothing better.
    fn search(&mut self, strategy: Strategy, clock: &Clock) -> Result<Id, CertifyError> {
        let is_bounded = self.bounded.is_some();
        let mut by_cores = strategy != Strategy::SolutionImproving || !is_bounded;
        let mut conflicts = if strategy == Strategy::Auto && is_bounded { TURN } else { u64::MAX };
        loop {
            let Self { run, cores, best, .. } = self;
            if let Some(best) = best.as_ref().filter(|best| best.cost <= cores.lower) {
                cores.left(&mut run.proof.lines, best.better)?;
                return Ok(run.proof.lines.rup(&[], &[])?);
            }
            let mut assumptions = Vec::new();
            if by_cores {
                best.as_ref().map_or(Ok(()), |best| cores.fix(run, best))?;
                assumptions = cores.assumptions();
            } else if let (Some(best), Some(terms)) = (best.as_mut().filter(|best| !best.is_written), &self.bounded) {
                let most = (best.cost - 1) as u64;
                if strategy == Strategy::Auto && !Run::can_bound(terms, most) {
                    by_cores = true;
                    continue;
                }
                run.bound(terms, most, best.better)?;
                best.is_written = true;
            }
            match run.solve(&assumptions, conflicts)? {
                None if clock.is_over() || conflicts == u64::MAX => {
                    return Err(CertifyError::Interrupted(clock.why()));
                }
                None => {
                    by_cores = !by_cores;
                    conflicts += conflicts / 2;
                }
                Some(true) => {
                    self.improve()?;
                    if by_cores {
                        self.cores.next_stratum();
                    }
                }
                Some(false) => {
                    let (core, line) = self.core()?;
                    if core.is_empty() {
                        return Ok(line);
                    }
                    self.cores.relax(&mut self.run, &core, line)?;
                }
            }
        }
    }

    /// Keeps the solution found last, where it is better.
    fn improve(&mut self) -> Result<(), CertifyError> {
        let (mut model, mut values) = self.run.model();
        let mut answer = model.clone();
        if let Some(needless) = &self.needless {
            let is_true = |var: u32| model.lit_value(Lit::positive(var)) == types::TernaryVal::True;
            let mut all: Vec<bool> = (0..needless.n_vars() as u32).map(is_true).collect();
            needless.lower(&mut all);
            let lowered: Vec<Lit> = (0..).zip(&all).map(|(var, &is_true)| Lit::new(var, !is_true)).collect();
            // The proof wants values of all its variables: those of the solver, if it has them in time, and if what
            // breaks symmetries allows it.
            if (0..).zip(&all).any(|(var, &value)| value != is_true(var)) {
                lowered.iter().for_each(|&lit| answer.assign_lit(lit));
                if self.run.solve(&lowered, SMALLER.1)? == Some(true) {
                    (model, values) = self.run.model();
                }
            }
        }
        let cost_of =
            |of: &types::Assignment| self.sum.cost(|lit| of.lit_value(lit) == types::TernaryVal::True) / self.divisor;
        let (cost, least) = (cost_of(&model), cost_of(&answer));
        if self.answer.as_ref().is_none_or(|known| least < known.1) {
            let answer = Assignment::from(answer);
            let (value, lower) = (self.value(least), self.value(self.cores.lower));
            (self.told)(Some((&answer, value)), lower);
            self.answer = Some((answer, least));
        }
        if self.best.as_ref().is_some_and(|best| cost >= best.cost) {
            return Ok(());
        }
        let lines = &mut self.run.proof.lines;
        let mut better = lines.better(&values)?;
        if self.divisor > 1 {
            better = lines.quotient(&[(better, 1)], self.divisor)?;
        }
        self.best = Some(BestSolution { cost, better, is_written: false });
        Ok(())
    }

    /// A core, a clause of literals that cost something, and its line.
    fn core(&mut self) -> Result<(Vec<Lit>, Id), CertifyError> {
        let run = &mut self.run;
        let mut core = run.core()?;
        for _ in 0..SMALLER.0 {
            let negated: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
            if core.len() < 2 || run.solve(&negated, SMALLER.1)? != Some(false) {
                break;
            }
            let smaller = run.core()?;
            if smaller.len() >= core.len() {
                break;
            }
            core = smaller;
        }
        let line = run.proof.lines.rup(&core, &[])?;
        Ok((core, line))
    }
}
