//! Helpers of the commands on formulas: how constraints become clauses, what was found, values of a model.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use cnfkit::{
    AmoEncoding, Assignment, CapacityError, CardEncoding, Constraint, Detected, Formula, Lit, Order, PbEncoding,
    Relation, Size, Sum,
};

use crate::input::TextFormat;
use crate::json::Json;
use crate::printed::Printed;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderBy {
    /// As they stand in the file; by number in OPB
    Given,
    /// By number
    Variable,
    /// By which variables occur together
    Formula,
}

impl From<OrderBy> for Order {
    fn from(order: OrderBy) -> Self {
        match order {
            OrderBy::Given => Self::Given,
            OrderBy::Variable => Self::Variable,
            OrderBy::Formula => Self::Formula,
        }
    }
}

/// How constraints become clauses.
#[derive(Debug, Args)]
pub(crate) struct EncodedArgs {
    /// The order in which the literals of a constraint are encoded
    #[arg(long, value_enum, default_value = "formula")]
    order: OrderBy,
    /// The encodings, with commas between them: `auto`, `smallest`, or names that `cnfkit encodings` lists
    #[arg(long, value_name = "NAMES", default_value = "auto")]
    encoding: Encodings,
}

impl EncodedArgs {
    /// True if nothing was asked for.
    pub(crate) fn is_default(&self) -> bool {
        self.is_auto() && matches!(self.order, OrderBy::Formula)
    }

    /// The formula with its literals in the order that was asked for.
    pub(crate) fn ordered(&self, formula: Formula) -> Formula {
        formula.order(self.order.into())
    }

    /// The formula to be encoded as was asked for.
    pub(crate) fn of(&self, formula: Formula) -> Result<Formula, String> {
        let formula = if self.encoding == Encodings::AUTO { Ok(formula) } else { self.encoding.of(&formula) };
        Ok(self.ordered(formula.map_err(|error| error.to_string())?))
    }

    /// True if all encodings are left to the library.
    pub(crate) fn is_auto(&self) -> bool {
        self.encoding == Encodings::AUTO
    }
}

/// The encodings of at most one, of counts, and of sums of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encodings {
    ones: AmoEncoding,
    counts: CardEncoding,
    sums: PbEncoding,
}

impl Encodings {
    const AUTO: Self = Self { ones: AmoEncoding::Auto, counts: CardEncoding::Auto, sums: PbEncoding::Auto };

    /// The encodings where one name is said of one kind, and the rest is left open.
    pub(crate) fn named(kind: EncodingKind, name: &str) -> Self {
        let named: Self = name.parse().unwrap_or(Self::AUTO);
        match kind {
            EncodingKind::Ones => Self { ones: named.ones, ..Self::AUTO },
            EncodingKind::Counts => Self { sums: PbEncoding::Auto, ..named },
            EncodingKind::Sums => Self { sums: named.sums, ..Self::AUTO },
        }
    }

    /// The formula with these encodings.
    pub(crate) fn of(self, formula: &Formula) -> Result<Formula, CapacityError> {
        formula.with_encodings(self.ones, self.counts, self.sums)
    }
}

/// The kind of constraint that an encoding is of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EncodingKind {
    Ones,
    Counts,
    Sums,
}

impl fmt::Display for EncodingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ones => "at most one",
            Self::Counts => "counts",
            Self::Sums => "sums",
        })
    }
}

impl FromStr for Encodings {
    type Err = String;

    fn from_str(names: &str) -> Result<Self, String> {
        let mut all = Self::AUTO;
        for name in names.split(',') {
            // An encoding of counts takes both: `card:NAME` of the library would leave the counts as they are.
            let one = name.parse().ok().filter(|one| !matches!(one, AmoEncoding::Card(_)));
            let (count, sum) = (name.parse(), name.parse());
            if one.is_none() && count.is_err() && sum.is_err() {
                return Err(format!(
                    "allowed are, of at most one: {}; of other counts: {}; of sums: {}",
                    listed(AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, AmoEncoding::Card(_)))),
                    listed(CardEncoding::ALL.iter()),
                    listed(PbEncoding::ALL.iter()),
                ));
            }
            if let Ok(count) = count {
                (all.counts, all.ones) = (count, AmoEncoding::Card(count));
            }
            all.ones = one.unwrap_or(all.ones);
            all.sums = sum.unwrap_or(all.sums);
        }
        Ok(all)
    }
}

/// Names with commas between them.
pub(crate) fn listed(names: impl Iterator<Item = impl fmt::Display>) -> String {
    names.map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}

