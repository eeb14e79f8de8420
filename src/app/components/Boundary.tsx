import { Component, type ReactNode } from 'react';
import { Button } from '../widgets/Button.tsx';
import { Callout } from '../widgets/Notice.tsx';

interface BoundaryProps {
  /** Its content, in words: "The Lab". */
  name: string;
  children: ReactNode;
}

/** Keeps an error in one part of the page, or a part that failed to load, from taking down the rest. */
export class Boundary extends Component<BoundaryProps, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Callout
        kind="error"
        title={`${this.props.name} failed to load`}
        actions={
          // The browser remembers a failed import until the page is reloaded.
          <Button icon="retry" onPress={() => location.reload()}>
            Reload
          </Button>
        }
      >
        <p>Details: {error.message}</p>
        <p>Everything else keeps working. Reloading interrupts the current run.</p>
      </Callout>
    );
  }
}
