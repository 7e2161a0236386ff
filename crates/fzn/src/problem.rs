//! A file as a model: its names, its goal, and what is to be printed.
//!
//! A truth value that a constraint defines by a comparison with a number, as `int_eq_reif(x, 3, b)` does, is no
//! variable of its own: `b` is the literal *x is 3*. Likewise an integer that `bool2int` defines is the Boolean, and
//! an objective that is defined as a variable and a constant and that occurs nowhere else is these.

use std::collections::{HashMap, HashSet};

use cnfkit::model::{Domain, Expr, Model, Solution};

use super::bounds::{FoundBounds, bounds};
use super::constraints;
use super::names::{BoolTerm, ConstraintCall, DeclaredNames, Int, Value};
use super::syntax::{BaseType, ConstraintItem, Declaration, PlacedValue, SolveGoal, Syntax, What, Wrong, WrongKind};

/// The question of a file.
#[derive(Clone, Debug)]
pub enum Objective {
    /// Any solution.
    Satisfy,
    /// One in which this is as small as possible.
    Minimise(Expr),
    /// One in which this is as large as possible.
    Maximise(Expr),
}

/// A name to print, with its value.
#[derive(Debug)]
struct PrintedName {
    name: String,
    /// The index sets of an array, as they are printed.
    indices: Option<Vec<(i64, i64)>>,
    values: Vec<Value>,
}

/// A FlatZinc file as a model.
#[derive(Debug)]
pub struct Problem {
    /// The variables and the constraints.
    pub model: Model,
    /// The question.
    pub objective: Objective,
    outputs: Vec<PrintedName>,
    /// Integers without a least or a greatest value, by declaration and constraints, that are looked for no farther
    /// than [`FAR`] from 0 or from the bound that they have.
    pub unbounded: Vec<String>,
    /// The numbers of Boolean variables, of integer variables and of constraints in the file.
    pub counts: [usize; 3],
}

/// How far an integer that nothing bounds is looked for.
pub const FAR: i64 = 1_000_000;

