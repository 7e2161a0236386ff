//! A map with few colours.

use cnfkit::model::{IntVar, Model};

use crate::api::model::Page;
use crate::api::model::answer::{Answer, Drawing, Goal, Region, ask};
use crate::api::model::parameters::{Chosen, Parameter, wrong};
use crate::jobs::Work;
use crate::problem::Problem;

pub(super) const PAGE: Page = Page {
    name: "map",
    title: "Map colouring",
    about: "Colours for the regions of a map, such that neighbours differ; here the states of Australia.",
    parameters: &[
        Parameter::integer("colours", "Colours", "how many colours there are", [1, 3, 8]),
        Parameter::text(
            "borders",
            "Borders",
            "a region a line and, behind a colon, its neighbours; or with its place (from 0 to 1) before the colon, \
             as in NSW 0.8 0.6: QLD, VIC",
            AUSTRALIA,
        ),
    ],
    file: include_str!("map.rs"),
    run,
};

const AUSTRALIA: &str = "WA 0.15 0.45: NT, SA\nNT 0.45 0.25: SA, QLD\nSA 0.5 0.6: QLD, NSW, VIC\nQLD 0.8 0.3: NSW\n\
                         NSW 0.85 0.6: VIC\nVIC 0.75 0.8\nTAS 0.8 1";
const MOST_REGIONS: usize = 200;

/// Colours for regions, such that regions with a border differ.
fn model(regions: usize, borders: &[[usize; 2]], colours: i64) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let colour = model.ints(regions, 0..colours);
    for &[one, other] in borders {
        model.post(colour[one].ne(colour[other]));
    }
    (model, colour)
}

fn run(chosen: &Chosen<'_>, work: &Work) -> Result<Answer, Problem> {
    let (mut regions, borders) = read(&chosen.lines("borders", MOST_REGIONS)?)?;
    let (model, colours) = model(regions.len(), &borders, chosen.integer("colours")?);
    ask(model, Goal::Any, work, |solution, _| {
        for (region, colour) in regions.iter_mut().zip(solution.values(&colours)) {
            region.colour = colour;
        }
        let line = |region: &Region| format!("{}: colour {}", region.name, region.colour + 1);
        let text = regions.iter().map(line).collect::<Vec<_>>().join("\n");
        Drawing::Map { regions, borders, text }
    })
}

fn read(lines: &[&str]) -> Result<(Vec<Region>, Vec<[usize; 2]>), Problem> {
    let mut regions: Vec<Region> = Vec::new();
    let mut borders = Vec::new();
    let index = |regions: &mut Vec<Region>, name: &str| {
        regions.iter().position(|region| region.name == name).unwrap_or_else(|| {
            regions.push(Region { name: name.to_owned(), colour: 0, x: None, y: None });
            regions.len() - 1
        })
    };
    for (number, line) in lines.iter().enumerate() {
        let bad = |what: &str| wrong("borders", format!("line {}: {what}", number + 1));
        let (head, others) = line.split_once(':').unwrap_or((line, ""));
        let mut words = head.split_whitespace();
        let name = words.next().ok_or_else(|| bad("a name stands before the colon"))?;
        let places: Vec<f64> =
            words.map_while(|word| word.parse().ok().filter(|at| (0.0..=1.0).contains(at))).collect();
        let region = index(&mut regions, name);
        match (places[..].as_ref(), head.split_whitespace().count()) {
            ([], 1) => {}
            (&[x, y], 3) => (regions[region].x, regions[region].y) = (Some(x), Some(y)),
            _ => return Err(bad("before the colon stand a name and, perhaps, two numbers from 0 to 1")),
        }
        for name in others.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let other = index(&mut regions, name);
            if other == region {
                return Err(bad("a region has no border with itself"));
            }
            borders.push([region, other]);
        }
    }
    if regions.is_empty() || regions.len() > MOST_REGIONS {
        let error = format!("{} regions; allowed are 1 to {MOST_REGIONS}", regions.len());
        return Err(wrong("borders", error));
    }
    Ok((regions, borders))
}
