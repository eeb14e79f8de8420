import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok, type Result } from '../../base/result.ts';
import type { OwnReport, WorkerApi } from '../../worker/api.ts';
import { useApp } from '../state/store.ts';
import { Pictures } from './Pictures.tsx';
import { anyPart } from '../testing/any-part.ts';

const takeOwn = vi.fn<WorkerApi['data']['takeOwn']>();
vi.mock('../client.ts', () => {
  const ask = <T,>(question: (api: unknown) => Promise<Result<T>>) =>
    question(
      anyPart({ takeOwn, catalogue: async () => ({ ok: false }), samples: async () => ok(undefined) }),
    );
  return { ask };
});
// There is neither a camera nor a canvas here.
vi.mock('./square-png.ts', () => ({
  squarePng: async (_source: unknown, name: string) => new File([], name),
}));
vi.mock('../camera.ts', () => ({
  openCamera: async () => ({}),
  stopCamera: () => undefined,
  whyNoCamera: () => 'No camera found. Connect one, or upload an image.',
}));

afterEach(() => void vi.useRealTimers());
beforeEach(() => {
  useApp.setState({ ...useApp.getInitialState() }, true);
  takeOwn.mockReset().mockResolvedValue(ok({ counts: [], skipped: [], more: 0 } satisfies OwnReport));
  vi.stubGlobal('createImageBitmap', async (file: File) => {
    if (!file.type.startsWith('image/')) throw new Error('no image');
    return { close: () => undefined };
  });
  Object.defineProperties(HTMLVideoElement.prototype, {
    videoWidth: { value: 64, configurable: true },
    srcObject: { value: null, writable: true, configurable: true },
  });
});

const png = (name: string) => new File([], name, { type: 'image/png' });
const use = () => screen.getByRole('button', { name: /^Use \d+ picture/ });

test('held, the button of a class takes pictures; they become a data set that is chosen', async () => {
  const onClose = vi.fn<() => void>();
  render(<Pictures onClose={onClose} />);
  const hold = (name: string) => screen.getByRole('button', { name: `Hold to take pictures of ${name}` });
  expect(hold('Class 1').title).toBe('Turn on the camera first.');
  await userEvent.click(screen.getByRole('button', { name: 'Turn on camera' }));
  await screen.findByText(/^Hold down the button of a class/);
  expect(use().title).toMatch(/at least two classes/);
  const name = screen.getByRole('textbox', { name: 'Name of Class 1' });
  await userEvent.clear(name);
  await userEvent.type(name, 'Rock');

  vi.useFakeTimers();
  // With the mouse, and with a key.
  fireEvent.pointerDown(hold('Rock'));
  await act(() => vi.advanceTimersByTimeAsync(250));
  fireEvent.pointerUp(screen.getByRole('button', { name: 'Taking pictures… of Rock' }));
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(screen.getByText('3 pictures')).toBeTruthy();
  fireEvent.keyDown(hold('Class 2'), { key: ' ' });
  await act(() => vi.advanceTimersByTimeAsync(150));
  fireEvent.keyUp(screen.getByRole('button', { name: 'Taking pictures… of Class 2' }), { key: ' ' });
  vi.useRealTimers();

  expect(use().textContent).toBe('Use 5 pictures');
  await userEvent.click(use());
  const [[{ files, shape }]] = takeOwn.mock.calls;
  expect(shape).toEqual([3, 32, 32]);
  expect(files.map(({ path }) => path.replace(/\d+\.png/, ''))).toEqual([
    ...Array.from({ length: 3 }, () => 'pictures/Rock/'),
    ...Array.from({ length: 2 }, () => 'pictures/Class 2/'),
  ]);
  expect(useApp.getState().settings.dataset).toBe('own');
  expect(onClose).toHaveBeenCalled();
});

test('files and pasted images are added; what is no image is named', async () => {
  render(<Pictures onClose={() => undefined} />);
  const files = screen.getByLabelText('Pictures of Class 2');
  fireEvent.change(files, { target: { files: [png('a.png'), new File([], 'b.txt')] } });
  await screen.findByText('b.txt cannot be read');
  expect(screen.getByText('1 picture')).toBeTruthy();
  // Pasted images go to the class that was used last.
  fireEvent.focus(screen.getByRole('textbox', { name: 'Name of Class 2' }));
  const paste = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
    clipboardData: { files: [png('c.png')] },
  });
  await act(async () => void dispatchEvent(paste));
  await screen.findByText('2 pictures');
});