impl Problem {
    /// Reads a file's text: `bool` and `int` with the standard constraints on them, and the global constraints of the
    /// MiniZinc library in `share/minizinc`. Annotations are heeded as far as they say what is printed, or what is
    /// known of a solution (`warm_start`).
    ///
    /// # Errors
    /// The first mistake, with its place: also what FlatZinc has and this does not, floating point numbers and sets
    /// that are variables.
    pub fn read(text: &str) -> Result<Self, Wrong> {
        let syntax = Syntax::read(text)?;
        let mut builder = VariableBuilder::new(&syntax);
        let counted =
            |base| syntax.declarations.iter().filter(|of| of.is_var && !of.is_array && of.base == base).count();
        let counts = [counted(BaseType::Bool), counted(BaseType::Int), syntax.constraints.len()];
        let objective = objective_sum(&syntax);
        for at in 0..syntax.declarations.len() {
            if objective.is_none_or(|(place, _)| place != at) {
                builder.declare(at)?;
            }
        }
        if let Some((place, by)) = objective {
            builder.sum(&syntax.declarations[place], by)?;
        }
        for (at, posted) in syntax.constraints.iter().enumerate() {
            if !builder.used.contains(&at) {
                let call = ConstraintCall { syntax: &syntax, names: &builder.names, posted };
                constraints::post(&call, &mut builder.model)?;
            }
        }
        let objective =
            |term: &PlacedValue<'_>| match builder.names.value(&syntax, term)? {
                Value::Int(int) => Ok(Expr::from(int)),
                Value::Sum(expr) => Ok(expr),
                _ => Err(syntax
                    .wrong(term.at, WrongKind::Value { found: "another type", expected: "an integer to optimise" })),
            };
        let objective = match &syntax.goal {
            SolveGoal::Satisfy => Objective::Satisfy,
            SolveGoal::Minimise(term) => Objective::Minimise(objective(term)?),
            SolveGoal::Maximise(term) => Objective::Maximise(objective(term)?),
        };
        syntax.search.iter().try_for_each(|search| builder.hint(search))?;
        let mut outputs = Vec::new();
        for declaration in &syntax.declarations {
            outputs.extend(output(&syntax, declaration, &builder.names)?);
        }
        if builder.contradicts {
            // Sums of bounds that contradict each other may be too large to be written.
            let mut model = Model::new();
            model.post(Expr::from(0).ge(1));
            return Ok(Self {
                objective: Objective::Satisfy,
                outputs: Vec::new(),
                counts,
                unbounded: Vec::new(),
                model,
            });
        }
        Ok(Self { objective, outputs, counts, unbounded: builder.unbounded, model: builder.model })
    }

    /// The variables and truth values that are printed.
    #[must_use]
    pub fn shown(&self) -> Vec<Expr> {
        let expr = |value: &Value| match value {
            &Value::Int(int) => Some(int.into()),
            &Value::Bool(truth) => Some(truth.int().into()),
            Value::Sum(expr) => Some(expr.clone()),
            Value::Set(_) | Value::Array(_) => None,
        };
        self.outputs.iter().flat_map(|output| output.values.iter().filter_map(expr)).collect()
    }

    /// A solution as it is printed, line by line.
    #[must_use]
    pub fn lines(&self, solution: &Solution) -> Vec<String> {
        let value = |value: &Value| match value {
            &Value::Int(int) => solution.value_of(int).to_string(),
            &Value::Bool(BoolTerm::Known(known)) => known.to_string(),
            &Value::Bool(BoolTerm::Of(bool)) => solution.is_true(bool).to_string(),
            Value::Sum(expr) => solution.value_of(expr.clone()).to_string(),
            Value::Set(ranges) => set(ranges),
            Value::Array(_) => unreachable!("arrays hold no arrays"),
        };
        let line = |output: &PrintedName| {
            let values: Vec<String> = output.values.iter().map(value).collect();
            match &output.indices {
                None => format!("{} = {};", output.name, values[0]),
                Some(indices) => {
                    let sets: Vec<String> = indices.iter().map(|(from, to)| format!("{from}..{to}")).collect();
                    format!("{} = array{}d({}, [{}]);", output.name, indices.len(), sets.join(", "), values.join(", "))
                }
            }
        };
        self.outputs.iter().map(line).collect()
    }
}

/// A set as FlatZinc writes it.
fn set(ranges: &[(i64, i64)]) -> String {
    match *ranges {
        [(from, to)] => format!("{from}..{to}"),
        _ => {
            let values: Vec<String> = ranges.iter().flat_map(|&(from, to)| from..=to).map(|v| v.to_string()).collect();
            format!("{{{}}}", values.join(","))
        }
    }
}

/// The output that `output_var` and `output_array` ask for.
fn output(syntax: &Syntax<'_>, of: &Declaration<'_>, names: &DeclaredNames<'_>) -> Result<Option<PrintedName>, Wrong> {
    for annotation in &of.annotations {
        let indices = match &annotation.what {
            What::Name("output_var") if !of.is_array => None,
            What::Call("output_array", args) if of.is_array => {
                let Some(What::Array(sets)) = args.first().map(|term| &term.what) else {
                    let kind = WrongKind::Shape("`output_array` needs an array of index sets".into());
                    return Err(syntax.wrong(annotation.at, kind));
                };
                let range = |term: &PlacedValue<'_>| match names.value(syntax, term)? {
                    Value::Set(ranges) => match *ranges {
                        [range] => Ok(range),
                        [] => Ok((1, 0)),
                        _ => Err(syntax.wrong(term.at, WrongKind::Shape("an index set with gaps".into()))),
                    },
                    _ => Err(syntax.wrong(term.at, WrongKind::Shape("no index set".into()))),
                };
                Some(sets.iter().map(range).collect::<Result<Vec<_>, _>>()?)
            }
            _ => continue,
        };
        let values = match names.get(of.name) {
            Some(Value::Array(values)) => values.to_vec(),
            Some(value) => vec![value.clone()],
            None => Vec::new(),
        };
        if let Some(indices) = &indices {
            let sizes = indices.iter().map(|&(from, to)| i128::from(to) - i128::from(from) + 1);
            if sizes.product::<i128>() != values.len() as i128 {
                let kind = WrongKind::Shape(format!("index sets that do not fit {} elements", values.len()));
                return Err(syntax.wrong(annotation.at, kind));
            }
        }
        return Ok(Some(PrintedName { name: of.name.to_owned(), indices, values }));
    }
    Ok(None)
}

