//! SEND + MORE = MONEY: each letter stands for a digit (H. E. Dudeney, Strand Magazine, July 1924).

use cnfkit::model::{Expr, IntVar, Model, Solution};

pub(crate) fn page(_: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let mut model = Model::new();
    let letters = model.ints(8, 0..=9);
    let [s, e, n, d, m, o, r, y] = letters[..] else { unreachable!("eight letters") };
    let number = |word: &[IntVar]| word.iter().fold(Expr::from(0), |number, &digit| 10 * number + digit);
    let (send, more, money) = (number(&[s, e, n, d]), number(&[m, o, r, e]), number(&[m, o, n, e, y]));
    model.all_different(&letters);
    model.post(s.ge(1));
    model.post(m.ge(1));
    model.post((&send + &more).eq(&money));
    let show = move |solution: &Solution, _| {
        let [send, more, money] = [&send, &more, &money].map(|word| solution.value_of(word));
        format!("{send} + {more} = {money}")
    };
    (model, None, Box::new(show))
}
