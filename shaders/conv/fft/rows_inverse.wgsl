// The inverse transform of tiles larger than 32 x 32, first half: conv/fft/rows_forward in the opposite order. Real and
// imaginary parts are swapped before and after the transform.
// @import conv/fft/lines
// @import conv/fft/product

@group(0) @binding(2) var<storage, read_write> halfway: array<vec2f>;

fn product(at: u32, frequency: u32) -> vec2f {
  var sum = vec2f();
  for (var slice = 0u; slice < SLICES; slice++) {
    sum += product_slice(at + slice * slice_stride(), frequency);
  }
  return sum;
}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let blocks = (tiling.items + LANES - 1u) / LANES;
  let block = group.y * groups.x + group.x;
  let u = block / blocks % HALF_V;
  let plane = block / blocks / HALF_V;
  let first = block % blocks * LANES;
  for (var e = thread; e < LENGTH * LANES; e += THREADS) {
    let lane = e % LANES;
    let at = spectrum_at(plane, first + lane);
    let v = e / LANES;
    var value = product(at, u * T_H + v);
    if (u == 0u) {
      // Rows 0 and T_V / 2 together again: a + i b.
      let other = product(at, select(T_H - v, ROW_NUMBERS + v / HALF_H, v % HALF_H == 0u));
      if (v % HALF_H == 0u) {
        value = vec2f(value.x, other.x);
      } else if (v < HALF_H) {
        value = vec2f(value.x - other.y, value.y + other.x);
      } else {
        value = vec2f(other.x + value.y, value.x - other.y);
      }
    }
    lines[v * ACROSS + lane] = value.yx;
  }
  transform_lines(thread);
  for (var e = thread; e < LENGTH * LANES; e += THREADS) {
    let lane = e / T_H;
    let j = e % T_H;
    if (first + lane < tiling.items && plane < tiling.planes) {
      let to = ((plane * tiling.items + first + lane) * HALF_V + u) * T_H;
      halfway[to + j] = transformed(j, lane).yx;
    }
  }
}