/// The declaration of the objective and the constraint that defines it as a variable and a constant, if it has a range
/// of values at most and occurs in nothing else. Longer sums stay constraints: better solutions are found later without
/// a variable for the sum.
fn objective_sum(syntax: &Syntax<'_>) -> Option<(usize, usize)> {
    let (SolveGoal::Minimise(goal) | SolveGoal::Maximise(goal)) = &syntax.goal else { return None };
    let What::Name(name) = goal.what else { return None };
    let mut occurring = syntax.constraints.iter().enumerate().filter(|(_, posted)| occurs(name, &posted.args));
    let ((by, posted), None) = (occurring.next()?, occurring.next()) else { return None };
    let ("int_lin_eq", [_, terms, bound]) = (posted.name, &posted.args[..]) else { return None };
    let What::Array(terms) = &terms.what else { return None };
    let is_once = terms.iter().filter(|term| matches!(term.what, What::Name(other) if other == name)).count() == 1;
    let mut places = syntax.declarations.iter().enumerate().filter(|(_, of)| of.name == name);
    let ((place, of), None) = (places.next()?, places.next()) else { return None };
    let is_plain = of.is_var && !of.is_array && of.base == BaseType::Int && of.value.is_none();
    let has_gaps = of.domain.as_ref().is_some_and(|ranges| ranges.len() != 1);
    let is_elsewhere = syntax.declarations.iter().filter_map(|of| of.value.as_ref()).any(|term| occurs_in(name, term));
    (terms.len() == 2 && is_once && is_plain && !has_gaps && !is_elsewhere && !occurs_in(name, bound))
        .then_some((place, by))
}