/// The sizes of a formula before and after it is encoded, and what was found in it.
pub(crate) struct Sizes {
    vars: usize,
    clauses: usize,
    constraints: usize,
    found: Option<FoundSizes>,
    /// None where nothing is encoded.
    encoded: Option<Size>,
}

/// Numbers of constraints that were found, and of what they stand for.
struct FoundSizes {
    /// Constraints and their literals.
    at_most_one: [usize; 2],
    exactly_one: [usize; 2],
    parities: usize,
    gone_clauses: usize,
    gone_vars: usize,
    is_complete: bool,
}

impl FoundSizes {
    fn of(detected: &Detected<'_>) -> Self {
        let ones = |is_exact: bool| {
            let found = detected.constraints().filter_map(|found| found.counted());
            let sizes = found.filter(|&(_, relation)| (relation == Relation::Exactly(1)) == is_exact);
            sizes.fold([0, 0], |[count, sum], (lits, _)| [count + 1, sum + lits.len()])
        };
        Self {
            at_most_one: ones(false),
            exactly_one: ones(true),
            parities: detected.constraints().filter(|found| found.parity_of().is_some()).count(),
            gone_clauses: detected.replaced().len() - detected.added().len(),
            gone_vars: detected.auxiliaries().len(),
            is_complete: detected.is_complete(),
        }
    }
}

impl Sizes {
    /// Those of a formula that was read, and of what is encoded in its place, if something is.
    pub(crate) fn of(formula: &Formula, detected: Option<&Detected<'_>>, new: Option<&Formula>) -> Self {
        Self {
            vars: formula.n_vars(),
            clauses: formula.n_clauses(),
            constraints: formula.constraints().len(),
            found: detected.map(FoundSizes::of),
            encoded: new.map(Formula::size),
        }
    }

    /// Lines without the sign of a comment.
    pub(crate) fn lines(&self) -> Vec<String> {
        let Self { vars, clauses, constraints, found, encoded } = self;
        let mut lines = vec![format!("read: {vars} variables, {clauses} clauses, {constraints} constraints")];
        if let Some(found) = found {
            let [ones, exactly] =
                [found.at_most_one, found.exactly_one].map(|[count, sum]| format!("{count} of {sum} literals"));
            lines.push(format!("found: at most one: {ones}; exactly one: {exactly}"));
            if found.parities > 0 {
                lines.push(format!("found: parities: {}", found.parities));
            }
            lines.push(format!("gone: {} clauses, {} auxiliary variables", found.gone_clauses, found.gone_vars));
            if !found.is_complete {
                lines.push("the search for constraints was given up; there may be more".into());
            }
        }
        let encoded = encoded.iter();
        lines.extend(
            encoded.map(|size| format!("encoded: {} clauses, with {} more variables", size.clauses, size.vars)),
        );
        lines
    }

    /// Members of an answer in JSON.
    pub(crate) fn members(&self, printed: &mut Printed<'_>) {
        let members = [("variables", self.vars), ("clauses", self.clauses), ("constraints", self.constraints)];
        printed.member("read", Json::object(members.map(|(name, number)| (name, number.into()))));
        if let Some(found) = &self.found {
            let ones =
                |[count, sum]: [usize; 2]| Json::object([("number", count.into()), ("literals", Json::from(sum))]);
            let gone = [("clauses", found.gone_clauses), ("auxiliaries", found.gone_vars)];
            let members = [
                ("at_most_one", ones(found.at_most_one)),
                ("exactly_one", ones(found.exactly_one)),
                ("parities", found.parities.into()),
                ("gone", Json::object(gone.map(|(name, number)| (name, number.into())))),
                ("complete", found.is_complete.into()),
            ];
            printed.member("found", Json::object(members));
        }
        if let Some(encoded) = self.encoded {
            printed.member("encoded", size_members(encoded));
        }
    }
}

/// A size in JSON, in which numbers beyond 64 bits are null.
pub(crate) fn size_members(Size { vars, clauses, lits, .. }: Size) -> Json {
    let [vars, clauses, lits] = [vars, clauses, lits].map(|number| Some(number).filter(|&number| number < u64::MAX));
    Json::object([("auxiliaries", vars.into()), ("clauses", clauses.into()), ("literals", Json::from(lits))])
}

/// Lines of comments.
pub(crate) fn comments(lines: &[String], sign: char, out: &mut dyn Write) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(out, "{sign} {line}"))
}

/// Writes a formula, with comments at its start.
pub(crate) fn write(formula: &Formula, format: TextFormat, lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    if format == TextFormat::Opb {
        return formula.write_opb(Inserting { lines: Some(lines), out });
    }
    comments(lines, 'c', out)?;
    match format {
        TextFormat::Knf => formula.write_knf(&mut *out),
        TextFormat::Wcnf => formula.write_wcnf(&mut *out),
        _ => formula.write_dimacs(&mut *out),
    }
}

