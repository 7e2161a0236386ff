//! A [`Blueprint`] as a picture: layers from the inputs on, in the manner of K. Sugiyama, S. Tagawa, M. Toda, *Methods
//! for visual understanding of hierarchical system structures*, IEEE Transactions on Systems, Man, and Cybernetics
//! 11(2), 1981. An auxiliary stands in the layer of its depth, at the height of the middle of its inputs, and parts
//! that would overlap are moved apart as little as possible.

use std::collections::{BTreeMap, BTreeSet};

use rustsat::types::Var;
use svg::Node;
use svg::node::element::{Circle, Element, Group, Path, Rectangle, Text, Title};

use super::auxiliary::Auxiliary;
use super::blueprint::Blueprint;
use super::board::document;
use super::colour::{Colour, Look};
use super::structure::Structure;
use super::words;

/// Between layers, in user units.
const LAYER: f64 = 110.0;
/// Between nodes that stand one above the other.
const STEP: f64 = 32.0;
/// Between frames that stand one above the other, beside that.
const GAP: f64 = 16.0;
/// The radius of a node.
const RADIUS: f64 = 12.0;
/// Room around everything; arcs between inputs take some of it.
const MARGIN: f64 = 48.0;
/// The height of a line of the text below.
const LINE: f64 = 18.0;
/// The least width, so that each line of the text below fits, in a wide font too.
const WIDTH: f64 = 330.0;

/// Where each variable stands.
type DrawnPlaces = BTreeMap<Var, (f64, f64)>;

impl Blueprint {
    /// A picture of the structure: inputs on the left, auxiliaries to the right of what they depend on, a frame around
    /// those that depend on the same inputs, and a line for each step. A number says how many inputs an auxiliary
    /// counts. Clauses that enforce are thick rings around their auxiliaries, and those of two literals dashed lines.
    /// Where there are no auxiliaries, the inputs stand on a circle. One SVG document.
    ///
    /// For programs that show the picture, a node has the number of its variable from 1 as `data-variable`, and a line
    /// those of its ends as `data-between`.
    #[must_use]
    pub fn to_svg(&self, look: &Look) -> String {
        draw(self, look)
    }
}