fn occurs(name: &str, terms: &[PlacedValue<'_>]) -> bool {
    terms.iter().any(|term| occurs_in(name, term))
}

fn occurs_in(name: &str, term: &PlacedValue<'_>) -> bool {
    match &term.what {
        What::Name(other) | What::Index(other, _) => *other == name,
        What::Array(terms) | What::Call(_, terms) => occurs(name, terms),
        _ => false,
    }
}

/// Definitions within definitions beyond this are left as constraints.
const DEEPEST: usize = 64;

/// Makes variables, each when it is first spoken of.
struct VariableBuilder<'s, 'a> {
    syntax: &'s Syntax<'a>,
    model: Model,
    names: DeclaredNames<'a>,
    places: HashMap<&'a str, usize>,
    /// The constraints that may define a name.
    defined_by: HashMap<&'a str, usize>,
    /// Declarations that are being made: what they are defined by does not stand for them again.
    open: HashSet<usize>,
    /// Constraints that are said by what names stand for.
    used: HashSet<usize>,
    bounds: HashMap<&'s str, (i64, i64)>,
    unbounded: Vec<String>,
    /// Bounds say that there is no solution.
    contradicts: bool,
}

impl<'s, 'a> VariableBuilder<'s, 'a> {
    fn new(syntax: &'s Syntax<'a>) -> Self {
        let FoundBounds { bounds, unbounded, contradict } = bounds(syntax, FAR);
        let mut builder = Self {
            syntax,
            model: Model::new(),
            names: DeclaredNames::default(),
            places: HashMap::new(),
            defined_by: HashMap::new(),
            open: HashSet::new(),
            used: HashSet::new(),
            bounds,
            unbounded: unbounded.into_iter().map(str::to_owned).collect(),
            contradicts: contradict,
        };
        for (at, declaration) in syntax.declarations.iter().enumerate() {
            builder.places.entry(declaration.name).or_insert(at);
        }
        for (at, posted) in syntax.constraints.iter().enumerate() {
            let defines = match (posted.name, posted.args.len()) {
                ("bool2int" | "bool_not", 2) => 1,
                ("int_eq_reif" | "int_ne_reif" | "int_le_reif" | "int_lt_reif", 3) => 2,
                _ => continue,
            };
            if let What::Name(name) = posted.args[defines].what {
                builder.defined_by.entry(name).or_insert(at);
            }
        }
        builder
    }

    /// Makes the declaration and what it stands on; the same again does nothing.
    fn declare(&mut self, at: usize) -> Result<(), Wrong> {
        let syntax = self.syntax;
        let of = &syntax.declarations[at];
        if self.places.get(of.name) != Some(&at) {
            return Err(syntax.wrong(of.at, WrongKind::Twice(of.name.to_owned())));
        }
        if self.names.get(of.name).is_some() {
            return Ok(());
        }
        let value = match &of.value {
            Some(term) => {
                let value = self.names.declared(syntax, of, term)?;
                self.allow(of, &value);
                value
            }
            None => match self.definition(at)? {
                Some(value) => {
                    self.allow(of, &value);
                    value
                }
                None => self.variable(of),
            },
        };
        self.names.set(of.name, value);
        Ok(())
    }

    /// Hands `warm_start` on. Other annotations say in which order a solver that does not learn should try what; one
    /// that does finds its own, which is better.
    fn hint(&mut self, search: &PlacedValue<'_>) -> Result<(), Wrong> {
        match &search.what {
            What::Call("warm_start" | "warm_start_int" | "warm_start_bool", args) => {
                let of = |term: &PlacedValue<'_>| match self.names.value(self.syntax, term)? {
                    Value::Array(values) => Ok(values),
                    _ => Err(self.syntax.wrong(term.at, WrongKind::Shape("`warm_start` has two arrays".into()))),
                };
                let [vars, values] = &args[..] else {
                    return Err(self.syntax.wrong(search.at, WrongKind::Shape("`warm_start` has two arrays".into())));
                };
                let int = |value: &Value| match *value {
                    Value::Int(int) => Some(int),
                    Value::Bool(truth) => Some(truth.int()),
                    Value::Sum(_) | Value::Set(_) | Value::Array(_) => None,
                };
                for (var, value) in of(vars)?.iter().zip(of(values)?.iter()) {
                    if let (Some(var), Some(Int::Known(value))) = (int(var), int(value)) {
                        self.model.set_hint(var, value);
                    }
                }
                Ok(())
            }
            What::Call("warm_start_array" | "seq_search", args) => {
                let parts = args.iter().flat_map(|arg| match &arg.what {
                    What::Array(parts) => &parts[..],
                    _ => &[],
                });
                parts.into_iter().try_for_each(|part| self.hint(part))
            }
            _ => Ok(()),
        }
    }

    /// A value that was not made for the declaration is in its domain.
    fn allow(&mut self, of: &Declaration<'_>, value: &Value) {
        let Some(ranges) = &of.domain else { return };
        let ints: Vec<Int> = match value {
            &Value::Int(int) => vec![int],
            Value::Array(values) => {
                values.iter().filter_map(|value| if let &Value::Int(int) = value { Some(int) } else { None }).collect()
            }
            _ => Vec::new(),
        };
        for int in ints {
            let all = matches!(int, Int::Of(_)) && ranges.iter().any(|&(from, to)| from <= 0 && to >= 1);
            if !all {
                self.model.post(int.is_in(ranges));
            }
        }
    }

    /// Makes the objective what this constraint defines it as; a variable where its factor is not 1 or -1.
    fn sum(&mut self, of: &'s Declaration<'a>, by: usize) -> Result<(), Wrong> {
        let syntax = self.syntax;
        let posted = &syntax.constraints[by];
        let call = ConstraintCall { syntax, names: &self.names, posted };
        let (factors, bound) = (call.numbers(0)?, call.number(2)?);
        let What::Array(terms) = &posted.args[1].what else { unreachable!("`objective_sum` looked at it") };
        call.same_length(&[factors.len(), terms.len()])?;
        let (mut sum, mut own) = (Expr::from(bound), 0);
        for (factor, term) in factors.into_iter().zip(terms) {
            if matches!(term.what, What::Name(name) if name == of.name) {
                own = factor;
                continue;
            }
            let int = match self.names.value(syntax, term)? {
                Value::Int(int) => int,
                Value::Bool(truth) => truth.int(),
                _ => return Err(syntax.wrong(term.at, WrongKind::Shape("a sum of what are no integers".into()))),
            };
            sum -= factor * Expr::from(int);
        }
        let value = if own.abs() == 1 {
            let sum = own * sum;
            if let Some([(from, to)]) = of.domain.as_deref() {
                self.model.post(sum.clone().ge(*from));
                self.model.post(sum.clone().le(*to));
            }
            self.used.insert(by);
            Value::Sum(sum)
        } else {
            self.variable(of)
        };
        self.names.set(of.name, value);
        Ok(())
    }

    fn variable(&mut self, of: &Declaration<'_>) -> Value {
        if of.base == BaseType::Bool {
            return Value::Bool(BoolTerm::Of(self.model.bool()));
        }
        let domain = match &of.domain {
            Some(ranges) => ranges.iter().map(|&(from, to)| from..=to).collect(),
            None => match self.bounds.get(of.name) {
                Some(&(min, max)) => Domain::from(min..=max),
                None => Domain::from(-FAR..=FAR),
            },
        };
        Value::Int(Int::Var(self.model.int(domain)))
    }

    /// The value of the declaration by the constraint that defines it.
    fn definition(&mut self, at: usize) -> Result<Option<Value>, Wrong> {
        let syntax = self.syntax;
        let of = &syntax.declarations[at];
        let Some(&by) = self.defined_by.get(of.name) else { return Ok(None) };
        if !of.is_var || self.open.len() > DEEPEST || !self.open.insert(at) {
            return Ok(None);
        }
        let posted: &'s ConstraintItem<'a> = &syntax.constraints[by];
        for term in &posted.args {
            if let What::Name(name) = term.what
                && let Some(&place) = self.places.get(name).filter(|&&place| !self.open.contains(&place))
            {
                // Another name for what is declared before it can wait for its turn.
                if syntax.declarations[place].value.is_some() && self.names.get(name).is_none() {
                    self.open.remove(&at);
                    return Ok(None);
                }
                self.declare(place)?;
            }
        }
        self.open.remove(&at);
        let known = |at: usize| match posted.args[at].what {
            What::Name(name) => self.names.get(name).cloned(),
            _ => self.names.value(syntax, &posted.args[at]).ok(),
        };
        let value = match (posted.name, of.base, known(0), known(1)) {
            ("bool2int", BaseType::Int, Some(Value::Bool(truth)), _) => Value::Int(truth.int()),
            ("bool_not", BaseType::Bool, Some(Value::Bool(truth)), _) => Value::Bool(!truth),
            (name, BaseType::Bool, Some(Value::Int(one)), Some(Value::Int(other))) => {
                let truth = match (name, one, other) {
                    ("int_eq_reif", int, Int::Known(value)) | ("int_eq_reif", Int::Known(value), int) => int.is(value),
                    ("int_ne_reif", int, Int::Known(value)) | ("int_ne_reif", Int::Known(value), int) => !int.is(value),
                    ("int_le_reif", int, Int::Known(most)) => int.at_most(most),
                    ("int_lt_reif", Int::Known(less), int) => !int.at_most(less),
                    ("int_le_reif", Int::Known(least), int) => match least.checked_sub(1) {
                        Some(below) => !int.at_most(below),
                        None => BoolTerm::Known(true),
                    },
                    ("int_lt_reif", int, Int::Known(above)) => match above.checked_sub(1) {
                        Some(most) => int.at_most(most),
                        None => BoolTerm::Known(false),
                    },
                    _ => return Ok(None),
                };
                Value::Bool(truth)
            }
            _ => return Ok(None),
        };
        self.used.insert(by);
        Ok(Some(value))
    }
}
