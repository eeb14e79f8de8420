import { useCallback, useEffect, useMemo, useRef } from 'react';
import { hrefOf, note, useRoute, type Route } from '../../route.ts';
import { useLab } from './lab-store.ts';

/**
 * The settings of one view of the Lab, kept while others are shown. The address has those that differ from the defaults.
 * @param defaults must stay the same object
 */
export function useSettings<T extends Readonly<Record<string, string>>>(
  view: string,
  defaults: T,
): [T, (change: Partial<T>) => void] {
  const { screen, view: shown, parameters } = useRoute();
  const chosen = useLab((state) => state.settings[view]);
  const here = screen === 'lab' && shown === view;
  const seen = useRef<Route['parameters']>(undefined);
  useEffect(() => {
    if (!here) return;
    if (seen.current !== parameters) {
      seen.current = parameters;
      const linked = Object.entries(parameters).filter(
        ([name, value]) => name in defaults && value !== chosen?.[name],
      );
      if (linked.length > 0) {
        useLab.getState().setSettings(view, Object.fromEntries(linked));
        return;
      }
    }
    const other = Object.entries(chosen ?? {}).filter(([name, value]) => value !== defaults[name]);
    note(hrefOf('lab', view, Object.fromEntries(other)));
  }, [here, view, parameters, chosen, defaults]);
  const settings = useMemo(() => ({ ...defaults, ...chosen }), [defaults, chosen]);
  const change = useCallback(
    (some: Partial<T>) => useLab.getState().setSettings(view, some as Readonly<Record<string, string>>),
    [view],
  );
  return [settings, change];
}

/** The types of numbers in the order of their choice. */
export const NUMBERS = ['f32', 'f16'] as const;

/** The value if it is known, else the first that is. */
export const oneOf = <T extends string>(value: string, known: readonly [T, ...T[]]): T =>
  known.find((one) => one === value) ?? known[0];

/** A power of two within bounds; the fallback for anything else. */
export function powerOf(value: string, least: number, most: number, fallback: number): number {
  const number = Number(value);
  const isPower = Number.isInteger(Math.log2(number));
  return isPower && number >= least && number <= most ? number : fallback;
}
