import { describe, expect, test } from 'vitest';
import { bytes, count, loss, percent, rate, shape } from './format.ts';

describe('format', () => {
  test.each([
    [count(12345), '12,345'],
    [percent(0.95123), '95.1 %'],
    [percent(1, 2), '100.00 %'],
    [loss(2.302585), '2.303'],
    [loss(0.0451234), '0.04512'],
    [loss(0.0000123), '1.23e-5'],
    [loss(0), '0'],
    [loss(NaN), 'NaN'],
    [rate(23.44), '23.4'],
    [rate(98341), '98,300'],
    [rate(NaN), '–'],
    [bytes(512), '1 kB'],
    [bytes(11_594_722), '11.6 MB'],
    [shape([6, 28, 28]), '6 × 28 × 28'],
  ])('%s', (made, expected) => expect(made).toBe(expected));
});
