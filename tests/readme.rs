//! What the README shows is what is compiled.

const README: &str = include_str!("../README.md");

#[test]
fn the_ten_lines_are_the_quickstart() {
    let quickstart = include_str!("../examples/quickstart.rs");
    let code = quickstart.split_once("\n\n").expect("a header").1;
    assert!(README.contains(code.trim()), "README and examples/quickstart.rs differ");
}

#[test]
fn every_encoding_is_in_the_table() {
    for name in cnfkit::CardEncoding::ALL.iter().map(ToString::to_string) {
        assert!(README.contains(&format!("`{name}`")) || name == "auto", "{name}");
    }
    for name in cnfkit::AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, cnfkit::AmoEncoding::Card(_))) {
        assert!(README.contains(&format!("`{name}`")) || name.to_string() == "auto", "{name}");
    }
}

#[test]
fn figures_of_the_readme() {
    use cnfkit::{AtMostK, AtMostOne, Network, Optimal};
    let fewest = Network { w: 0, ..Network::default() };
    for (shown, clauses) in [
        ("2,145", Optimal { weight: 0 }.amo_size(1000).clauses),
        ("39,180", fewest.amk_size(1000, 500).clauses),
        ("10,044", fewest.alk_size(1000, 10).clauses),
    ] {
        assert!(README.contains(shown), "{shown}");
        assert_eq!(shown.replace(',', ""), clauses.to_string());
    }
}
