// Per-step data: one slot of a ring, bound at an offset. Written by src/engine/step.ts.
struct Step {
  lr: f32,
  weight_decay: f32,
  momentum: f32, // beta 1 for Adam
  beta2: f32,
  epsilon: f32,
  correction1: f32, // 1 - beta1^t and 1 - beta2^t
  correction2: f32,
  gain1: f32, // 1 - beta1 and 1 - beta2, which float32 cannot subtract well
  gain2: f32,
  averaging: f32, // how far averages move towards the parameters
  metrics_slot: u32,
  count: u32, // samples in this batch; the rest is padding
  seed: u32, // for this step's random numbers, by common/random
  mix: f32, // mixup: the weight of an image itself; its partner has the rest
  crop: u32, // augmentation: pixels of border,
  reflect: u32, // 1 if the border is the reflected image,
  flip: u32, // 1 if half of the images are mirrored,
  alternate: u32, // 1 if each image is mirrored in every second epoch,
  cutout: u32, // the side of the covered square
  run_seed: u32, // the same in all steps
  position: u32, // of the first sample in the stream of epochs, modulo two epochs
  epoch: u32, // of the first sample, from 1, at most 65535
  indices: array<u32>, // indices of samples in the data set
}
@group(1) @binding(0) var<storage, read> step: Step;
