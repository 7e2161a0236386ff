//! The linear relaxation of sums over variables with bounds, by the dual simplex method.
//!
//! Every variable has two bounds, so that the basis of all slacks is dual feasible once each variable is at the end
//! that its cost prefers, and there is no first phase (R. Fourer, *Notes on the Dual Simplex Method*, 1994). Only
//! multipliers are wanted: any that are not negative bound the objective, so that those of a search that was stopped,
//! or that are not exact, are weaker but never wrong. Models are small enough for a dense table, which needs no library
//! of linear algebra.

use cnfkit_core::internals::Clock;

/// The least number that is not 0.
const EPSILON: f64 = 1e-9;

/// Variables with their bounds and costs, which are to be small together, and rows, each a sum that is at most a
/// number.
#[derive(Debug)]
pub(super) struct LinearProgram {
    pub(super) bounds: Vec<(f64, f64)>,
    pub(super) costs: Vec<f64>,
    pub(super) rows: Vec<(Vec<(usize, f64)>, f64)>,
}

impl LinearProgram {
    /// A multiplier of each row, none below 0, for the best lower bound; `None` where no values satisfy all rows, or
    /// time is up.
    pub(super) fn multipliers(self, clock: &Clock) -> Option<Vec<f64>> {
        let (n, m) = (self.costs.len(), self.rows.len());
        // Rows of one scale; slacks are the variables from n on.
        let scales: Vec<f64> = self
            .rows
            .iter()
            .map(|(row, _)| row.iter().map(|(_, factor)| factor.abs()).fold(EPSILON, f64::max))
            .collect();
        let mut bounds = self.bounds;
        bounds.resize(n + m, (0.0, f64::INFINITY));
        let (mut basic, mut others): (Vec<usize>, Vec<usize>) = ((n..n + m).collect(), (0..n).collect());
        let mut costs = self.costs;
        let mut at: Vec<f64> =
            costs.iter().zip(&bounds).map(|(&cost, of)| if cost < 0.0 { of.1 } else { of.0 }).collect();
        let mut table = vec![vec![0.0; n]; m];
        let mut values = vec![0.0; m];
        for (r, (row, most)) in self.rows.iter().enumerate() {
            row.iter().for_each(|&(var, factor)| table[r][var] += factor / scales[r]);
            values[r] = most / scales[r] - table[r].iter().zip(&at).map(|(factor, value)| factor * value).sum::<f64>();
        }
        for _ in 0..8 * (n + m) {
            if clock.check().is_err() {
                return None;
            }
            // The basic variable that is farthest beyond a bound goes there.
            let beyond = |r: usize| (bounds[basic[r]].0 - values[r]).max(values[r] - bounds[basic[r]].1);
            let Some(r) = (0..m).max_by(|&one, &other| beyond(one).total_cmp(&beyond(other))) else { break };
            if beyond(r) < 1e-7 {
                break;
            }
            let (least, most) = bounds[basic[r]];
            let goal = if values[r] < least { least } else { most };
            let mut best: Option<(f64, f64, usize)> = None;
            for (j, &factor) in table[r].iter().enumerate() {
                let (min, max) = bounds[others[j]];
                // What leaves its own bound has to move this one towards its goal.
                let is_at_most = at[j] >= max;
                let helps = if values[r] < least { is_at_most == (factor > 0.0) } else { is_at_most == (factor < 0.0) };
                if !helps || min >= max || factor.abs() < EPSILON {
                    continue;
                }
                let ratio = costs[j].abs() / factor.abs();
                let is_better = |&(before, size, _): &(f64, f64, usize)| {
                    ratio < before - EPSILON || (ratio < before + EPSILON && factor.abs() > size)
                };
                if best.as_ref().is_none_or(is_better) {
                    best = Some((ratio, factor.abs(), j));
                }
            }
            let (_, _, j) = best?;
            let pivot = table[r][j];
            let step = (values[r] - goal) / pivot;
            let entering = at[j] + step;
            let mut own = std::mem::take(&mut table[r]);
            own.iter_mut().for_each(|factor| *factor /= pivot);
            own[j] = 1.0 / pivot;
            let subtract = |from: &mut [f64], by: f64| {
                from.iter_mut().zip(&own).for_each(|(factor, own)| *factor -= by * own);
                from[j] = -by * own[j];
            };
            for (k, row) in table.iter_mut().enumerate() {
                if k != r && row[j] != 0.0 {
                    values[k] -= row[j] * step;
                    let by = row[j];
                    subtract(row, by);
                }
            }
            let by = costs[j];
            subtract(&mut costs, by);
            table[r] = own;
            values[r] = entering;
            at[j] = goal;
            std::mem::swap(&mut basic[r], &mut others[j]);
        }
        let mut multipliers = vec![0.0; m];
        for (&var, &cost) in others.iter().zip(&costs).filter(|&(&var, _)| var >= n) {
            multipliers[var - n] = cost.max(0.0) / scales[var - n];
        }
        Some(multipliers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cnfkit_core::internals::Random;

    /// The bound of the multipliers is the least cost of all corners, and none is found only where there is no corner.
    #[test]
    fn multipliers_are_the_dual_solution() {
        let mut random = Random::new(17);
        let (mut solved, mut binding) = (0, 0);
        for round in 0..2_000 {
            let mut number = |from: i32, n: usize| f64::from(from + random.below(n) as i32);
            let bounds: Vec<(f64, f64)> = (0..2).map(|_| (number(-3, 4), number(0, 6))).collect();
            let costs = vec![number(-9, 19), number(-9, 19)];
            let rows: Vec<(Vec<(usize, f64)>, f64)> =
                (0..=round % 5).map(|_| (vec![(0, number(-5, 11)), (1, number(-5, 11))], number(-6, 19))).collect();
            // All that is at most a number: rows and bounds.
            let mut sides: Vec<[f64; 3]> = rows.iter().map(|(row, most)| [row[0].1, row[1].1, *most]).collect();
            sides.extend([[1.0, 0.0, bounds[0].1], [-1.0, 0.0, -bounds[0].0]]);
            sides.extend([[0.0, 1.0, bounds[1].1], [0.0, -1.0, -bounds[1].0]]);
            let mut least = f64::INFINITY;
            for one in &sides {
                for other in &sides {
                    let det = one[0] * other[1] - one[1] * other[0];
                    let corner =
                        [(one[2] * other[1] - one[1] * other[2]) / det, (one[0] * other[2] - one[2] * other[0]) / det];
                    let is_inside = |side: &[f64; 3]| side[0] * corner[0] + side[1] * corner[1] <= side[2] + 1e-9;
                    if det.abs() > 1e-9 && sides.iter().all(is_inside) {
                        least = least.min(costs[0] * corner[0] + costs[1] * corner[1]);
                    }
                }
            }
            let program = LinearProgram { bounds: bounds.clone(), costs: costs.clone(), rows: rows.clone() };
            let Some(multipliers) = program.multipliers(&Clock::default()) else {
                assert!(least.is_infinite(), "{rows:?}");
                continue;
            };
            let mut bound = 0.0;
            let mut left = costs.clone();
            for ((row, most), by) in rows.iter().zip(&multipliers) {
                assert!(*by >= 0.0);
                bound -= by * most;
                row.iter().for_each(|&(var, factor)| left[var] += by * factor);
            }
            bound += left.iter().zip(&bounds).map(|(by, of)| (by * of.0).min(by * of.1)).sum::<f64>();
            assert!((bound - least).abs() < 1e-6, "{bound} {least} {bounds:?} {costs:?} {rows:?}");
            solved += 1;
            binding += usize::from(multipliers.iter().any(|&by| by > 0.0));
        }
        assert!(solved > 500 && binding > 300, "{solved} {binding}");
    }
}
