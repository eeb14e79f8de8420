import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useApp } from '../../state/store.ts';
import { datasetEntry } from '../../testing/dataset-entry.ts';
import { ObtainDataset } from './ObtainDataset.tsx';

const mnist = datasetEntry({
  ...{ name: 'mnist', title: 'MNIST', bytes: 11_600_000, files: ['train-images.gz'] },
  status: { state: 'absent' },
});

beforeEach(() => useApp.setState(useApp.getInitialState(), true));

const failed = (code: 'checksum' | 'download' | 'storage' | 'bad-file') => ({
  state: 'failed' as const,
  error: { code, message: 'It went wrong.', advice: 'Ask somebody.' },
});

test('not downloaded: its size, and the files that can be dropped instead', () => {
  render(<ObtainDataset dataset={mnist} />);
  expect(screen.getByRole('button', { name: 'Download (11.6 MB)' })).toBeTruthy();
  expect(screen.getByText('train-images.gz')).toBeTruthy();
  expect(screen.getByLabelText('Files of MNIST')).toBeTruthy();
});

test('downloading: its progress, and a button to cancel', () => {
  const status = { state: 'downloading', receivedBytes: 2e6, totalBytes: 11.6e6 } as const;
  render(<ObtainDataset dataset={{ ...mnist, status }} />);
  const progress = screen.getByRole('progressbar', { name: 'Downloading' });
  expect([progress.getAttribute('value'), progress.getAttribute('max')]).toEqual(['2000000', '11600000']);
  expect(screen.getByText(/2\.0 MB of 11\.6 MB/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy();
});

test.each([
  ['checksum', 'Checksum mismatch', /Download it again/],
  ['download', 'Download failed', /Check your connection/],
  ['storage', 'Not enough browser storage', /free up disk space/],
  ['bad-file', 'Could not read the data', /Ask somebody/],
] as const)('a failure by %s says what to do, with the details', (code, title, advice) => {
  render(<ObtainDataset dataset={{ ...mnist, status: failed(code) }} />);
  const alert = screen.getByRole('alert').textContent;
  expect(alert).toContain(title);
  expect(alert).toMatch(advice);
  expect(alert).toContain('It went wrong.');
  expect(screen.getByRole('button', { name: 'Retry download (11.6 MB)' })).toBeTruthy();
});

test('a data set that pages may not fetch is imported by hand', () => {
  const source = 'https://www.cs.toronto.edu/~kriz/cifar.html';
  const byHand = { ...mnist, source, archive: 'cifar-10-binary.tar.gz' };
  const { rerender } = render(<ObtainDataset dataset={byHand} />);
  expect(screen.getByRole('link', { name: 'www.cs.toronto.edu' }).getAttribute('href')).toBe(source);
  expect(screen.getByRole('button', { name: 'Check this server' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Download/ })).toBe(null);
  rerender(<ObtainDataset dataset={{ ...byHand, status: failed('download') }} />);
  expect(screen.getByRole('alert').textContent).toContain('Not available on this server');
});

test('a failed import gives the reason', () => {
  useApp.setState({ importErrors: { mnist: { code: 'bad-file', message: 'Too short.' } } });
  render(<ObtainDataset dataset={mnist} />);
  expect(screen.getByRole('alert').textContent).toBe('Could not import these filesToo short.Dismiss');
});
