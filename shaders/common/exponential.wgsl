// e^v - 1 for v <= 0, to a few units in the last place also near 0, where the difference would cancel: there it is the
// series, whose first omitted term is v^9 / 9!.
fn exp_minus_one(v: f32) -> f32 {
  let series = v * (1.0 + v / 2.0 * (1.0 + v / 3.0 * (1.0 + v / 4.0 * (1.0 + v / 5.0 * (1.0 + v / 6.0 *
    (1.0 + v / 7.0 * (1.0 + v / 8.0)))))));
  return select(exp(v) - 1.0, series, v > -0.5);
}

// log(1 + v) for v from 0 to 1, as precise: 2 artanh(s), s = v / (2 + v), of which s^2 is at most 1/9.
fn log_one_plus(v: f32) -> f32 {
  let s = v / (2.0 + v);
  let z = s * s;
  return 2.0 * s * (1.0 + z * (1.0 / 3.0 + z * (1.0 / 5.0 + z * (1.0 / 7.0 + z * (1.0 / 9.0 + z * (1.0 / 11.0 +
    z * (1.0 / 13.0 + z / 15.0)))))));
}
