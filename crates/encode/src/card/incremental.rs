//! [`IncTotalizer`]: a count as literals, whose bounds and inputs come later.

use rustsat::types::Lit;

use super::Bound;
use super::count::{at_least, at_most};
use super::tree::{NodeOutputs, down, down_size, up, up_size};
use crate::grown::Grown;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Its clauses in words, for a sink that keeps constraints.
const WORDS: &str = "the outputs of an `IncTotalizer`";

/// A totalizer that grows: its range of bounds is widened, and literals are added, after it is in use.
///
/// Output j, defined in both directions, says that at least j of the literals are true. Clauses are only ever added, so
/// a solver keeps what it has learnt; everything is sent as a [definition](ClauseSink::define). New variables come from
/// the sink alone: make the inputs that are added later from the same sink.
///
/// | | |
/// |---|---|
/// | auxiliaries, clauses | those of a [`Totalizer`](crate::Totalizer); a later output costs no more than at once |
/// | strength | generalised arc consistent under any assumed bound |
/// | after [`extend`](Self::extend) | the root is new: ask for bounds again; earlier bound literals refer to the count before `extend` |
///
/// Each `extend` puts a node on top: add literals in bulk where possible, because many single ones turn the tree into a
/// sequential counter.
///
/// Source: R. Martins, S. Joshi, V. Manquinho, I. Lynce, *Incremental cardinality constraints for `MaxSAT`*, CP 2014,
/// LNCS 8656, pages 531–548.
///
/// ```
/// use cnfkit::{Bound, ClauseSink, Cnf, IncTotalizer};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(6);
/// let mut count = IncTotalizer::new();
/// count.extend(&mut cnf, &x[..4]).unwrap();
/// assert_eq!(count.at_most(1), None); // nothing is counted yet
/// count.widen(&mut cnf, 2).unwrap();
/// assert!(matches!(count.at_most(1), Some(Bound::If(_))));
/// count.extend(&mut cnf, &x[4..]).unwrap();
/// assert!(matches!(count.at_least(2), Some(Bound::If(_))));
/// ```
#[doc(alias = "ITotalizer")]
#[derive(Clone, Debug, Default)]
pub struct IncTotalizer {
    /// Children come before parents; the last is the root.
    nodes: Vec<TotalizerNode>,
    upto: usize,
    grown: Grown,
    is_one_sided: bool,
}

#[derive(Clone, Debug)]
struct TotalizerNode {
    n: usize,
    outputs: Vec<Lit>,
    children: Option<(usize, usize)>,
}

impl TotalizerNode {
    fn outputs(&self) -> NodeOutputs<'_> {
        NodeOutputs { n: self.n, first: 1, lits: &self.outputs }
    }
}

impl IncTotalizer {
    /// A totalizer of no literals, without outputs.
    #[must_use]
    pub const fn new() -> Self {
        Self { nodes: Vec::new(), upto: 0, grown: Grown::NONE, is_one_sided: false }
    }

    /// A totalizer for [`at_most`](Self::at_most) alone, with half the clauses: output j is true if at least j of the
    /// literals are, and may be true otherwise.
    ///
    /// ```
    /// use cnfkit::{Bound, ClauseSink, Cnf, IncTotalizer};
    /// let (mut cnf, mut both) = (Cnf::with_vars(6), Cnf::with_vars(6));
    /// let x: Vec<_> = (0..6).map(cnfkit::Lit::positive).collect();
    /// for (mut count, cnf) in [(IncTotalizer::one_sided(), &mut cnf), (IncTotalizer::new(), &mut both)] {
    ///     count.extend(cnf, &x)?;
    ///     count.widen(cnf, 6)?;
    ///     assert!(matches!(count.at_most(2), Some(Bound::If(_))));
    /// }
    /// assert_eq!(2 * cnf.n_clauses(), both.n_clauses());
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    pub const fn one_sided() -> Self {
        Self { nodes: Vec::new(), upto: 0, grown: Grown::NONE, is_one_sided: true }
    }

    /// The number of literals that are counted.
    #[must_use]
    pub fn n(&self) -> usize {
        self.nodes.last().map_or(0, |root| root.n)
    }

    /// The number up to which outputs are defined, if there are as many literals.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf, IncTotalizer};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(5);
    /// let mut count = IncTotalizer::new();
    /// count.extend(&mut cnf, &x)?;
    /// count.widen(&mut cnf, 2)?;
    /// assert_eq!((count.n(), count.upto(), count.outputs().len()), (5, 2, 2));
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    pub const fn upto(&self) -> usize {
        self.upto
    }

    /// `outputs()[j - 1]` is true if and only if at least j of the literals are.
    #[must_use]
    pub fn outputs(&self) -> &[Lit] {
        self.nodes.last().map_or(&[], |root| &root.outputs[..root.outputs.len().min(self.upto)])
    }

