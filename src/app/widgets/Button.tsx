import { useRef, type ReactNode } from 'react';
import styles from './Button.module.css';
import { Icon, type IconName } from './Icon.tsx';
import { useShownVerb, type Verb } from './verbs.ts';

export interface ButtonProps {
  /** What it does, as data: the command palette finds it from every screen. */
  verb?: Verb;
  /** Default the verb's name. */
  children?: ReactNode;
  /** Default the verb's. */
  icon?: IconName;
  /** Shown on hover; default the verb's. */
  title?: string;
  /** The command palette finds a primary one while it is shown, even without a verb. */
  kind?: 'primary' | 'plain' | 'quiet';
  /** Why it is disabled now. It stays focusable: the keyboard keeps its place, and the reason can be read. */
  obstacle?: string;
  shortcut?: string;
  /** Whether what it shows and hides is shown. */
  expanded?: boolean;
  className?: string;
  onPress(): void;
}

export function Button({
  verb,
  children = verb?.name,
  icon = verb?.icon,
  title = verb?.title,
  kind = 'plain',
  obstacle,
  shortcut,
  expanded,
  className,
  onPress,
}: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const isOffered = verb !== undefined || kind === 'primary';
  useShownVerb(button, isOffered ? { verb, icon, title, obstacle, press: onPress } : undefined);
  const blocked = obstacle !== undefined;
  return (
    <button
      ref={button}
      type="button"
      className={[styles.button, styles[kind], className].filter(Boolean).join(' ')}
      title={obstacle ?? title}
      aria-disabled={blocked || undefined}
      aria-keyshortcuts={shortcut}
      aria-expanded={expanded}
      data-kind={kind}
      data-verb={verb?.name}
      onClick={() => {
        if (!blocked) onPress();
      }}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}
