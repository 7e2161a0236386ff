//! *Table*: the values of several expressions are a row of a table, or are none.
//!
//! Two expressions: each value of one implies that the other has one of its partners. More: an auxiliary for each row,
//! which implies the row's values; each value of an expression implies that a row with it is taken (Bacchus, *GAC via
//! Unit Propagation*, CP 2007, pp. 133–147).

use rustc_hash::FxHashSet;

use super::{Domains, Empty, Encoder, Needs, ViewRule};
use crate::constraint::Constraint;
use crate::variables::{Expr, IntVar, View};
use crate::writer::{Truth, WIDE};
use cnfkit_core::CapacityError;

/// The values of the expressions are one of the rows: MiniZinc's `table`.
///
/// ```
/// use cnfkit::model::{Model, table};
/// let mut model = Model::new();
/// let (x, y, z) = (model.int(1..=5), model.int(1..=5), model.int(1..=5));
/// model.post(table([x, y, z], [[1, 2, 3], [3, 2, 1], [5, 5, 5]]));
/// model.post(x.gt(1));
/// assert_eq!(model.count(10)?, 2);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When a row has more or fewer values than there are expressions.
pub fn table<E: Into<Expr>, R: AsRef<[i64]>>(
    exprs: impl IntoIterator<Item = E>,
    rows: impl IntoIterator<Item = R>,
) -> Constraint {
    make(exprs.into_iter().map(Into::into).collect(), rows, false)
}

/// The values of the expressions are none of the rows.
///
/// ```
/// use cnfkit::model::{Model, negative_table};
/// let mut model = Model::new();
/// let x = model.ints(2, 1..=3);
/// model.post(negative_table(&x, [[1, 2], [3, 3], [7, 7]]));
/// assert_eq!(model.count(100)?, 9 - 2);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// As [`table`] does.
pub fn negative_table<E: Into<Expr>, R: AsRef<[i64]>>(
    exprs: impl IntoIterator<Item = E>,
    rows: impl IntoIterator<Item = R>,
) -> Constraint {
    make(exprs.into_iter().map(Into::into).collect(), rows, true)
}

fn make<R: AsRef<[i64]>>(exprs: Vec<Expr>, rows: impl IntoIterator<Item = R>, forbidden: bool) -> Constraint {
    let n = exprs.len();
    let mut all: Vec<Vec<i64>> = Vec::new();
    for (at, row) in rows.into_iter().enumerate() {
        let row = row.as_ref();
        assert!(row.len() == n, "row {at} of a table has {} values for {n} expressions", row.len());
        all.push(row.to_vec());
    }
    all.sort_unstable();
    all.dedup();
    // What is in no row is in none that is forbidden, either.
    let column = |at: usize| all.iter().map(move |row: &Vec<i64>| row[at]);
    let range = |at: usize| column(at).min().zip(column(at).max()).filter(|_| !forbidden);
    let exprs = exprs.into_iter().enumerate().map(|(at, expr)| (expr, range(at))).collect();
    Constraint::rule_within(exprs, move |views| Table { views, rows: all, forbidden })
}

#[derive(Debug)]
struct Table {
    views: Vec<View>,
    /// Ascending, each once.
    rows: Vec<Vec<i64>>,
    forbidden: bool,
}

impl Table {
    /// The rows whose values the domains still have.
    fn possible<'a>(&'a self, domains: &'a Domains) -> impl Iterator<Item = &'a Vec<i64>> + 'a {
        let fits = |row: &Vec<i64>| self.views.iter().zip(row).all(|(&view, &value)| domains.contains(view, value));
        self.rows.iter().filter(move |row| fits(row))
    }

    /// True if the view has many values, and few of them are in a row: these alone get literals.
    fn is_sparse(&self, domains: &Domains, view: View) -> bool {
        let size = domains.size(view);
        let many = if cfg!(test) { 3 } else { WIDE }; // brute force sees both ways
        size > many && size / 4 > self.rows.len() as u64
    }
}

