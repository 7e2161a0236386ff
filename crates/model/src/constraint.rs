//! [`Constraint`]: what is posted to a model, and what can be made of several.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::rule::ViewRule;
use super::variables::{Bool, Domain, Expr, IntVar, View};

/// A constraint of a [`Model`](super::Model): made by comparing [`Expr`]s, from a [`Bool`], and by the functions of
/// this module; combined by the methods here and by `&`, `|`, `^` and `!`; and in force once it is
/// [posted](super::Model::post).
///
/// ```
/// use cnfkit::model::{Model, all_different};
/// let mut model = Model::new();
/// let x = model.ints(3, 1..=3);
/// let cheap = model.bool();
/// model.post(all_different(&x).when(!cheap));
/// model.post((x[0] + x[1]).ge(5).or(x[2].is(1)));
/// model.post(x[0].eq(x[2]).iff(cheap));
/// model.post(cheap | !x[0].is(3) & x[1].lt(3));
/// model.post(cheap.ne(x[2].is(3)).or(false));
/// assert!(model.solve()?.is_some());
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[must_use = "a constraint holds once it is posted"]
#[derive(Debug)]
pub struct Constraint(pub(super) ConstraintForm);

#[derive(Debug)]
pub(super) enum ConstraintForm {
    Bool(Bool),
    /// The expression compared with 0.
    Linear(Expr, Compare),
    /// A rule about views that are made of the expressions once the constraint is posted; it is false where one of
    /// these is out of its range, if it has one.
    Rule(Vec<(Expr, Option<(i64, i64)>)>, Make),
    /// Made of others once it is posted.
    Later(Later),
    All(Vec<Constraint>),
    Any(Vec<Constraint>),
    Not(Box<Constraint>),
    Iff(Box<Constraint>, Box<Constraint>),
}

/// Makes a rule of the views that stand for its expressions.
pub(super) struct Make(pub(super) Box<dyn FnOnce(Vec<View>) -> Box<dyn ViewRule>>);

impl fmt::Debug for Make {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Make")
    }
}

/// Makes a constraint of others in a model.
pub(super) struct Later(pub(super) Box<dyn FnOnce(&mut dyn Scope) -> Constraint>);

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Later")
    }
}

/// The model that a constraint is posted to, for constraints that are made of others then: by the domains of
/// variables, and with truth values that follow from the variables and are part of no group.
pub(super) trait Scope {
    /// The view that stands for an expression; sums get a variable of their own.
    fn view_of(&mut self, expr: Expr) -> View;

    /// The domain that a variable was made with.
    fn domain_of(&self, var: IntVar) -> &Domain;

    /// A truth value that is true if and only if the constraint holds.
    fn truth_of(&mut self, constraint: Constraint) -> Bool;
}

/// How a sum is compared with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Compare {
    AtMost,
    Equal,
    Unequal,
}

impl Constraint {
    /// A rule about expressions.
    pub(super) fn rule<R: ViewRule + 'static>(exprs: Vec<Expr>, make: impl FnOnce(Vec<View>) -> R + 'static) -> Self {
        Self::rule_within(exprs.into_iter().map(|expr| (expr, None)).collect(), make)
    }

    /// A rule about expressions that is false where one of them is out of its range, if it has one.
    pub(super) fn rule_within<R: ViewRule + 'static>(
        exprs: Vec<(Expr, Option<(i64, i64)>)>,
        make: impl FnOnce(Vec<View>) -> R + 'static,
    ) -> Self {
        Self(ConstraintForm::Rule(exprs, Make(Box::new(|views| Box::new(make(views))))))
    }

    /// A constraint of others that is made once it is posted.
    pub(super) fn later(make: impl FnOnce(&mut dyn Scope) -> Self + 'static) -> Self {
        Self(ConstraintForm::Later(Later(Box::new(make))))
    }

    /// *The view has this value.*
    pub(super) fn is(view: View, value: i64) -> Self {
        match view.is(value) {
            Ok(bool) => bool.into(),
            Err(known) => known.into(),
        }
    }

    fn linear(expr: Expr, compare: Compare) -> Self {
        Self(ConstraintForm::Linear(expr, compare))
    }

    /// The form; what is left is true.
    pub(super) fn take(&mut self) -> ConstraintForm {
        std::mem::replace(&mut self.0, ConstraintForm::All(Vec::new()))
    }
}

/// Nested ones may be deeper than the stack.
impl Drop for Constraint {
    fn drop(&mut self) {
        if matches!(
            self.0,
            ConstraintForm::Bool(_) | ConstraintForm::Linear(..) | ConstraintForm::Rule(..) | ConstraintForm::Later(_)
        ) {
            return;
        }
        let mut open = vec![self.take()];
        while let Some(form) = open.pop() {
            match form {
                ConstraintForm::All(parts) | ConstraintForm::Any(parts) => {
                    open.extend(parts.into_iter().map(|mut part| part.take()));
                }
                ConstraintForm::Not(mut part) => open.push(part.take()),
                ConstraintForm::Iff(mut one, mut other) => open.extend([one.take(), other.take()]),
                ConstraintForm::Bool(_)
                | ConstraintForm::Linear(..)
                | ConstraintForm::Rule(..)
                | ConstraintForm::Later(_) => {}
            }
        }
    }
}

