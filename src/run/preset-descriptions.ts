/** What each preset reaches, and why its settings are as they are. A page fetches it when a preset is chosen. */
import { START_HERE } from './presets.ts';

const ALONE = 'Times are of training alone, without compiling and tests.';

export const PRESET_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'lenet5-digits': START_HERE,
  'lenet5-diverges':
    'A learning rate of 100,000, a million times too high: each step overshoots further than the last, the loss becomes infinite or NaN within a few steps, and the run fails.',
  'lenet5-mnist': `Over 99.4 % test accuracy with random crops and a one-cycle schedule. 20 epochs, 1.65 s of training (median of 3 seeds) on an NVIDIA H100. ${ALONE}`,
  'lenet5-mnist-sprint': `LeNet-5 at over 99 % test accuracy in few epochs: AdamW, one-cycle schedule with a high learning rate, no augmentation. 8 epochs, 0.689 s of training (median of 3 seeds) on an NVIDIA H100. ${ALONE}`,
  'mnist-sprint': `One epoch of Muon on a wide, shallow network (tuomaso/train_mnist_fast). 99.18 % (mean of 30 seeds) in 0.143 s of training (median of 30 seeds) on an NVIDIA H100. ${ALONE}`,
  'lenet-fashion-mnist':
    'A LeNet with tanh and more filters than LeNet-5. 87.8 % test accuracy after one epoch.',
  'resnet8-shapes':
    'Batch normalisation and skip connections on built-in colour images. Linear models fail (13 %): shape must be separated from colour, size and rotation.',
  'resnet18-cifar-10': `11 million parameters, 40 epochs with the ResNet-20 settings: 94.10 % in 157 s of training (one seed) on an NVIDIA H200. For large GPUs. ${ALONE}`,
  'resnet20-cifar-10': `Exceeds the ResNet paper’s accuracy (91.25 %) in 64 epochs instead of 164: cosine schedule, Nesterov momentum, weight decay, random crops and flips. 91.75 and 91.90 % in 69.0 s of training (median of 2 seeds) on an NVIDIA H200. ${ALONE}`,
  'airbench-cifar-10': `A recipe that set a record for reaching 94 % (Jordan 2024): 8 epochs of Muon, whitening filters, alternating mirrors and six views per test image. 93.96 % (mean of 16 seeds) in 6.96 s of training (median of 16 seeds) on an NVIDIA H100, or 93.98 % in 3.28 s with mixed precision; it was tuned on other seeds, but the same test images. For large GPUs. ${ALONE}`,
  'airbench96-cifar-10': `A recipe that set a record for reaching 96 % (Jordan 2024): 37 epochs of SGD with lookahead on a wider network, with cutout. 95.97 % in 45.9 s of training on an NVIDIA H200, in mixed precision (means of 7 seeds). For large GPUs. ${ALONE}`,
};
