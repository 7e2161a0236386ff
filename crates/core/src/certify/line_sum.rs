//! [`LineSum`]: sums of inequalities, and what their values can be.

use super::batch::BatchVar;
use super::meaning::InputSum;

/// A sum of lines under construction.
pub(super) struct LineSum {
    coefficients: Vec<i128>,
    is_touched: Vec<bool>,
    touched: Vec<BatchVar>,
    pub(super) degree: i128,
}

impl LineSum {
    pub(super) fn new(n_vars: usize) -> Self {
        Self { coefficients: vec![0; n_vars], is_touched: vec![false; n_vars], touched: Vec::new(), degree: 0 }
    }

    pub(super) fn clear(&mut self) {
        for var in self.touched.drain(..) {
            self.coefficients[var as usize] = 0;
            self.is_touched[var as usize] = false;
        }
        self.degree = 0;
    }

    pub(super) fn add(&mut self, coefficients: impl Iterator<Item = (BatchVar, i128)>, degree: i128, factor: i128) {
        for (var, coefficient) in coefficients {
            if !std::mem::replace(&mut self.is_touched[var as usize], true) {
                self.touched.push(var);
            }
            self.coefficients[var as usize] += factor * coefficient;
        }
        self.degree += factor * degree;
    }

    /// The variables that it has or had.
    pub(super) fn touched(&self) -> impl Iterator<Item = BatchVar> {
        self.touched.iter().copied()
    }

    pub(super) fn coefficient(&self, var: BatchVar) -> i128 {
        self.coefficients[var as usize]
    }

    /// True if the sum, and so much of a bound, cannot be reached with these values, of touched variables alone: 1, -1
    /// for false, 0 for any.
    pub(super) fn contradicts(&self, values: &[i8], bound: Option<(&SortedBound, i128)>) -> bool {
        let most = |var: BatchVar, coefficient: i128| match values[var as usize] {
            0 => coefficient.max(0),
            value => coefficient * i128::from(value == 1),
        };
        let with = |var: BatchVar| {
            let own = self.coefficients[var as usize];
            bound.map_or(most(var, own), |(bound, factor)| {
                let more = factor * bound.sum.coefficient(var);
                most(var, own + more) - more.max(0)
            })
        };
        let rest = bound.map_or(0, |(bound, factor)| factor * (bound.sum.range[1] - bound.degree));
        self.touched.iter().map(|&var| with(var)).sum::<i128>() + rest < self.degree
    }

    /// The greatest value of the sum, and of a bound.
    pub(super) fn greatest(&self, bound: Option<&SortedBound>) -> i128 {
        let own = self.touched.iter().map(|&var| {
            let (own, more) = (self.coefficients[var as usize], bound.map_or(0, |bound| bound.sum.coefficient(var)));
            (own + more).max(0) - more.max(0)
        });
        own.sum::<i128>() + bound.map_or(0, |bound| bound.sum.range[1])
    }

    /// How many times a bound is needed, at most and at least.
    pub(super) fn factors(&self, bound: &SortedBound) -> [i128; 2] {
        let ratios = self.touched.iter().filter_map(|&var| {
            let (own, coefficient) = (self.coefficients[var as usize], bound.sum.coefficient(var));
            (own != 0 && coefficient != 0 && (own < 0) != (coefficient < 0))
                .then(|| (own.abs() + coefficient.abs() - 1) / coefficient.abs())
        });
        [ratios.max().unwrap_or(1).max(1), 1]
    }
}

/// A bound of a batch, in the order of its variables.
pub(super) struct SortedBound {
    pub(super) sum: InputSum,
    pub(super) degree: i128,
}
