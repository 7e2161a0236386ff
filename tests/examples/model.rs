//! The example `model` as a program: proofs of what a page answers.

/// A proof of a solution, that there is none, and of a least value; the command that checks it is the last line.
#[test]
fn proofs_are_written() {
    let dir = std::env::temp_dir().join(format!("cnfkit-model-proof-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let of = dir.to_str().unwrap();
    for (page, answer, conclusion) in [
        (&["queens", "6"][..], "Q", "conclusion SAT :"),
        (&["queens", "3"], "no solution", "conclusion UNSAT :"),
        (&["knapsack"], "(worth 188)", "conclusion BOUNDS "),
    ] {
        let args = [page, &["--proof", of]].concat();
        let Some((text, error, code)) = super::outcome("model", &args, b"") else { return };
        assert!(text.contains(answer) && code == Some(0), "{page:?}: {text}{error}");
        let files = ["formula.opb", "proof.pbp"].map(|name| dir.join(name));
        let check = format!("checked by: veripb {} {}", files[0].display(), files[1].display());
        assert_eq!(text.lines().last(), Some(check.as_str()));
        let proof = std::fs::read_to_string(&files[1]).unwrap();
        assert!(proof.contains(conclusion) && proof.ends_with("end pseudo-Boolean proof;\n"), "{page:?}");
        let Some((_, error, code)) = super::outcome("model", &args, b"") else { return };
        assert!(error.contains("exists") && code == Some(2), "{error}");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
