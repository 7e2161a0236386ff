//! The names of other libraries, as the tables of `cnfkit::names` list them, are names that these libraries have.

use itertools::Itertools;

/// The paths, each of which compiles.
macro_rules! compiled {
    ($($path:path),* $(,)?) => {{
        $({
            #[allow(unused_imports)]
            use $path as _;
        })*
        [$(stringify!($path)),*]
    }};
}

/// The names in the first column of the table with this head.
fn listed(head: &str) -> Vec<&'static str> {
    let text = include_str!("../../crates/encode/src/choose/names.rs");
    let head = format!("//! | {head} | here |");
    let table = text.lines().skip_while(|line| *line != head).skip(2).take_while(|line| line.starts_with("//! |"));
    let names = table.flat_map(|row| row.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2));
    names.collect()
}

/// Every listed name is the end of a path that compiles, and every such path is listed.
fn same(head: &str, compiled: &[&str]) {
    let listed = listed(head);
    let is = |path: &str, name: &str| path.replace(' ', "").ends_with(&format!("::{name}"));
    let unknown = listed.iter().filter(|name| !compiled.iter().any(|path| is(path, name)));
    assert_eq!(unknown.collect_vec(), [&""; 0], "{head} has none of these");
    let unlisted = compiled.iter().filter(|path| !listed.iter().any(|name| is(path, name)));
    assert_eq!(unlisted.collect_vec(), [&""; 0], "the table of {head} lacks these");
}

#[test]
fn rustsat_has_the_names_that_are_listed() {
    let paths = compiled![
        cnfkit::rustsat::encodings::CollectClauses,
        cnfkit::rustsat::encodings::am1::Bimander,
        cnfkit::rustsat::encodings::am1::Bitwise,
        cnfkit::rustsat::encodings::am1::Commander,
        cnfkit::rustsat::encodings::am1::Encode,
        cnfkit::rustsat::encodings::am1::Ladder,
        cnfkit::rustsat::encodings::am1::Pairwise,
        cnfkit::rustsat::encodings::am1::TwoProduct,
        cnfkit::rustsat::encodings::card::BoundBoth,
        cnfkit::rustsat::encodings::card::BoundLower,
        cnfkit::rustsat::encodings::card::BoundUpper,
        cnfkit::rustsat::encodings::card::Totalizer,
        cnfkit::rustsat::encodings::pb::BinaryAdder,
        cnfkit::rustsat::encodings::pb::DynamicPolyWatchdog,
        cnfkit::rustsat::encodings::pb::GeneralizedTotalizer,
        cnfkit::rustsat::instances::Cnf,
        cnfkit::rustsat::instances::ManageVars,
        cnfkit::rustsat::instances::SatInstance,
        cnfkit::rustsat::types::constraints::CardConstraint,
    ];
    same("rustsat", &paths);
}

#[test]
fn pindakaas_has_the_names_that_are_listed() {
    let paths = compiled![
        pindakaas::ClauseDatabase,
        pindakaas::Encoder,
        pindakaas::constraint::cardinality::Cardinality,
        pindakaas::constraint::cardinality_one::CardinalityOne,
        pindakaas::encoder::adder::AdderEncoder,
        pindakaas::encoder::bitwise::BitwiseEncoder,
        pindakaas::encoder::decision_diagram::DecisionDiagramEncoder,
        pindakaas::encoder::ladder::LadderEncoder,
        pindakaas::encoder::mixed_radix::MixedRadixEncoder,
        pindakaas::encoder::pairwise::PairwiseEncoder,
        pindakaas::encoder::product::ProductEncoder,
        pindakaas::encoder::sequential_counter::SequentialCounterEncoder,
        pindakaas::encoder::sorting_network::SortingNetworkEncoder,
        pindakaas::encoder::totalizer::TotalizerEncoder,
        pindakaas::encoder::watchdog::WatchdogEncoder,
    ];
    same("pindakaas", &paths);
}
