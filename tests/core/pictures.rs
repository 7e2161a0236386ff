//! Pictures: whole as XML, readable without eyes, light and dark, and true to what they show.

use cnfkit::render::{Auxiliary, Blueprint, Board, Colour, Count, Look, Sense, Theme};
use cnfkit::{AmoEncoding, CardEncoding, Constrain, PbEncoding, Relation};

/// The tags of a picture are closed in order, and it has a title before anything else.
fn check(picture: &str) {
    let mut open = Vec::new();
    for tag in picture.split('<').skip(1).map(|rest| rest.split_once('>').expect("a tag ends").0) {
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{picture}");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let head: Vec<&str> = picture.splitn(3, '\n').take(2).collect();
    assert!(head[0].starts_with("<svg ") && head[0].contains("role=\"img\""), "{}", head[0]);
    assert!(head[1].starts_with("<title>") && head[1].len() > "<title></title>".len(), "{}", head[1]);
}

#[test]
fn a_theme_changes_colours_and_nothing_else() {
    let mut board = Board::new(2, 3);
    board.ground(0, 0, Colour::Region2);
    board.write(1, 2, "12345", Colour::Solved, true);
    board.region(1, 2, 1);
    board.shade(0, 1);
    let [light, dark, system] = [Theme::Light, Theme::Dark, Theme::System].map(|theme| board.to_svg(&Look::new(theme)));
    [&light, &dark, &system].into_iter().for_each(|picture| check(picture));
    assert!(!light.contains("<style") && !dark.contains("<style"), "an inline style is against strict policies");
    let mut recoloured = light.clone();
    for colour in [Colour::Region2, Colour::Solved, Colour::Shade, Colour::Paper, Colour::Ink] {
        let value = |theme| format!("\"{}\"", colour.value(theme));
        recoloured = recoloured.replace(&value(Theme::Light), &value(Theme::Dark));
    }
    assert_eq!(recoloured, dark);
    let (before, rest) = system.split_once("<style>").unwrap();
    assert_eq!(format!("{before}{}", rest.split_once("</style>\n").unwrap().1), light);
    for colour in [Colour::Region2, Colour::Solved, Colour::Shade, Colour::Paper, Colour::Ink] {
        let (light, dark) = (colour.value(Theme::Light), colour.value(Theme::Dark));
        assert!(system.contains(&format!("[fill=\"{light}\"] {{ fill: {dark}; }}")), "{colour:?}");
    }
}

/// Titles and texts of others are text, whatever they contain.
#[test]
fn texts_are_escaped() {
    let mut board = Board::new(1, 1);
    board.write(0, 0, "<&\u{1}>", Colour::Ink, false);
    board.describe("rows", "a < b & c\u{0}");
    let picture = board.to_svg(&Look::new(Theme::Light).titled("</title><script>x</script>"));
    check(&picture);
    assert!(
        !picture.contains("<script") && picture.contains("&lt;script&gt;") && picture.contains("\n&lt;&amp;&gt;\n")
    );
    assert!(picture.contains("a &lt; b &amp; c<"));
}

#[test]
fn cells_are_marked_once_and_only_where_they_are() {
    let board = Board::new(3, 3);
    let rings = |look: &Look| board.to_svg(look).matches("rx=").count();
    assert_eq!(rings(&Look::default()), 0);
    assert_eq!(rings(&Look::default().marking([(0, 0), (2, 2), (0, 0), (3, 0), (0, usize::MAX)])), 2);
    check(&Board::new(0, 0).to_svg(&Look::default()));
}

/// These attributes of all tags of a name that have them.
fn numbers(picture: &str, tag: &str, names: &[&str]) -> Vec<Vec<f64>> {
    let number = |text: &str, name: &str| -> Option<f64> {
        text.split_once(&format!(" {name}=\""))?.1.split('"').next()?.parse().ok()
    };
    let start = format!("<{tag} ");
    let tags = picture.split(&start).skip(1).map(|rest| format!(" {}", rest.split('>').next().unwrap()));
    tags.filter_map(|text| names.iter().map(|name| number(&text, name)).collect()).collect()
}

/// A cell is 40 units, its text in the middle, its ring inside of it; lines are thin within regions only.
#[test]
fn boards_are_to_scale() {
    let mut board = Board::new(2, 3);
    assert_eq!((board.rows(), board.columns()), (2, 3));
    [(0, 2, 1), (1, 2, 1), (1, 1, 2)].iter().for_each(|&(row, column, region)| board.region(row, column, region));
    board.write(0, 1, "7", Colour::Ink, true);
    board.write(1, 2, "12345", Colour::Ink, false);
    board.ground(1, 2, Colour::Region2);
    let picture = board.to_svg(&Look::new(Theme::Light).marking([(1, 2), (0, 3), (2, 0)]));
    let size = numbers(&picture, "svg", &["width", "height"]).concat();
    let margin = (size[0] - 120.0) / 2.0;
    assert!(margin > 0.0 && size == [120.0 + 2.0 * margin, 80.0 + 2.0 * margin]);
    let squares = numbers(&picture, "rect", &["x", "y", "width", "height"]);
    assert_eq!(squares, [[margin + 80.0, margin + 40.0, 40.0, 40.0], [margin + 84.0, margin + 44.0, 32.0, 32.0]]);
    let texts = numbers(&picture, "text", &["x", "y", "font-size"]);
    assert_eq!(texts, [[margin + 60.0, margin + 20.0, 24.0], [margin + 100.0, margin + 60.0, 13.0]]);
    let (thin, strong) = picture.split_once("stroke-width=\"2.5\"").unwrap();
    let [thin, strong]: [Vec<Vec<i32>>; 2] = [thin, strong].map(|part| {
        let lines = numbers(part, "line", &["x1", "y1", "x2", "y2"]);
        lines.iter().map(|line| line.iter().map(|place| ((place - margin) / 40.0) as i32).collect()).collect()
    });
    assert_eq!(thin, [[1, 0, 1, 1], [0, 1, 1, 1], [2, 1, 3, 1]]);
    let border = |line: &&Vec<i32>| matches!(line[..], [0, _, 0, _] | [3, _, 3, _] | [_, 0, _, 0] | [_, 2, _, 2]);
    assert_eq!((strong.len(), strong.iter().filter(border).count()), (14, 10));
}

fn blueprint(n: usize, relation: Relation, encoding: &CardEncoding) -> Blueprint {
    let mut blueprint = Blueprint::new(n);
    let x = blueprint.inputs();
    blueprint.cardinality(&x, relation, encoding).unwrap();
    blueprint
}

/// A balanced tree: what a node counts, and of which inputs, is what Bailleux and Boufkhad say.
#[test]
fn a_totalizer_is_a_tree_of_counts() {
    for (relation, root) in [(Relation::AtMost(3), 3), (Relation::AtLeast(3), 3)] {
        let structure = blueprint(8, relation, &CardEncoding::Totalizer).structure();
        let counted = |inputs: &[usize]| {
            let of = |auxiliary: &&Auxiliary| auxiliary.inputs() == inputs;
            let counts = structure.auxiliaries().iter().filter(of).map(|auxiliary| auxiliary.count().expect("a count"));
            let mut least: Vec<u64> = counts.filter(|count| count.of).map(|count| count.least).collect();
            least.sort_unstable();
            least
        };
        for pair in [[0, 1], [2, 3], [4, 5], [6, 7]] {
            assert_eq!(counted(&pair), [1, 2], "{relation}");
        }
        for half in [[0, 1, 2, 3], [4, 5, 6, 7]] {
            assert_eq!(counted(&half), (1..=root).collect::<Vec<u64>>(), "{relation}");
        }
        let halves = structure.auxiliaries().iter().filter(|auxiliary| auxiliary.inputs().len() == 4);
        assert!(halves.clone().all(|auxiliary| auxiliary.depth() == 2 && auxiliary.is_enforced()));
        assert!(halves.flat_map(Auxiliary::from).all(|var| (8..).contains(&var.idx())), "nodes of pairs alone");
    }
}

/// Sinz's register i counts the first inputs; a diagram goes from the last inputs to the first.
#[test]
fn chains_are_chains() {
    let structure = blueprint(8, Relation::AtMost(3), &CardEncoding::Sequential).structure();
    for auxiliary in structure.auxiliaries() {
        let number = auxiliary.inputs().len();
        assert_eq!(auxiliary.inputs(), (0..number).collect::<Vec<_>>());
        assert!(auxiliary.count().is_some_and(|count| count.of && count.least <= 3));
    }
    let structure = blueprint(8, Relation::AtMost(3), &CardEncoding::DecisionDiagram).structure();
    for auxiliary in structure.auxiliaries() {
        assert_eq!(auxiliary.inputs().last(), Some(&7));
        assert_eq!(auxiliary.inputs().len(), auxiliary.depth() + 1);
    }
    let last = structure.auxiliaries().last().unwrap();
    assert_eq!(last.count(), Some(Count { least: 5, of: false, sense: Sense::Needed }));
}

/// The direction in which a totalizer is defined, the sums of an adder's bits, and weights.
#[test]
fn roles_say_when_an_auxiliary_is_true() {
    let roles = |blueprint: &Blueprint| -> Vec<String> {
        blueprint.structure().auxiliaries().iter().map(|auxiliary| auxiliary.role().to_owned()).collect()
    };
    let says = |roles: &[String], role: &str| assert!(roles.iter().any(|one| one == role), "{role}: {roles:#?}");
    let most = roles(&blueprint(8, Relation::AtMost(2), &CardEncoding::Totalizer));
    says(&most, "true as soon as one of x1 and x2 is true");
    says(&most, "true as soon as x1 and x2 are all true");
    says(&most, "true as soon as at least 2 of x1 to x4 are true");
    let least = roles(&blueprint(8, Relation::AtLeast(2), &CardEncoding::Totalizer));
    says(&least, "true only if at least 2 of x1 to x4 are true");
    let bits = roles(&blueprint(8, Relation::Exactly(4), &CardEncoding::Adder));
    says(&bits, "true exactly if 1 or 3 of x1 to x3 are true");
    says(&bits, "true exactly if at least 2 of x1 to x3 are true");
    assert!(bits.iter().any(|role| role.starts_with("made of ") && role.contains('a')), "{bits:#?}");
    let weights = [3, 2, 2, 1];
    let mut weighted = Blueprint::weighted(&weights);
    let terms: Vec<_> = weighted.inputs().into_iter().zip(weights).collect();
    weighted.pb_at_most(&terms, 4, &PbEncoding::GeneralizedTotalizer).unwrap();
    let sums = roles(&weighted);
    says(&sums, "true as soon as 3 x1 + 2 x2 ≥ 5");
    assert!(!sums.iter().any(|role| role.contains(" of ")), "{sums:#?}");
}

/// A picture says which node and which line is which variable; without auxiliaries, inputs are on a circle.
#[test]
fn pictures_name_their_variables() {
    let picture = blueprint(6, Relation::AtMost(2), &CardEncoding::Totalizer);
    let structure = picture.structure();
    let steps: usize = structure.auxiliaries().iter().map(|auxiliary| auxiliary.from().len()).sum();
    let svg = picture.to_svg(&Look::default());
    for number in 1..=6 + structure.auxiliaries().len() {
        assert_eq!(svg.matches(&format!("data-variable=\"{number}\"")).count(), 1);
    }
    assert!(svg.matches("data-between=").count() >= steps);
    let pairs = blueprint(6, Relation::AtMost(1), &CardEncoding::Combinatorial).to_svg(&Look::default());
    assert_eq!(pairs.matches("data-between=").count(), 15, "a chord for each pair");
    check(&pairs);
    let columns = pairs.split("<rect ").filter_map(|rect| rect.split_once(" x=\"")?.1.split('"').next());
    assert!(columns.collect::<std::collections::BTreeSet<_>>().len() == 3, "columns of a circle of six");
}

/// The middles of all nodes, by variable.
fn nodes(picture: &str) -> Vec<(f64, f64)> {
    let node = |text: &str| {
        let var: u32 = text.split('"').next().unwrap().parse().unwrap();
        let place = numbers(text, "text", &["x", "y"]).swap_remove(0);
        (var, (place[0], place[1]))
    };
    let mut nodes: Vec<(u32, (f64, f64))> = picture.split("data-variable=\"").skip(1).map(node).collect();
    nodes.sort_by_key(|node| node.0);
    nodes.into_iter().map(|node| node.1).collect()
}

/// Inputs without auxiliaries are a step apart on a circle, which is five steps wide at least, and begins where a
/// column would.
#[test]
fn circles_are_round() {
    let at_most_one = |n, encoding| nodes(&blueprint(n, Relation::AtMost(1), &encoding).to_svg(&Look::default()));
    let column = at_most_one(8, CardEncoding::Sequential);
    let step = column[1].1 - column[0].1;
    for (n, radius) in [(8, 2.5 * step), (32, 32.0 * step / std::f64::consts::TAU)] {
        let (left, top) = column[0];
        for (at, (x, y)) in at_most_one(n, CardEncoding::Combinatorial).into_iter().enumerate() {
            let angle = std::f64::consts::TAU * at as f64 / n as f64;
            let expected = (left + radius + radius * angle.sin(), top + radius - radius * angle.cos());
            assert!((x - expected.0).abs() < 1.0 && (y - expected.1).abs() < 1.0, "{at} of {n}: {x} {y}, {expected:?}");
        }
    }
}

/// Pairs that exclude each other: inputs to the left of their column, auxiliaries to the right of theirs, and lines
/// from one layer to the next.
#[test]
fn pairs_are_joined() {
    use cnfkit::ClauseSink;
    let mut blueprint = Blueprint::new(6);
    let x = blueprint.inputs();
    let [a, b] = [blueprint.new_lit(), blueprint.new_lit()];
    [[!x[0], a], [!x[5], b]].iter().for_each(|clause| blueprint.define(clause).unwrap());
    let pairs = [[x[0], x[1]], [x[0], x[5]], [a, b], [x[2], a]];
    pairs.iter().for_each(|pair| blueprint.add_clause(&pair.map(|lit| !lit)).unwrap());
    let picture = blueprint.to_svg(&Look::default());
    // In quarters, for numbers to be whole.
    let whole = |number: f64| (4.0 * number) as i64;
    let nodes: Vec<(i64, i64)> = nodes(&picture).into_iter().map(|(x, y)| (whole(x), whole(y))).collect();
    let radius = whole(numbers(&picture, "circle", &["r"])[0][0]);
    for [one, other] in pairs {
        let between = format!("data-between=\"{} {}\"", one.vidx() + 1, other.vidx() + 1);
        let paths = picture.split("<path ").filter(|path| path.contains(&between));
        let (_, path) = paths.last().unwrap().split_once("d=\"M").unwrap();
        let path = path.split('"').next().unwrap().split([' ', 'C']);
        let path: Vec<i64> = path.map(|number| whole(number.parse().unwrap())).collect();
        let [from, to] = [nodes[one.vidx()], nodes[other.vidx()]];
        assert_eq!([path[1], path[3], path[5], path[7]], [from.1, from.1, to.1, to.1], "{between}");
        let beside = (whole(14.0) + (from.1 - to.1).abs() / 4).min(whole(40.0));
        let (side, reach) = match from.0 == to.0 {
            true if one.vidx() < 6 => ([-1, -1], beside),
            true => ([1, 1], beside),
            false => ([1, -1], (to.0 - from.0) / 2),
        };
        assert_eq!([path[0], path[6]], [from.0 + side[0] * radius, to.0 + side[1] * radius], "{between}");
        assert_eq!([path[2], path[4]], [path[0] + side[0] * reach, path[6] + side[1] * reach], "{between}");
    }
}

/// A diagram of any encoding has every input and auxiliary once, apart from each other, and each step; negated inputs
/// and other signs change nothing.
#[test]
fn every_encoding_can_be_drawn() {
    let mut blueprints = Vec::new();
    for relation in [Relation::AtMost(3), Relation::AtLeast(3), Relation::Exactly(4)] {
        blueprints.extend(CardEncoding::ALL.iter().map(|encoding| blueprint(9, relation, encoding)));
    }
    for encoding in AmoEncoding::ALL {
        let mut blueprint = Blueprint::new(9);
        let x: Vec<_> = blueprint.inputs().into_iter().map(|lit| !lit).collect();
        blueprint.exactly_one(&x, encoding).unwrap();
        blueprints.push(blueprint);
    }
    for encoding in PbEncoding::ALL {
        let mut blueprint = Blueprint::new(7);
        let x: Vec<_> = blueprint.inputs().into_iter().zip([3, 5, 7, 2, 4, 6, 9]).collect();
        blueprint.pb_at_most(&x, 17, encoding).unwrap();
        blueprints.push(blueprint);
    }
    for blueprint in blueprints {
        let picture = blueprint.to_svg(&Look::default());
        check(&picture);
        let structure = blueprint.structure();
        assert_eq!(picture.contains("frame: "), structure.parts().iter().any(|part| part.len() > 1));
        assert_eq!(structure.parts().concat().len(), structure.auxiliaries().len());
        let places: Vec<(f64, f64)> = picture
            .split("<circle ")
            .skip(1)
            .map(|circle| {
                let number =
                    |name: &str| circle.split_once(name).unwrap().1.split('"').nth(1).unwrap().parse().unwrap();
                (number("cx="), number("cy="))
            })
            .collect();
        assert_eq!(places.len(), structure.auxiliaries().len());
        for (at, a) in places.iter().enumerate() {
            assert!(places[..at].iter().all(|b| (a.0 - b.0).hypot(a.1 - b.1) > 24.0), "two nodes at {a:?}");
        }
        let steps: usize = structure.auxiliaries().iter().map(|auxiliary| auxiliary.from().len()).sum();
        assert!(picture.matches("<path ").count() >= steps);
        for auxiliary in structure.auxiliaries() {
            assert!(auxiliary.from().iter().all(|var| *var != auxiliary.var()));
        }
    }
}

/// Clauses that define each other in a circle are drawn, too: an encoding of somebody else's may have them.
#[test]
fn circles_are_drawn() {
    use cnfkit::ClauseSink;
    let mut blueprint = Blueprint::new(1);
    let [a, b] = [blueprint.new_lit(), blueprint.new_lit()];
    let x = blueprint.inputs()[0];
    for clause in [[a, !b], [!a, b], [a, x], [!a, !x], [b, x], [!b, !x]] {
        blueprint.define(&clause).unwrap();
    }
    check(&blueprint.to_svg(&Look::new(Theme::System)));
    assert!(blueprint.structure().auxiliaries().iter().all(|auxiliary| auxiliary.inputs() == [0]));
}

/// Red, green and blue of a value, from 0 to 255.
fn rgb(value: &str) -> [u8; 3] {
    match value {
        "white" => [255; 3],
        "black" => [0; 3],
        _ => [1, 3, 5].map(|at| u8::from_str_radix(&value[at..at + 2], 16).unwrap()),
    }
}

/// Relative luminance: W3C, Web Content Accessibility Guidelines 2.1, 2018.
fn luminance(value: &str) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = rgb(value).map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Level AA: 4.5 for text, 3 for marks.
#[test]
fn text_stands_out_from_every_ground_it_is_on() {
    use Colour::{Alarm, Filled, GemGround, Good, Ink, Mark, Paper, Soft, Solved, TrapGround, Unknown};
    let mut pairs = vec![(Alarm, TrapGround), (Good, GemGround), (Ink, Unknown), (Soft, Unknown)];
    for ground in Colour::REGIONS.into_iter().chain([Paper]) {
        pairs.extend([Ink, Soft, Solved, Alarm, Good].map(|text| (text, ground)));
    }
    for theme in [Theme::Light, Theme::Dark] {
        for &(text, ground) in &pairs {
            let found = contrast(text.value(theme), ground.value(theme));
            assert!(found >= 4.5, "{text:?} on {ground:?}, {theme:?}: {found:.2}");
        }
        for ground in Colour::REGIONS.into_iter().chain([Paper, TrapGround, GemGround, Unknown]) {
            let found = contrast(Mark.value(theme), ground.value(theme));
            assert!(found >= 3.0, "ring on {ground:?}, {theme:?}: {found:.2}");
        }
        assert!(contrast(Filled.value(theme), Paper.value(theme)) >= 3.0);
    }
}

/// The style sheet goes by the light value.
#[test]
fn no_two_colours_are_the_same_when_light() {
    for (at, a) in Colour::ALL.iter().enumerate() {
        for b in &Colour::ALL[at + 1..] {
            assert_ne!(a.value(Theme::Light), b.value(Theme::Light), "{a:?} and {b:?}");
        }
    }
    let style = Board::new(1, 1).to_svg(&Look::new(Theme::System));
    assert_eq!(style.matches("; }").count(), 2 * Colour::ALL.len());
}
