//! [`ConstraintNode`]: a posted constraint, with views in place of expressions and negations pushed down to rules.

use std::sync::Arc;

use super::constraint::{Compare, Constraint, ConstraintForm, Scope};
use super::rule::{Cumulative, Linear, ViewRule, VisitSum, maximum, minimum};
use super::variables::{Bool, Domain, Domains, Empty, Expr, IntVar, View};
use super::writer::{Encoder, Needs, Truth, WritingSource};
use super::{Model, ModelError};
use cnfkit_core::CapacityError;

#[derive(Clone, Debug)]
pub(super) enum ConstraintNode {
    Bool(Bool),
    Rule(Arc<dyn ViewRule>),
    All(Vec<Self>),
    Any(Vec<Self>),
}

/// A step that is left to do for a node: make it of a constraint, or of the nodes that were made last.
enum NodeTask {
    Make(Constraint),
    All(usize),
    Any(usize),
    Not,
    Iff,
}

/// Nodes that are nested deeper have truth values of their own: all that goes through nodes takes as much stack.
const DEEPEST: u32 = 64;
/// The depth beyond which a part of an equivalence, which has it twice, once negated, has a truth value of its own.
const DEEPEST_COPIED: u32 = 6;

impl Scope for Model {
    fn view_of(&mut self, expr: Expr) -> View {
        self.view(expr)
    }

    fn domain_of(&self, var: IntVar) -> &Domain {
        self.domain(var)
    }

    fn truth_of(&mut self, constraint: Constraint) -> Bool {
        self.reify(constraint)
    }
}

impl Model {
    /// In place of a view of many values one of its nearest value within a range of few, so that no value out of it
    /// has a literal, and what says that the view is within; any other view as it is.
    fn clamped(&mut self, view: View, (least, most): (i64, i64), inside: &mut Vec<ConstraintNode>) -> View {
        const MANY: u64 = if cfg!(test) { 4 } else { 10_000 }; // brute force sees both ways
        if view.is_constant() || self.domain(view.var).len() <= MANY {
            return view;
        }
        let (min, max) = view.bounds(self.domain(view.var));
        let (least, most) = (least.max(min), most.min(max));
        if least > most || most.abs_diff(least) > Domains::MANY {
            return view;
        }
        for bound in [Expr::from(view).ge(least), Expr::from(view).le(most)] {
            inside.push(ConstraintNode::of(bound, false, self));
        }
        let low = self.int(min..=most);
        self.define_by(minimum([Expr::from(view), most.into()], low));
        let near = self.int(least..=most);
        self.define_by(maximum([Expr::from(low), least.into()], near));
        View::whole(near)
    }
}

impl ConstraintNode {
    pub(super) const TRUE: Self = Self::All(Vec::new());
    pub(super) const FALSE: Self = Self::Any(Vec::new());

