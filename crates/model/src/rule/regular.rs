//! *Regular*: the values in a row are a word that an automaton accepts.
//!
//! The automaton is unrolled, a literal for each state after each step (Pesant, *A Regular Language Membership
//! Constraint for Finite Sequences of Variables*, CP 2004, pp. 482–495; as clauses: Quimper and Walsh, *Decomposing
//! Global Grammar Constraints*, CP 2007, pp. 590–604). Only states that some word leads to, and from which some word is
//! accepted, have one.

use rustc_hash::FxHashMap;

use super::{Domains, Empty, Encoder, Needs, ViewRule};
use crate::constraint::Constraint;
use crate::variables::{Expr, IntVar, View};
use crate::writer::Truth;
use cnfkit_core::CapacityError;
use cnfkit_core::internals::sort;

/// A finite automaton that reads integers, for [`regular`]: MiniZinc's `regular` and `regular_nfa`.
#[derive(Clone, Debug)]
pub struct Automaton {
    start: usize,
    accepting: Vec<bool>,
    next: FxHashMap<(usize, i64), Vec<usize>>,
    /// Words that are accepted are those that the transitions do not accept.
    complement: bool,
}

impl Automaton {
    /// An automaton with states from 0 on, one of them to start in, some of them accepting. A transition is a state, a
    /// value, and the state that follows. Where no transition is given, the word is not accepted; where several are, a
    /// word is accepted that some of them accept: then the automaton is not deterministic.
    ///
    /// ```
    /// use cnfkit::model::{Automaton, Model, regular};
    /// // A one in the third place from the end.
    /// let steps = [(0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 0, 2), (1, 1, 2), (2, 0, 3), (2, 1, 3)];
    /// let mut model = Model::new();
    /// let word = model.ints(5, 0..=1);
    /// model.post(regular(&word, &Automaton::new(4, 0, [3], steps)));
    /// assert_eq!(model.count(100)?, 16);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Panics
    /// When a state is not below `states`.
    #[must_use]
    pub fn new(
        states: usize,
        start: usize,
        accepting: impl IntoIterator<Item = usize>,
        transitions: impl IntoIterator<Item = (usize, i64, usize)>,
    ) -> Self {
        let known = |state: usize| assert!(state < states, "state {state}: there are {states}, numbered from 0");
        known(start);
        let mut is_accepting = vec![false; states];
        for state in accepting {
            known(state);
            is_accepting[state] = true;
        }
        let mut next: FxHashMap<(usize, i64), Vec<usize>> = FxHashMap::default();
        for (from, value, to) in transitions {
            known(from);
            known(to);
            let states = next.entry((from, value)).or_default();
            if !states.contains(&to) {
                states.push(to);
            }
        }
        Self { start, accepting: is_accepting, next, complement: false }
    }

    /// Words with runs of ones of these lengths, in this order, separated by zeros: a line of a nonogram.
    ///
    /// ```
    /// use cnfkit::model::{Automaton, Model, regular};
    /// let mut model = Model::new();
    /// let line = model.ints(6, 0..=1);
    /// model.post(regular(&line, &Automaton::runs(&[2, 1])));
    /// assert_eq!(model.count(100)?, 6);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    #[must_use]
    pub fn runs(lengths: &[usize]) -> Self {
        let lengths: Vec<usize> = lengths.iter().copied().filter(|&length| length > 0).collect();
        let mut transitions = vec![(0, 0, 0)];
        let mut state = 0;
        for (at, &length) in lengths.iter().enumerate() {
            for _ in 0..length {
                transitions.push((state, 1, state + 1));
                state += 1;
            }
            let is_last = at + 1 == lengths.len();
            // A zero after a run: stay here after the last one, and move on before the next.
            if is_last {
                transitions.push((state, 0, state));
            } else {
                transitions.extend([(state, 0, state + 1), (state + 1, 0, state + 1)]);
                state += 1;
            }
        }
        Self::new(state + 1, 0, [state], transitions)
    }

    /// True if a value leads from a state to one state at most.
    fn is_deterministic(&self) -> bool {
        self.next.values().all(|states| states.len() == 1)
    }

