//! `cnfkit encode` and `cnfkit detect`: formulas written in another format, with their sizes and what was chosen.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use cnfkit::{
    AmoEncoding, CardEncoding, Cnf, Constrain, Constraint, Cubes, Encoding, EncodingName, Formula, Goal, OneModel,
    PbEncoding, Relation, Size, Sum,
};

use crate::formula::{EncodedArgs, EncodingKind, Encodings, Sizes, named, size_members, write};
use crate::input::{SourceArgs, TextFormat};
use crate::json::Json;
use crate::printed::Printed;
use crate::solving::Running;
use crate::watch::Watch;
use crate::{CommandFailure, output, say};

/// Writes a formula as clauses, or in another format.
///
/// Reads DIMACS, KNF, OPB, WCNF and rules, a constraint a line: `3 <= a + 2 b + ~c <= 5`. Variables keep their numbers;
/// names are comments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
#[allow(clippy::struct_excessive_bools)] // options
pub(crate) struct EncodeArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The format that is written: KNF, OPB and WCNF with constraints as far as they have them, CNF with their clauses
    #[arg(long, value_enum, default_value = "cnf")]
    to: WrittenFormat,
    /// Write to this file, which has its name once it is whole; with --cubes to this new folder
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["size", "explain"])]
    output: Option<PathBuf>,
    /// Print the size by each encoding, and write nothing
    #[arg(long, group = "instead")]
    size: bool,
    /// Print which encodings take the constraints, and write nothing
    #[arg(long, group = "instead")]
    explain: bool,
    /// Split the encoded formula into at most this number of parts that exclude each other, for as many solvers: all in
    /// `formula.icnf` of --output, and each, `cube-1.cnf`, `cube-2.cnf` …
    #[arg(long, value_name = "NUMBER", requires = "output", group = "instead")]
    cubes: Option<NonZero<usize>>,
    #[command(flatten)]
    encoded: EncodedArgs,
    /// Encode such that each solution has one model, for model counters; encodings without that are exchanged
    #[arg(long)]
    counting: bool,
    /// Write a comment `c name NUMBER NAME` for each variable, those that OPB calls x1, x2 … included
    #[arg(long)]
    names: bool,
    #[command(flatten)]
    running: Running,
}

/// Finds at-most-ones and exactly-ones in the clauses of a formula.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct DetectArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The format that is written; without it, what was found is said
    #[arg(long, value_enum)]
    to: Option<WrittenFormat>,
    /// Write to this file, which has its name once it is whole
    #[arg(short, long, value_name = "FILE", requires = "to")]
    output: Option<PathBuf>,
    #[command(flatten)]
    encoded: EncodedArgs,
    #[command(flatten)]
    running: Running,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  it was written
  2  no formula, wrong arguments, a formula that is too large, the time limit, Ctrl-C, or output that cannot be
     written";

pub(crate) fn encode(args: &EncodeArgs) -> Result<ExitCode, CommandFailure> {
    if args.cubes.is_some() && !matches!(args.to, WrittenFormat::Cnf) {
        return Err(CommandFailure::Input("--cubes takes no --to: its files are DIMACS".to_owned()));
    }
    let watch = args.running.watch().map_err(CommandFailure::Input)?;
    let mut printed = printed("encode", &args.running, args.size || args.explain, args.output.as_deref())?;
    let read = || args.source.formula_for(args.counting);
    let (mut formula, format) = watch.run("reading", read).map_err(CommandFailure::Input)?;
    if args.names {
        for lit in formula.lits() {
            if let Some(name) = named(&formula, format, lit).filter(|_| format == TextFormat::Opb) {
                formula.set_name(lit.var(), name);
            }
        }
    }
    if args.size {
        watch.run("planning", || sizes(&formula, &mut printed));
        return Ok(ended(&mut printed));
    }
    let new = args.encoded.of(formula).map_err(CommandFailure::Input)?;
    if args.explain {
        watch.run("planning", || explain(&new, &mut printed));
        return Ok(ended(&mut printed));
    }
    if let (Some(n), Some(dir)) = (args.cubes, &args.output) {
        let limits = watch.limits();
        let cubes = watch.run("looking for cubes", || new.cubes(n.get(), &limits));
        let cubes = cubes.map_err(|error| CommandFailure::Output(watch.explain(error.to_string())))?;
        watch.run("writing", || write_cubes(&cubes, dir)).map_err(CommandFailure::Output)?;
        printed.member("cubes", cubes.iter().len());
        say::written(printed.comment(format_args!("{} cubes", cubes.iter().len())));
        return Ok(ended(&mut printed));
    }
    let is_encoded = matches!(args.to, WrittenFormat::Cnf);
    let sizes = watch.run("planning", || Sizes::of(&new, None, is_encoded.then_some(&new)));
    put(&new, args.to, &sizes, args.output.as_deref(), &watch, &mut printed)
}

