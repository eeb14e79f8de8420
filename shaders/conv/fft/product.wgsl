// What inverse transforms read: spectra, the outputs of the matrix multiplications.
// @import conv/fft/tiles

@group(0) @binding(1) var<storage, read> spectra: array<f32>;

const FILTER = false; // of doubled products of both parts by both parts, conj(D) X, with items along their columns
const SLICES = 1u; // sums have this many parts

fn product_slice(at: u32, frequency: u32) -> vec2f {
  let place = at + frequency * frequency_stride();
  if (GAUSS) {
    let a = spectra[place];
    return vec2f(a - spectra[place + part_stride()], a + spectra[place + 2u * part_stride()]);
  } else if (FILTER) {
    return vec2f(
      spectra[place] + spectra[place + part_stride() + tiling.items],
      spectra[place + tiling.items] - spectra[place + part_stride()],
    );
  } else {
    return vec2f(spectra[place], spectra[place + part_stride()]);
  }
}

fn slice_stride() -> u32 {
  return FREQUENCIES * frequency_stride();
}
