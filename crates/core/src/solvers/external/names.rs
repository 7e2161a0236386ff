//! The commands of engines that are known by name.

use super::error::Failure;

/// Names and commands. `{threads}` is the number after a colon, 1 without one.
pub(super) const KNOWN: [(&str, &str); 10] = [
    ("cadical", "cadical -q -t {limit} {file}"),
    ("clasp", "clasp -V0 -t {threads} --time-limit={limit} {file}"),
    ("cryptominisat", "cryptominisat5 --verb 0 --threads {threads} --maxtime {limit} {file}"),
    ("glucose", "glucose -model -verb=0 -cpu-lim={limit} {file}"),
    ("kissat", "kissat -q --time={limit} {file}"),
    ("lingeling", "lingeling -q -T {limit} {file}"),
    // It writes its model to a second file only.
    ("minisat", "minisat -verb=0 -cpu-lim={limit} {file} /dev/stdout"),
    ("picosat", "picosat {file}"),
    ("plingeling", "plingeling -t {threads} {file}"),
    ("sat4j", "java -jar /usr/share/java/org.ow2.sat4j.core.jar {file}"),
];

/// Names and commands of engines that find least values.
pub(super) const KNOWN_OPTIMISERS: [(&str, &str); 4] = [
    ("clasp", "clasp -V0 -t {threads} --time-limit={limit} {opb}"),
    // Its OPB has no negated literals.
    ("open-wbo", "open-wbo -cpu-lim={limit} {old-wcnf}"),
    ("roundingsat", "roundingsat --print-sol=1 {opb}"),
    ("sat4j", "java -jar /usr/share/java/org.ow2.sat4j.pb.jar {opb}"),
];

/// Names and commands of engines that write a proof in DRAT, as text.
pub(super) const KNOWN_PROVERS: [(&str, &str); 2] = [
    ("cadical", "cadical -q -t {limit} --no-binary {file} {proof}"),
    ("kissat", "kissat -q --time={limit} --no-binary {file} {proof}"),
];

/// The word in a command that stands for the file of a proof.
pub(super) const PROOF: &str = "{proof}";

/// The format of a formula's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    Dimacs,
    Opb,
    Wcnf,
    /// With a header and a top weight, as before 2022.
    OldWcnf,
}

impl Format {
    /// The word in a command that stands for the file.
    pub(super) const fn place(self) -> &'static str {
        match self {
            Self::Dimacs => "{file}",
            Self::Opb => "{opb}",
            Self::Wcnf => "{wcnf}",
            Self::OldWcnf => "{old-wcnf}",
        }
    }

    /// The end of the file's name: some engines go by it.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Dimacs => "cnf",
            Self::Opb => "opb",
            Self::Wcnf | Self::OldWcnf => "wcnf",
        }
    }
}

fn among(known: &[(&str, &str)], text: &str) -> Result<String, Failure> {
    let (name, threads) = text.split_once(':').map_or((text, None), |(name, threads)| (name, Some(threads)));
    let Some((_, command)) = known.iter().find(|&&(known, _)| known == name) else { return Ok(text.to_owned()) };
    match threads.map(str::parse::<u16>) {
        Some(Ok(_)) if !command.contains("{threads}") => Err(Failure::Command("it has one thread")),
        None => Ok(command.replace("{threads}", "1")),
        Some(Ok(threads @ 1..)) => Ok(command.replace("{threads}", &threads.to_string())),
        Some(_) => Err(Failure::Command("a number of threads, 1 to 65,535, stands after the colon")),
    }
}

/// The command that a name stands for; any other text is one itself.
pub(super) fn command(text: &str) -> Result<String, Failure> {
    if format(text).is_some() {
        return Err(Failure::Command("it has no `{file}`: it reads other formats than DIMACS"));
    }
    if text.contains(PROOF) {
        return Err(Failure::Command("it has `{proof}`, and no proof is asked for"));
    }
    among(&KNOWN, text)
}

/// The command of an engine that writes a proof.
pub(super) fn prover(text: &str) -> Result<String, Failure> {
    let command = among(&KNOWN_PROVERS, text)?;
    let writes = command.contains(PROOF) && format(&command).is_none();
    if writes { Ok(command) } else { Err(Failure::Command("it has no `{proof}`, the file for a proof of clauses")) }
}

fn format(command: &str) -> Option<Format> {
    [Format::Opb, Format::Wcnf, Format::OldWcnf].into_iter().find(|format| command.contains(format.place()))
}

/// The command of an engine that finds least values, and the format that it reads; none for any other.
pub(super) fn optimiser(text: &str) -> Result<Option<(String, Format)>, Failure> {
    let command = among(&KNOWN_OPTIMISERS, text)?;
    Ok(format(&command).map(|format| (command, format)))
}
