// Transforms tiles of up to 32 x 32, in one pass. A workgroup takes LANES neighbouring tiles of one plane, to write
// runs of LANES values.
//
// First a thread takes two columns as the real and the imaginary part of one transform and separates the two spectra.
// They cross workgroup memory as complex numbers, row u of both, where row 0, which is real, has the real row T_V / 2
// as its imaginary part. Then a thread transforms a row; row 0 is separated again.
// @import conv/fft/lengths
// @import conv/fft/source
// @import conv/fft/factor

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
  if (thread < LANES * HALF_H) {
    let j = thread % HALF_H;
    let lane = thread / HALF_H;
    let tile = tile_of(plane, first + lane);
    var columns: array<vec2f, T_V>;
    // @unroll
    for (var i = 0u; i < T_V; i++) {
      columns[i] = vec2f(number(tile, i, j), number(tile, i, j + HALF_H));
    }
    let both = dft_v(columns);
    let to = j * ACROSS + lane;
    crossing[to] = vec2f(both[0].x, both[HALF_V].x);
    crossing[to + HALF_H * ACROSS] = vec2f(both[0].y, both[HALF_V].y);
    // @unroll
    for (var u = 0u; u < BETWEEN_V; u++) {
      let a = both[u + 1u];
      let b = both[T_V - 1u - u];
      crossing[to + (u + 1u) * T_H * ACROSS] = 0.5 * vec2f(a.x + b.x, a.y - b.y);
      crossing[to + ((u + 1u) * T_H + HALF_H) * ACROSS] = 0.5 * vec2f(a.y + b.y, b.x - a.x);
    }
  }
  workgroupBarrier();
  let lane = thread % LANES;
  let u = thread / LANES;
  if (u < HALF_V && first + lane < tiling.items && plane < tiling.planes) {
    var row: array<vec2f, T_H>;
    // @unroll
    for (var j = 0u; j < T_H; j++) {
      row[j] = crossing[(u * T_H + j) * ACROSS + lane];
    }
    row = dft_h(row);
    let at = spectrum_at(plane, first + lane);
    if (u == 0u) {
      let ends = vec2f(row[0].y, row[HALF_H].y);
      row[0].y = 0.0;
      row[HALF_H].y = 0.0;
      // @unroll
      for (var v = 0u; v < BETWEEN_H; v++) {
        let a = row[v + 1u];
        let b = row[T_H - 1u - v];
        row[v + 1u] = 0.5 * vec2f(a.x + b.x, a.y - b.y);
        row[T_H - 1u - v] = 0.5 * vec2f(a.y + b.y, b.x - a.x);
      }
      put(at, ROW_NUMBERS, vec2f(ends.x, 0.0));
      put(at, ROW_NUMBERS + 1u, vec2f(ends.y, 0.0));
    }
    // @unroll
    for (var v = 0u; v < T_H; v++) {
      put(at, u * T_H + v, row[v]);
    }
  }
}
