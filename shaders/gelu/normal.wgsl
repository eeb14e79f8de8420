// The standard normal distribution, which is erf in another scale: the chance to be below v is (1 + erf(v / sqrt(2))) / 2.
// The tail beyond a is the density's exponential times a factor that is smooth from a = 0 to far out. With
// u = (a - 3) / (a + 3), (a + 3) times that factor is a polynomial in u to 2e-8 of its value for a up to 9: it agrees
// with it at the nine Chebyshev points of that range. The mapping is Schonfelder's, Mathematics of Computation 32 (1978);
// src/engine/ops/gelu/normal.test.ts makes the coefficients again. In float32 it is up to 1.5e-7 off, and up to
// 1e-6 of the tail itself for a <= 3.
fn normal_tail(a: f32) -> f32 {
  let t = 1.0 / (a + 3.0);
  let u = (a - 3.0) * t;
  let p = 0.72908369 + u * (-0.509331966 + u * (0.230017944 + u * (-0.0472632616 + u * (-0.0104688574 +
    u * (0.0069687594 + u * (0.00106739439 + u * (-0.000990482322 + u * -0.000317132636)))))));
  return exp(-0.5 * a * a) * (p * t);
}

fn normal_cdf(v: f32) -> f32 {
  // Beyond 15 the tail is 0 in float32, and a square could overflow.
  let tail = normal_tail(min(abs(v), 15.0));
  return select(tail, 1.0 - tail, v > 0.0);
}

fn normal_density(v: f32) -> f32 {
  let a = min(abs(v), 15.0);
  return 0.3989422804 * exp(-0.5 * a * a);
}
