//! A small checker of the proofs that are written here: cutting planes, unit propagation on the constraints that a line
//! names, and redundance of what defines a new variable. Whatever else a proof says is refused.

use std::collections::{BTreeMap, BTreeSet};

/// The weights of true literals sum up to at least a degree. A literal is its name, with `~` if it is negated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inequality {
    terms: BTreeMap<String, i128>,
    degree: i128,
}

fn negated(lit: &str) -> String {
    lit.strip_prefix('~').map_or_else(|| format!("~{lit}"), str::to_string)
}

impl Inequality {
    /// Reads `+2 x1 -1 ~x2 >= 1`.
    fn parse(text: &str) -> Self {
        let (sum, degree) = text.split_once(">=").expect("a sum");
        let mut read = Self { degree: degree.trim().parse().expect("a number"), ..Self::default() };
        let words: Vec<&str> = sum.split_whitespace().collect();
        words.chunks(2).for_each(|pair| read.add(pair[1], pair[0].parse().expect("a weight")));
        read
    }

    /// Adds a term; what a literal and its negation have together is a constant.
    fn add(&mut self, lit: &str, weight: i128) {
        self.degree -= weight.min(0);
        let (lit, weight) = if weight < 0 { (negated(lit), -weight) } else { (lit.to_string(), weight) };
        let against = self.terms.remove(&negated(&lit)).unwrap_or(0);
        self.degree -= against.min(weight);
        let (lit, rest) = if weight >= against { (lit, weight - against) } else { (negated(&lit), against - weight) };
        if rest > 0 {
            *self.terms.entry(lit).or_default() += rest;
        }
    }

    fn times(&self, factor: i128) -> Self {
        let terms = self.terms.iter().map(|(lit, weight)| (lit.clone(), weight * factor)).collect();
        Self { terms, degree: self.degree * factor }
    }

    /// Divided by a number, and rounded up.
    fn divided(&self, divisor: i128) -> Self {
        let up = |number: i128| (number + divisor - 1).div_euclid(divisor);
        let terms = self.terms.iter().map(|(lit, &weight)| (lit.clone(), up(weight))).collect();
        Self { terms, degree: up(self.degree) }
    }

    fn plus(mut self, other: &Self) -> Self {
        self.degree += other.degree;
        other.terms.iter().for_each(|(lit, &weight)| self.add(lit, weight));
        self
    }

    /// A sum less its degree is below a value.
    fn below(&self, value: i128) -> Self {
        let mut below = Self { degree: 1 - value - self.degree, ..Self::default() };
        self.terms.iter().for_each(|(lit, &weight)| below.add(lit, -weight));
        below
    }

    /// The weights of true literals.
    fn weight(&self, is_true: impl Fn(&str) -> bool) -> i128 {
        self.terms.iter().filter(|(lit, _)| is_true(lit)).map(|(_, &weight)| weight).sum()
    }

    pub(crate) fn is_met(&self, is_true: impl Fn(&str) -> bool) -> bool {
        self.weight(is_true) >= self.degree
    }

    fn negation(&self) -> Self {
        let total: i128 = self.terms.values().sum();
        let terms = self.terms.iter().map(|(lit, &weight)| (negated(lit), weight)).collect();
        Self { terms, degree: total - self.degree + 1 }
    }

    fn where_true(&self, lit: &str) -> Self {
        let mut left = self.clone();
        left.degree -= left.terms.remove(lit).unwrap_or(0);
        left.terms.remove(&negated(lit));
        left
    }

    fn is_contradiction(&self) -> bool {
        self.terms.values().sum::<i128>() < self.degree
    }
}

/// Unit propagation on these fails.
fn fails(known: &[&Inequality]) -> bool {
    let mut falsified = std::collections::BTreeSet::new();
    loop {
        let before = falsified.len();
        for one in known {
            let open = || one.terms.iter().filter(|(lit, _)| !falsified.contains(*lit));
            let slack = open().map(|(_, weight)| weight).sum::<i128>() - one.degree;
            if slack < 0 {
                return true;
            }
            let forced: Vec<String> = open().filter(|&(_, &w)| w > slack).map(|(lit, _)| negated(lit)).collect();
            falsified.extend(forced);
        }
        if falsified.len() == before {
            return false;
        }
    }
}

/// The sum of multiples of constraints, in reverse Polish notation; `None` where it is none.
fn sum_of(text: &str, known: &BTreeMap<u64, Inequality>) -> Option<Inequality> {
    let mut stack: Vec<Inequality> = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        match *word {
            "+" => {
                let (two, one) = (stack.pop()?, stack.pop()?);
                stack.push(one.plus(&two));
            }
            "*" => {
                let factor: i128 = words[at - 1].parse().ok()?;
                let one = stack.pop()?;
                stack.push(one.times(factor));
            }
            "d" => {
                let divisor: i128 = words[at - 1].parse().ok()?;
                let one = stack.pop()?;
                stack.push(one.divided(divisor));
            }
            "s" => {
                let mut one = stack.pop()?;
                one.terms.values_mut().for_each(|weight| *weight = (*weight).min(one.degree));
                stack.push(one);
            }
            "w" => {
                let mut one = stack.pop()?;
                one.degree -= [words[at - 1].to_string(), negated(words[at - 1])]
                    .iter()
                    .filter_map(|lit| one.terms.remove(lit))
                    .sum::<i128>();
                stack.push(one);
            }
            _ if ["*", "d", "w"].contains(words.get(at + 1).unwrap_or(&"")) => {}
            lit if lit.contains('x') => stack.push(Inequality { terms: [(lit.to_string(), 1)].into(), degree: 0 }),
            id => stack.push(known.get(&id.parse().ok()?)?.clone()),
        }
    }
    stack.pop().filter(|_| stack.is_empty())
}

