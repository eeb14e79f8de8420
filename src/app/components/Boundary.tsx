import { Component, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

interface BoundaryProps {
  /** What is inside, for people: "The Lab". */
  name: string;
  children: ReactNode;
}

/** Keeps an error in one part of the page, or a part that could not be loaded, from taking the rest away. */
export class Boundary extends Component<BoundaryProps, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Notice
        kind="error"
        title={`${this.props.name} cannot be shown`}
        actions={
          // What could not be loaded is remembered as such until the page is loaded anew.
          <Button icon="retry" onPress={() => location.reload()}>
            Load the page anew
          </Button>
        }
      >
        <p>It said: {error.message}</p>
        <p>Everything else goes on; a reload ends a run that is under way.</p>
      </Notice>
    );
  }
}
