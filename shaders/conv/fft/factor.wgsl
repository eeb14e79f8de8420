// What forward transforms write: spectra, as inputs of the matrix multiplications.
// @import conv/fft/tiles

@group(0) @binding(2) var<storage, read_write> spectra: array<f32>;

const FILTER = false; // the left factor of doubled products, padded, with its items along its columns
const LEFT = false; // the left factor if GAUSS
const CONJUGATE = false; // of the left factor

fn put(at: u32, frequency: u32, value: vec2f) {
  let to = at + frequency * frequency_stride();
  if (GAUSS) {
    if (LEFT) {
      let imaginary = select(value.y, -value.y, CONJUGATE);
      spectra[to] = value.x;
      spectra[to + part_stride()] = value.x + imaginary;
      spectra[to + 2u * part_stride()] = imaginary - value.x;
    } else {
      spectra[to] = value.x + value.y;
      spectra[to + part_stride()] = value.y;
      spectra[to + 2u * part_stride()] = value.x;
    }
  } else if (FILTER) {
    // [frequency, group, part of the plane, plane, part of the item, item]. Unchanged, this is the left factor for
    // conj(W), which fprop needs; transposed, it is the one for W transposed, which dgrad needs.
    spectra[to] = value.x;
    spectra[to + tiling.items] = value.y;
    spectra[to + part_stride()] = -value.y;
    spectra[to + part_stride() + tiling.items] = value.x;
  } else {
    spectra[to] = value.x;
    spectra[to + part_stride()] = value.y;
  }
}
