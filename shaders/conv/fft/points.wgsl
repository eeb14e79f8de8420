// Discrete Fourier transforms of 4, 8, 16 and 32 complex numbers in registers: X[k] = sum over n of x[n] e^(-2 pi i k n / L).
// The inverse, without its factor 1 / L, is the same with real and imaginary parts swapped before and after.

// e^(-2 pi i n / 32), rounded from the exact numbers.
const ROOTS = array<vec2f, 24>(
  vec2f(1.0, 0.0),
  vec2f(0.98078528040323045, -0.19509032201612827),
  vec2f(0.92387953251128676, -0.38268343236508977),
  vec2f(0.83146961230254524, -0.55557023301960222),
  vec2f(0.70710678118654752, -0.70710678118654752),
  vec2f(0.55557023301960222, -0.83146961230254524),
  vec2f(0.38268343236508977, -0.92387953251128676),
  vec2f(0.19509032201612827, -0.98078528040323045),
  vec2f(0.0, -1.0),
  vec2f(-0.19509032201612827, -0.98078528040323045),
  vec2f(-0.38268343236508977, -0.92387953251128676),
  vec2f(-0.55557023301960222, -0.83146961230254524),
  vec2f(-0.70710678118654752, -0.70710678118654752),
  vec2f(-0.83146961230254524, -0.55557023301960222),
  vec2f(-0.92387953251128676, -0.38268343236508977),
  vec2f(-0.98078528040323045, -0.19509032201612827),
  vec2f(-1.0, 0.0),
  vec2f(-0.98078528040323045, 0.19509032201612827),
  vec2f(-0.92387953251128676, 0.38268343236508977),
  vec2f(-0.83146961230254524, 0.55557023301960222),
  vec2f(-0.70710678118654752, 0.70710678118654752),
  vec2f(-0.55557023301960222, 0.83146961230254524),
  vec2f(-0.38268343236508977, 0.92387953251128676),
  vec2f(-0.19509032201612827, 0.98078528040323045),
);

fn times(a: vec2f, b: vec2f) -> vec2f {
  return vec2f(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

fn dft4(a: vec2f, b: vec2f, c: vec2f, d: vec2f) -> array<vec2f, 4> {
  let even = a + c;
  let odd = b + d;
  let even_half = a - c;
  let odd_half = vec2f(b.y - d.y, d.x - b.x); // -i (b - d)
  return array<vec2f, 4>(even + odd, even_half + odd_half, even - odd, even_half - odd_half);
}

fn dft8(x: array<vec2f, 8>) -> array<vec2f, 8> {
  let even = dft4(x[0], x[2], x[4], x[6]);
  let odd = dft4(x[1], x[3], x[5], x[7]);
  let odd1 = ROOTS[4].x * vec2f(odd[1].x + odd[1].y, odd[1].y - odd[1].x);
  let odd2 = vec2f(odd[2].y, -odd[2].x);
  let odd3 = ROOTS[4].x * vec2f(odd[3].y - odd[3].x, -odd[3].x - odd[3].y);
  return array<vec2f, 8>(
    even[0] + odd[0],
    even[1] + odd1,
    even[2] + odd2,
    even[3] + odd3,
    even[0] - odd[0],
    even[1] - odd1,
    even[2] - odd2,
    even[3] - odd3,
  );
}

// Four transforms over every fourth value, multiplied by roots of unity, then four across them.
fn dft16(x: array<vec2f, 16>) -> array<vec2f, 16> {
  var turned: array<vec2f, 16>;
  // @unroll
  for (var n = 0u; n < 4u; n++) {
    let part = dft4(x[n], x[n + 4u], x[n + 8u], x[n + 12u]);
    turned[n] = part[0];
    // @unroll
    for (var k = 0u; k < 3u; k++) {
      turned[(k + 1u) * 4u + n] = times(part[k + 1u], ROOTS[2u * n * (k + 1u)]);
    }
  }
  var transformed: array<vec2f, 16>;
  // @unroll
  for (var k = 0u; k < 4u; k++) {
    let part = dft4(turned[k * 4u], turned[k * 4u + 1u], turned[k * 4u + 2u], turned[k * 4u + 3u]);
    // @unroll
    for (var high = 0u; high < 4u; high++) {
      transformed[k + 4u * high] = part[high];
    }
  }
  return transformed;
}

// Four transforms over every fourth value, multiplied by roots of unity, then eight across them.
fn dft32(x: array<vec2f, 32>) -> array<vec2f, 32> {
  var turned: array<vec2f, 32>;
  // @unroll
  for (var n = 0u; n < 4u; n++) {
    let part = dft8(
      array<vec2f, 8>(
        x[n], x[n + 4u], x[n + 8u], x[n + 12u], x[n + 16u], x[n + 20u], x[n + 24u], x[n + 28u],
      ),
    );
    turned[n] = part[0];
    // @unroll
    for (var k = 0u; k < 7u; k++) {
      turned[(k + 1u) * 4u + n] = times(part[k + 1u], ROOTS[n * (k + 1u)]);
    }
  }
  var transformed: array<vec2f, 32>;
  // @unroll
  for (var k = 0u; k < 8u; k++) {
    let part = dft4(turned[k * 4u], turned[k * 4u + 1u], turned[k * 4u + 2u], turned[k * 4u + 3u]);
    // @unroll
    for (var high = 0u; high < 4u; high++) {
      transformed[k + 8u * high] = part[high];
    }
  }
  return transformed;
}
