import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SettingHint } from './words.tsx';

test('what differs from PyTorch leads to its words', () => {
  render(<SettingHint name="warmupEpochs" more="" />);
  expect(screen.getByRole('link', { name: 'Differs from PyTorch' }).getAttribute('href')).toBe(
    '#/help/warm-up-epochs',
  );
});

test('what does not has no link', () => {
  render(<SettingHint name="labelSmoothing" more="" />);
  expect(screen.queryByRole('link')).toBeNull();
});
