//! `cnfkit encodings`: the names, and sizes for a number of literals and a bound.

use std::process::ExitCode;

use cnfkit::{AmoEncoding, AtMostK, AtMostOne, CardEncoding, PbEncoding, Relation, Size};

use crate::CommandFailure;
use crate::watch::Watch;

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
    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
}

fn pair(size: Size) -> String {
    format!("{}/{}", size.vars, size.clauses)
}

fn strength(is_gac: bool) -> &'static str {
    if is_gac { "GAC" } else { "" }
}

pub(crate) fn main(args: &EncodingsArgs) -> Result<ExitCode, CommandFailure> {
    let watch = Watch::new(args.time_limit).map_err(CommandFailure::Input)?;
    let asked = args.n.zip(args.k).map(|(n, k)| (n as usize, k as usize));
    let own = || AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, AmoEncoding::Card(_)));
    if asked.is_none_or(|(n, k)| k == 1 && n > 1) {
        say!("at most one");
        for enc in own() {
            let size = asked.map(|(n, _)| watch.run(format!("planning `{enc}`"), || pair(enc.amo_size(n))));
            say!("  {:<28} {:<4} {:>16}", enc.to_string(), "GAC", size.unwrap_or_default());
        }
    }
    say!("counts{}", asked.map_or_else(String::new, |(n, k)| format!(", {k} of {n}: at most, at least, exactly")));
    for enc in CardEncoding::ALL {
        let sizes = asked.map(|(n, k)| {
            watch.run(format!("planning `{enc}`, {k} of {n}"), || {
                [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)]
                    .map(|relation| size(*enc, n, relation))
            })
        });
        let sizes = sizes.map_or_else(String::new, |sizes| sizes.map(|size| format!(" {size:>16}")).concat());
        say!("  {:<28} {:<4}{sizes}", enc.to_string(), strength(enc.is_gac()));
    }
    if asked.is_none() {
        say!("sums of weights");
        for enc in PbEncoding::ALL {
            say!("  {:<28} {}", enc.to_string(), strength(enc.is_gac()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The size of a bound that takes an encoding.
fn size(enc: CardEncoding, n: usize, relation: Relation) -> String {
    match relation {
        Relation::AtMost(k) if (1..n.saturating_sub(1)).contains(&k) => pair(enc.amk_size(n, k)),
        Relation::AtLeast(k) if (2..n).contains(&k) => pair(enc.alk_size(n, k)),
        Relation::Exactly(k) if n > 2 && (1..n).contains(&k) => pair(enc.exk_size(n, k)),
        _ => "a clause or less".to_owned(),
    }
}
