import { Button } from '../components/Button.tsx';
import { useApp } from '../state/store.ts';
import type { Action } from './action.ts';

/** A button for an action, with the reason as its title while the action is not available. */
export function ActionButton({ action, kind = 'plain' }: { action: Action; kind?: 'plain' | 'primary' }) {
  const obstacle = useApp(action.obstacle);
  return (
    <Button
      icon={action.icon}
      kind={kind}
      title={action.title}
      obstacle={obstacle}
      onPress={() => void action.perform()}
    >
      {action.name}
    </Button>
  );
}