/// All of the constraints hold: MiniZinc's `forall`. The empty conjunction is true.
pub fn all<C: Into<Constraint>>(constraints: impl IntoIterator<Item = C>) -> Constraint {
    Constraint(ConstraintForm::All(constraints.into_iter().map(Into::into).collect()))
}

/// Some of the constraints holds: MiniZinc's `exists`. The empty disjunction is false.
pub fn any<C: Into<Constraint>>(constraints: impl IntoIterator<Item = C>) -> Constraint {
    Constraint(ConstraintForm::Any(constraints.into_iter().map(Into::into).collect()))
}

impl From<&Bool> for Constraint {
    fn from(bool: &Bool) -> Self {
        (*bool).into()
    }
}

impl From<bool> for Constraint {
    /// A constraint that always holds, or never.
    fn from(known: bool) -> Self {
        Self(if known { ConstraintForm::All(Vec::new()) } else { ConstraintForm::Any(Vec::new()) })
    }
}

impl From<Bool> for Constraint {
    fn from(bool: Bool) -> Self {
        Self(ConstraintForm::Bool(bool))
    }
}

impl Not for Constraint {
    type Output = Self;

    fn not(mut self) -> Self {
        match self.take() {
            ConstraintForm::Not(constraint) => *constraint,
            form => Self(ConstraintForm::Not(Box::new(Self(form)))),
        }
    }
}

macro_rules! logic {
    ($($type:ty),*) => { $(
        impl $type {
            /// Both hold.
            pub fn and(self, other: impl Into<Constraint>) -> Constraint {
                let mut this: Constraint = self.into();
                match &mut this.0 {
                    ConstraintForm::All(parts) => {
                        parts.push(other.into());
                        this
                    }
                    _ => all([this, other.into()]),
                }
            }

            /// One of the two holds, or both.
            pub fn or(self, other: impl Into<Constraint>) -> Constraint {
                let mut this: Constraint = self.into();
                match &mut this.0 {
                    ConstraintForm::Any(parts) => {
                        parts.push(other.into());
                        this
                    }
                    _ => any([this, other.into()]),
                }
            }

            /// The other holds if this does.
            pub fn implies(self, other: impl Into<Constraint>) -> Constraint {
                let this: Constraint = self.into();
                any([!this, other.into()])
            }

            /// This holds if the condition does.
            pub fn when(self, condition: impl Into<Constraint>) -> Constraint {
                condition.into().implies(self)
            }

            /// Both hold, or neither does: [`iff`](Self::iff).
            pub fn eq(self, other: impl Into<Constraint>) -> Constraint {
                self.iff(other)
            }

            /// One of the two holds, and the other does not: [`xor`](Self::xor).
            pub fn ne(self, other: impl Into<Constraint>) -> Constraint {
                self.xor(other)
            }

            /// Both hold, or neither does.
            pub fn iff(self, other: impl Into<Constraint>) -> Constraint {
                Constraint(ConstraintForm::Iff(Box::new(self.into()), Box::new(other.into())))
            }

            /// One of the two holds, and the other does not.
            pub fn xor(self, other: impl Into<Constraint>) -> Constraint {
                let this: Constraint = self.into();
                this.iff(!other.into())
            }
        }
    )* };
}
logic!(Bool, Constraint);

macro_rules! operators {
    ($($type:ty),*) => { $(
        impl<C: Into<Constraint>> BitAnd<C> for $type {
            type Output = Constraint;

            /// Both hold.
            fn bitand(self, other: C) -> Constraint {
                Constraint::from(self).and(other)
            }
        }

        impl<C: Into<Constraint>> BitOr<C> for $type {
            type Output = Constraint;

            /// One of the two holds, or both.
            fn bitor(self, other: C) -> Constraint {
                Constraint::from(self).or(other)
            }
        }

        impl<C: Into<Constraint>> BitXor<C> for $type {
            type Output = Constraint;

            /// One of the two holds, and the other does not.
            fn bitxor(self, other: C) -> Constraint {
                Constraint::from(self).xor(other)
            }
        }
    )* };
}
operators!(Bool, &Bool, Constraint);

macro_rules! comparisons {
    ($($type:ty),*) => { $(
        impl $type {
            /// This is the other.
            pub fn eq(&self, other: impl Into<Expr>) -> Constraint {
                Constraint::linear(Expr::from(self) - other.into(), Compare::Equal)
            }

            /// This is not the other.
            pub fn ne(&self, other: impl Into<Expr>) -> Constraint {
                Constraint::linear(Expr::from(self) - other.into(), Compare::Unequal)
            }

            /// This is at most the other.
            pub fn le(&self, other: impl Into<Expr>) -> Constraint {
                Constraint::linear(Expr::from(self) - other.into(), Compare::AtMost)
            }

            /// This is less than the other.
            pub fn lt(&self, other: impl Into<Expr>) -> Constraint {
                Constraint::linear(Expr::from(self) - other.into() + 1, Compare::AtMost)
            }

            /// This is at least the other.
            pub fn ge(&self, other: impl Into<Expr>) -> Constraint {
                Constraint::linear(other.into() - Expr::from(self), Compare::AtMost)
            }

            /// This is greater than the other.
            pub fn gt(&self, other: impl Into<Expr>) -> Constraint {
                Constraint::linear(other.into() - Expr::from(self) + 1, Compare::AtMost)
            }
        }
    )* };
}
comparisons!(IntVar, Expr);
