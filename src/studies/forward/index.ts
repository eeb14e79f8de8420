/** The forward pass that a course on GPU programming optimises: the steps of its kernel, phases, layers, kernels, API calls. */
import type { Study } from '../study.ts';
import { figures } from './figures.ts';
import {
  CONSTANT,
  LOOPS,
  PLAIN,
  published,
  shown,
  shownTime,
  START,
  COPIES,
  TILE,
  WHOLE,
} from './published.ts';
import { measureSets } from './sets.ts';
import { stepSources } from './sources.ts';
import { measureSteps } from './steps.ts';

const both = (how: string) => shownTime(how, 'both layers');
const start = (kernel: string) => shown(`${START.kernels}: ${kernel}`);

const study: Study = {
  name: 'forward',
  order: 3,
  title: 'Forward over 10,000, 1,000 and 100 images',
  short: 'Forward pass',
  question:
    'Where does the time of a forward pass go, and what does each optimisation of its convolutions gain?',
  summary: [
    `The project times the forward pass of a network with two convolutions on the 10,000 test images of Fashion-MNIST: 6 filters of 5x5 on 1x48x48, then 16 filters of 5x5 on 6x22x22. With MXNet’s kernels, copies to the device took ${start(COPIES)} of the time, implicit GEMM ${start('implicit_convolve_sgemm')}, complex GEMM ${start('cgemm')}.`,
    `Then its author wrote the convolution. Loops on the CPU took ${both(LOOPS)} for both layers and a plain GPU kernel ${both(PLAIN)}. An input tile in shared memory, one channel at a time, took ${both(TILE)}: the first layer, with one channel, gained, and the second, with six, lost. Weights in constant memory: ${both(CONSTANT)}. All channels staged before multiplying, with a kernel and a tile width for each layer: ${both(WHOLE)}.`,
    'The report says that its second step multiplied right after loading one channel. That two barriers a channel cost the second layer its gain is our reading; “Why one channel at a time gains or loses” measures it, beside another possible cause: threads of a tile that have no output. On an NVIDIA H100 the second layer loses too, 2.40 times the plain kernel’s time, but not for its barriers: the same tile with all channels at once, and two barriers in all, takes 1.03 times as long as with twelve. Only 32 % of its threads have an output. With weights in a uniform, the best tile, where all have one, takes 0.37 times as long as the common tile, and 0.67 times the plain kernel’s time.',
  ],
  source: {
    title: 'ECE 408 project report',
    kind: 'Course project by a team of one',
    authors: undefined,
    date: undefined,
    numbers:
      'It prints its times and shares. The sizes of its convolutions are not printed; they follow from the course’s public code and the report’s times.',
    hardware: 'A Volta GPU; CPU not stated.',
  },
  sizes: {
    small: '40, 20 and 10 images, 1 sample; convolutions of 10 images',
    full: '10,000, 1,000 and 100 images, 7 samples, 3 on the CPU; convolutions of 10,000 images, or 1,000 on small and software adapters',
  },
  method: [
    'Images are random bytes of 48x48, because times do not depend on them; accuracies are the report’s. It does not print its linear layers: these have 120, 84 and 10 outputs, as LeNet-5’s. That ReLUs follow, and that its convolutions have no biases, is assumed.',
    'Images are uploaded, normalised on the device, and run in batches of up to 1,000; the logits are read back at the end. Each phase ends when the device reports it done.',
    'Setup creates buffers, shaders and pipelines and loads weights. Kernels that are already compiled are not compiled again. The whole program is setup and the first run, in a process that runs already and has its images in memory; the other times are medians of later runs. The report’s whole programs are of Python, by /usr/bin/time: they start the interpreter and load MXNet, the images and the model, too. It does not say on how many images MXNet ran: taken to be 10,000.',
    'Kernels are timed one by one, repeatedly, by the device’s clock if it has one; layers are sums of their kernels.',
    'The CPU is wgrad’s CPU engine: the same shaders, compiled to WebAssembly, on all cores. Its fastest convolution is measured with 100 images and scaled.',
    'Loops run on one core, as one writes them in C with the sizes as constants, compiled to WebAssembly. All images are computed, 100 at a time in the same memory.',
    'API calls are those of setup and the first run, timed on the CPU. Calls that wait last until the device is done, and they overlap.',
    'Each step of the direct kernel is verified against float64, on each layer; the fastest of its variants counts. Sizes are constants of each kernel. Tiles of several widths are tried for each layer, some of which divide its output evenly.',
  ],
  published,
  figures,
  sources: stepSources,

  async run(context) {
    const cpu = await context.openCpu?.();
    try {
      const layers = await measureSteps(context, cpu);
      await measureSets(context, layers, cpu);
    } finally {
      cpu?.destroy();
    }
  },
};

export default study;
