// The hyperbolic tangent. WGSL's own may be wrong by 1e-5 (https://www.w3.org/TR/WGSL/#concrete-float-accuracy) or
// overflow on its way; this one is precise also near 0.
// @import common/exponential

fn activation(v: f32) -> f32 {
  let e = exp_minus_one(-2.0 * abs(v));
  let t = e / (2.0 + e);
  return select(-t, t, v < 0.0);
}

// 1 - tanh^2, without the difference.
fn slope(v: f32) -> f32 {
  let e = exp(-2.0 * abs(v));
  return 4.0 * e / ((1.0 + e) * (1.0 + e));
}