/// True if making `lit` true repairs what a constraint breaks.
fn is_redundant(made: &Inequality, lit: &str, known: &BTreeMap<u64, Inequality>) -> bool {
    let denied = made.negation();
    let touched = known.values().filter(|one| one.terms.contains_key(lit) || one.terms.contains_key(&negated(lit)));
    let holds = |goal: Inequality| {
        let unmet = goal.negation();
        goal.degree <= 0
            || denied.clone().plus(&unmet).where_true(&negated(lit)).is_contradiction()
            || fails(&known.values().chain([&denied, &unmet]).collect::<Vec<&Inequality>>())
    };
    touched.chain([made]).all(|one| holds(one.where_true(lit)))
}

/// True if a model meets the first of the constraints.
fn meets(model: &BTreeSet<&str>, known: &BTreeMap<u64, Inequality>, inputs: usize) -> bool {
    known.range(..=inputs as u64).all(|(_, input)| input.is_met(|lit| model.contains(lit)))
}

/// Replays a proof: the constraints that are left in the end, or the line that is wrong.
pub(crate) fn replay(opb: &str, proof: &str) -> Result<Vec<Inequality>, String> {
    let mut known: BTreeMap<u64, Inequality> = (1..).zip(self::lines(opb)).collect();
    let inputs = known.len();
    // The objective is what its terms weigh, less its degree.
    let objective = opb.lines().find_map(|line| line.strip_prefix("min: "));
    let objective = Inequality::parse(&format!("{}>= 0", objective.unwrap_or("").trim_end_matches(';')));
    let mut best = "INF".to_string();
    let mut next = inputs as u64 + 1;
    let Some(lines) = proof.strip_prefix(&format!("pseudo-Boolean proof version 3.0\nf {inputs};\n")) else {
        return Err("the first two lines".into());
    };
    let mut is_over = false;
    for line in lines.lines() {
        let wrong = |why: &str| Err(format!("{line}: {why}"));
        let Some(text) = line.strip_suffix(';') else { return wrong("no end") };
        let (rule, rest) = text.split_once(' ').unwrap_or((text, ""));
        let made = match rule {
            "red" => {
                let (sum, witness) = rest.split_once(" : ").expect("a witness");
                let made = Inequality::parse(sum);
                let lit = witness.strip_suffix(" -> 1").map(str::to_string);
                let lit = lit.or_else(|| witness.strip_suffix(" -> 0").map(negated)).expect("a value");
                if !is_redundant(&made, &lit, &known) {
                    return wrong("not redundant");
                }
                Some(made)
            }
            "pol" => sum_of(rest, &known),
            "rup" => {
                let (sum, hints) = rest.split_once(" : ~").unwrap_or((rest, ""));
                let made = Inequality::parse(sum);
                let denied = made.negation();
                let mut used = vec![&denied];
                if sum == rest {
                    used.extend(known.values());
                }
                for hint in hints.split_whitespace() {
                    match known.get(&hint.parse().expect("a number")) {
                        Some(one) => used.push(one),
                        None => return wrong("an unknown constraint"),
                    }
                }
                if !fails(&used) {
                    return wrong("does not follow");
                }
                Some(made)
            }
            "soli" => {
                let model: BTreeSet<&str> = rest.split_whitespace().collect();
                if !meets(&model, &known, inputs) {
                    return wrong("no model");
                }
                let value = objective.weight(|lit| model.contains(lit)) - objective.degree;
                best = value.to_string();
                Some(objective.below(value))
            }
            "del" => {
                rest.split_whitespace().skip(1).for_each(|id| {
                    known.remove(&id.parse().expect("a number"));
                });
                continue;
            }
            "core" => {
                if !rest.split_whitespace().skip(1).all(|id| known.contains_key(&id.parse().expect("a number"))) {
                    return wrong("an unknown constraint");
                }
                continue;
            }
            "conclusion" if rest.starts_with("BOUNDS") => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let line = words[3].parse().expect("a number");
                if words[1] != best || words[4] != best || !known.get(&line).is_some_and(Inequality::is_contradiction) {
                    return wrong("not the bounds");
                }
                continue;
            }
            "conclusion" if rest.starts_with("UNSAT") => {
                let id = rest.strip_prefix("UNSAT : ").expect("a constraint").parse().expect("a number");
                if !known.get(&id).is_some_and(Inequality::is_contradiction) {
                    return wrong("no contradiction");
                }
                continue;
            }
            "conclusion" if rest.starts_with("SAT") => {
                if !meets(&rest.split_whitespace().skip(2).collect(), &known, inputs) {
                    return wrong("no model");
                }
                continue;
            }
            "output" => continue,
            "conclusion" if rest == "NONE" => continue,
            "end" => {
                is_over = true;
                continue;
            }
            _ => return wrong("an unknown rule"),
        };
        let Some(made) = made else { return wrong("makes nothing") };
        known.insert(next, made);
        next += 1;
    }
    if is_over { Ok(known.into_values().collect()) } else { Err("no end".into()) }
}

/// The lines of a formula.
pub(crate) fn lines(opb: &str) -> Vec<Inequality> {
    let lines = opb.lines().filter(|line| !line.starts_with(['*', 'm']));
    lines.map(|line| Inequality::parse(line.trim_end_matches([' ', ';']))).collect()
}
