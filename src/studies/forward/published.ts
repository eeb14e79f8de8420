/** The times and shares of the report, and how the study's figures show them. */
import { milliseconds, printed } from '../published.ts';
import type { Published } from '../study.ts';

const entry = (what: string, value: string, unit: string): Published => ({ what, value, unit });

/** The parts of a time that the report states, in its order. */
export const PARTS = ['layer 1', 'layer 2', 'both layers', 'whole program'] as const;
export type ReportPart = (typeof PARTS)[number];

/** What the report times, by its own names. */
export const LOOPS = 'loops on the CPU';
export const PLAIN = 'plain kernel';
export const TILE = 'input tile in shared memory, one channel at a time';
export const CONSTANT = 'the same, weights in constant memory';
export const WHOLE = 'all channels staged before multiplying, constant memory, a kernel for each layer';

/** @param values by part; what is not printed is left out */
const times = (
  images: string,
  how: string,
  unit: string,
  values: readonly (string | undefined)[],
): Published[] =>
  values.flatMap((value, i) =>
    value === undefined ? [] : entry(nameOf(images, how, PARTS[i]), value, unit),
  );

const nameOf = (images: string, how: string, part: ReportPart) => `${images} images, ${how}: ${part}`;

/** The kernels or calls that take most of the time, with their sum. */
const shares = (
  when: string,
  rows: readonly (readonly [name: string, percent: string])[],
  sum: string,
): Published[] => [
  ...rows.map(([name, percent]) => entry(`${when}: ${name}`, percent, '%')),
  entry(`${when}: together`, sum, '%'),
];

export const COPIES = 'copies to the device';
export const START = { kernels: 'kernels at the start', calls: 'API calls at the start' } as const;
export const END = { kernels: 'kernels at the end', calls: 'API calls at the end' } as const;
/** The rows of the report's lists. */
export const KERNELS = [
  COPIES,
  'kernel of layer 2',
  'kernel of layer 1',
  'implicit_convolve_sgemm',
  'cgemm',
  'op_generic_tensor',
  'element-wise product',
  'sgemm 128x128',
  'fft2d_c2r',
  'sgemm 32x128',
] as const;
export const CALLS = ['cudaStreamCreateWithFlags', 'cudaMemGetInfo', 'cudaFree'] as const;

export const published: readonly Published[] = [
  entry('10,000 images, MXNet on the CPU: whole program', '5.11', 's'),
  entry('10,000 images, MXNet on the GPU: whole program', '4.30', 's'),
  entry('10,000 images, MXNet: accuracy', '0.8236', ''),
  ...times('10,000', LOOPS, 's', ['2.446374', '7.487101', '9.933475', '11.54']),
  entry('10,000 images, loops on the CPU: accuracy', '0.8397', ''),
  ...times('1,000', LOOPS, 's', ['0.247094', '0.747553', undefined, '1.98']),
  entry('1,000 images, loops on the CPU: accuracy', '0.852', ''),
  ...times('100', LOOPS, 's', ['0.032041', '0.073482', undefined, '1.05']),
  entry('100 images, loops on the CPU: accuracy', '0.84', ''),
  ...times('10,000', PLAIN, 'ms', ['9.143', '24.142', '33.285']),
  ...times('10,000', PLAIN, 's', [undefined, undefined, undefined, '4.25']),
  ...times('10,000', TILE, 'ms', ['6.533', '39.588', '46.121']),
  ...times('10,000', CONSTANT, 'ms', ['6.239', '36.158', '42.397']),
  ...times('10,000', WHOLE, 'ms', ['4.463', '10.436', '14.899']),
  entry('1,000 images, kernel of layer 1', '875', 'us'),
  entry('1,000 images, kernel of layer 2', '2.45312', 'ms'),
  entry('1,000 images, share of the time that MXNet’s kernel takes', '70', '%'),
  ...shares(
    START.kernels,
    [
      [COPIES, '38.97'],
      ['implicit_convolve_sgemm', '20.81'],
      ['cgemm', '12.2'],
      ['op_generic_tensor', '7.21'],
      ['sgemm 128x128', '5.76'],
      ['fft2d_c2r', '5.74'],
    ],
    '90.69',
  ),
  ...shares(
    START.calls,
    [
      [CALLS[0], '41.7'],
      [CALLS[1], '34.01'],
      [CALLS[2], '21.27'],
    ],
    '96.98',
  ),
  ...shares(
    END.kernels,
    [
      [COPIES, '42.75'],
      ['kernel of layer 2', '27.12'],
      ['kernel of layer 1', '11.44'],
      ['element-wise product', '5.82'],
      ['sgemm 32x128', '5.63'],
    ],
    '91.76',
  ),
  ...shares(
    END.calls,
    [
      [CALLS[0], '42.36'],
      [CALLS[1], '34.40'],
      [CALLS[2], '20.81'],
    ],
    '97.56',
  ),
];

const entries = new Map(published.map((one) => [one.what, one]));

/** As the report prints it: "9.143 ms"; null if it does not. */
export function shown(what: string): string | null {
  const found = entries.get(what);
  return found ? printed(found) : null;
}

/** A time as the report prints it: "9.143 ms"; null if it does not. @param images "10,000" */
export const shownTime = (how: string, part: ReportPart, images = '10,000'): string | null =>
  shown(nameOf(images, how, part));

/** Times the plain kernel's time for the same; null if it is not printed. */
export function ratioOf(how: string, part: ReportPart): number | null {
  const [own, plain] = [how, PLAIN].map((one) => entries.get(nameOf('10,000', one, part)));
  return own && plain ? milliseconds(own) / milliseconds(plain) : null;
}

/** The sum of a list's rows, as it is not printed: "92.76 %". */
export function sumOf(list: string): string {
  const rows = published.filter(({ what }) => what.startsWith(`${list}: `) && !what.endsWith('together'));
  return `${rows.reduce((sum, { value }) => sum + Number(value), 0).toFixed(2)} %`;
}
