use super::*;
use std::time::Instant;

#[test]
fn dev_certain() {
    for (side, d, r) in [(16, 0.2, 0.5), (100, 0.2, 0.5), (1000, 0.2, 0.5), (200, 0.35, 0.4), (1000, 0.35, 0.4)] {
        let (map, _) = plant(side, side, d, r, 1);
        let e = GemHunterEncoder::new(map);
        let t = Instant::now();
        let a = e.solve().unwrap().unwrap();
        println!("{side} {d} {r} solve {:?}", t.elapsed());
        assert!(e.verify(&a).unwrap().is_empty());
        let t = Instant::now();
        let d = e.deduce().unwrap().unwrap();
        println!(
            "{side} {r} certain {:?} {} {} {}",
            t.elapsed(),
            d.count(Kind::Trap),
            d.count(Kind::Gem),
            d.count(Kind::Undecided)
        );
    }
}
#[test]
fn dev_gen() {
    for (r, c, d) in [(8, 8, 0.2), (16, 30, 0.2), (100, 100, 0.2), (50, 50, 0.35)] {
        let t = Instant::now();
        let map = generate(r, c, d, 7);
        println!("{r} {c} {d} generate {:?} unknown {}", t.elapsed(), map.count(Cell::Unknown));
        let t = Instant::now();
        assert!(GemHunterEncoder::new(map).is_unique().unwrap());
        println!("unique {:?}", t.elapsed());
    }
}
