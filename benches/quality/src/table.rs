//! The tables: a row an encoding, a column a family.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;

use super::families::{Family, Sample, Set, families};
use super::measure::{Effort, Listing, Outcome, SolverName};
use super::more_families::more_families;
use super::rows::{AUTO, Group, Row};
use super::weights::weighted_families;

/// Counts the conflicts a solver needs on families of instances, for every encoding.
#[derive(Parser)]
pub(crate) struct Args {
    /// The solver whose conflicts are counted (CaDiCaL with the feature `cadical`).
    #[arg(long, value_enum, default_value = "batsat")]
    solver: SolverName,
    /// The instances.
    #[arg(long, value_enum, default_value = "tuning")]
    set: Set,
    /// Instances of each family: more of them are others of the same sizes, after those that fewer have.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    instances_each: u16,
    /// Conflicts after which an attempt counts as failed, and as twice that many.
    #[arg(long, default_value_t = 3_000)]
    limit: u32,
    /// Attempts of each formula: its clauses as encoded, then in other orders.
    #[arg(long, default_value_t = 2)]
    attempts: u64,
    /// The orders in which encodings get what they encode; a cell has a figure for each, separated by strokes.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Listing::STANDARD)]
    listings: Vec<Listing>,
    /// Threads. The table does not depend on them.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Only families whose name contains one of these.
    #[arg(long, value_delimiter = ',')]
    family: Vec<String>,
    /// Only encodings whose name contains one of these, or, after `=`, is the rest; and the default.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only one of the tables.
    #[arg(long, value_enum)]
    group: Option<Group>,
    /// Also the conflicts of every instance.
    #[arg(long)]
    instances: bool,
}

/// Added to conflicts before their geometric mean is taken, so that a lucky guess does not count like a better
/// encoding.
const SHIFT: f64 = 10.0;

/// The attempts on a family.
struct Cell {
    /// For each listing, `attempts` of each instance; nothing where it makes no difference to the natural one.
    outcomes: Vec<(Listing, Vec<Outcome>)>,
}

/// The shifted geometric mean: no one instance dominates it, and it weighs ratios alike whatever the size.
fn geometric(outcomes: &[Outcome]) -> f64 {
    let logs: f64 = outcomes.iter().map(|outcome| (outcome.conflicts as f64 + SHIFT).ln()).sum();
    (logs / outcomes.len() as f64).exp() - SHIFT
}

/// One standard error of [`geometric`] as a factor, from how `attempts` of the same formula differ; 1 for a single one.
fn scatter(outcomes: &[Outcome], attempts: usize) -> f64 {
    let variance = |outcomes: &[Outcome]| {
        let logs = outcomes.iter().map(|outcome| (outcome.conflicts as f64 + SHIFT).ln());
        let mean = logs.clone().sum::<f64>() / attempts as f64;
        logs.map(|log| (log - mean).powi(2)).sum::<f64>() / (attempts - 1).max(1) as f64
    };
    let variances: f64 = outcomes.chunks(attempts).map(variance).sum();
    ((variances * attempts as f64).sqrt() / outcomes.len() as f64).exp()
}

fn arithmetic(outcomes: &[Outcome]) -> f64 {
    outcomes.iter().map(|outcome| outcome.conflicts as f64).sum::<f64>() / outcomes.len() as f64
}

impl Cell {
    fn measure(row: &Row, family: &Family, effort: Effort, listings: &[Listing]) -> Self {
        let instances = || family.instances.iter().zip(1..);
        let of = |&listing: &Listing| {
            let outcomes = instances().flat_map(|(instance, seed)| effort.outcomes(row, instance, listing, seed));
            (listing, outcomes.collect())
        };
        Self { outcomes: listings.iter().map(of).collect() }
    }

