import { useState } from 'react';
import { copyText } from '../clipboard.ts';
import { share as texts } from '../messages/en/share.tsx';
import { Button } from '../widgets/Button.tsx';
import styles from './Share.module.css';

/** A text to take along. */
export function Copyable({ label, text }: { label: string; text: string }) {
  const [said, setSaid] = useState('');
  return (
    <>
      <textarea
        className={styles.text}
        aria-label={label}
        readOnly
        rows={text.includes('\n') ? 6 : text.length > 120 ? 3 : 1}
        value={text}
        onFocus={({ target }) => target.select()}
      />
      <div className="row">
        <Button
          icon="copy"
          onPress={() =>
            void copyText(text).then((done) => setSaid(done ? texts.dialog.copied : texts.dialog.notCopied))
          }
        >
          {texts.dialog.copy(label)}
        </Button>
        <span role="status" className="soft">
          {said}
        </span>
      </div>
    </>
  );
}
