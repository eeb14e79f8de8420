import { useEffect, useEffectEvent, useState } from 'react';
import type { Result } from '../../base/result.ts';

/**
 * What the worker answers to a question; undefined until it does.
 * @param key says what is asked: another one asks again. Undefined asks nothing
 */
export function useAnswer<T>(
  key: string | undefined,
  question: () => Promise<Result<T>>,
): Result<T> | undefined {
  const [known, setKnown] = useState<{ key: string; answer: Result<T> }>();
  const asked = useEffectEvent(question);
  useEffect(() => {
    if (key === undefined) return undefined;
    let stale = false;
    const wait = async () => {
      const answer = await asked();
      if (!stale) setKnown({ key, answer });
    };
    void wait();
    return () => {
      stale = true;
    };
  }, [key]);
  return known?.key === key ? known?.answer : undefined;
}
