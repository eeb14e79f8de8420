// The second half: transforms rows. A workgroup takes row u of LANES neighbouring tiles of one plane.
// @import conv/fft/lines
// @import conv/fft/factor

@group(0) @binding(1) var<storage, read> halfway: array<vec2f>;

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
    let lane = e / T_H;
    let place = ((plane * tiling.items + first + lane) * HALF_V + u) * T_H;
    lines[e % T_H * ACROSS + lane] = halfway[place + e % T_H];
  }
  transform_lines(thread);
  for (var e = thread; e < LENGTH * LANES; e += THREADS) {
    let lane = e % LANES;
    if (first + lane < tiling.items && plane < tiling.planes) {
      let at = spectrum_at(plane, first + lane);
      let v = e / LANES;
      var value = transformed(v, lane);
      if (u == 0u) {
        let other = transformed((T_H - v) % T_H, lane);
        if (v % HALF_H == 0u) {
          put(at, ROW_NUMBERS + v / HALF_H, vec2f(value.y, 0.0));
          value = vec2f(value.x, 0.0);
        } else if (v < HALF_H) {
          value = 0.5 * vec2f(value.x + other.x, value.y - other.y);
        } else {
          value = 0.5 * vec2f(other.y + value.y, value.x - other.x);
        }
      }
      put(at, u * T_H + v, value);
    }
  }
}
