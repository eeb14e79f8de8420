import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok, type Result } from '../../base/result.ts';
import { useApp } from '../state/store.ts';
import { useAnswer, useLiveAnswer } from './use-answer.ts';

const text = (answer: Result<string> | undefined) => (answer?.ok ? answer.value : 'waiting');

test('an answer to an old question is not shown', async () => {
  const waiting = new Map<string, (answer: Result<string>) => void>();
  function Shown({ question }: { question: string }) {
    return text(useAnswer(question, () => new Promise((resolve) => waiting.set(question, resolve))));
  }
  const { container, rerender } = render(<Shown question="first" />);
  rerender(<Shown question="second" />);
  await act(async () => waiting.get('first')?.(ok('one')));
  expect(container.textContent).toBe('waiting');
  await act(async () => waiting.get('second')?.(ok('two')));
  expect(container.textContent).toBe('two');
});

let see: (seen: boolean) => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(changed: (entries: { isIntersecting: boolean }[]) => void) {
        see = (isIntersecting) => changed([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('values that change all the time are requested while visible, at most once per interval', async () => {
  const asked: string[] = [];
  function Shown({ step }: { step: string }) {
    const [element, answer] = useLiveAnswer<string, HTMLParagraphElement>(step, 400, () => {
      asked.push(step);
      return Promise.resolve(ok(step));
    });
    return (
      <p ref={element} data-testid="shown">
        {text(answer)}
      </p>
    );
  }
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const { rerender } = render(<Shown step="1" />);
  await pass(1000);
  expect(asked).toEqual([]);
  see(true);
  await pass(10);
  expect(screen.getByTestId('shown').textContent).toBe('1');
  rerender(<Shown step="2" />);
  await pass(100);
  rerender(<Shown step="3" />);
  await pass(100);
  expect(screen.getByTestId('shown').textContent).toBe('1');
  await pass(400);
  expect(screen.getByTestId('shown').textContent).toBe('3');
  see(false);
  rerender(<Shown step="4" />);
  await pass(1000);
  expect(asked).toEqual(['1', '3']);
  see(true);
  await pass(400);
  expect(asked).toEqual(['1', '3', '4']);
});

test('while a model trains, questions take a twentieth of the time at most', async () => {
  useApp.setState({ runState: 'training' });
  const asked: string[] = [];
  const took = 50;
  function Shown({ step }: { step: string }) {
    const [element] = useLiveAnswer<string, HTMLParagraphElement>(step, 100, async () => {
      asked.push(step);
      await new Promise((resolve) => setTimeout(resolve, took));
      return ok(step);
    });
    return <p ref={element} />;
  }
  const { rerender } = render(<Shown step="0" />);
  see(true);
  for (let ms = 0; ms < 10_000; ms += 50) {
    rerender(<Shown step={String(ms)} />);
    await act(() => vi.advanceTimersByTimeAsync(50));
  }
  useApp.setState({ runState: 'idle' });
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.length * took).toBeLessThanOrEqual(10_000 / 20 + took);
});
