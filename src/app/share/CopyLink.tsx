import { useState } from 'react';
import { Icon } from '../components/Icon.tsx';
import { hrefOf } from '../route.ts';
import { OWN_MODEL } from '../state/own-model.ts';
import { useApp } from '../state/store.ts';
import styles from './Share.module.css';

/** The address that brings the settings as they are now; a built model travels in it. */
export async function linkToSettings(): Promise<string> {
  const [{ linkOf }, { compressed }] = await Promise.all([import('./link.ts'), import('./compress.ts')]);
  const { settings, ownModel } = useApp.getState();
  const own = settings.model === OWN_MODEL ? ownModel : undefined;
  const model = own && (await compressed(JSON.stringify(own)));
  return new URL(hrefOf('train', '', linkOf(settings, model)), location.href).href;
}

/** Copies it. Answers what to tell. */
export async function copyLink(): Promise<string> {
  const link = await linkToSettings();
  try {
    await navigator.clipboard.writeText(link);
    return 'Link copied.';
  } catch {
    // Refused, or not offered here.
    return `The browser does not let wgrad copy. The link is ${link}`;
  }
}

export function CopyLink() {
  const [said, setSaid] = useState('');
  return (
    <span className={styles.copy}>
      <button
        type="button"
        className={styles.button}
        title="Copies an address with model, data, settings and seed. Whoever opens it sees what it sets."
        onClick={() => {
          setSaid('');
          void copyLink().then(setSaid);
        }}
      >
        <Icon name="link" />
        <span className={styles.word}>Copy link</span>
      </button>
      <span role="status" className={styles.said}>
        {said}
      </span>
    </span>
  );
}
