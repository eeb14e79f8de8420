import type { ReactNode } from 'react';
import styles from './Button.module.css';
import { Icon, type IconName } from './Icon.tsx';

export interface ButtonProps {
  children: ReactNode;
  icon?: IconName;
  /** Shown on hover. */
  title?: string;
  kind?: 'primary' | 'plain' | 'quiet';
  /** Why it is disabled now. It stays focusable: the keyboard keeps its place, and the reason can be read. */
  obstacle?: string;
  shortcut?: string;
  className?: string;
  onPress(): void;
}

export function Button({
  children,
  icon,
  title,
  kind = 'plain',
  obstacle,
  shortcut,
  className,
  onPress,
}: ButtonProps) {
  const blocked = obstacle !== undefined;
  return (
    <button
      type="button"
      className={[styles.button, styles[kind], className].filter(Boolean).join(' ')}
      title={obstacle ?? title}
      aria-disabled={blocked || undefined}
      aria-keyshortcuts={shortcut}
      onClick={() => {
        if (!blocked) onPress();
      }}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}
