import { lazy, Suspense, type ComponentType, type JSX, type ReactNode } from 'react';
import { translated } from '../messages/language.ts';
import { Boundary } from './Boundary.tsx';

/**
 * A part of a screen that most visits do not need: its code is fetched when it is first shown. Until then there is nothing,
 * or `meanwhile`. If it cannot be fetched, the rest of the screen stays.
 *
 * @param name what it is, for people: "The camera"
 */
export function later<Props extends object>(name: string, load: () => Promise<ComponentType<Props>>) {
  const Part = lazy(async () => {
    const part = await load();
    await translated();
    return { default: part };
  });
  return ({ meanwhile = null, ...props }: Props & { meanwhile?: ReactNode }) => (
    <Boundary name={name}>
      <Suspense fallback={meanwhile}>
        <Part {...(props as unknown as Props & JSX.IntrinsicAttributes)} />
      </Suspense>
    </Boundary>
  );
}
