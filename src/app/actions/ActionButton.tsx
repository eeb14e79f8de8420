import { Button } from '../widgets/Button.tsx';
import { useApp } from '../state/store.ts';
import { labelOf, type Action } from './actions.ts';
import { train as texts } from '../messages/en/train.tsx';

interface ActionButtonProps {
  action: Action;
  kind?: 'plain' | 'primary';
  className?: string;
  /** Shows the action's key, where that key works. */
  withKey?: boolean;
}

/** A button for an action, with the reason as its title while the action is not available. */
export function ActionButton({ action, kind = 'plain', className, withKey = false }: ActionButtonProps) {
  const obstacle = useApp(action.obstacle);
  const label = useApp((state) => labelOf(action, state));
  const hotkeys = useApp((state) => state.hotkeys);
  const key = withKey ? (action.key === ' ' ? texts.bar.space : action.key) : undefined;
  return (
    <Button
      verb={action}
      kind={kind}
      className={className}
      title={key ? `${action.title} (${key})` : action.title}
      obstacle={obstacle}
      shortcut={hotkeys ? key : undefined}
      onPress={() => void action.perform()}
    >
      {label}
    </Button>
  );
}