    /// The attempts in one listing, if it was asked for: the natural ones where that is the same.
    fn get(&self, listing: Listing) -> Option<&[Outcome]> {
        let (_, outcomes) = self.outcomes.iter().find(|(other, _)| *other == listing)?;
        if outcomes.is_empty() && listing != Listing::Natural { self.get(Listing::Natural) } else { Some(outcomes) }
    }

    fn show(&self) -> String {
        let figure = |outcomes: &[Outcome]| {
            let failed = outcomes.iter().filter(|outcome| outcome.satisfiable.is_none()).count();
            let crosses = if failed > 0 { format!(" ✗{failed}") } else { String::new() };
            format!("{:.0}{crosses}", geometric(outcomes))
        };
        let figures =
            self.outcomes.iter().map(|(_, outcomes)| if outcomes.is_empty() { "=".into() } else { figure(outcomes) });
        figures.collect::<Vec<_>>().join(" / ")
    }
}

/// True if one in ten of the constraints of most instances is of that group and no matter of a few clauses.
fn concerns(group: Group, family: &Family) -> bool {
    let mut instances = 0;
    for instance in &family.instances {
        let cards = instance.cards.iter().filter(|card| {
            let n = card.lits.len();
            match group {
                Group::AtMostOne => card.is_one() && n > 3,
                Group::AtMostK => !card.is_one() && (1..n).contains(&card.relation.bound()),
                Group::Weights => false,
            }
        });
        instances += usize::from(match group {
            Group::Weights => !instance.sums.is_empty(),
            _ => instance.sums.is_empty() && 10 * cards.count() >= instance.cards.len(),
        });
    }
    2 * instances > family.instances.len()
}

/// The solver's answer does not depend on the encoding.
fn check(rows: &[(&Row, Vec<Cell>)], families: &[&Family], attempts: usize) {
    for (at, family) in families.iter().enumerate() {
        let mut found = vec![None; family.instances.len()];
        for (row, cells) in rows {
            for (_, outcomes) in &cells[at].outcomes {
                for (i, outcome) in outcomes.iter().enumerate() {
                    let instance = i / attempts;
                    let known = found[instance].or(outcome.satisfiable);
                    assert!(
                        outcome.satisfiable.is_none() || outcome.satisfiable == known,
                        "{} {}",
                        row.name,
                        family.name
                    );
                    found[instance] = known;
                }
            }
        }
    }
}

fn line(name: &str, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    println!("| {name} | {} |", cells.join(" | "));
}

/// Measures `rows` and prints each as soon as those before it are there.
fn measure<'a>(
    rows: &[&'a Row],
    families: &[&Family],
    (effort, listings): (Effort, &[Listing]),
    threads: usize,
) -> Vec<(&'a Row, Vec<Cell>)> {
    let next = AtomicUsize::new(0);
    let done: Mutex<(Vec<Option<Vec<Cell>>>, usize)> = Mutex::new((rows.iter().map(|_| None).collect(), 0));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let cells = families.iter().map(|family| Cell::measure(row, family, effort, listings)).collect();
                    let mut done = done.lock().expect("no thread panicked");
                    let (measured, printed) = &mut *done;
                    let at = rows.iter().position(|other| std::ptr::eq(*other, *row)).expect("one of them");
                    measured[at] = Some(cells);
                    while let Some(Some(cells)) = measured.get(*printed) {
                        line(&rows[*printed].name, cells.iter().map(Cell::show));
                        *printed += 1;
                    }
                }
            });
        }
    });
    let (measured, _) = done.into_inner().expect("no thread panicked");
    rows.iter().copied().zip(measured.into_iter().flatten()).collect()
}