/// Inserts comments after the first line, which in OPB is the header.
struct Inserting<'a> {
    lines: Option<&'a [String]>,
    out: &'a mut dyn Write,
}

impl Write for Inserting<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let end = text.iter().position(|&byte| byte == b'\n');
        if let Some(end) = end
            && let Some(lines) = self.lines.take()
        {
            self.out.write_all(&text[..=end])?;
            comments(lines, '*', self.out)?;
            return Ok(end + 1);
        }
        self.out.write(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A literal as the file names it: by number, or by name in OPB and in rules; `None` where the file does not have it.
pub(crate) fn named(formula: &Formula, format: TextFormat, lit: Lit) -> Option<String> {
    let sign = if lit.is_neg() { "-" } else { "" };
    match format {
        TextFormat::Opb => formula.opb_name(lit.var()).map(|name| format!("{sign}{name}")),
        TextFormat::Rules => formula.name(lit.var()).map(|name| format!("{sign}{name}")),
        TextFormat::Cnf | TextFormat::Knf | TextFormat::Wcnf => Some(lit.to_ipasir().to_string()),
    }
}

/// A literal in JSON: a number, or a name where the file has names.
pub(crate) fn lit_value(formula: &Formula, format: TextFormat, lit: Lit) -> Option<Json> {
    match format {
        TextFormat::Opb | TextFormat::Rules => named(formula, format, lit).map(Json::from),
        TextFormat::Cnf | TextFormat::Knf | TextFormat::Wcnf => Some(lit.to_ipasir().into()),
    }
}

/// The literals that are true among `lits`, in JSON.
pub(crate) fn model_value(model: &Assignment, formula: &Formula, lits: &[Lit], format: TextFormat) -> Json {
    let value = |&lit: &Lit| lit_value(formula, format, if model.is_true(lit) { lit } else { !lit });
    Json::list(lits.iter().filter_map(value))
}

/// The bytes of a line `v` that fits on a screen.
pub(crate) const SCREEN: usize = 78;

/// Lines `v` of the literals that are true among `lits`, of up to `most` bytes each; a 0 ends numbers.
pub(crate) fn values(
    model: &Assignment,
    formula: &Formula,
    lits: &[Lit],
    format: TextFormat,
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut line = String::from("v");
    let mut word = |word: &str, out: &mut dyn Write| {
        if line.len() + 1 + word.len() > most {
            writeln!(out, "{line}")?;
            line = String::from("v");
        }
        line.push(' ');
        line.push_str(word);
        if word == "0" || word.is_empty() { writeln!(out, "{}", line.trim_end()) } else { Ok(()) }
    };
    for &lit in lits {
        if let Some(name) = named(formula, format, if model.is_true(lit) { lit } else { !lit }) {
            word(&name, out)?;
        }
    }
    word(if matches!(format, TextFormat::Opb | TextFormat::Rules) { "" } else { "0" }, out)
}

/// The literals that an answer has values of: of clauses all that the file has, whichever of them solutions are counted
/// by.
pub(crate) fn answered(formula: &Formula, format: TextFormat) -> Vec<Lit> {
    let relaxations = if format == TextFormat::Wcnf { formula.n_relaxations() } else { 0 };
    let all = (0..(formula.n_vars() - relaxations) as u32).map(Lit::positive);
    if matches!(format, TextFormat::Opb | TextFormat::Rules) { formula.lits() } else { all.collect() }
}

/// A constraint in words, with literals as the file names them.
pub(crate) fn said(formula: &Formula, format: TextFormat, constraint: &Constraint<'_>) -> String {
    let name = |lit: Lit| named(formula, format, lit).unwrap_or_else(|| lit.to_ipasir().to_string());
    let sum = match constraint.sum {
        Sum::Count { lits, relation } => {
            format!("{relation} of {}", listed(lits.iter().map(|&lit| name(lit))))
        }
        Sum::Weights { terms, relation } => {
            let terms = terms.all().iter().map(|&(lit, weight)| format!("{weight} {}", name(lit)));
            format!("{} is {relation}", terms.collect::<Vec<_>>().join(" + "))
        }
        Sum::Parity { lits, odd } => {
            let number = if odd { "an odd number" } else { "an even number" };
            format!("{number} of {}", listed(lits.iter().map(|&lit| name(lit))))
        }
    };
    let sum = constraint.iff.map_or(sum.clone(), |r| format!("{} if and only if {sum}", name(r)));
    match constraint.cond {
        [] => sum,
        cond => format!("if {}: {sum}", listed(cond.iter().map(|&lit| name(lit)))),
    }
}