    /// The states after a value. Where words that are not accepted are looked for, `None` is a state, too, which no
    /// word leads out of.
    fn step(&self, state: Option<usize>, value: i64) -> Vec<Option<usize>> {
        let next = state.and_then(|state| self.next.get(&(state, value)));
        match next {
            Some(states) => states.iter().copied().map(Some).collect(),
            None if self.complement => vec![None],
            None => Vec::new(),
        }
    }

    fn accepts(&self, state: Option<usize>) -> bool {
        state.is_some_and(|state| self.accepting[state]) != self.complement
    }
}

/// The values of the expressions, in order, are a word that the automaton accepts: MiniZinc's `regular`.
///
/// ```
/// use cnfkit::model::{Automaton, Model, regular};
/// // Never two days off (0) in a row.
/// let automaton = Automaton::new(2, 0, [0, 1], [(0, 1, 0), (0, 0, 1), (1, 1, 0)]);
/// let mut model = Model::new();
/// let week = model.ints(7, 0..=1);
/// model.post(regular(&week, &automaton));
/// assert_eq!(model.count(100)?, 34);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn regular<E: Into<Expr>>(word: impl IntoIterator<Item = E>, automaton: &Automaton) -> Constraint {
    let automaton = automaton.clone();
    let read = || automaton.next.keys().map(|&(_, value)| value);
    // Where nothing is read, any value is as good as another.
    let range = Some(read().min().zip(read().max()).unwrap_or((0, 0))).filter(|_| !automaton.complement);
    let exprs = word.into_iter().map(|expr| (expr.into(), range)).collect();
    Constraint::rule_within(exprs, move |word| Regular { word, automaton })
}

#[derive(Debug)]
struct Regular {
    word: Vec<View>,
    automaton: Automaton,
}

/// A value of one expression, from a state to a state.
type Arc = (Option<usize>, i64, Option<usize>);

impl Regular {
    /// The arcs of each step that are on a way from the start to acceptance.
    fn arcs(&self, domains: &Domains) -> Vec<Vec<Arc>> {
        let mut layers: Vec<Vec<Arc>> = Vec::with_capacity(self.word.len());
        let mut states = vec![Some(self.automaton.start)];
        for &view in &self.word {
            let mut arcs = Vec::new();
            for &state in &states {
                for value in domains.values(view) {
                    let next = self.automaton.step(state, value);
                    arcs.extend(next.into_iter().map(|next| (state, value, next)));
                }
            }
            states = arcs.iter().map(|&(.., to)| to).collect();
            states.sort_unstable();
            states.dedup();
            layers.push(arcs);
        }
        states.retain(|&state| self.automaton.accepts(state));
        for arcs in layers.iter_mut().rev() {
            arcs.retain(|&(.., to)| states.binary_search(&to).is_ok());
            states = arcs.iter().map(|&(from, ..)| from).collect();
            states.sort_unstable();
            states.dedup();
        }
        if states.is_empty() {
            layers.iter_mut().for_each(Vec::clear);
        }
        layers
    }

    /// True if words are looked for that no run of an automaton accepts which has several.
    fn has_runs_to_refuse(&self) -> bool {
        self.automaton.complement && !self.automaton.is_deterministic()
    }

    /// All states that the word may lead to, none of them accepting at the end.
    fn refuse(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let mut before: FxHashMap<Option<usize>, Truth> = FxHashMap::default();
        before.insert(Some(self.automaton.start), Truth::Known(true));
        for &view in &self.word {
            let mut after: FxHashMap<Option<usize>, Truth> = FxHashMap::default();
            for (from, held) in sorted(&before) {
                for value in encoder.domains().values(view) {
                    let is = encoder.is(view, value);
                    for to in self.automaton.step(from, value) {
                        let next = *after.entry(to).or_insert_with(|| Truth::If(encoder.new_lit()));
                        encoder.clause([!held, !is, next])?;
                    }
                }
            }
            before = after;
        }
        let accepting = sorted(&before).into_iter().filter(|&(state, _)| !self.automaton.accepts(state));
        accepting.map(|(_, held)| held).try_for_each(|held| encoder.clause([!held]))
    }

    fn accepts_nothing(&self) -> bool {
        self.word.is_empty() && !self.automaton.accepts(Some(self.automaton.start))
    }
}