fn draw(blueprint: &Blueprint, look: &Look) -> String {
    let structure = blueprint.structure();
    let on_circle = structure.auxiliaries().is_empty() && blueprint.n_inputs() > 2;
    let places = if on_circle { circle(blueprint.n_inputs()) } else { places(blueprint.n_inputs(), &structure) };
    let colour = |colour: Colour| colour.value(look.theme);
    let (mut frames, mut lines, mut nodes) = (Group::new(), Group::new(), Group::new());
    for part in structure.parts().iter().filter(|part| part.len() > 1) {
        frames.append(frame(part, &places).set("fill", colour(Colour::Region1)));
    }
    let mut steps = Group::new().set("stroke", colour(Colour::Soft)).set("stroke-width", 1).set("fill", "none");
    for auxiliary in structure.auxiliaries() {
        for from in auxiliary.from() {
            steps.append(between(step(places[from], places[&auxiliary.var()]), *from, auxiliary.var()));
        }
    }
    let mut pairs = Group::new().set("stroke", colour(Colour::Mark)).set("stroke-width", 1.2).set("fill", "none");
    pairs = pairs.set("stroke-dasharray", "4 3");
    for (a, b) in restricted_pairs(blueprint) {
        let (from, to) = (places[&a], places[&b]);
        let line = if on_circle { chord(from, to) } else { pair(from, to, a.idx() < blueprint.n_inputs()) };
        pairs.append(between(line, a, b));
    }
    lines.append(steps);
    lines.append(pairs);
    for input in 0..blueprint.n_inputs() {
        let var = Var::new(input as u32);
        let ring = Rectangle::new().set("width", 2.0 * RADIUS).set("height", 2.0 * RADIUS);
        let (x, y) = places[&var];
        let ring = ring.set("x", x - RADIUS).set("y", y - RADIUS).set("rx", 4);
        let ring = ring.set("fill", colour(Colour::Paper)).set("stroke", colour(Colour::Ink));
        let name = format!("x{}", input + 1);
        nodes.append(node(format!("input {name}"), var, ring.into(), (x, y), &name, look));
    }
    for auxiliary in structure.auxiliaries() {
        let (x, y) = places[&auxiliary.var()];
        let (stroke, width) = if auxiliary.is_enforced() { (Colour::Mark, 3.0) } else { (Colour::Ink, 1.0) };
        let ring = Circle::new().set("cx", x).set("cy", y).set("r", RADIUS).set("fill", colour(Colour::Paper));
        let ring = ring.set("stroke", colour(stroke)).set("stroke-width", width);
        let title = format!("{}: {}", auxiliary.name(), auxiliary.role());
        nodes.append(node(title, auxiliary.var(), ring.into(), (x, y), &short(auxiliary), look));
    }
    let width = places.values().map(|place| place.0).fold(WIDTH - MARGIN, f64::max) + MARGIN;
    let height = places.values().map(|place| place.1).fold(0.0, f64::max) + MARGIN / 2.0 + RADIUS;
    let (clauses, enforcing) =
        blueprint.clauses().fold((0, 0), |(all, some), (_, it)| (all + 1, some + usize::from(it)));
    let size = [
        format!("{} inputs, {} auxiliaries", blueprint.n_inputs(), structure.auxiliaries().len()),
        format!("{clauses} clauses, of which {enforcing} restrict (rings, dashes)"),
    ];
    let mut caption =
        Group::new().set("fill", colour(Colour::Soft)).set("font-family", "sans-serif").set("font-size", 12);
    let mut below = height;
    for line in size.iter().map(String::as_str).chain(legend(blueprint, &structure)) {
        caption.append(Text::new(line).set("x", 12).set("y", below + 12.0));
        below += LINE;
    }
    let title = look
        .title
        .clone()
        .unwrap_or_else(|| format!("The structure of an encoding of {} literals", blueprint.n_inputs()));
    let description = format!("{}. {}", size.join(", "), parts_text(&structure));
    document(width.ceil(), (below + LINE / 2.0).ceil(), look.theme, &title, &description)
        .add(frames)
        .add(lines)
        .add(nodes)
        .add(caption)
        .to_string()
}

/// The legend of the signs that are there.
fn legend(blueprint: &Blueprint, structure: &Structure) -> Vec<&'static str> {
    let some = |sign: fn(&Auxiliary) -> bool| structure.auxiliaries().iter().any(sign);
    let plain = blueprint.weights().iter().all(|&weight| weight == 1);
    let mut signs = Vec::new();
    if structure.parts().iter().any(|part| part.len() > 1) {
        signs.push("frame: the same inputs");
    }
    if some(|auxiliary| auxiliary.count().is_some()) {
        signs.push(if plain { "number j: at least j of them are true" } else { "number j: they sum up to at least j" });
    }
    if some(|auxiliary| auxiliary.count().is_some_and(|count| !count.of)) {
        signs.push("j¬: false");
    }
    if some(|auxiliary| auxiliary.count().is_none()) {
        signs.push("a1, a2, …: others");
    }
    signs
}

/// Inputs on a circle, for clauses without auxiliaries.
fn circle(inputs: usize) -> DrawnPlaces {
    let radius = (2.5 * STEP).max(STEP * inputs as f64 / std::f64::consts::TAU);
    let place = |input: usize| {
        let (sin, cos) = (std::f64::consts::TAU * input as f64 / inputs as f64).sin_cos();
        // Whole units: the last digits of a sine differ from machine to machine.
        ((MARGIN + radius * (1.0 + sin)).round(), (MARGIN / 2.0 + RADIUS + radius * (1.0 - cos)).round())
    };
    (0..inputs).map(|input| (Var::new(input as u32), place(input))).collect()
}