    /// The condition for at most `k` to be true, or `None` when outputs do not reach `k` + 1: [`widen`](Self::widen) to
    /// that first.
    #[must_use]
    pub fn at_most(&self, k: usize) -> Option<Bound> {
        at_most(self.n(), self.outputs(), k)
    }

    /// The condition for at least `k` to be true, or `None` when outputs do not reach `k`: [`widen`](Self::widen) to
    /// that first. A [one-sided](Self::one_sided) totalizer has none but for bounds that hold always or never.
    #[must_use]
    pub fn at_least(&self, k: usize) -> Option<Bound> {
        at_least(self.n(), if self.is_one_sided { &[] } else { self.outputs() }, k)
    }

    /// Defines outputs up to number `upto`, where they are not there already. It never narrows.
    ///
    /// # Errors
    /// As the sink fails. If the sink refused the announced size, nothing has changed; if it failed later, the
    /// totalizer is of no more use.
    ///
    /// # Panics
    /// When the sink is another than before: it does not know all variables.
    pub fn widen<S: ClauseSink + ?Sized>(&mut self, sink: &mut S, upto: usize) -> Result<(), S::Error> {
        self.grown.check(sink, &[]);
        let upto = upto.max(self.upto);
        let size = self.missing(0, upto);
        self.grown = Grown::write(sink, WORDS, &size, &mut |to| {
            self.upto = upto;
            self.define_from(to, 0)
        })?;
        Ok(())
    }

    /// Counts `lits` too, up to the same number as before. A literal given twice counts twice.
    ///
    /// # Errors
    /// As the sink fails. If the sink refused the announced size, nothing has changed; if it failed later, the
    /// totalizer is of no more use.
    ///
    /// # Panics
    /// When a literal's variable is at or above [`next_var`](ClauseSink::next_var), and as [`widen`](Self::widen).
    pub fn extend<S: ClauseSink + ?Sized>(&mut self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        self.grown.check(sink, lits);
        if lits.is_empty() {
            return Ok(());
        }
        let old = self.nodes.len();
        let added = self.plant(lits);
        if old > 0 {
            self.join(old - 1, added);
        }
        let size = self.missing(old, self.upto);
        match Grown::write(sink, WORDS, &size, &mut |to| self.define_from(to, old)) {
            Ok(grown) => self.grown = grown,
            Err(error) => {
                self.nodes.truncate(old);
                return Err(error);
            }
        }
        Ok(())
    }

    /// A balanced tree over `lits`, no outputs defined; returns its root.
    fn plant(&mut self, lits: &[Lit]) -> usize {
        if lits.len() == 1 {
            self.nodes.push(TotalizerNode { n: 1, outputs: lits.to_vec(), children: None });
            return self.nodes.len() - 1;
        }
        let (left, right) = lits.split_at(lits.len() / 2);
        let left = self.plant(left);
        let right = self.plant(right);
        self.join(left, right)
    }

    fn join(&mut self, left: usize, right: usize) -> usize {
        let n = self.nodes[left].n + self.nodes[right].n;
        self.nodes.push(TotalizerNode { n, outputs: Vec::new(), children: Some((left, right)) });
        self.nodes.len() - 1
    }

    /// The size that defining outputs up to `upto` adds to nodes number `from` and later.
    fn missing(&self, from: usize, upto: usize) -> Size {
        let node_size = |node: &TotalizerNode| {
            let (first, last) = (node.outputs.len() + 1, node.n.min(upto));
            let Some((left, right)) = node.children.filter(|_| first <= last) else { return Size::ZERO };
            let (p, q) = (self.nodes[left].n, self.nodes[right].n);
            let outputs = Size::variables((last + 1 - first) as u64);
            let up = outputs + up_size(p, q, (first, last));
            if self.is_one_sided { up } else { up + down_size(p, q, (first, last)) }
        };
        self.nodes[from..].iter().map(node_size).sum()
    }

