//! The oldest compiler that `Cargo.toml` promises, and what the packages in `Cargo.lock` ask for.

use std::process::Command;

/// Major, minor and patch, as far as they are there.
fn version(text: &str) -> [u32; 3] {
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("`{text}` is no version"));
    let mut numbers = text.split('.').map(number);
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}

/// Packages that ask for a newer compiler than `ours`, each with the version it asks for, from `cargo metadata`.
fn too_new<'a>(metadata: &'a str, ours: &str) -> Vec<(&'a str, &'a str)> {
    let string = |text: &'a str| text.split('"').next();
    let packages = metadata.split("\"id\":\"").skip(1);
    let asked =
        packages.filter_map(|package| Some((string(package)?, string(package.split_once("\"rust_version\":\"")?.1)?)));
    asked.filter(|(_, asked)| version(asked) > version(ours)).collect()
}

#[test]
fn packages_that_ask_for_a_newer_compiler_are_found() {
    let metadata = r#"{"packages":[{"name":"old","id":"a#old@1.0.0","dependencies":[{"name":"new","req":"^2"}],
        "rust_version":"1.63"},{"name":"none","id":"a#none@1.0.0","rust_version":null},{"name":"new","id":"a#new@2.1.0",
        "dependencies":[{"name":"old","req":"^1"}],"rust_version":"1.88.1"}],
        "resolve":{"nodes":[{"id":"a#old@1.0.0"}]}}"#;
    assert_eq!(too_new(metadata, "1.88"), [("a#new@2.1.0", "1.88.1")]);
    assert_eq!(too_new(metadata, "1.88.1"), []);
    assert_eq!(too_new(metadata, "1.62").len(), 2);
}

/// Cargo reads the packages of every platform for this, and gets those that are not there.
#[test]
#[ignore = "needs packages of other platforms: a step of the gate"]
fn no_package_asks_for_a_newer_compiler() {
    let arguments = ["metadata", "--locked", "--format-version", "1"];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata = String::from_utf8(output.stdout).unwrap();
    assert!(metadata.matches("\"rust_version\":\"").count() > 50);
    assert_eq!(too_new(&metadata, env!("CARGO_PKG_RUST_VERSION")), []);
}
