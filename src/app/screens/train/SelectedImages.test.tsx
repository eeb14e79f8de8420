import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useApp } from '../../state/store.ts';
import { SelectedImages } from './SelectedImages.tsx';

const change = (settings: Parameters<ReturnType<typeof useApp.getState>['change']>[0]) =>
  act(() => useApp.getState().change(settings));

test('the data say what the settings select of them, and nothing if that is all', () => {
  const { container } = render(<SelectedImages count={10_000} />);
  expect(container.textContent).toBe('');
  change({ validation: '20' });
  screen.getByText('With your settings, a run trains on 8,000 images, 2,000 are held back for validation.');
  change({ trainImages: '50', wrongLabels: '40' });
  screen.getByText(
    'With your settings, a run trains on 50 images, 2,000 are held back for validation, 20 of those it trains on have wrong labels.',
  );
  change({ validation: '', trainImages: '1', wrongLabels: 'many' });
  screen.getByText('With your settings, a run trains on 1 image.');
});
