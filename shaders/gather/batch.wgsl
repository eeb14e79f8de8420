// Makes a batch from the data set's bytes: x = (byte / 255 - mean) / deviation by channel, and the labels. Images are
// augmented (src/base/augmentation.ts), by the step's settings and seed. Each image is divided among BLOCKS workgroups;
// a thread writes ELEMENTS_PER_THREAD of its elements. Past step.count: zero images, label 0. VIEWS rows in turn show the same
// image, for tests: as it is, mirrored, and both shifted by a pixel up and left, then down and right.
// @import common/number
// @import common/index
// @import common/random
// @import common/step

struct Sizes { rows: u32 } // images in x
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> images: array<u32>; // bytes, four per word
@group(0) @binding(2) var<storage, read> image_labels: array<u32>; // bytes, four per word
@group(0) @binding(3) var<storage, read> channels: array<vec2f>; // mean and deviation of each channel
@group(0) @binding(4) var<storage, read_write> x: array<Number>; // [rows, CHANNELS, HEIGHT, WIDTH], or if CHANNELS_LAST [rows, HEIGHT, WIDTH, CHANNELS]
@group(0) @binding(5) var<storage, read_write> labels: array<u32>;
@group(0) @binding(6) var<storage, read_write> partners: array<u32>; // AUGMENTED: labels of the images blended in, else their own
@group(0) @binding(7) var<storage, read> images_beyond: array<u32>; // WINDOW: the words that `images` does not hold

const CHANNELS = 1u;
const HEIGHT = 1u;
const WIDTH = 1u;
const BLOCKS = 1u;
const CHANNELS_LAST = false;
const AUGMENTED = false; // not with VIEWS above 1
const VIEWS = 1u; // 1, 2 or 6
const COUNT = 1u; // images in the data set
const WINDOW = 0u; // words in `images`, if there are more; 0 if it holds all

const THREADS = 64u;
const ELEMENTS_PER_THREAD = 4u;
const PLANE = HEIGHT * WIDTH;
const PIXELS = CHANNELS * PLANE;

// Streams of random words, named by four letters each. The place is the row.
const CROP_STREAM = 0x43524f50u;
const CUTOUT_STREAM = 0x43555430u;
const MIXUP_STREAM = 0x4d495855u;
const ALTERNATE_STREAM = 0x414c5445u; // the place is the image

// How one image is augmented.
struct View {
  image: u32,
  mirrored: bool,
  shift: vec2u, // of the crop: x, y; to the left and up, it wraps around
  hole: vec2u, // the covered square's corner, plus its side so that it is not negative
}

fn view_of(row: u32) -> View {
  var view = View(step.indices[row / VIEWS], false, vec2u(), vec2u());
  if (VIEWS > 1u) {
    let number = row % VIEWS;
    view.mirrored = number % 2u == 1u;
    if (number >= 2u) { view.shift = vec2u(number / 2u * 2u - 3u); }
  }
  if (!AUGMENTED) { return view; }
  if (step.crop > 0u || step.flip > 0u) {
    let words = random_words(step.seed, CROP_STREAM, row);
    view.shift = vec2u(below(words.x, 2u * step.crop + 1u), below(words.y, 2u * step.crop + 1u)) - step.crop;
    view.mirrored = step.flip > 0u && words.z >= 0x80000000u;
  }
  if (step.alternate > 0u) {
    let first = random_words(step.run_seed, ALTERNATE_STREAM, view.image).x >> 31u;
    let epoch = (step.position + row) / COUNT;
    view.mirrored = ((first + epoch) & 1u) == 1u;
  }
  if (step.cutout > 0u) {
    let words = random_words(step.seed, CUTOUT_STREAM, row);
    view.hole = vec2u(below(words.x, WIDTH), below(words.y, HEIGHT)) + step.cutout - step.cutout / 2u;
  }
  return view;
}

fn image_word(at: u32) -> u32 {
  if (WINDOW > 0u && at >= WINDOW) { return images_beyond[at - WINDOW]; }
  return images[at];
}

fn byte_of(word: u32, at: u32) -> u32 {
  return (word >> (8u * (at % 4u))) & 0xffu;
}

// A place less than `size` outside of the image, reflected into it; its edge is not repeated.
fn reflected(place: u32, size: u32) -> u32 {
  let at = u32(abs(i32(place)));
  return min(at, 2u * (size - 1u) - at);
}

// An element of the image as the network sees it.
fn element(view: View, pixel: u32) -> f32 {
  let channel = pixel / PLANE;
  let here = vec2u(pixel % WIDTH, pixel % PLANE / WIDTH);
  var source = here;
  if (AUGMENTED) {
    let within = here + step.cutout - view.hole;
    if (within.x < step.cutout && within.y < step.cutout) { return 0.0; }
  }
  if (AUGMENTED || VIEWS > 1u) {
    // Left of the image and above it, unsigned numbers wrap around and are too large.
    source = vec2u(select(here.x, WIDTH - 1u - here.x, view.mirrored), here.y) + view.shift;
    if (VIEWS > 1u || step.reflect > 0u) { source = vec2u(reflected(source.x, WIDTH), reflected(source.y, HEIGHT)); }
  }
  var byte = 0u;
  if (source.x < WIDTH && source.y < HEIGHT) {
    let at = view.image * PIXELS + channel * PLANE + source.y * WIDTH + source.x;
    byte = byte_of(image_word(at / 4u), at);
  }
  let scale = channels[channel];
  return (f32(byte) / 255.0 - scale.x) / scale.y;
}

@compute @workgroup_size(THREADS)
fn main(invocation: Invocation) {
  let block = workgroup_index(invocation);
  let row = block / BLOCKS;
  if (row >= sizes.rows) { return; }
  let first = block % BLOCKS * THREADS * ELEMENTS_PER_THREAD + invocation.local;
  let sample = row / VIEWS < step.count;
  let mixed = AUGMENTED && step.mix < 1.0;
  var view: View;
  var other: View;
  if (sample) {
    view = view_of(row);
    other = view;
    if (mixed) {
      // The batch paired with itself, rotated by a number of rows: as good as a permutation, because its order is
      // random.
      let shift = 1u + below(random_words(step.seed, MIXUP_STREAM, 0u).x, max(step.count, 2u) - 1u);
      other = view_of((row + shift) % step.count);
    }
  }
  for (var i = 0u; i < ELEMENTS_PER_THREAD; i++) {
    let pixel = first + i * THREADS;
    if (pixel >= PIXELS) { break; }
    var value = 0.0;
    if (sample) {
      value = element(view, pixel);
      if (mixed) { value = step.mix * value + (1.0 - step.mix) * element(other, pixel); }
    }
    let at = select(pixel, pixel % PLANE * CHANNELS + pixel / PLANE, CHANNELS_LAST);
    x[row * PIXELS + at] = Number(value);
  }
  if (first == 0u && row % VIEWS == 0u) {
    labels[row / VIEWS] = select(0u, byte_of(image_labels[view.image / 4u], view.image), sample);
    if (AUGMENTED) {
      partners[row] = select(0u, byte_of(image_labels[other.image / 4u], other.image), sample);
    }
  }
}
