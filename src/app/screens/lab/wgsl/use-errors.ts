import { useEffect, useMemo, useState } from 'react';
import { ask } from '../../../client.ts';
import { useAnswer } from '../../../components/use-answer.ts';
import { runningView, useLab } from '../lab-store.ts';
import type { ShownVariant } from '../RaceView.tsx';
import { placesIn, type WgslError } from './errors.ts';

/** Not with every key. */
const TYPING_MS = 500;

interface Checked {
  /** In this file. */
  errors: readonly WgslError[];
  /** What is wrong in another file, or in none. */
  elsewhere: string | undefined;
  state: 'unknown' | 'checking' | 'sound';
}

const NONE: readonly WgslError[] = [];

/**
 * The compiler's messages about the edited WGSL of a variant, soon after it changes. Nothing is compiled while the Lab
 * measures.
 * @param file path below shaders/, without the extension
 */
export function useWgslErrors({ request, choice }: ShownVariant, file: string): Checked {
  const edits = useLab((state) => state.edits);
  const running = useLab(runningView);
  const key = useLater(Object.keys(edits).length > 0 ? JSON.stringify([choice, edits]) : undefined);
  const answer = useAnswer(running === undefined ? key : undefined, () =>
    ask((api) => api.lab.checkWgsl(request, choice, { ...edits })),
  );
  return useMemo(() => {
    if (key === undefined || running !== undefined) {
      return { errors: NONE, elsewhere: undefined, state: 'unknown' };
    }
    if (!answer || answer.ok) {
      return { errors: NONE, elsewhere: undefined, state: answer ? 'sound' : 'checking' };
    }
    const { code, message } = answer.error;
    if (code !== 'shader') return { errors: NONE, elsewhere: undefined, state: 'unknown' };
    const places = placesIn(message);
    const [other] = places.filter((one) => one.file !== file);
    return {
      errors: places.filter((one) => one.file === file),
      elsewhere: other
        ? `${other.file}.wgsl, line ${other.line}: ${other.message}`
        : places.length === 0
          ? message
          : undefined,
      state: 'unknown',
    };
  }, [key, running, answer, file]);
}

/** The value, once it has not changed for a while. */
function useLater(value: string | undefined): string | undefined {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
