//! A small checker of the proofs that are written here: cutting planes, unit propagation on the constraints that a line
//! names, and redundance of what defines a new variable. Whatever else a proof says is refused.

use std::collections::{BTreeMap, BTreeSet};

/// The weights of true literals sum up to at least a degree. A literal is its name, with `~` if it is negated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inequality {
    pub(crate) terms: BTreeMap<String, i128>,
    pub(crate) degree: i128,
}

/// Literals and what a witness makes of them: other literals, `1` or `0`.
type Images = BTreeMap<String, String>;

/// Finds that inequalities contradict each other.
type Proves<'p> = &'p dyn Fn(&[&Inequality]) -> bool;

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

    /// The inequality about images: it is met after the literals have become these where this one is met before.
    fn of_images(&self, images: &Images) -> Self {
        let mut moved = Self { degree: self.degree, ..Self::default() };
        for (lit, &weight) in &self.terms {
            match images.get(lit).unwrap_or(lit).as_str() {
                "1" => moved.degree -= weight,
                "0" => {}
                image => moved.add(image, weight),
            }
        }
        moved
    }

    /// The inequality that images weigh more.
    fn gain(&self, images: &Images) -> Self {
        let mut all = Self { degree: 1, ..self.clone() }.of_images(images);
        self.terms.iter().for_each(|(lit, &weight)| all.add(lit, -weight));
        all
    }

    pub(crate) fn negation(&self) -> Self {
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

/// The images of a witness.
fn images(witness: &str) -> Images {
    let words: Vec<&str> = witness.split_whitespace().collect();
    let both = |pair: &[&str]| {
        let other = [["1", "0"], ["0", "1"]].iter().find(|[of, _]| *of == pair[2]).map(|[_, other]| (*other).into());
        let other = other.unwrap_or_else(|| negated(pair[2]));
        [(pair[0].to_string(), pair[2].to_string()), (negated(pair[0]), other)]
    };
    words.chunks(3).flat_map(both).collect()
}

/// True if a constraint and all of `goals` hold once literals have become their images, where it is violated.
fn is_redundant(
    made: &Inequality,
    images: &Images,
    goals: &[Inequality],
    known: &BTreeMap<u64, Inequality>,
    proves: Proves<'_>,
) -> bool {
    let denied = made.negation();
    let made_true: Vec<&String> = images.iter().filter(|(_, image)| *image == "1").map(|(lit, _)| lit).collect();
    let holds = |goal: &Inequality| {
        let unmet = goal.negation();
        let sum = denied.clone().plus(&unmet);
        goal.degree <= 0
            || made_true.iter().fold(sum, |sum, lit| sum.where_true(&negated(lit))).is_contradiction()
            || known.values().any(|one| one == goal)
            || proves(&known.values().chain([&denied, &unmet]).collect::<Vec<&Inequality>>())
    };
    goals.iter().all(holds)
}

/// True if a model meets the first of the constraints.
fn meets(model: &BTreeSet<&str>, known: &BTreeMap<u64, Inequality>, inputs: usize) -> bool {
    known.range(..=inputs as u64).all(|(_, input)| input.is_met(|lit| model.contains(lit)))
}

/// A proof that a violated sum contradicts that it is as the order says.
const PROVEN: &str = " : proven";
const SUBPROOF: &str = " : subproof\nproofgoal #2\npol -1 -2 +;\nqed : -1;\nqed;";

/// The reason why a conclusion is wrong, after the best value of an objective.
fn concluded(
    rest: &str,
    known: &BTreeMap<u64, Inequality>,
    (objective, best): (&Inequality, &str),
    inputs: usize,
    proves: Proves<'_>,
) -> Option<&'static str> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let line = || known.get(&words[if words[0] == "UNSAT" { 2 } else { 3 }].parse().expect("a number"));
    match words[0] {
        "BOUNDS" => {
            let bounds = [words[1], words[words.len() - 1]];
            let [lower, upper, value] = [bounds[0], bounds[1], best].map(|word| word.parse().unwrap_or(i128::MAX));
            let denied = if bounds[0] == "INF" { Inequality::default() } else { objective.below(lower) };
            let is_proven = || line().is_some_and(|line| proves(&[line, &denied]));
            let weaker = (bounds != [best, best]).then_some("weaker bounds");
            if lower > value || upper < value {
                Some("not the bounds")
            } else if is_proven() {
                weaker
            } else {
                Some("another line")
            }
        }
        "UNSAT" => (!line().is_some_and(Inequality::is_contradiction)).then_some("no contradiction"),
        "SAT" => (!meets(&words.into_iter().skip(2).collect(), known, inputs)).then_some("no model"),
        "NONE" => None,
        _ => Some("an unknown rule"),
    }
}

