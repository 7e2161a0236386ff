//! OPB files that others wrote, from a folder that `CNFKIT_OPB` names.

use std::time::Duration;

use cnfkit::ask::Strategy;
use cnfkit::{CertifyError, Formula, Limits};

use crate::{Certificate, Folder, veripb};

/// The time for the answer to a file.
const TIME: Duration = Duration::from_secs(5);

/// The clauses of every file are certified, and its answer or least value where it is found in time. A row each.
#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB, and looks into the folder CNFKIT_OPB"]
fn veripb_accepts_files() {
    let Some(folder) = std::env::var_os("CNFKIT_OPB") else {
        println!("CNFKIT_OPB names no folder: nothing was checked");
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "opb"));
    files.sort();
    println!("| file | clauses | lines a clause | as encoded | answer |\n|---|---|---|---|---|");
    let mut counts = [0; 4];
    for file in &files {
        let name = file.file_name().unwrap().to_string_lossy();
        let text = std::fs::read(file).unwrap();
        let formula = match Formula::read_opb(text.as_slice()) {
            Ok(formula) => formula,
            // Weights beyond 64 bits, or products.
            Err(error) => {
                println!("| {name} | | | | {error} |");
                continue;
            }
        };
        let of_clauses = match Certificate::new(&formula) {
            Ok(certificate) => {
                certificate.check().unwrap_or_else(|why| panic!("{name}: {why}"));
                counts[0] += 1;
                let (clauses, lines) = (certificate.clauses.lines().count() - 1, certificate.proof.lines().count());
                let lines = lines as f64 / clauses.max(1) as f64;
                format!("{clauses} | {lines:.1} | {}", if certificate.is_encoded { "yes" } else { "no" })
            }
            Err(error) => {
                counts[1] += 1;
                format!("| | {error}")
            }
        };
        let (dir, limits) = (Folder::new("file"), Limits::none().time(TIME));
        let found = if formula.objective().is_empty() {
            formula.solve_certified(&dir.0, &limits).map(|model| match model {
                Some(_) => "s VERIFIED SATISFIABLE".to_owned(),
                None => "s VERIFIED UNSATISFIABLE".to_owned(),
            })
        } else {
            formula.minimum_certified(&dir.0, Strategy::Auto, &limits).map(|best| match best {
                Some((_, value)) => format!("s VERIFIED BOUNDS {value} <= obj <= {value}"),
                None => "s VERIFIED BOUNDS INF <= obj <= INF".to_owned(),
            })
        };
        let answer = match found {
            Ok(verdict) => {
                let said = veripb(&dir.files());
                assert!(said.contains(&verdict), "{name}: {verdict}: {said}");
                counts[2] += 1;
                verdict
            }
            Err(CertifyError::Interrupted(_)) => "not in time".to_owned(),
            Err(error) => {
                counts[3] += 1;
                error.to_string()
            }
        };
        println!("| {name} | {of_clauses} | {answer} |");
    }
    let [covered, refused, answered, none] = counts;
    println!("{} files: clauses of {covered} checked, {refused} refused; answers of {answered} checked", files.len());
    println!("answers without a proof for a bound: {none}");
    assert!(covered > 0 && refused * 4 <= files.len());
}