    /// Makes a node of a constraint; sums that stand where a variable must get a variable of their own, and what is
    /// nested deep gets a truth value. The constraint `holds`, or is a part of others.
    pub(super) fn of(constraint: Constraint, holds: bool, model: &mut Model) -> Self {
        // Constraints may be nested deeper than the stack: parts first, then what is made of them.
        let (mut steps, mut made) = (vec![NodeTask::Make(constraint)], Vec::new());
        while let Some(step) = steps.pop() {
            let node = match step {
                NodeTask::Make(mut constraint) => match constraint.take() {
                    ConstraintForm::Bool(bool) => {
                        model.check(bool.var);
                        Self::Bool(bool)
                    }
                    ConstraintForm::Linear(expr, compare) => Self::linear(model.linear(expr, compare)),
                    ConstraintForm::Rule(exprs, make) => {
                        let mut parts = Vec::new();
                        // What holds shrinks the domains.
                        let holds =
                            holds && steps.iter().all(|step| matches!(step, NodeTask::Make(_) | NodeTask::All(_)));
                        let views = exprs.into_iter().map(|(expr, range)| {
                            let view = model.view(expr);
                            range.filter(|_| !holds).map_or(view, |range| model.clamped(view, range, &mut parts))
                        });
                        let rule = views.collect();
                        let rule = Self::Rule((make.0)(rule).into());
                        if parts.is_empty() { rule } else { Self::All(parts.into_iter().chain([rule]).collect()) }
                    }
                    ConstraintForm::Later(make) => {
                        let group = model.group.take(); // definitions
                        steps.push(NodeTask::Make((make.0)(model)));
                        model.group = group;
                        continue;
                    }
                    ConstraintForm::All(parts) => {
                        steps.push(NodeTask::All(parts.len()));
                        steps.extend(parts.into_iter().rev().map(NodeTask::Make));
                        continue;
                    }
                    ConstraintForm::Any(parts) => {
                        steps.push(NodeTask::Any(parts.len()));
                        steps.extend(parts.into_iter().rev().map(NodeTask::Make));
                        continue;
                    }
                    ConstraintForm::Not(constraint) => {
                        steps.extend([NodeTask::Not, NodeTask::Make(*constraint)]);
                        continue;
                    }
                    ConstraintForm::Iff(one, other) => {
                        steps.extend([NodeTask::Iff, NodeTask::Make(*other), NodeTask::Make(*one)]);
                        continue;
                    }
                },
                NodeTask::All(n) => Self::All(Self::last(n, &mut made, DEEPEST, model)),
                NodeTask::Any(n) => Self::any(Self::last(n, &mut made, DEEPEST, model)),
                NodeTask::Not => Self::last(1, &mut made, DEEPEST, model)[0].negated(model),
                NodeTask::Iff => {
                    let mut parts = Self::last(2, &mut made, DEEPEST_COPIED, model);
                    match (parts.swap_remove(0), parts.swap_remove(0)) {
                        (Self::Bool(bool), node) | (node, Self::Bool(bool)) => node.iff(bool, model),
                        (one, other) => {
                            // Said apart, so that it holds where the whole is negated, too.
                            let bool = one.defined(model);
                            other.iff(bool, model)
                        }
                    }
                }
            };
            let depth = node.depth();
            made.push((node, depth));
        }
        let (node, _) = made.pop().expect("what was made last");
        node
    }

    /// The last nodes, `n` of them; a truth value in place of what is deeper than `most`.
    fn last(n: usize, made: &mut Vec<(Self, u32)>, most: u32, model: &mut Model) -> Vec<Self> {
        let parts = made.split_off(made.len() - n).into_iter();
        parts.map(|(node, depth)| if depth > most { Self::Bool(node.defined(model)) } else { node }).collect()
    }

    /// A truth value that is true where the node holds.
    fn defined(self, model: &mut Model) -> Bool {
        let bool = model.bool();
        let definition = self.iff(bool, model);
        model.define(definition);
        bool
    }

    /// The greatest number of nodes around a node; no more than [`DEEPEST`] and a few.
    fn depth(&self) -> u32 {
        match self {
            Self::Bool(_) | Self::Rule(_) => 0,
            Self::All(nodes) | Self::Any(nodes) => 1 + nodes.iter().map(Self::depth).max().unwrap_or(0),
        }
    }

    fn linear(linear: Linear) -> Self {
        let bound = i128::from(linear.bound);
        match (&linear.terms[..], linear.compare) {
            ([], compare) => {
                let holds = match compare {
                    Compare::AtMost => 0 <= bound,
                    Compare::Equal => bound == 0,
                    Compare::Unequal => bound != 0,
                };
                if holds { Self::TRUE } else { Self::FALSE }
            }
            (&[(var, factor)], Compare::AtMost) => {
                let factor = i128::from(factor);
                let limit = bound.div_euclid(factor); // where the factor is negative: the least value, rounded up
                match (i64::try_from(limit), factor > 0) {
                    (Ok(most), true) => Self::Bool(var.at_most(most)),
                    (Ok(least), false) => Self::Bool(var.at_least(least)),
                    (Err(_), above) if (limit > 0) == above => Self::TRUE,
                    (Err(_), _) => Self::FALSE,
                }
            }
            (&[(var, factor)], compare) => {
                let factor = i128::from(factor);
                let value = i64::try_from(bound / factor).ok().filter(|_| bound % factor == 0);
                match (value, compare == Compare::Equal) {
                    (Some(value), true) => Self::Bool(var.is(value)),
                    (Some(value), false) => Self::Bool(!var.is(value)),
                    (None, true) => Self::FALSE,
                    (None, false) => Self::TRUE,
                }
            }
            _ => Self::Rule(Arc::new(linear)),
        }
    }

