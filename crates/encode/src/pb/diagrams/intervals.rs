//! Intervals of remainders, layer by layer, in one of two forms.
//!
//! Where layers have few remainders, a [`IntervalTable`] has a cell for each, which names its interval. Where they have
//! many more than there can be intervals, the intervals of a layer are a sorted list, in [`Runs`].

use super::problem::{Child, DiagramProblem};

/// All remainders from `low` to `high` have this child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) child: Child,
    /// The node, or literal, is of this layer; otherwise it is of a layer after it.
    pub(super) own: bool,
}

/// Disjoint intervals of each layer.
pub(super) trait Intervals {
    /// The interval that a remainder is in, if it is known. The remainder is below the greatest weight of the layers
    /// from this one on, and at most the bound.
    fn find(&self, layer: usize, left: u64) -> Option<Interval>;

    /// Takes an interval that has no remainder in common with another.
    fn insert(&mut self, layer: usize, interval: Interval);

    fn layers(&self) -> usize;

    /// The intervals of a layer, ascending.
    fn ascending(&self, layer: usize) -> impl Iterator<Item = &Interval>;
}

/// For each remainder of each layer its interval.
pub(super) struct IntervalTable {
    /// The first cell of each layer, and the end of all.
    starts: Vec<usize>,
    /// One more than the place of the interval; 0 if it is not known.
    cells: Vec<u32>,
    intervals: Vec<Interval>,
}

impl IntervalTable {
    /// The most cells: 64 MiB.
    const MOST: u64 = 1 << 24;
    /// Cells for each interval that there might be, up to which a table is as fast as a list.
    const EACH: u64 = 8;

    /// An empty table, where it is not too large; `rest` is the greatest weight of the layers from each number on.
    pub(super) fn of(problem: &DiagramProblem<'_>, rest: &[u64]) -> Option<Self> {
        let count = problem.ends.len();
        let cells = |layer: usize| rest[layer].min(problem.bound.saturating_add(1));
        // As many intervals as there are choices before a layer, or from it on.
        let ways = |layer: usize, before: u64| before.saturating_mul(problem.literals(layer).len() as u64 + 1);
        let mut after = vec![1; count + 1];
        for layer in (0..count).rev() {
            after[layer] = ways(layer, after[layer + 1]);
        }
        let mut starts = Vec::with_capacity(count + 1);
        let (mut before, mut start, mut likely) = (1, 0_u64, 0_u64);
        for (layer, &after) in after[..count].iter().enumerate() {
            starts.push(start as usize);
            let own = cells(layer);
            start = start.saturating_add(own);
            likely = likely.saturating_add(own.min(before).min(after));
            before = ways(layer, before);
            if start > Self::MOST {
                return None;
            }
        }
        starts.push(start as usize);
        let fits = start <= likely.saturating_mul(Self::EACH);
        fits.then(|| Self { starts, cells: vec![0; start as usize], intervals: Vec::new() })
    }

    fn layer(&self, layer: usize) -> &[u32] {
        &self.cells[self.starts[layer]..self.starts[layer + 1]]
    }
}

impl Intervals for IntervalTable {
    #[inline]
    fn find(&self, layer: usize, left: u64) -> Option<Interval> {
        let at = self.cells[self.starts[layer] + left as usize].checked_sub(1)?;
        Some(self.intervals[at as usize])
    }

    #[inline]
    fn insert(&mut self, layer: usize, interval: Interval) {
        self.intervals.push(interval);
        let name = self.intervals.len() as u32;
        let (start, end) = (self.starts[layer], self.starts[layer + 1]);
        let last = (end - start - 1).min(usize::try_from(interval.high).unwrap_or(usize::MAX));
        self.cells[start + interval.low as usize..=start + last].fill(name);
    }

    fn layers(&self) -> usize {
        self.starts.len() - 1
    }

    fn ascending(&self, layer: usize) -> impl Iterator<Item = &Interval> {
        let mut cells = self.layer(layer).iter();
        let mut before = 0;
        std::iter::from_fn(move || {
            let &name = cells.find(|&&name| name != 0 && name != before)?;
            before = name;
            Some(&self.intervals[name as usize - 1])
        })
    }
}

/// For each layer its intervals, ascending, in runs of bounded length: a new one moves few others, however many there
/// are.
#[derive(Clone, Default)]
struct LayerIntervals {
    runs: Vec<Vec<Interval>>,
    /// The least remainder of each run.
    lows: Vec<u64>,
}

impl LayerIntervals {
    /// Intervals of a run, which is halved then. Most layers have one run.
    const MOST: usize = 128;

    /// The run that a remainder belongs to.
    fn run(&self, left: u64) -> usize {
        self.lows.partition_point(|&low| low <= left).saturating_sub(1)
    }
}

