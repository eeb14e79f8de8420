import { describe, expect, test } from 'vitest';
import {
  accuracy,
  byteRate,
  bytes,
  count,
  flopRate,
  flops,
  loss,
  measuredOn,
  memory,
  percent,
  rate,
  relativeError,
  seconds,
  shape,
  time,
  times,
  prose,
} from './format.ts';

describe('format', () => {
  test.each([
    [count(12345), '12,345'],
    [percent(0.95123), '95.1 %'],
    [percent(1, 2), '100.00 %'],
    [loss(2.302585), '2.303'],
    [loss(0.0451234), '0.04512'],
    [loss(97943210000000000), '9.794e+16'],
    [loss(0.0000123), '1.23e-5'],
    [loss(0), '0'],
    [loss(NaN), 'NaN'],
    [rate(23.44), '23.4'],
    [rate(98341), '98,300'],
    [rate(NaN), '–'],
    [bytes(512), '1 kB'],
    [bytes(11_594_722), '11.6 MB'],
    [bytes(2_566_350_952), '2.57 GB'],
    [time(0.0214), '21.4 µs'],
    [time(0.9999), '1.00 ms'],
    [time(3.2), '3.20 ms'],
    [time(123.4), '123 ms'],
    [time(1500), '1.50 s'],
    [time(NaN), '–'],
    [flopRate(12.345e12), '12.3 TFLOP/s'],
    [flopRate(8.7e11), '870 GFLOP/s'],
    [flopRate(4e6), '4.00 MFLOP/s'],
    [byteRate(1.234e12), '1.23 TB/s'],
    [byteRate(4.56e11), '456 GB/s'],
    [byteRate(8.1e6), '8.10 MB/s'],
    [byteRate(21500), '21.5 kB/s'],
    [flops(4.72e6), '4.72 MFLOP'],
    [flops(73728), '73.7 kFLOP'],
    [times(1.321), '1.32×'],
    [times(14.4), '14×'],
    [times(1234), '1,200×'],
    [memory(0), '0 B'],
    [memory(160), '160 B'],
    [memory(4096), '4.00 KiB'],
    [memory(64 * 2 ** 20), '64.0 MiB'],
    [relativeError(2.13e-7), '2.1e-7'],
    [relativeError(0), 'exact'],
    [
      prose('98 % in 3 min, 790 µs to 1.08 ms of 2'),
      '98\u00a0% in 3\u00a0min, 790\u00a0µs to 1.08\u00a0ms of 2',
    ],
    [
      prose(`Winograd's F(2x2, 5x5) of 1 × 28 × 28, in gemm_1x1, "0x10"`),
      'Winograd’s F(2\u00a0×\u00a02, 5\u00a0×\u00a05) of 1\u00a0×\u00a028\u00a0×\u00a028, in gemm_1x1, “0x10”',
    ],
    [prose(`no file "a", found "<b title=\\"x\\">"`), `no file “a”, found "<b title=\\"x\\">"`],
    [seconds(0.512), '0.51 s'],
    [seconds(95), '1.6 min'],
    [seconds(9000), '2.5 h'],
    [seconds(NaN), '–'],
    [shape([6, 28, 28]), '6 × 28 × 28'],
  ])('%s', (made, expected) => expect(made).toBe(expected));
});

test('an accuracy has as many digits as its images allow, and an interval where they are few', () => {
  expect(accuracy(11 / 12, 12)).toBe('92 %');
  expect(accuracy(0.98614, 2000)).toBe('98.61 %');
  expect(measuredOn(11 / 12, 12)).toBe('12 images, 95 % interval 65 to 99 %');
  expect(measuredOn(0.9, 200)).toBe('200 images, 95 % interval 85.1 to 93.4 %');
  expect(measuredOn(0.98614, 2000)).toBe('2,000 images');
});