impl ViewRule for Table {
    fn text(&self) -> String {
        let name = if self.forbidden { "negative_table" } else { "table" };
        format!("{name}({}, {} rows)", super::list(&self.views), self.rows.len())
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.views, found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        if self.forbidden {
            // A row of which one value is not settled yet forbids that.
            let mut forbidden = Vec::new();
            for row in self.possible(domains) {
                let mut open = self.views.iter().zip(row).filter(|&(&view, _)| domains.value(view).is_none());
                match (open.next(), open.next()) {
                    (None, _) => return Err(Empty),
                    (Some((&view, &value)), None) => forbidden.push((view, value)),
                    _ => {}
                }
            }
            return forbidden.into_iter().try_for_each(|(view, value)| domains.remove(view, value));
        }
        let mut seen: Vec<FxHashSet<i64>> = vec![FxHashSet::default(); self.views.len()];
        let mut any = false;
        for row in self.possible(domains) {
            any = true;
            row.iter().zip(&mut seen).for_each(|(&value, seen)| {
                seen.insert(value);
            });
        }
        if !any {
            return Err(Empty);
        }
        self.views.iter().zip(seen).try_for_each(|(&view, seen)| domains.keep_only(view, seen))
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        for (at, &view) in self.views.iter().enumerate() {
            if self.is_sparse(domains, view) {
                self.rows.iter().filter_map(|row| view.is(row[at]).ok()).for_each(|is| needs.test(is));
            } else {
                needs.direct(view);
            }
        }
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let domains = encoder.domains();
        if self.forbidden {
            for row in self.possible(domains) {
                let clause: Vec<Truth> =
                    self.views.iter().zip(row).map(|(&view, &value)| !encoder.is(view, value)).collect();
                encoder.clause(clause)?;
            }
            return Ok(());
        }
        let rows: Vec<&Vec<i64>> = self.possible(domains).collect();
        if rows.is_empty() {
            return encoder.clause([]);
        }
        let is_sparse = self.views.iter().any(|&view| self.is_sparse(domains, view));
        // Where a row is all of the choice there is, or where two values are a row, it needs no auxiliary.
        let chosen: Vec<Truth> = match rows.len() {
            1 => vec![Truth::Known(true)],
            _ if self.views.len() <= 2 && !is_sparse => Vec::new(),
            n => (0..n).map(|_| Truth::If(encoder.new_lit())).collect(),
        };
        if is_sparse {
            encoder.clause(chosen.iter().copied())?;
        }
        for (row, &chosen) in rows.iter().zip(&chosen) {
            for (&view, &value) in self.views.iter().zip(*row) {
                let is = encoder.is(view, value);
                encoder.clause([!chosen, is])?;
            }
        }
        for (at, &view) in self.views.iter().enumerate() {
            let mut by_value: Vec<(i64, usize)> = rows.iter().enumerate().map(|(of, row)| (row[at], of)).collect();
            by_value.sort_unstable();
            let mut values = if self.is_sparse(domains, view) {
                by_value.iter().map(|&(value, _)| value).collect()
            } else {
                domains.values(view)
            };
            values.dedup();
            for value in values {
                let from = by_value.partition_point(|&(own, _)| own < value);
                let to = by_value.partition_point(|&(own, _)| own <= value);
                let support = |&(_, row): &(i64, usize)| match chosen.get(row) {
                    Some(&chosen) => chosen,
                    None => {
                        self.views.get(1 - at).map_or(Truth::Known(true), |&other| encoder.is(other, rows[row][1 - at]))
                    }
                };
                let mut clause: Vec<Truth> = by_value[from..to].iter().map(support).collect();
                clause.push(!encoder.is(view, value));
                encoder.clause(clause)?;
            }
        }
        Ok(())
    }

    fn negated(&self) -> Constraint {
        make(self.views.iter().map(|&view| view.into()).collect(), &self.rows, !self.forbidden)
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let row: Vec<i64> = self.views.iter().map(|view| view.of(value)).collect();
        self.rows.binary_search(&row).is_ok() != self.forbidden
    }
}
