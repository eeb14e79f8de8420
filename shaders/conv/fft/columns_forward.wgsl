// The first half of the forward transform of tiles larger than 32 x 32: transforms columns. A workgroup takes LANES
// pairs of columns of one tile, as real and imaginary parts, and separates the spectra. Of these, [plane, item, u,
// column], it stores the rows u < T_V / 2; row 0, which is real, stores row T_V / 2, which is also real, as its
// imaginary part.
// @import conv/fft/lines
// @import conv/fft/source

@group(0) @binding(2) var<storage, read_write> halfway: array<vec2f>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let blocks = HALF_H / LANES;
  let block = group.y * groups.x + group.x;
  let number_of_tile = block / blocks;
  let tile = tile_of(number_of_tile / tiling.items, number_of_tile % tiling.items);
  let first = block % blocks * LANES;
  for (var e = thread; e < LENGTH * LANES; e += THREADS) {
    let i = e / LANES;
    let j = first + e % LANES;
    lines[i * ACROSS + e % LANES] = vec2f(number(tile, i, j), number(tile, i, j + HALF_H));
  }
  transform_lines(thread);
  if (number_of_tile < tiling.planes * tiling.items) {
    for (var e = thread; e < HALF_V * LANES; e += THREADS) {
      let u = e / LANES;
      let to = (number_of_tile * HALF_V + u) * T_H + first + e % LANES;
      let a = transformed(u, e % LANES);
      let b = transformed(select(T_V - u, HALF_V, u == 0u), e % LANES);
      halfway[to] = select(0.5 * vec2f(a.x + b.x, a.y - b.y), vec2f(a.x, b.x), u == 0u);
      halfway[to + HALF_H] = select(0.5 * vec2f(a.y + b.y, b.x - a.x), vec2f(a.y, b.y), u == 0u);
    }
  }
}
