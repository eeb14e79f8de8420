import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { anyPart } from '../../../testing/any-part.ts';
import { SettingsCard } from './SettingsCard.tsx';

vi.mock('../../../client.ts', () => ({
  ask: (question: (api: unknown) => unknown) =>
    question(anyPart({ memory: () => new Promise(() => undefined) })),
}));

test('what nobody has changed is the preset to start with', () => {
  render(<SettingsCard />);
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Preset' }).value).toBe('lenet5-digits');
});