    fn any(mut nodes: Vec<Self>) -> Self {
        if nodes.len() == 1 { nodes.remove(0) } else { Self::Any(nodes) }
    }

    /// Values that the rules that hold in any case find likely.
    pub(super) fn likely(&self, domains: &Domains, found: &mut Vec<(IntVar, i64)>) {
        match self {
            Self::Rule(rule) => rule.likely(domains, found),
            Self::All(all) => all.iter().for_each(|one| one.likely(domains, found)),
            Self::Bool(_) | Self::Any(_) => {}
        }
    }

    /// A node that says the opposite.
    fn negated(&self, model: &mut Model) -> Self {
        match self {
            &Self::Bool(bool) => Self::Bool(!bool),
            Self::Rule(rule) => Self::of(rule.negated(), false, model),
            Self::All(all) => Self::any(all.iter().map(|one| one.negated(model)).collect()),
            Self::Any(any) => Self::All(any.iter().map(|one| one.negated(model)).collect()),
        }
    }

    pub(super) fn iff(self, bool: Bool, model: &mut Model) -> Self {
        if let Self::Bool(other) = self {
            return Self::All(vec![
                Self::Any(vec![Self::Bool(!bool), Self::Bool(other)]),
                Self::Any(vec![Self::Bool(bool), Self::Bool(!other)]),
            ]);
        }
        let fails = self.negated(model);
        Self::All(vec![Self::Any(vec![Self::Bool(!bool), self]), Self::Any(vec![Self::Bool(bool), fails])])
    }

    pub(super) fn variables(&self, found: &mut Vec<IntVar>) {
        match self {
            Self::Bool(bool) => found.push(bool.var),
            Self::Rule(rule) => rule.variables(found),
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().for_each(|node| node.variables(found)),
        }
    }

