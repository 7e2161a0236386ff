//! A room uses only rooms above it in the list of DESIGN.md, so that no two rooms go in a circle; and no files inside
//! of a room do.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::source;

/// Imports that are not right yet: the file, and the room that it should not use. Each must still be there: what is
/// mended leaves this list.
const NOT_YET: [(&str, &str); 0] = [];

/// The rooms of DESIGN.md in order, as paths of modules that start with the crate. Of a line only the names it starts
/// with are rooms: with a slash or `.rs`, and in parentheses behind one the rooms inside of it; a line further in is
/// inside the room before.
fn rooms(design: &str) -> Vec<Vec<String>> {
    let block =
        design.split("crates/\n").nth(1).expect("DESIGN.md lists the rooms").split("```").next().unwrap_or_default();
    let mut rooms: Vec<Vec<String>> = Vec::new();
    let mut outer: Vec<String> = Vec::new();
    for line in block.lines().filter(|line| line.starts_with("  ")) {
        let inside = line.starts_with("    ");
        if line.starts_with("      ") {
            continue; // a description that goes on
        }
        let mut rest = line.trim_start();
        while let Some(name) = rest.split_whitespace().next().and_then(room_name) {
            rest = rest[rest.find(char::is_whitespace).unwrap_or(rest.len())..].trim_start();
            let mut path = if inside { outer.clone() } else { Vec::new() };
            path.extend(name.split('/').map(str::to_owned));
            if !inside {
                outer.clone_from(&path);
            }
            if let Some(group) = rest.strip_prefix('(') {
                let (names, behind) = group.split_once(')').expect("a parenthesis is closed on its line");
                for name in names.split(',') {
                    rooms.push(path.iter().cloned().chain([name.trim().to_owned()]).collect());
                }
                rest = behind.trim_start();
            }
            rooms.push(path);
        }
    }
    rooms
}

/// The path before a slash or `.rs`, such as `gem-hunter/`.
fn room_name(word: &str) -> Option<&str> {
    let name = word.strip_suffix('/').or_else(|| word.strip_suffix(".rs"))?;
    (name != "lib" && name.chars().all(|sign| sign.is_ascii_lowercase() || "-_/".contains(sign))).then_some(name)
}

/// Every file of the crates by its module's path, the crate's folder first, without what only tests compile.
pub(crate) struct House {
    pub(crate) code: BTreeMap<Vec<String>, String>,
    files: HashMap<Vec<String>, PathBuf>,
    /// The imports of each module: name and path, the latter with the crate first.
    names: HashMap<Vec<String>, HashMap<String, Vec<String>>>,
}

impl House {
    pub(crate) fn read(crates: &Path) -> io::Result<Self> {
        let mut house = Self { code: BTreeMap::new(), files: HashMap::new(), names: HashMap::new() };
        let mut left = Vec::new();
        for entry in fs::read_dir(crates)? {
            left.push(entry?.path().join("src"));
        }
        while let Some(dir) = left.pop() {
            for entry in fs::read_dir(dir)? {
                let path = entry?.path();
                if path.is_dir() {
                    left.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let inner = path.strip_prefix(crates).expect("below the crates").with_extension("");
                    let mut module: Vec<String> =
                        inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                    // The folder `src` is no module.
                    module.remove(1);
                    let is_root = module.len() == 2 && matches!(&*module[1], "lib" | "main");
                    if is_root || module.last().is_some_and(|last| last == "mod") {
                        module.pop();
                    }
                    house.code.insert(module.clone(), source::without_tests(&fs::read_to_string(&path)?));
                    house.files.insert(module, path);
                }
            }
        }
        for (module, code) in &house.code {
            let names = source::imports(code)
                .into_iter()
                .filter_map(|(name, path)| Some((name, house.absolute(module, &path)?)))
                .collect();
            house.names.insert(module.clone(), names);
        }
        Ok(house)
    }

    /// A path of a file's `use`, the crate first; none for crates of others.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some([&module[..1], rest].concat()),
            "cnfkit_core" | "cnfkit_ask" | "cnfkit_encode" => {
                // `internals` passes on names of its crate's other rooms.
                let rest = rest.strip_prefix(&["internals".to_owned()][..]).unwrap_or(rest);
                Some([&[first["cnfkit_".len()..].to_owned()], rest].concat())
            }
            "self" => Some([module, rest].concat()),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                Some([&module[..module.len().checked_sub(ups)?], &path[ups..]].concat())
            }
            _ => {
                let child = [module, &path[..1]].concat();
                self.code.contains_key(&child).then(|| [module, path].concat())
            }
        }
    }

    /// The module that a path leads to, through whatever modules it is re-exported by.
    fn module_of(&self, path: &[String]) -> Vec<String> {
        let (mut module, mut rest) = (Vec::new(), path.to_vec());
        // Re-exports of re-exports are few.
        for _ in 0..32 {
            let Some(next) = rest.first() else { break };
            let child = [&module[..], &rest[..1]].concat();
            if self.code.contains_key(&child) {
                module = child;
                rest.remove(0);
            } else if let Some(target) = self.names.get(&module).and_then(|names| names.get(next)) {
                rest = [&target[..], &rest[1..]].concat();
                module = Vec::new();
            } else {
                break;
            }
        }
        module
    }

    /// True if only tests compile a file: somewhere above, no `mod` outside of tests names it.
    pub(crate) fn is_for_tests(&self, module: &[String]) -> bool {
        (0..module.len()).any(|depth| {
            let declared = format!("mod {};", module[depth]);
            self.code.get(&module[..depth]).is_some_and(|code| !code.contains(&declared))
        })
    }

    /// The modules that a file uses.
    fn used_by(&self, module: &[String]) -> BTreeSet<Vec<String>> {
        let code = &self.code[module];
        let imported = source::imports(code).into_iter().map(|(_, path)| path);
        let paths = imported.chain(source::paths(code)).filter_map(|path| self.absolute(module, &path));
        paths
            .filter(|path| !path.is_empty())
            .map(|path| self.module_of(&path))
            .filter(|used| !used.is_empty())
            .collect()
    }
}

