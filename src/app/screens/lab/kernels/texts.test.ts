import { expect, test } from 'vitest';
import { lessonsInOrder } from '../../../../kernel-lessons/index.ts';
import { kernels } from '../../../messages/kernels.ts';

test('every lesson has its texts, and every text its lesson', () => {
  expect(Object.keys(kernels.lessons)).toEqual(lessonsInOrder().map(({ name }) => name));
});