/// Places for all: inputs on the left from top to bottom, auxiliaries by layer.
fn places(inputs: usize, structure: &Structure) -> DrawnPlaces {
    let height = |input: usize| MARGIN / 2.0 + RADIUS + STEP * input as f64;
    let mut places: DrawnPlaces = (0..inputs).map(|input| (Var::new(input as u32), (MARGIN, height(input)))).collect();
    let mut layers: BTreeMap<usize, Vec<(f64, Vec<Var>)>> = BTreeMap::new();
    for part in structure.parts() {
        let sum: f64 = part[0].inputs().iter().map(|&input| height(input)).sum();
        let centre = if part[0].inputs().is_empty() { 0.0 } else { sum / part[0].inputs().len() as f64 };
        for auxiliary in part {
            let layer = layers.entry(auxiliary.depth()).or_default();
            match layer.last_mut().filter(|(_, vars)| is_same_part(structure, inputs, vars[0], auxiliary)) {
                Some((_, vars)) => vars.push(auxiliary.var()),
                None => layer.push((centre, vec![auxiliary.var()])),
            }
        }
    }
    for (depth, mut blocks) in layers {
        blocks.sort_by(|a, b| a.0.total_cmp(&b.0));
        let spans: Vec<(f64, f64)> =
            blocks.iter().map(|(centre, vars)| (*centre, STEP * vars.len() as f64 + GAP)).collect();
        for ((_, vars), top) in blocks.iter().zip(apart(&spans)) {
            for (at, &var) in vars.iter().enumerate() {
                let y = top + GAP / 2.0 + STEP * (at as f64 + 0.5);
                places.insert(var, (MARGIN + LAYER * depth as f64, y));
            }
        }
    }
    // Nothing stands above the first input's line.
    let least = places.values().map(|place| place.1).fold(f64::INFINITY, f64::min);
    let down = (height(0) - least).max(0.0);
    places.values_mut().for_each(|place| place.1 += down);
    places
}

fn is_same_part(structure: &Structure, inputs: usize, var: Var, other: &Auxiliary) -> bool {
    structure.auxiliaries()[var.idx() - inputs].inputs() == other.inputs()
}

/// The tops of blocks with these middles, in order, and heights, so that none overlap and the sum of squared distances
/// from the middles is least: blocks that overlap are put together, and stand where they are nearest on average.
fn apart(spans: &[(f64, f64)]) -> Vec<f64> {
    // Sum of where the first top would be best, number of blocks, height of all, and those blocks.
    let mut clusters: Vec<(f64, usize, f64)> = Vec::new();
    for &(centre, height) in spans {
        let mut cluster = (centre - height / 2.0, 1, height);
        while let Some(&(sum, number, above)) = clusters.last() {
            if sum / number as f64 + above <= cluster.0 / cluster.1 as f64 {
                break;
            }
            clusters.pop();
            cluster = (sum + cluster.0 - above * cluster.1 as f64, number + cluster.1, above + cluster.2);
        }
        clusters.push(cluster);
    }
    let mut tops = Vec::with_capacity(spans.len());
    let mut heights = spans.iter().map(|span| span.1);
    for (sum, number, _) in clusters {
        let mut top = sum / number as f64;
        for height in heights.by_ref().take(number) {
            tops.push(top);
            top += height;
        }
    }
    tops
}

/// The pairs of variables of which a clause of two literals, that enforces, names both.
fn restricted_pairs(blueprint: &Blueprint) -> BTreeSet<(Var, Var)> {
    let pairs = blueprint.clauses().filter(|(clause, enforces)| *enforces && clause.len() == 2);
    pairs.map(|(clause, _)| (clause[0].var().min(clause[1].var()), clause[0].var().max(clause[1].var()))).collect()
}

fn frame(part: &[&Auxiliary], places: &DrawnPlaces) -> Rectangle {
    const ROOM: f64 = RADIUS + 6.0;
    let all = || part.iter().map(|auxiliary| places[&auxiliary.var()]);
    let (left, right) = all().fold((f64::INFINITY, 0.0_f64), |(least, most), (x, _)| (least.min(x), most.max(x)));
    let (top, bottom) = all().fold((f64::INFINITY, 0.0_f64), |(least, most), (_, y)| (least.min(y), most.max(y)));
    Rectangle::new()
        .set("x", left - ROOM)
        .set("y", top - ROOM)
        .set("width", right - left + 2.0 * ROOM)
        .set("height", bottom - top + 2.0 * ROOM)
        .set("rx", 10)
}

