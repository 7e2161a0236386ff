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
    ("plingeling", "plingeling -n -t {threads} {file}"),
    ("sat4j", "java -jar /usr/share/java/org.ow2.sat4j.core.jar -t {limit} {file}"),
];

/// The command that a name stands for; any other command is one itself.
pub(super) fn command(text: &str) -> Result<String, Failure> {
    let (name, threads) = text.split_once(':').map_or((text, None), |(name, threads)| (name, Some(threads)));
    let Some((_, command)) = KNOWN.iter().find(|&&(known, _)| known == name) else { return Ok(text.to_owned()) };
    match threads.map(str::parse::<u16>) {
        Some(Ok(_)) if !command.contains("{threads}") => Err(Failure::Command("it has one thread")),
        None => Ok(command.replace("{threads}", "1")),
        Some(Ok(threads @ 1..)) => Ok(command.replace("{threads}", &threads.to_string())),
        Some(_) => Err(Failure::Command("a number of threads, 1 to 65,535, stands after the colon")),
    }
}
