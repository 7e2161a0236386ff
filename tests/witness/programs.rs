//! The programs that are asked.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The least value of an objective, or that there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Least(i64),
    Unsatisfiable,
}

/// The output of a program for a file, its last argument.
fn output(command: &mut Command, kind: &str, text: &[u8]) -> String {
    static FILES: AtomicU32 = AtomicU32::new(0);
    let name = format!("witness-{}-{}.{kind}", std::process::id(), FILES.fetch_add(1, Ordering::Relaxed));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut file = std::fs::File::create(&path).unwrap();
    file.write_all(text).unwrap();
    drop(file);
    let run = command.arg(&path).stdin(Stdio::null()).stderr(Stdio::piped()).output();
    let run = run.unwrap_or_else(|error| panic!("{command:?} does not run: {error}. Install clasp, sat4j and java"));
    std::fs::remove_file(&path).unwrap();
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(out.lines().any(|line| line.starts_with("s ")), "{command:?}: no answer, but {out}{err}");
    out.into_owned()
}

fn answer(out: &str) -> Answer {
    let status = out.lines().find_map(|line| line.strip_prefix("s ")).expect("an answer").trim();
    let value = || out.lines().rev().find_map(|line| line.strip_prefix("o "))?.trim().parse().ok();
    match (status, value()) {
        ("UNSATISFIABLE", _) => Answer::Unsatisfiable,
        ("OPTIMUM FOUND", Some(value)) => Answer::Least(value),
        _ => panic!("an answer is not understood: {out}"),
    }
}

/// The answer-set solver of Potsdam, which reads DIMACS and OPB.
pub(crate) struct Clasp {
    program: &'static str,
}

impl Clasp {
    /// Fails where clasp is not there, or does not count as expected.
    pub(crate) fn find() -> Self {
        let clasp = Self { program: "clasp" };
        assert_eq!(clasp.models("cnf", b"p cnf 4 1\nc project 1 2 3 0\n1 2 3 0\n"), 7);
        assert_eq!(clasp.models("opb", b"* #variable= 3 #constraint= 1\n* project x1 x2 0\n+1 x1 +1 ~x2 >= 1 ;\n"), 3);
        let least = b"* #variable= 2 #constraint= 1\nmin: +2 x1 +3 x2 ;\n+1 x1 +1 x2 >= 1 ;\n";
        assert_eq!(clasp.least(least), Answer::Least(2));
        clasp
    }

    /// The number of models, of those variables that the text says.
    pub(crate) fn models(&self, kind: &str, text: &[u8]) -> u64 {
        let mut clasp = Command::new(self.program);
        clasp.args(["--models=0", "--project=project", "--parse-ext", "--outf=1", "--quiet"]);
        let out = output(&mut clasp, kind, text);
        let count = out.lines().find_map(|line| line.strip_prefix("c Models")).expect("a count");
        let count = count.trim_start_matches([' ', ':']).trim();
        count.parse().unwrap_or_else(|_| panic!("a number is not understood: {out}{}", String::from_utf8_lossy(text)))
    }

    pub(crate) fn least(&self, text: &[u8]) -> Answer {
        answer(&output(Command::new(self.program).args(["--models=0", "--outf=1", "--quiet=2,1"]), "opb", text))
    }
}

/// The solver of Artois and CNRS in Java. Version 2.3.5 answers decisions with `UNKNOWN`, and where a sum has a literal
/// beside its negation, wrongly: it gets objectives, and sums without either.
pub(crate) struct Sat4j {
    path: String,
}

impl Sat4j {
    /// Fails where Sat4j or Java is not there.
    pub(crate) fn find() -> Self {
        let jars = ["core", "pb"].map(|name| format!("/usr/share/java/org.ow2.sat4j.{name}.jar"));
        for jar in &jars {
            assert!(Path::new(jar).exists(), "{jar} is missing: install sat4j");
        }
        let sat4j = Self { path: jars.join(":") };
        let least = b"* #variable= 2 #constraint= 1\nmin: +2 x1 +3 x2 ;\n+1 x1 +1 x2 >= 1 ;\n";
        assert_eq!(sat4j.least(least), Answer::Least(2));
        sat4j
    }

    pub(crate) fn least(&self, text: &[u8]) -> Answer {
        let mut java = Command::new("java");
        java.args(["-XX:TieredStopAtLevel=1", "-cp", &self.path, "org.sat4j.pb.LanceurPseudo2007"]);
        answer(&output(&mut java, "opb", text))
    }
}