pub(crate) fn detect(args: &DetectArgs) -> Result<ExitCode, CommandFailure> {
    let watch = args.running.watch().map_err(CommandFailure::Input)?;
    let mut printed = printed("detect", &args.running, args.to.is_none(), args.output.as_deref())?;
    let (formula, _) = watch.run("reading", || args.source.formula()).map_err(CommandFailure::Input)?;
    let formula = args.encoded.ordered(formula);
    let detected = watch.run("looking for constraints", || formula.detect());
    let new = args.encoded.of(detected.formula()).map_err(CommandFailure::Input)?;
    let is_encoded = args.to.is_none_or(|to| matches!(to, WrittenFormat::Cnf));
    let sizes = watch.run("planning", || Sizes::of(&formula, Some(&detected), is_encoded.then_some(&new)));
    if let Some(to) = args.to {
        return put(&new, to, &sizes, args.output.as_deref(), &watch, &mut printed);
    }
    sizes.members(&mut printed);
    say::written(sizes.lines().iter().try_for_each(|line| printed.line(format_args!("c {line}"))));
    Ok(ended(&mut printed))
}

/// Standard output, unless the formula goes there and an object, too.
fn printed(
    command: &'static str,
    running: &Running,
    is_free: bool,
    path: Option<&Path>,
) -> Result<Printed<'static>, CommandFailure> {
    if running.printed.json && !is_free && path.is_none_or(|path| path.as_os_str() == "-") {
        let text = "--json is printed where the formula would be; `--output FILE` writes that to a file";
        return Err(CommandFailure::Input(text.to_owned()));
    }
    Ok(Printed::new(BufWriter::new(io::stdout()), command, running.printed))
}

/// The end of a command that did what it should.
fn ended(printed: &mut Printed<'_>) -> ExitCode {
    say::written(printed.end(None, 0));
    ExitCode::SUCCESS
}

/// The formats that are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum WrittenFormat {
    /// Clauses: DIMACS
    Cnf,
    /// Clauses and cardinality constraints
    Knf,
    /// Pseudo-Boolean constraints and the objective
    Opb,
    /// Clauses, and the objective as soft ones
    Wcnf,
}

/// Writes a formula to a file or to standard output.
fn put(
    new: &Formula,
    to: WrittenFormat,
    sizes: &Sizes,
    path: Option<&Path>,
    watch: &Watch,
    printed: &mut Printed<'_>,
) -> Result<ExitCode, CommandFailure> {
    let mut lines = if printed.is_quiet() { Vec::new() } else { sizes.lines() };
    let to = match to {
        WrittenFormat::Cnf => TextFormat::Cnf,
        WrittenFormat::Knf => TextFormat::Knf,
        WrittenFormat::Opb => TextFormat::Opb,
        WrittenFormat::Wcnf => TextFormat::Wcnf,
    };
    match to {
        TextFormat::Cnf | TextFormat::Knf if new.has_objective() => {
            lines.push("the objective is left out: this format has none".to_owned());
        }
        _ if new.is_maximised() => lines.push("the objective is negated, and to be minimised".to_owned()),
        _ => {}
    }
    let written = watch.run("writing", || output::write(path, |out| write(new, to, &lines, out)));
    written.map_err(CommandFailure::Output)?;
    sizes.members(printed);
    Ok(ended(printed))
}

