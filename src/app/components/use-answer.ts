import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { Result } from '../../base/result.ts';
import { throttled } from '../../base/throttled.ts';
import { useApp } from '../state/store.ts';
import { spareTraining } from './spare-training.ts';

/**
 * The worker's answer to a question; undefined until it arrives. A worker that is restarted is asked again.
 *
 * @param key identifies the question: a new key asks again. Undefined asks nothing
 */
export function useAnswer<T>(
  key: string | undefined,
  question: () => Promise<Result<T>>,
): Result<T> | undefined {
  const [known, setKnown] = useState<{ asked: string; answer: Result<T> }>();
  const worker = useApp(({ workers }) => workers);
  const asked = key === undefined ? undefined : `${worker} ${key}`;
  const ask = useEffectEvent(question);
  useEffect(() => {
    if (asked === undefined) return undefined;
    let stale = false;
    const wait = async () => {
      const answer = await ask();
      if (!stale) setKnown({ asked, answer });
    };
    void wait();
    return () => {
      stale = true;
    };
  }, [asked]);
  return known?.asked === asked ? known?.answer : undefined;
}

/** What looks at a model while it trains takes at most so much of the time, because many may look. */
const BUDGET = { share: 0.05, most: 5000 };

/** An element this close to the window is about to be scrolled to. */
const AROUND = '200px';

/** Tells whether an element can be seen, now and whenever that changes. Returns what ends it. */
export function whenSeen(element: Element, tell: (seen: boolean) => void): () => void {
  const observer = new IntersectionObserver((entries) => tell(entries.at(-1)?.isIntersecting === true), {
    rootMargin: AROUND,
  });
  observer.observe(element);
  return () => observer.disconnect();
}

/**
 * The worker's answer to a question about something that changes all the time, such as the network while it trains: asked at
 * most once per `everyMs`, more seldom where it would slow the training, and only while the element that shows the answer can be seen. An old answer stays until the next
 * one arrives.
 *
 * @param key identifies the question: a new key asks again. Undefined asks nothing
 * @returns a ref for that element, and the newest answer
 */
export function useLiveAnswer<T, E extends HTMLElement>(
  key: string | undefined,
  everyMs: number,
  question: () => Promise<Result<T>>,
): [RefObject<E | null>, Result<T> | undefined] {
  const element = useRef<E>(null);
  const [known, setKnown] = useState<Result<T>>();
  const follow = useRef<() => void>(undefined);
  const asked = useEffectEvent(question);
  const current = useEffectEvent(() => key);
  useEffect(() => {
    let seen = false;
    let ended = false;
    let answered: string | undefined;
    follow.current = throttled(everyMs, async () => {
      const now = current();
      if (ended || !seen || document.hidden || now === undefined || now === answered) return;
      answered = now;
      const since = performance.now();
      const answer = await asked();
      if (ended) return;
      setKnown(answer);
      await spareTraining(performance.now() - since, BUDGET);
    });
    const request = follow.current;
    const stop =
      element.current &&
      whenSeen(element.current, (now) => {
        seen = now;
        request();
      });
    document.addEventListener('visibilitychange', request);
    return () => {
      ended = true;
      stop?.();
      document.removeEventListener('visibilitychange', request);
    };
  }, [everyMs]);
  useEffect(() => {
    if (key !== undefined) follow.current?.();
  }, [key]);
  return [element, known];
}
