import { lazy, Suspense, type ComponentType, type JSX, type ReactNode } from 'react';
import { translated } from '../messages/language.ts';
import { Boundary } from './Boundary.tsx';

/** A component whose code is fetched when it is first shown, with its texts in the page's language. */
export const fetched = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    const component = await load();
    await translated();
    return { default: component };
  });

/**
 * A part of a screen that most visits do not need: its code is fetched when it is first shown. Until then there is nothing,
 * or `meanwhile`. If it cannot be fetched, the rest of the screen stays.
 *
 * @param name what it is, for people: "The camera"
 */
export function later<Props extends object>(name: string, load: () => Promise<ComponentType<Props>>) {
  const Part = fetched(load);
  return ({ meanwhile = null, ...props }: Props & { meanwhile?: ReactNode }) => (
    <Boundary name={name}>
      <Suspense fallback={meanwhile}>
        <Part {...(props as unknown as Props & JSX.IntrinsicAttributes)} />
      </Suspense>
    </Boundary>
  );
}