/// How far the default is from the best of each family.
fn compare(rows: &[(&Row, Vec<Cell>)], families: &[&Family], attempts: usize, instances: bool) {
    let Some((_, auto)) = rows.iter().find(|(row, _)| row.name == AUTO) else { return };
    let attempts_of = |cell: &Cell| cell.outcomes.first().map_or(1.0, |(_, outcomes)| scatter(outcomes, attempts));
    line("auto, one standard error", auto.iter().map(|cell| format!("×÷ {:.2}", attempts_of(cell))));
    for (mean, mean_name) in [(geometric as fn(&[Outcome]) -> f64, "geometric"), (arithmetic, "arithmetic")] {
        let value = |cell: &Cell, listing| cell.get(listing).map(|outcomes| mean(outcomes) + SHIFT);
        // A value of the default against the best value of all rows.
        let against = |ours: Listing, best: Listing| {
            let ratio = |(at, cell): (usize, &Cell)| {
                let all = rows.iter().filter_map(|(row, cells)| Some((value(&cells[at], best)?, &row.name)));
                let (best, name) = all.min_by(|a, b| a.0.total_cmp(&b.0))?;
                Some(format!("{:.2} ({name})", value(cell, ours)? / best))
            };
            auto.iter().enumerate().map(ratio).collect::<Option<Vec<String>>>()
        };
        for (ours, best, name) in [
            (Listing::Natural, Listing::Natural, "auto ÷ best, natural"),
            (Listing::Shuffled, Listing::Shuffled, "auto ÷ best, shuffled"),
            (Listing::Ordered, Listing::Natural, "auto ordered ÷ best natural"),
        ] {
            if let Some(ratios) = against(ours, best) {
                line(&format!("{name}, {mean_name}"), ratios);
            }
        }
    }
    if instances {
        for (at, family) in families.iter().enumerate() {
            println!("\n{}:", family.name);
            for (row, cells) in rows {
                let outcomes = cells[at].outcomes.iter().flat_map(|(_, outcomes)| outcomes);
                let conflicts = outcomes.map(|outcome| match outcome.satisfiable {
                    None => "✗".into(),
                    Some(true) => format!("+{}", outcome.conflicts),
                    Some(false) => format!("-{}", outcome.conflicts),
                });
                println!("  {:<30} {}", row.name, conflicts.collect::<Vec<_>>().join(" "));
            }
        }
    }
    println!();
}

/// Measures all `rows` and prints a table for each group.
pub(crate) fn run(args: &Args, rows: &[Row]) {
    let effort = Effort { solver: args.solver, limit: args.limit, attempts: args.attempts.max(1) };
    let asked_for = |group: Group| args.group.is_none_or(|only| only == group);
    let sample = Sample { set: args.set, instances: args.instances_each.into() };
    let mut families: Vec<Family> = families(sample).into_iter().chain(more_families(sample)).collect();
    if asked_for(Group::Weights) {
        families.extend(weighted_families(sample));
    }
    let asked =
        |family: &&Family| args.family.is_empty() || args.family.iter().any(|part| family.name.contains(part.as_str()));
    let wanted = |row: &&Row| {
        row.name == AUTO
            || args.only.is_empty()
            || args.only.iter().any(|only| match only.strip_prefix('=') {
                Some(name) => row.name == name,
                None => row.name.contains(only.as_str()),
            })
    };
    for group in [Group::AtMostK, Group::AtMostOne, Group::Weights] {
        if !asked_for(group) {
            continue;
        }
        let concerned = |family: &&Family| concerns(group, family);
        let families: Vec<&Family> = families.iter().filter(asked).filter(concerned).collect();
        let rows: Vec<&Row> = rows.iter().filter(|row| row.group == group).filter(wanted).collect();
        let title = match group {
            Group::AtMostK => "at most k by",
            Group::AtMostOne => "at most one by",
            Group::Weights => "sums of weights by",
        };
        line(title, families.iter().map(|family| family.name.into()));
        line("---", families.iter().map(|_| "---:".into()));
        let rows = measure(&rows, &families, (effort, &args.listings), args.threads);
        let attempts = usize::try_from(effort.attempts).expect("few attempts");
        check(&rows, &families, attempts);
        compare(&rows, &families, attempts, args.instances);
    }
}
