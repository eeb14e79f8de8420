// v times the probability that a standard normal variable is below v. If TANH, that is (1 + tanh(u)) / 2 = sigmoid(2 u)
// with u = sqrt(2 / pi) (v + 0.044715 v^3). Factors of v stay outside of all clamping, so NaN propagates.
// @import common/sigmoid

const TANH = false;

const SCALE = 1.5957691216; // 2 sqrt(2 / pi)
const CUBIC = 0.044715;

// Past 12 the sigmoid of 2 u is 0 or 1 in float32, and a cube could overflow.
fn near(v: f32) -> f32 {
  return clamp(v, -12.0, 12.0);
}

fn twice_u(v: f32) -> f32 {
  return SCALE * v * (1.0 + CUBIC * v * v);
}

fn activation(v: f32) -> f32 {
  if (TANH) {
    return v * sigmoid(twice_u(near(v)));
  } else {
    return v * normal_cdf(v);
  }
}

fn slope(v: f32) -> f32 {
  if (TANH) {
    let a = near(v);
    let u = twice_u(a);
    return sigmoid(u) + v * (sigmoid_slope(u) * SCALE * (1.0 + 3.0 * CUBIC * a * a));
  } else {
    return normal_cdf(v) + v * normal_density(v);
  }
}

// The standard normal distribution, which is erf in another scale: the probability of being below v is (1 + erf(v / sqrt(2))) / 2.
// The tail above a is the density's exponential times a factor that is smooth from a = 0 to far out. With u = (a - 3) /
// (a + 3), (a + 3) times that factor is a polynomial in u to 2e-8 of its value for a up to 9: it agrees with it at the
// nine Chebyshev points of that range. The mapping is Schonfelder's, Mathematics of Computation 32 (1978);
// src/engine/ops/activation/activation.test.ts computes the coefficients again. In float32 it is up to 1.5e-7 off, and
// up to 1e-6 of the tail itself for a <= 3.
fn normal_tail(a: f32) -> f32 {
  let t = 1.0 / (a + 3.0);
  let u = (a - 3.0) * t;
  let p = 0.72908369 + u * (-0.509331966 + u * (0.230017944 + u * (-0.0472632616 + u * (-0.0104688574 +
    u * (0.0069687594 + u * (0.00106739439 + u * (-0.000990482322 + u * -0.000317132636)))))));
  return exp(-0.5 * a * a) * (p * t);
}

fn normal_cdf(v: f32) -> f32 {
  // Past 15 the tail is 0 in float32, and a square could overflow.
  let tail = normal_tail(min(abs(v), 15.0));
  return select(tail, 1.0 - tail, v > 0.0);
}

fn normal_density(v: f32) -> f32 {
  let a = min(abs(v), 15.0);
  return 0.3989422804 * exp(-0.5 * a * a);
}