/// The numbers after the first word.
fn ids(rest: &str) -> impl Iterator<Item = u64> {
    rest.split_whitespace().skip(1).map(|id| id.parse().expect("a number"))
}

/// Replays a proof: the constraints that are left in the end, or the line that is wrong.
pub(crate) fn replay(opb: &str, proof: &str) -> Result<Vec<Inequality>, String> {
    replay_by(opb, proof, &fails, true)
}

/// [`replay`] where more than unit propagation may prove what a line leaves to the checker; of the constraints all, or
/// those of the core.
pub(crate) fn replay_by(opb: &str, proof: &str, proves: Proves<'_>, all: bool) -> Result<Vec<Inequality>, String> {
    let mut known: BTreeMap<u64, Inequality> = (1..).zip(self::lines(opb)).collect();
    let inputs = known.len();
    // The objective is what its terms weigh, less its degree.
    let objective = opb.lines().find_map(|line| line.strip_prefix("min: "));
    let objective = Inequality::parse(&format!("{}>= 0", objective.unwrap_or("").trim_end_matches(';')));
    let mut best = "INF".to_string();
    let mut next = inputs as u64 + 1;
    // The order is always the same, and so is the proof of a goal about it.
    let (mut order, mut core) = (Inequality::default(), BTreeSet::new());
    let (before, after) = proof.split_once("def_order lex").unwrap_or((proof, ""));
    let proof = before.to_string() + &after[after.find("load_order").unwrap_or(after.len())..];
    let proof = proof.replace(SUBPROOF, &format!(" {PROVEN};"));
    let Some(lines) = proof.strip_prefix(&format!("pseudo-Boolean proof version 3.0\nf {inputs};\n")) else {
        return Err("the first two lines".into());
    };
    let mut is_over = false;
    for line in lines.lines() {
        let wrong = |why: &str| Err(format!("{line}: {why}"));
        let Some(text) = line.strip_suffix(';') else { return wrong("no end") };
        let (rule, rest) = text.split_once(' ').unwrap_or((text, ""));
        let made = match rule {
            "red" | "dom" => {
                let (sum, witness) = rest.split_once(" : ").expect("a witness");
                let short = witness.strip_suffix(PROVEN).unwrap_or(witness);
                next += if short == witness { 0 } else { 3 };
                let (made, images) = (Inequality::parse(sum), images(short));
                let touched = known.values().filter(|one| one.terms.keys().any(|lit| images.contains_key(lit)));
                let goals: Vec<Inequality> = if rule == "red" {
                    touched.chain([&made]).map(|one| one.of_images(&images)).collect()
                } else {
                    let core = known.range(..=inputs as u64).map(|(_, one)| one.of_images(&images));
                    core.chain([order.gain(&images), objective.gain(&images).negation()]).collect()
                };
                if !is_redundant(&made, &images, &goals, &known, proves) {
                    return wrong("not redundant");
                }
                Some(made)
            }
            "load_order" => {
                let vars = rest.split_whitespace().skip(1).collect::<Vec<&str>>();
                order.terms = (0..).zip(vars.iter().rev()).map(|(at, var)| (var.to_string(), 1 << at)).collect();
                continue;
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
                        None => return wrong("an unknown hint"),
                    }
                }
                if !proves(&used) {
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
                if !ids(rest).all(|id| known.remove(&id).is_some()) {
                    return wrong("nothing to delete");
                }
                continue;
            }
            "core" => {
                core.extend(ids(rest));
                if !ids(rest).all(|id| known.contains_key(&id)) {
                    return wrong("an unknown constraint");
                }
                continue;
            }
            "conclusion" => match concluded(rest, &known, (&objective, &best), inputs, proves) {
                Some(why) => return wrong(why),
                None => continue,
            },
            "output" => continue,
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
    known.retain(|id, _| all || *id <= inputs as u64 || core.contains(id));
    if is_over { Ok(known.into_values().collect()) } else { Err("no end".into()) }
}

/// The lines of a formula.
pub(crate) fn lines(opb: &str) -> Vec<Inequality> {
    let lines = opb.lines().filter(|line| !line.starts_with(['*', 'm']));
    lines.map(|line| Inequality::parse(line.trim_end_matches([' ', ';']))).collect()
}
