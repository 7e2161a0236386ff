//! The command that checks a certificate.

use std::path::Path;

/// The line about a folder with a formula and a proof.
pub(crate) fn check(dir: &Path) -> String {
    by("veripb", dir, ["formula.opb", "proof.pbp"])
}

/// The line about a folder with clauses and a proof in DRAT.
pub(crate) fn check_drat(dir: &Path) -> String {
    by("drat-trim", dir, ["formula.cnf", "proof.drat"])
}

fn by(program: &str, dir: &Path, names: [&str; 2]) -> String {
    let [formula, proof] = names.map(|name| dir.join(name));
    format!("checked by: {program} {} {}", formula.display(), proof.display())
}
