import { Suspense, type ReactNode } from 'react';
import { Boundary } from './Boundary.tsx';

interface LaterProps {
  /** What is inside, for people: "The camera". */
  name: string;
  /** Made with React's `lazy`: its code is fetched when it is first shown, and nothing is shown till then. */
  children: ReactNode;
}

/** A part of a screen that most visits do without. If it cannot be fetched, the rest of the screen stays. */
export function Later({ name, children }: LaterProps) {
  return (
    <Boundary name={name}>
      <Suspense fallback={null}>{children}</Suspense>
    </Boundary>
  );
}