    /// Defines the missing outputs of nodes number `from` and later.
    fn define_from(&mut self, to: &mut Writer<'_>, from: usize) -> Result<(), Full> {
        for index in from..self.nodes.len() {
            let (done, rest) = self.nodes.split_at_mut(index);
            let node = &mut rest[0];
            let Some((left, right)) = node.children else { continue };
            let (a, b) = (done[left].outputs(), done[right].outputs());
            for j in node.outputs.len() + 1..=node.n.min(self.upto) {
                let output = to.lit();
                up(to, a, b, j, output, true)?;
                if !self.is_one_sided {
                    down(to, a, b, j, output)?;
                }
                node.outputs.push(output);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::count::tests::check_outputs;
    use crate::testing::{Engine, Recorder, inputs};
    use crate::{Cnf, Counter, Tally, Totalizer};

    /// Every way to split 6 literals into three parts, each added and counted up to some number before the next.
    #[test]
    fn grows_in_every_order() {
        for (first, second) in (0..=6).flat_map(|first| (first..=6).map(move |second| (first, second))) {
            for upto in [[0, 0, 2], [1, 1, 1], [1, 3, 2], [0, 2, 6], [4, 5, 9], [7, 0, 0]] {
                let mut recorder = Recorder::new(0);
                let mut count = IncTotalizer::new();
                let mut lits = Vec::new();
                for (step, size) in [first, second - first, 6 - second].into_iter().enumerate() {
                    let more = recorder.new_lits(size);
                    count.extend(&mut recorder, &more).unwrap();
                    lits.extend(more);
                    if step % 2 == 0 {
                        count.widen(&mut recorder, upto[step]).unwrap();
                    }
                }
                let most = upto[0].max(upto[2]);
                assert_eq!((count.n(), count.upto(), count.outputs().len()), (6, most, most.min(6)));
                assert_eq!(recorder.announced, recorder.size(6), "{first} {second} {upto:?}");
                for k in 0..=7 {
                    let known = k <= most;
                    let at_least = match k {
                        0 => Some(Bound::Always),
                        7 => Some(Bound::Never),
                        k => known.then(|| Bound::If(count.outputs()[k - 1])),
                    };
                    let at_most =
                        if k >= 6 { Some(Bound::Always) } else { count.outputs().get(k).map(|&lit| Bound::If(!lit)) };
                    assert_eq!((count.at_least(k), count.at_most(k)), (at_least, at_most), "{k}, up to {most}");
                }
                check_outputs(&recorder, &lits, 1, count.outputs());
            }
        }
    }

    /// Outputs are true as soon as the inputs say so, never false, and bound the inputs where they are assumed false.
    #[test]
    fn one_sided_bounds_from_above() {
        let mut recorder = Recorder::new(5);
        let (lits, mut count) = (inputs(5), IncTotalizer::one_sided());
        count.extend(&mut recorder, &lits[..2]).unwrap();
        count.widen(&mut recorder, 2).unwrap();
        count.extend(&mut recorder, &lits[2..]).unwrap();
        count.widen(&mut recorder, 4).unwrap();
        assert_eq!(recorder.announced, recorder.size(5));
        assert_eq!((count.at_least(3), count.at_least(0)), (None, Some(Bound::Always)));
        let mut engine = Engine::new(&recorder);
        for code in 0..3_usize.pow(5) {
            let digits: Vec<usize> = (0..5).map(|i| code / 3_usize.pow(i) % 3).collect();
            let yes = digits.iter().filter(|&&digit| digit == 1).count();
            let mark = engine.mark();
            for (&lit, digit) in lits.iter().zip(&digits) {
                assert!(*digit == 0 || engine.assume(if *digit == 1 { lit } else { !lit }));
            }
            for (j, &output) in (1..).zip(count.outputs()) {
                assert_eq!(count.at_most(j - 1), Some(Bound::If(!output)));
                assert_eq!(engine.value(output), (yes >= j).then_some(true), "output {j} at {digits:?}");
                let inner = engine.mark();
                assert_eq!(engine.assume(!output), yes < j);
                let open = || lits.iter().zip(&digits).filter(|&(_, &digit)| digit == 0);
                assert!(yes + 1 != j || open().all(|(&lit, _)| engine.value(lit) == Some(false)));
                engine.undo(inner);
            }
            engine.undo(mark);
        }
    }

    #[test]
    fn widened_in_steps_is_no_larger_than_at_once() {
        for n in [1, 2, 7, 30, 100] {
            let mut tally = Tally::new(n);
            let mut count = IncTotalizer::new();
            count.extend(&mut tally, &inputs(n)).unwrap();
            assert_eq!(tally.size(), Size::ZERO);
            for upto in [1, 2, 5, 3, 20, 200] {
                count.widen(&mut tally, upto).unwrap();
                assert_eq!(tally.size(), Totalizer::default().count_size(n, count.upto()), "up to {upto} of {n}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "not known to the sink")]
    fn unknown_inputs_are_refused() {
        let _ = IncTotalizer::new().extend(&mut Tally::new(2), &inputs(3));
    }

    #[test]
    fn a_refusal_changes_nothing() {
        let mut cnf = Cnf::with_vars(200).with_limit(Size { vars: 1000, clauses: 300, lits: 10_000 });
        let mut count = IncTotalizer::new();
        count.extend(&mut cnf, &inputs(10)).unwrap();
        count.widen(&mut cnf, 3).unwrap();
        let (before, outputs) = (cnf.clone(), count.outputs().to_vec());
        assert!(count.widen(&mut cnf, 100).is_ok() && count.extend(&mut cnf, &inputs(200)).is_err());
        assert!(cnf.n_clauses() > before.n_clauses() && count.n() == 10);
        assert_eq!(count.outputs()[..3], outputs);
        let mut wide = IncTotalizer::new();
        wide.extend(&mut cnf, &inputs(200)).unwrap();
        let before = cnf.clone();
        assert!(wide.widen(&mut cnf, 50).is_err());
        assert_eq!((wide.upto(), wide.outputs(), cnf == before), (0, &[][..], true));
    }
}