impl ViewRule for Regular {
    fn text(&self) -> String {
        let name = if self.automaton.complement { "!regular" } else { "regular" };
        super::call(name, &self.word)
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.word, found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        if self.accepts_nothing() {
            return Err(Empty);
        }
        if !self.automaton.complement {
            let alphabet = || self.automaton.next.keys().map(|&(_, value)| value);
            self.word.iter().try_for_each(|&view| domains.keep_only(view, alphabet()))?;
        }
        if self.has_runs_to_refuse() || self.word.iter().any(|&view| domains.size(view) > Domains::MANY) {
            return Ok(());
        }
        for (&view, arcs) in self.word.iter().zip(self.arcs(domains)) {
            domains.keep_only(view, arcs.iter().map(|&(_, value, _)| value))?;
        }
        Ok(())
    }

    fn needs(&self, _: &Domains, needs: &mut Needs) {
        self.word.iter().for_each(|&view| needs.direct(view));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        if self.has_runs_to_refuse() {
            return self.refuse(encoder);
        }
        let domains = encoder.domains();
        let layers = self.arcs(domains);
        if self.accepts_nothing() || layers.first().is_some_and(Vec::is_empty) {
            return encoder.clause([]);
        }
        let mut before: FxHashMap<Option<usize>, Truth> = FxHashMap::default();
        before.insert(Some(self.automaton.start), Truth::Known(true));
        for (&view, arcs) in self.word.iter().zip(&layers) {
            let mut has: FxHashMap<i64, Truth> = FxHashMap::default();
            encoder.each_value(view, |value, truth| {
                has.insert(value, truth);
            });
            // Arcs by their ends and their values, in one order everywhere.
            let mut onwards: FxHashMap<(Option<usize>, i64), Vec<Option<usize>>> = FxHashMap::default();
            let mut into: FxHashMap<Option<usize>, Vec<(Option<usize>, i64)>> = FxHashMap::default();
            let mut readers: FxHashMap<i64, Vec<Option<usize>>> = FxHashMap::default();
            for &(from, value, to) in arcs {
                onwards.entry((from, value)).or_default().push(to);
                into.entry(to).or_default().push((from, value));
                readers.entry(value).or_default().push(from);
            }
            let mut states: Vec<Option<usize>> = into.keys().copied().collect();
            states.sort_unstable();
            let mut after: FxHashMap<Option<usize>, Truth> = FxHashMap::default();
            for &state in &states {
                let truth = if states.len() == 1 { Truth::Known(true) } else { Truth::If(encoder.new_lit()) };
                after.insert(state, truth);
            }
            // From a state, a value leads to one of some states, or nowhere.
            for (from, held) in sorted(&before) {
                for value in domains.values(view) {
                    let to = onwards.get(&(from, value)).into_iter().flatten();
                    encoder.clause(to.map(|to| after[to]).chain([!held, !has[&value]]))?;
                }
            }
            // A state comes from some state by some value, and a value is read in some state.
            for &state in &states {
                encoder.clause(into[&state].iter().map(|(from, _)| before[from]).chain([!after[&state]]))?;
                encoder.clause(into[&state].iter().map(|(_, value)| has[value]).chain([!after[&state]]))?;
            }
            for value in domains.values(view) {
                let from = readers.get(&value).into_iter().flatten();
                encoder.clause(from.map(|from| before[from]).chain([!has[&value]]))?;
            }
            before = after;
        }
        Ok(())
    }

    fn negated(&self) -> Constraint {
        let mut automaton = self.automaton.clone();
        automaton.complement = !automaton.complement;
        Constraint::rule(self.word.iter().map(|&view| view.into()).collect(), move |word| Regular { word, automaton })
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let Automaton { start, ref next, complement, .. } = self.automaton;
        let mut states = vec![start];
        for view in &self.word {
            let value = view.of(value);
            states = states.iter().filter_map(|&state| next.get(&(state, value))).flatten().copied().collect();
            states.sort_unstable();
            states.dedup();
        }
        states.iter().any(|&state| self.automaton.accepting[state]) != complement
    }
}

/// States with their literals in an order that is the same every time.
fn sorted(states: &FxHashMap<Option<usize>, Truth>) -> Vec<(Option<usize>, Truth)> {
    let mut sorted: Vec<(Option<usize>, Truth)> = states.iter().map(|(&state, &truth)| (state, truth)).collect();
    sort::by_key(&mut sorted, |&(state, _)| state.map_or(0, |state| state as u64 + 1));
    sorted
}
