//! The command that checks a certificate.

use std::path::Path;

/// The line about a folder with a formula and a proof.
pub(crate) fn check(dir: &Path) -> String {
    let [formula, proof] = ["formula.opb", "proof.pbp"].map(|name| dir.join(name));
    format!("checked by: veripb {} {}", formula.display(), proof.display())
}