/// A curve from the right of one node to the left of another.
fn step(from: (f64, f64), to: (f64, f64)) -> Path {
    let (from, to) = ((from.0 + RADIUS, from.1), (to.0 - RADIUS, to.1));
    let half = LAYER / 2.0 - RADIUS;
    let (a, b) = ((from.0 + half, from.1), (to.0 - half, to.1));
    Path::new().set("d", format!("M{} {}C{} {} {} {} {} {}", from.0, from.1, a.0, a.1, b.0, b.1, to.0, to.1))
}

/// An arc beside a layer, or a line between layers.
fn pair(a: (f64, f64), b: (f64, f64), left: bool) -> Path {
    let same_layer = (a.0 - b.0).abs() < 1.0;
    let side = if left && same_layer { -1.0 } else { 1.0 };
    let reach = if same_layer { (14.0 + (a.1 - b.1).abs() / 4.0).min(40.0) } else { LAYER / 2.0 };
    let (from, to) = if same_layer { (a.0 + side * RADIUS, b.0 + side * RADIUS) } else { (a.0 + RADIUS, b.0 - RADIUS) };
    let end = if same_layer { to + side * reach } else { to - reach };
    Path::new().set("d", format!("M{from} {}C{} {} {end} {} {to} {}", a.1, from + side * reach, a.1, b.1, b.1))
}

/// A straight line, as far as the nodes leave it to be seen.
fn chord(a: (f64, f64), b: (f64, f64)) -> Path {
    Path::new().set("d", format!("M{} {}L{} {}", a.0, a.1, b.0, b.1))
}

/// The line, with the numbers of the variables at its ends.
fn between(line: Path, a: Var, b: Var) -> Path {
    line.set("data-between", format!("{} {}", a.idx() + 1, b.idx() + 1))
}

fn node(title: String, var: Var, shape: Element, place: (f64, f64), label: &str, look: &Look) -> Group {
    let text = Text::new(label)
        .set("x", place.0)
        .set("y", place.1)
        .set("font-size", if label.chars().count() > 3 { 9 } else { 12 })
        .set("text-anchor", "middle")
        .set("dominant-baseline", "central")
        .set("font-family", "sans-serif")
        .set("fill", Colour::Ink.value(look.theme));
    Group::new().set("data-variable", var.idx() + 1).add(Title::new(title)).add(shape).add(text)
}

/// The text in a node: the number that it counts to, if it counts, and its name otherwise.
fn short(auxiliary: &Auxiliary) -> String {
    match auxiliary.count() {
        Some(count) if count.of => count.least.to_string(),
        Some(count) => format!("{}¬", count.least),
        None => auxiliary.name().to_owned(),
    }
}

fn parts_text(structure: &Structure) -> String {
    let text = |part: &Vec<&Auxiliary>| {
        let number = part.len();
        let what = if number == 1 { "auxiliary" } else { "auxiliaries" };
        format!("{number} {what} of {}", words::names(part[0].inputs()))
    };
    let parts: Vec<String> = structure.parts().iter().map(text).collect();
    if parts.is_empty() { String::new() } else { format!("{}.", parts.join("; ")) }
}

#[cfg(test)]
mod tests {
    /// The second and the third block, put together, meet the first one.
    #[test]
    fn blocks_stand_where_they_are_nearest_on_average() {
        let tops = super::apart(&[(5.0, 10.0), (16.0, 10.0), (16.0, 10.0), (90.0, 10.0)]);
        let expected = [-8.0, 22.0, 52.0, 255.0].map(|sum| sum / 3.0);
        assert!(tops.iter().zip(expected).all(|(top, expected)| (top - expected).abs() < 1e-9), "{tops:?}");
    }
}
