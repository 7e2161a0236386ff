//! `cnfkit encodings`: the names, and sizes for a number of literals and a bound.

use std::io::{self, BufWriter};
use std::process::ExitCode;

use cnfkit::{AmoEncoding, AtMostK, AtMostOne, CardEncoding, PbEncoding, Relation, Size};

use crate::formula::{EncodingKind, size_members};
use crate::json::Json;
use crate::printed::Printed;
use crate::solving::Running;
use crate::{CommandFailure, say};

/// Lists the encodings by name; for N literals and a bound K with their sizes.
///
/// Sizes are auxiliaries/clauses, computed in advance: nothing is encoded. With `GAC`, unit propagation derives all
/// that follows from the inputs with values. Sources are in the documentation of the crate, `cnfkit::encodings`.
#[derive(Debug, clap::Args)]
pub(crate) struct EncodingsArgs {
    /// The number of literals
    #[arg(value_name = "N", requires = "k", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    n: Option<u32>,
    /// The bound
    #[arg(value_name = "K")]
    k: Option<u32>,
    #[command(flatten)]
    running: Running,
}

fn pair(size: Size) -> String {
    if size.clauses == u64::MAX { "2⁶⁴ and more".into() } else { format!("{}/{}", size.vars, size.clauses) }
}

/// An encoding in JSON, with its sizes by what is encoded.
fn row(of: EncodingKind, name: &str, is_gac: bool, sizes: &[(&str, Option<Size>)]) -> Json {
    let own = [("of", of.to_string().into()), ("encoding", name.into()), ("gac", is_gac.into())];
    Json::object(own.into_iter().chain(sizes.iter().map(|&(of, size)| (of, size.map(size_members).into()))))
}

fn strength(is_gac: bool) -> &'static str {
    if is_gac { "GAC" } else { "" }
}

pub(crate) fn main(args: &EncodingsArgs) -> Result<ExitCode, CommandFailure> {
    let watch = args.running.watch().map_err(CommandFailure::Input)?;
    let mut printed = Printed::new(BufWriter::new(io::stdout()), "encodings", args.running.printed);
    let mut all = Vec::new();
    let asked = args.n.zip(args.k).map(|(n, k)| (n as usize, k as usize));
    let own = || AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, AmoEncoding::Card(_)));
    let mut say = |line: &str| say::written(printed.line(line));
    if asked.is_none_or(|(n, k)| k == 1 && n > 1) {
        say("at most one");
        for enc in own() {
            let size = asked.map(|(n, _)| watch.run(format!("planning `{enc}`"), || enc.amo_size(n)));
            let words = size.map(pair).unwrap_or_default();
            say(format!("  {:<28} {:<4} {words:>16}", enc.to_string(), "GAC").trim_end());
            let sizes = size.map(|size| ("at_most", Some(size)));
            all.push(row(EncodingKind::Ones, &enc.to_string(), true, sizes.as_slice()));
        }
    }
    say(&format!(
        "counts{}",
        asked.map_or_else(String::new, |(n, k)| format!(", {k} of {n}: at most, at least, exactly"))
    ));
    for enc in CardEncoding::ALL {
        let sizes = asked.map(|(n, k)| {
            watch.run(format!("planning `{enc}`, {k} of {n}"), || {
                [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)]
                    .map(|relation| size(*enc, n, relation))
            })
        });
        let words = |size: Option<Size>| size.map_or_else(|| "a clause or less".to_owned(), pair);
        let columns =
            sizes.map_or_else(String::new, |sizes| sizes.map(|size| format!(" {:>16}", words(size))).concat());
        say(format!("  {:<28} {:<4}{columns}", enc.to_string(), strength(enc.is_gac())).trim_end());
        let sizes = sizes.map(|[most, least, exact]| [("at_most", most), ("at_least", least), ("exactly", exact)]);
        all.push(row(EncodingKind::Counts, &enc.to_string(), enc.is_gac(), sizes.as_ref().map_or(&[], |all| &all[..])));
    }
    if asked.is_none() {
        say("sums of weights");
        for enc in PbEncoding::ALL {
            say(format!("  {:<28} {}", enc.to_string(), strength(enc.is_gac())).trim_end());
            all.push(row(EncodingKind::Sums, &enc.to_string(), enc.is_gac(), &[]));
        }
    }
    printed.member("encodings", Json::list(all));
    say::written(printed.end(None, 0));
    Ok(ExitCode::SUCCESS)
}

/// The size of a bound that takes an encoding; `None` for a clause or less.
fn size(enc: CardEncoding, n: usize, relation: Relation) -> Option<Size> {
    match relation {
        Relation::AtMost(k) if (1..n.saturating_sub(1)).contains(&k) => Some(enc.amk_size(n, k)),
        Relation::AtLeast(k) if (2..n).contains(&k) => Some(enc.alk_size(n, k)),
        Relation::Exactly(k) if n > 2 && (1..n).contains(&k) => Some(enc.exk_size(n, k)),
        _ => None,
    }
}
