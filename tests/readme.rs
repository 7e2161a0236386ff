//! The README says what is so. Its programs run as they stand, as documentation tests: see the end of `src/lib.rs`.

const README: &str = include_str!("../README.md");

/// Each block of Rust is a whole program, which documentation tests compile and run; the first is the quickstart.
#[test]
fn every_block_is_a_program() {
    let blocks: Vec<&str> = README.split("```rust\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    assert!(blocks.len() >= 3 && README.matches("```rust").count() == blocks.len());
    for block in &blocks {
        assert!(block.contains("\nfn main() -> Result<") && block.ends_with("}\n"), "no program:\n{block}");
    }
    let (_, quickstart) = include_str!("../examples/quickstart.rs").split_once("\n\n").unwrap();
    assert_eq!(blocks[0], quickstart);
    let lib = include_str!("../src/lib.rs");
    assert!(lib.contains(r#"#[doc = include_str!("../README.md")]"#));
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
    let fewest = Network { weight: 0, ..Network::default() };
    for (shown, clauses) in [
        ("2,145", Optimal { weight: 0 }.amo_size(1000).clauses),
        ("39,180", fewest.amk_size(1000, 500).clauses),
        ("10,044", fewest.alk_size(1000, 10).clauses),
    ] {
        assert!(README.contains(shown), "{shown}");
        assert_eq!(shown.replace(',', ""), clauses.to_string());
    }
}