/// The narrowest room a module is in.
fn room_of(rooms: &[Vec<String>], module: &[String]) -> Option<usize> {
    let holds = |room: &&Vec<String>| module.starts_with(room);
    let room = rooms.iter().filter(holds).max_by_key(|room| room.len())?;
    rooms.iter().position(|other| other == room)
}

#[test]
fn a_room_uses_only_rooms_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rooms = rooms(&fs::read_to_string(root.join("DESIGN.md")).unwrap());
    assert!(rooms.len() > 20, "the list of rooms in DESIGN.md was not understood: {rooms:?}");
    let house = House::read(&root.join("crates")).unwrap();
    let name = |room: usize| rooms[room].join("/");
    let mut wrong = Vec::new();
    for room in &rooms {
        if !house.code.contains_key(room) && !house.code.keys().any(|module| module.starts_with(room)) {
            wrong.push(format!("DESIGN.md: there is no room {}", room.join("/")));
        }
    }
    let mut excused = BTreeSet::new();
    for module in house.code.keys().filter(|module| !module.is_empty()) {
        let file = house.files[module].strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let Some(own) = room_of(&rooms, module) else {
            wrong.push(format!("{file} is in no room of DESIGN.md"));
            continue;
        };
        if house.is_for_tests(module) {
            continue;
        }
        for used in house.used_by(module) {
            let Some(other) = room_of(&rooms, &used) else { continue };
            // The page of a room may name what is inside; what is inside uses no more of it than the names it passes
            // on.
            let is_inside =
                rooms[other].starts_with(&rooms[own]) || used.len() < module.len() && module.starts_with(&used);
            if other <= own || is_inside {
                continue;
            }
            match NOT_YET.iter().find(|(from, to)| *from == file && *to == name(other)) {
                Some(excuse) => drop(excused.insert(*excuse)),
                None => wrong.push(format!("{file} ({}) uses {}, which is below it", name(own), used.join("::"))),
            }
        }
    }
    for excuse in NOT_YET.iter().filter(|excuse| !excused.contains(*excuse)) {
        wrong.push(format!("{} no longer uses {}: take it off NOT_YET", excuse.0, excuse.1));
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "against the order of rooms in DESIGN.md:\n{}", wrong.join("\n"));
}

/// Uses that close a circle of files and stay, each with the reason: two types that hold each other. Each must still be
/// there.
const CLOSING: [(&str, &str); 4] = [
    // A sink gives what encodes a writer that goes to it, and a writer is a sink.
    ("encode/sink", "encode/sink/writer"),
    // A formula keeps its plan until it changes, and a plan is made of a formula.
    ("core/formula", "core/formula/plan"),
    // A model owns the nodes of what is posted, and making a node adds variables to the model.
    ("model", "model/node"),
    // A constraint may be any rule, and the negation of a rule is a constraint.
    ("model/constraint", "model/rule"),
];

/// Files that a file names outside of `pub use`: what it passes on it does not rest on.
fn named_by(house: &House, module: &[String]) -> BTreeSet<Vec<String>> {
    let code = source::without_uses(&house.code[module], true);
    let imported = source::imports(&code).into_iter().map(|(_, path)| path);
    let inline = source::paths(&source::without_uses(&code, false));
    let paths = imported.chain(inline).filter_map(|path| house.absolute(module, &path));
    paths.map(|path| house.module_of(&path)).filter(|used| house.code.contains_key(used) && used != module).collect()
}

/// The files that can be reached from each.
fn reachable<'a>(
    graph: &'a BTreeMap<&'a Vec<String>, BTreeSet<Vec<String>>>,
    from: &'a Vec<String>,
) -> BTreeSet<&'a Vec<String>> {
    let mut found = BTreeSet::new();
    let mut left = vec![from];
    while let Some(next) = left.pop() {
        left.extend(graph.get(next).into_iter().flatten().filter(|used| found.insert(*used)));
    }
    found
}

#[test]
fn no_files_go_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let house = House::read(&root.join("crates")).unwrap();
    let files = house.code.keys().filter(|module| !module.is_empty() && !house.is_for_tests(module));
    let mut graph: BTreeMap<_, _> = files.map(|module| (module, named_by(&house, module))).collect();
    let mut wrong = BTreeSet::new();
    for (from, to) in CLOSING {
        let [from, to] = [from, to].map(|path| path.split('/').map(str::to_owned).collect::<Vec<_>>());
        let is_closing = graph.contains_key(&from) && reachable(&graph, &to).contains(&from);
        if !is_closing || !graph.get_mut(&from).is_some_and(|uses| uses.remove(&to)) {
            wrong.insert(format!(
                "{} no longer closes a circle by {}: take it off CLOSING",
                from.join("/"),
                to.join("/")
            ));
        }
    }
    let reached: BTreeMap<_, _> = graph.keys().map(|module| (*module, reachable(&graph, module))).collect();
    for (module, found) in &reached {
        let is_back = |other: &&&Vec<String>| reached.get(**other).is_some_and(|back| back.contains(module));
        let circle: Vec<String> = found.iter().filter(is_back).map(|other| other.join("/")).collect();
        if circle.len() > 1 {
            wrong.insert(format!("a circle: {}", circle.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "files that use each other:\n{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}
