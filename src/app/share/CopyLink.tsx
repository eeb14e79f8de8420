import { useEffect, useState } from 'react';
import { copyText } from '../clipboard.ts';
import { Icon } from '../widgets/Icon.tsx';
import { addressOf, currentParameters } from './address.ts';
import styles from './Share.module.css';

/** A link to the current settings, with the model if it was built here. */
const linkToSettings = async (): Promise<string> => addressOf(await currentParameters());

const COPIED = 'Link copied.';
/** How long that is shown. A link to be copied by hand stays. */
const SHOWN_MS = 4000;

/** Copies it. @returns the message to show */
export async function copyLink(): Promise<string> {
  const link = linkToSettings();
  return (await copyText(link)) ? COPIED : `Could not copy. Copy this link instead: ${await link}`;
}

export function CopyLink() {
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (message !== COPIED) return undefined;
    const timer = setTimeout(() => setMessage(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <span className={styles.copy}>
      <button
        type="button"
        className={styles.button}
        title="Copy a link to this model, data set, settings and seed."
        onClick={() => {
          setMessage('');
          void copyLink().then(setMessage);
        }}
      >
        <Icon name="link" />
        Copy link
      </button>
      <span role="status" className={styles.message}>
        {message}
      </span>
    </span>
  );
}
