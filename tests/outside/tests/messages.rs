//! The compiler's messages for what is written wrong in a first hour: each says what to write.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A name, the wrong lines, and what the message has.
const WRONG: [(&str, &str, &str); 5] = [
    ("sums", "cnf.at_most(&x, 2, PbEncoding::Auto)?;", "`PbEncoding` for sums of weights"),
    ("iterator", "cnf.at_most(x.iter().copied(), 2, CardEncoding::Auto)?;", "an iterator is collected first"),
    ("one", "cnf.at_most(&x, 2, AmoEncoding::Auto)?;", "`AmoEncoding` is for *at most one*"),
    ("by_value", "cnf.at_most(&x, 2, Mine)?;", "consider borrowing here"),
    ("limits", "let _ = Formula::new().ask().limits(&Limits::none()).solve();", "expected `Limits`, found `&Limits`"),
];

const HEAD: &str = "#![allow(unused)]
use cnfkit::encode::{ByRelation, Full, Writer};
use cnfkit::prelude::*;
struct Mine;
impl ByRelation for Mine {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> { Ok(()) }
    fn size(&self, n: usize, relation: Relation) -> Size { Size::ZERO }
}
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(4);
";

#[test]
fn messages_say_what_to_write() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let folder = std::env::temp_dir().join(format!("cnfkit-messages-{}", std::process::id()));
    fs::create_dir_all(folder.join("src/bin")).unwrap();
    let package = "[package]\nname = \"messages\"\nedition = \"2024\"\n[workspace]\n";
    let manifest = format!("{package}[dependencies]\ncnfkit = {{ path = {root:?} }}\n");
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    for (name, line, _) in WRONG {
        fs::write(folder.join(format!("src/bin/{name}.rs")), format!("{HEAD}    {line}\n    Ok(())\n}}\n")).unwrap();
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut all = Vec::new();
    for (name, line, wanted) in WRONG {
        let mut check = Command::new(&cargo);
        check.args(["check", "--offline", "--quiet", "--bin", name]).current_dir(&folder);
        let output = check.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_said = text.split_whitespace().collect::<Vec<_>>().join(" ").contains(wanted);
        all.extend((output.status.success() || !is_said).then(|| format!("{line}\n{text}")));
    }
    fs::remove_dir_all(folder).unwrap();
    assert!(all.is_empty(), "{}", all.join("\n"));
}
