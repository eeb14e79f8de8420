// The inverse transform of tiles of up to 32 x 32: conv/fft/forward, with everything in the opposite order.
// @import conv/fft/lengths
// @import conv/fft/product
// @import conv/fft/sink

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let blocks = (tiling.items + LANES - 1u) / LANES;
  let block = group.y * groups.x + group.x;
  let plane = block / blocks;
  let first = block % blocks * LANES;
  let u = thread / LANES;
  if (u < HALF_V) {
    let lane = thread % LANES;
    let at = spectrum_at(plane, first + lane);
    // Real and imaginary parts are swapped until the end.
    var row: array<vec2f, T_H>;
    var ends = vec2f();
    for (var slice = 0u; slice < SLICES; slice++) {
      let place = at + slice * slice_stride();
      // @unroll
      for (var v = 0u; v < T_H; v++) {
        row[v] += product_slice(place, u * T_H + v).yx;
      }
      if (u == 0u) {
        ends += vec2f(product_slice(place, ROW_NUMBERS).x, product_slice(place, ROW_NUMBERS + 1u).x);
      }
    }
    if (u == 0u) {
      row[0] = vec2f(ends.x, row[0].y);
      row[HALF_H] = vec2f(ends.y, row[HALF_H].y);
      // @unroll
      for (var v = 0u; v < BETWEEN_H; v++) {
        let a = row[v + 1u].yx;
        let b = row[T_H - 1u - v].yx;
        row[v + 1u] = vec2f(a.y + b.x, a.x - b.y);
        row[T_H - 1u - v] = vec2f(b.x - a.y, a.x + b.y);
      }
    }
    row = dft_h(row);
    // @unroll
    for (var j = 0u; j < T_H; j++) {
      crossing[(u * T_H + j) * ACROSS + lane] = row[j];
    }
  }
  workgroupBarrier();
  let lane = thread / HALF_H;
  if (lane < LANES && first + lane < tiling.items && plane < tiling.planes) {
    let j = thread % HALF_H;
    let place = j * ACROSS + lane;
    // Two columns as real and imaginary part, a + i b; row 0 holds row T_V / 2 as its imaginary part.
    var columns: array<vec2f, T_V>;
    let a = crossing[place];
    let b = crossing[place + HALF_H * ACROSS];
    columns[0] = vec2f(b.y, a.y);
    columns[HALF_V] = vec2f(b.x, a.x);
    // @unroll
    for (var n = 0u; n < BETWEEN_V; n++) {
      let a = crossing[place + (n + 1u) * T_H * ACROSS].yx;
      let b = crossing[place + ((n + 1u) * T_H + HALF_H) * ACROSS].yx;
      columns[n + 1u] = vec2f(a.y + b.x, a.x - b.y);
      columns[T_V - 1u - n] = vec2f(b.x - a.y, a.x + b.y);
    }
    columns = dft_v(columns);
    let tile = tile_of(plane, first + lane);
    // @unroll
    for (var i = 0u; i < T_V; i++) {
      result(tile, plane, i, j, columns[i].y);
      result(tile, plane, i, j + HALF_H, columns[i].x);
    }
  }
}