    pub(super) fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        match self {
            &Self::Bool(bool) => domains.assert(bool),
            Self::Rule(rule) => rule.shrink(domains),
            Self::All(all) => all.iter().try_for_each(|one| one.shrink(domains)),
            Self::Any(any) => {
                let mut open = any.iter().filter(|node| node.truth(domains) != Some(false));
                match (open.next(), open.next()) {
                    (None, _) => Err(Empty),
                    (Some(last), None) => last.shrink(domains),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Its truth under the domains, where that is easy to see.
    fn truth(&self, domains: &Domains) -> Option<bool> {
        match self {
            &Self::Bool(bool) => domains.truth(bool),
            Self::Rule(_) => None,
            Self::All(all) => {
                let mut holds = Some(true);
                for one in all {
                    match one.truth(domains) {
                        Some(false) => return Some(false),
                        None => holds = None,
                        Some(true) => {}
                    }
                }
                holds
            }
            Self::Any(any) => {
                let mut fails = Some(false);
                for one in any {
                    match one.truth(domains) {
                        Some(true) => return Some(true),
                        None => fails = None,
                        Some(false) => {}
                    }
                }
                fails
            }
        }
    }

    /// Visits the sums whose size depends on the encoding of their variables.
    pub(super) fn each_sum(
        &self,
        domains: &Domains,
        has_theory: bool,
        visit: &mut VisitSum<'_>,
    ) -> Result<(), ModelError> {
        match self {
            Self::Bool(_) => Ok(()),
            Self::Rule(rule) => rule.each_sum(domains, has_theory, visit),
            Self::All(nodes) => nodes.iter().try_for_each(|node| node.each_sum(domains, has_theory, visit)),
            Self::Any(nodes) => {
                let visit: &mut VisitSum<'_> = &mut |linear, _| visit(linear, true);
                nodes.iter().try_for_each(|node| node.each_sum(domains, has_theory, visit))
            }
        }
    }

    pub(super) fn needs(&self, domains: &Domains, needs: &mut Needs) {
        match self {
            &Self::Bool(bool) => {
                if domains.truth(bool).is_none() {
                    needs.test(bool);
                }
            }
            Self::Rule(rule) => rule.needs(domains, needs),
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().for_each(|node| node.needs(domains, needs)),
        }
    }

    /// Encodes a posted constraint, each part of a conjunction for itself.
    pub(super) fn encode_parts(&self, index: u32, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let Self::All(parts) = self else { return self.encode(encoder) };
        (0..).zip(parts).try_for_each(|(part, node)| {
            encoder.output.mark(WritingSource::Constraint(index, Some(part)));
            node.encode(encoder)
        })
    }

    pub(super) fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        match self {
            &Self::Bool(bool) => {
                let truth = encoder.known(bool);
                encoder.clause([truth])
            }
            Self::Rule(rule) => rule.encode(encoder),
            Self::All(all) => all.iter().try_for_each(|one| one.encode(encoder)),
            Self::Any(any) => {
                if self.truth(encoder.domains()) == Some(true) {
                    return Ok(());
                }
                let mut truths = Vec::with_capacity(any.len());
                let mut others = Vec::new();
                for node in any.iter().filter(|node| node.truth(encoder.domains()) != Some(false)) {
                    match node {
                        &Self::Bool(bool) => truths.push(encoder.known(bool)),
                        other => others.push(other),
                    }
                }
                if let [only] = others[..] {
                    return only.encode_where_false(encoder, &truths);
                }
                if let ([one, other], true) = (&others[..], truths.is_empty()) {
                    let first = encoder.new_lit();
                    encoder.under(first, |encoder| one.encode(encoder))?;
                    return encoder.under(!first, |encoder| other.encode(encoder));
                }
                for other in others {
                    let chosen = encoder.new_lit();
                    encoder.implied_by(chosen, |encoder| other.encode(encoder))?;
                    truths.push(Truth::If(chosen));
                }
                encoder.clause(truths)
            }
        }
    }

    /// Encodes it for the case that all of these are false.
    fn encode_where_false(&self, encoder: &mut Encoder<'_>, truths: &[Truth]) -> Result<(), CapacityError> {
        match truths.split_first() {
            None => self.encode(encoder),
            Some((Truth::Known(true), _)) => Ok(()),
            Some((Truth::Known(false), rest)) => self.encode_where_false(encoder, rest),
            Some((&Truth::If(lit), rest)) => encoder.under(!lit, |encoder| self.encode_where_false(encoder, rest)),
        }
    }

    /// The constraint as people write it, by the numbers of variables.
    pub(super) fn text(&self, model: &Model) -> String {
        let joined = |nodes: &[Self], by: &str| {
            let texts = nodes.iter().map(|node| node.text(model)).filter(|text| !text.is_empty());
            let texts: Vec<String> = texts.map(|text| format!("({text})")).collect();
            texts.join(by)
        };
        match self {
            &Self::Bool(bool) => model.text_of(bool),
            Self::Rule(rule) => rule.text(),
            Self::All(nodes) if nodes.is_empty() => "true".into(),
            Self::Any(nodes) if nodes.is_empty() => "false".into(),
            Self::All(nodes) | Self::Any(nodes) if nodes.len() == 1 => nodes[0].text(model),
            Self::All(nodes) => joined(nodes, " & "),
            Self::Any(nodes) => joined(nodes, " | "),
        }
    }

    /// The sums that hold in any case: see [`ViewRule::rows`].
    pub(super) fn rows(&self) -> Vec<(Vec<(IntVar, i64)>, i64)> {
        match self {
            Self::Rule(rule) => rule.rows(),
            Self::All(all) => all.iter().flat_map(Self::rows).collect(),
            Self::Bool(_) | Self::Any(_) => Vec::new(),
        }
    }

    /// The tasks that hold in any case: see [`ViewRule::work`].
    pub(super) fn works(&self) -> Vec<&Cumulative> {
        match self {
            Self::Rule(rule) => rule.work().into_iter().collect(),
            Self::All(all) => all.iter().flat_map(Self::works).collect(),
            Self::Bool(_) | Self::Any(_) => Vec::new(),
        }
    }

    /// Sums that follow where variables have these domains: see [`ViewRule::relaxed`].
    pub(super) fn relaxed(&self, domains: &Domains) -> Vec<(Vec<(IntVar, i64)>, i64)> {
        match self {
            Self::Rule(rule) => rule.relaxed(domains),
            Self::All(all) => all.iter().flat_map(|one| one.relaxed(domains)).collect(),
            Self::Bool(_) | Self::Any(_) => Vec::new(),
        }
    }

    pub(super) fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        match self {
            Self::Bool(bool) => bool.holds(value(bool.var)),
            Self::Rule(rule) => rule.holds(value),
            Self::All(all) => all.iter().all(|one| one.holds(value)),
            Self::Any(any) => any.iter().any(|one| one.holds(value)),
        }
    }
}
