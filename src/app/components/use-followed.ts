import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { Result } from '../../base/result.ts';

/** So near, an element is about to be scrolled to. */
const AROUND = '200px';

/**
 * What the worker answers to a question that changes all the time, such as how the network is now: asked again when the
 * last answer is there and some time has passed, and only while a person can see the element that shows it.
 * @param key says what is asked. Undefined asks nothing
 * @returns what to put on that element, and the newest answer
 */
export function useFollowed<T, E extends HTMLElement>(
  key: string | undefined,
  everyMs: number,
  question: () => Promise<Result<T>>,
): [RefObject<E | null>, Result<T> | undefined] {
  const element = useRef<E>(null);
  const [known, setKnown] = useState<Result<T>>();
  const asked = useEffectEvent(question);
  const wanted = useEffectEvent(() => key);
  useEffect(() => {
    let seen = false;
    const ended = new AbortController();
    let askedFor: string | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        seen = entries.at(-1)?.isIntersecting === true;
      },
      { rootMargin: AROUND },
    );
    if (element.current) observer.observe(element.current);
    const follow = async () => {
      while (!ended.signal.aborted) {
        const now = wanted();
        if (seen && !document.hidden && now !== undefined && now !== askedFor) {
          askedFor = now;
          const answer = await asked();
          if (!ended.signal.aborted) setKnown(answer);
        }
        await new Promise((done) => setTimeout(done, everyMs));
      }
    };
    void follow();
    return () => {
      ended.abort();
      observer.disconnect();
    };
  }, [everyMs]);
  return [element, known];
}
