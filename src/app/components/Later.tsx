import { Suspense, type ReactNode } from 'react';
import { Boundary } from './Boundary.tsx';

interface LaterProps {
  /** What is inside, for people: "The camera". */
  name: string;
  /** Made with React's `lazy`: its code is fetched when it is first shown. Until then there is nothing, or `meanwhile`. */
  children: ReactNode;
  meanwhile?: ReactNode;
}

/** A part of a screen that most visits do not need. If it cannot be fetched, the rest of the screen stays. */
export function Later({ name, children, meanwhile = null }: LaterProps) {
  return (
    <Boundary name={name}>
      <Suspense fallback={meanwhile}>{children}</Suspense>
    </Boundary>
  );
}