/// Writes the parts of a formula to a new folder.
fn write_cubes(cubes: &Cubes, dir: &Path) -> Result<(), String> {
    let failed = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    fs::create_dir(dir).map_err(|error| failed(dir, error))?;
    let file = |path: &Path| File::create(path).map_err(|error| failed(path, error));
    let all = dir.join("formula.icnf");
    cubes.write_icnf(file(&all)?).map_err(|error| failed(&all, error))?;
    for number in 0..cubes.iter().len() {
        let path = dir.join(format!("cube-{}.cnf", number + 1));
        cubes.write_dimacs(number, file(&path)?).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

/// A table of the formula's sizes by all encodings of what it has; one row where there is nothing to choose.
fn sizes(formula: &Formula, printed: &mut Printed<'_>) {
    let (mut has_ones, mut has_counts, mut has_sums) = (false, false, false);
    for constraint in formula.constraints() {
        match constraint.counted() {
            Some((_, Relation::AtMost(1) | Relation::Exactly(1))) => has_ones = true,
            Some(_) => has_counts = true,
            None => has_sums |= constraint.weighted().is_some(),
        }
    }
    let ones = AmoEncoding::ALL.iter().filter(|one| has_ones && !matches!(one, AmoEncoding::Card(_)));
    let counts = CardEncoding::ALL.iter().filter(|_| has_counts || has_ones);
    let sums = PbEncoding::ALL.iter().filter(|_| has_sums);
    let ones = ones.map(|enc| (Some(EncodingKind::Ones), enc.to_string()));
    let names = ones
        .chain(counts.map(|enc| (Some(EncodingKind::Counts), enc.to_string())))
        .chain(sums.map(|enc| (Some(EncodingKind::Sums), enc.to_string())))
        .chain((!(has_ones || has_counts || has_sums)).then(|| (None, "auto".into())));
    let columns = ["of", "encoding", "auxiliaries", "clauses", "literals"];
    let [of, encoding, rest @ ..] = columns;
    say::written(
        printed.line(format_args!("{of:<14}{encoding:<28}{}", rest.map(|name| format!("{name:>14}")).concat())),
    );
    let mut all = Vec::new();
    for (kind, name) in names {
        let size = kind.map_or(Ok(formula.size()), |of| Encodings::named(of, &name).of(formula).map(|new| new.size()));
        let of = kind.map_or("all".into(), |of| of.to_string());
        let words = size.as_ref().map_or_else(ToString::to_string, |&size| shown(size));
        say::written(printed.line(format_args!("{of:<14}{name:<28}{words}")));
        let value = match &size {
            Ok(size) => ("size", size_members(*size)),
            Err(error) => ("error", error.to_string().into()),
        };
        all.push(Json::object([("of", of.into()), ("encoding", name.into()), value]));
    }
    printed.member("sizes", Json::list(all));
}

fn shown(Size { vars, clauses, lits, .. }: Size) -> String {
    format!("{vars:>14}{clauses:>14}{lits:>14}")
}

/// A table of the shapes of constraints: how many there are, what one takes alone, and which names stand for its
/// clauses.
fn explain(formula: &Formula, printed: &mut Printed<'_>) {
    let mut shapes: BTreeMap<String, (usize, Option<(Size, Vec<String>)>)> = BTreeMap::new();
    for constraint in formula.constraints() {
        let entry = shapes.entry(shape(&constraint));
        entry.or_insert_with(|| (0, taken(formula.n_vars(), &constraint))).0 += 1;
    }
    let columns = ["auxiliaries", "clauses", "literals"].map(|name| format!("{name:>14}")).concat();
    say::written(printed.line(format_args!("{:>8}  {:<44}{columns}  encoding", "number", "constraint")));
    let mut all = Vec::new();
    for (shape, (number, taken)) in shapes {
        let words = taken.as_ref().map_or("  larger than is looked into".to_owned(), |(size, names)| {
            let names = if names.is_empty() { "none of those with a name".to_owned() } else { names.join(", ") };
            format!("{}  {names}", shown(*size))
        });
        say::written(printed.line(format_args!("{number:>8}  {shape:<44}{words}")));
        let (size, names) = taken.unzip();
        all.push(Json::object([
            ("number", number.into()),
            ("constraint", shape.into()),
            ("size", size.map(size_members).into()),
            ("encodings", names.map(Json::list).into()),
        ]));
    }
    printed.member("constraints", Json::list(all));
}

/// A constraint without its literals.
fn shape(constraint: &Constraint<'_>) -> String {
    let sum = match constraint.sum {
        Sum::Count { lits, relation } => format!("{relation} of {}", lits.len()),
        Sum::Weights { terms, relation } => {
            let heaviest = terms.all().iter().map(|&(_, weight)| weight).max().unwrap_or(0);
            format!("sum of {}, weights to {heaviest}, {relation}", terms.all().len())
        }
        Sum::Parity { lits, odd } => format!("{} of {}", if odd { "odd" } else { "even" }, lits.len()),
    };
    let iff = constraint.iff.map_or("", |r| if r.is_pos() { "r if and only if " } else { "~r if and only if " });
    let cond = if constraint.cond.is_empty() { String::new() } else { format!("if {}: ", constraint.cond.len()) };
    format!("{cond}{iff}{sum}")
}

/// The size of a constraint alone as it is asked for, and the names of the encodings with the same clauses; `None`
/// where these are too many to be compared.
fn taken(n_vars: usize, constraint: &Constraint<'_>) -> Option<(Size, Vec<String>)> {
    const MOST: u64 = 1 << 20;
    let by = |enc: &dyn Encoding, most: u64| {
        let limit = Size { vars: u64::from(u32::MAX >> 1), clauses: most, lits: most };
        let mut cnf = Cnf::with_vars(n_vars).with_limit(limit);
        cnf.post(constraint, enc).ok().map(|()| cnf)
    };
    let all: Vec<(String, &dyn Encoding)> = match constraint.counted() {
        Some((_, Relation::AtMost(1) | Relation::Exactly(1))) => with_names(AmoEncoding::ALL),
        Some(_) => with_names(CardEncoding::ALL),
        None if constraint.weighted().is_some() => with_names(PbEncoding::ALL),
        None => vec![("auto".to_owned(), &PbEncoding::Auto)],
    };
    let asked = match constraint.encoding {
        EncodingName::Open(Goal::Size) => "smallest",
        name => name.name().unwrap_or("auto"),
    };
    let (_, enc) = all.iter().find(|(name, _)| name == asked).or(all.first())?;
    let is_counted = constraint.encoding == EncodingName::Open(Goal::Counting);
    let cnf = by(if is_counted { &OneModel } else { *enc }, MOST)?;
    let size =
        Size { vars: (cnf.n_vars() - n_vars) as u64, clauses: cnf.n_clauses() as u64, lits: cnf.n_lits() as u64 };
    let same = all
        .iter()
        .skip(2)
        .filter(|(_, enc)| by(*enc, size.lits).is_some_and(|other| other.clauses().eq(cnf.clauses())));
    Some((size, same.map(|(name, _)| name.clone()).collect()))
}

/// Encodings with their names, the two choosers first.
fn with_names<E: Encoding + ToString>(all: &'static [E]) -> Vec<(String, &'static dyn Encoding)> {
    all.iter().map(|enc| (enc.to_string(), enc as &dyn Encoding)).collect()
}
