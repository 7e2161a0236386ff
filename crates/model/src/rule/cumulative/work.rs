//! The work of tasks, said of constraints that are written another way.

use super::super::{Domains, Encoder, Needs, ViewRule};
use super::Cumulative;
use crate::constraint::{Constraint, any};
use crate::variables::Expr;
use cnfkit_core::CapacityError;

/// No two of these tasks run at the same time, as other constraints say.
#[derive(Debug)]
struct TasksApart(Cumulative);

/// Says what tasks, each with a start, a duration and whether it is present, have to do on one machine, where other
/// constraints keep them apart. Only those of a known duration and without sums count.
pub(in super::super) fn work(tasks: impl IntoIterator<Item = [Expr; 3]>) -> Option<Constraint> {
    let mut exprs = vec![Expr::from(1)];
    for [start, duration, present] in tasks {
        if duration.known().is_some_and(|known| known > 0) && start.terms.len() == 1 && present.terms.len() <= 1 {
            exprs.extend([start.clone(), start + duration, present]);
        }
    }
    (exprs.len() > 3 * 2 + 1).then(|| Constraint::rule(exprs, |views| TasksApart(Cumulative::of(&views))))
}

impl ViewRule for TasksApart {
    fn text(&self) -> String {
        String::new()
    }

    fn work(&self) -> Option<&Cumulative> {
        Some(&self.0)
    }

    fn needs(&self, _domains: &Domains, _needs: &mut Needs) {}

    fn encode(&self, _encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        Ok(())
    }

    fn negated(&self) -> Constraint {
        any::<Constraint>([])
    }

    fn holds(&self, _value: &dyn Fn(crate::variables::IntVar) -> i64) -> bool {
        true
    }
}
