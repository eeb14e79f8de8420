import { Icon } from '../widgets/Icon.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { hrefOf } from '../route.ts';
import { SCREENS, type Screen } from '../screens/index.ts';
import styles from './Shell.module.css';

/** On a phone the others are behind "More". */
const FIRST: readonly string[] = ['train', 'inspect', 'lab', 'runs'];

interface ScreensProps {
  /** The screen that is shown. */
  screen: string;
  /** The address at which each visited screen was left. */
  addresses: Readonly<Record<string, string>>;
}

/** The links to the screens: in the top bar, or at the bottom of a phone. */
export function Screens({ screen, addresses }: ScreensProps) {
  const link = ({ name, title, icon }: Screen, className?: string) => (
    <a
      key={name}
      href={addresses[name] || hrefOf(name)}
      className={className}
      aria-current={name === screen ? 'page' : undefined}
    >
      <Icon name={icon} />
      {title}
    </a>
  );
  const listed = SCREENS.filter(({ isApart }) => !isApart);
  const others = listed.filter(({ name }) => !FIRST.includes(name));
  return (
    <nav className={styles.screens} aria-label="Screens">
      {listed.map((one) => link(one, FIRST.includes(one.name) ? undefined : styles.other))}
      <Popover
        label="More screens"
        className={styles.more}
        tone={others.some(({ name }) => name === screen) ? 'current' : undefined}
        face={
          <>
            <Icon name="more" />
            More
          </>
        }
      >
        <nav className={styles.otherScreens} aria-label="More screens">
          {others.map((one) => link(one, 'pick'))}
        </nav>
      </Popover>
    </nav>
  );
}
