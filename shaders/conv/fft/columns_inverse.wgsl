// The second half of the inverse transform: conv/fft/columns_forward in the opposite order.
// @import conv/fft/lines
// @import conv/fft/sink

@group(0) @binding(1) var<storage, read> halfway: array<vec2f>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let blocks = HALF_H / LANES;
  let block = group.y * groups.x + group.x;
  let number_of_tile = block / blocks;
  let first = block % blocks * LANES;
  for (var e = thread; e < LENGTH * LANES; e += THREADS) {
    let i = e / LANES;
    let u = min(i, T_V - i) % HALF_V;
    let place = (number_of_tile * HALF_V + u) * T_H + first + e % LANES;
    let a = halfway[place];
    let b = halfway[place + HALF_H];
    // Two columns as real and imaginary part, a + i b. The conjugates follow after the middle.
    let whole = select(vec2f(a.x - b.y, a.y + b.x), vec2f(a.x + b.y, b.x - a.y), i > HALF_V);
    let real = select(vec2f(a.x, b.x), vec2f(a.y, b.y), i == HALF_V);
    lines[i * ACROSS + e % LANES] = select(whole, real, u == 0u).yx;
  }
  transform_lines(thread);
  let plane = number_of_tile / tiling.items;
  if (plane < tiling.planes) {
    let tile = tile_of(plane, number_of_tile % tiling.items);
    for (var e = thread; e < LENGTH * LANES; e += THREADS) {
      let i = e / LANES;
      let j = first + e % LANES;
      let value = transformed(i, e % LANES);
      result(tile, plane, i, j, value.y);
      result(tile, plane, i, j + HALF_H, value.x);
    }
  }
}