/// For each layer a sorted list of intervals.
pub(super) struct Runs(Vec<LayerIntervals>);

impl Runs {
    pub(super) fn of(layers: usize) -> Self {
        Self(vec![LayerIntervals::default(); layers])
    }
}

impl Intervals for Runs {
    fn find(&self, layer: usize, left: u64) -> Option<Interval> {
        let layer = &self.0[layer];
        let run = layer.runs.get(layer.run(left))?;
        let after = run.partition_point(|interval| interval.low <= left);
        run[..after].last().filter(|interval| left <= interval.high).copied()
    }

    fn insert(&mut self, layer: usize, interval: Interval) {
        let layer = &mut self.0[layer];
        let place = layer.run(interval.low);
        let Some(run) = layer.runs.get_mut(place) else {
            layer.lows.push(interval.low);
            return layer.runs.push(vec![interval]);
        };
        let at = run.partition_point(|other| other.low < interval.low);
        run.insert(at, interval);
        layer.lows[place] = run[0].low;
        if run.len() > LayerIntervals::MOST {
            let rest = run.split_off(LayerIntervals::MOST / 2);
            layer.lows.insert(place + 1, rest[0].low);
            layer.runs.insert(place + 1, rest);
        }
    }

    fn layers(&self) -> usize {
        self.0.len()
    }

    fn ascending(&self, layer: usize) -> impl Iterator<Item = &Interval> {
        self.0[layer].runs.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use rustsat::types::Lit;

    use super::*;
    use crate::random::Random;

    /// Both forms say the same, whatever the order of intervals.
    #[test]
    fn tables_are_lists() {
        let mut random = Random::new(3);
        let terms: Vec<(Lit, u64)> = (0..6).map(|at| (Lit::positive(at), 1000)).collect();
        let ends = [2, 4, 6];
        for _ in 0..50 {
            let problem = DiagramProblem { terms: &terms, ends: &ends, bound: 900, budget: 9, chains: false };
            let rest = [3000, 2000, 500, 0];
            let mut runs = Runs::of(3);
            let starts = [0, 901, 1802, 2302];
            let mut table = IntervalTable { starts: starts.to_vec(), cells: vec![0; 2302], intervals: Vec::new() };
            assert!(IntervalTable::of(&problem, &rest).is_none(), "three choices a layer");
            let mut intervals = Vec::new();
            for layer in 0..3 {
                let mut low = random.below(3) as u64;
                while low < 500 {
                    let high = low + random.below(5) as u64;
                    // Above all remainders that there are.
                    let high = if high > 490 { u64::MAX } else { high };
                    let child = Child::Node(random.below(1000) as u32);
                    intervals.push((layer, Interval { low, high, child, own: random.below(2) == 0 }));
                    low = high.saturating_add(1 + random.below(3) as u64);
                }
            }
            random.shuffle(&mut intervals);
            for &(layer, interval) in &intervals {
                runs.insert(layer, interval);
                table.insert(layer, interval);
            }
            let text = |interval: Option<Interval>| format!("{interval:?}");
            for layer in 0..3 {
                for left in 0..500 {
                    let found = runs.find(layer, left);
                    assert_eq!(text(found), text(table.find(layer, left)), "{layer} {left}");
                    let expected = intervals
                        .iter()
                        .find(|&&(at, interval)| at == layer && (interval.low..=interval.high).contains(&left));
                    assert_eq!(text(found), text(expected.map(|&(_, interval)| interval)));
                }
                let all = |one: &Interval| text(Some(*one));
                assert!(runs.ascending(layer).map(all).eq(table.ascending(layer).map(all)));
                assert!(runs.ascending(layer).is_sorted_by_key(|interval| interval.low));
            }
        }
    }

    /// A table is for layers whose remainders may all have intervals of their own.
    #[test]
    fn small_weights_have_a_table() {
        let plan = |n: u32, weight: u64| {
            let terms: Vec<(Lit, u64)> = (0..n).map(|at| (Lit::positive(at), weight + u64::from(at))).collect();
            let ends: Vec<usize> = (1..=terms.len()).collect();
            let mut rest = vec![0; ends.len() + 1];
            (0..terms.len()).rev().for_each(|at| rest[at] = rest[at + 1] + terms[at].1);
            let problem = DiagramProblem { terms: &terms, ends: &ends, bound: rest[0] / 2, budget: 9, chains: false };
            IntervalTable::of(&problem, &rest).is_some()
        };
        assert!(plan(50, 1) && plan(200, 20) && plan(3, 1));
        assert!(!plan(8, 4096) && !plan(100, 1_000_000) && !plan(100_000, 1_000_000_000));
    }
}
