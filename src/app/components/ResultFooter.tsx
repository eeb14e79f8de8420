import { useState, type ReactNode } from 'react';
import { copyText } from '../clipboard.ts';
import { download, fileName } from '../download.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './ResultFooter.module.css';

interface ResultFooterProps {
  /** Part of the files' names: "race". */
  kind: string;
  date: Date;
  /** What a row of the CSV is: "One row per kernel variant". */
  rows: string;
  /** What the link reopens: "these settings". */
  linked: string;
  /** Why there are no files yet. */
  obstacle: string | undefined;
  json(): string;
  csv(): string;
  /** Where and how it was measured. */
  children?: ReactNode;
}

/** Below every result: where and how it was measured, the result as files, and a link that reopens it. */
export function ResultFooter(props: ResultFooterProps) {
  const { kind, date, rows, linked, obstacle, json, csv, children } = props;
  const [copied, setCopied] = useState('');
  const name = fileName(kind, date);
  const copy = async () =>
    setCopied((await copyText(location.href)) ? 'Copied.' : 'Could not copy. Use the address bar instead.');
  return (
    <>
      {children}
      <div className={`row ${styles.files}`}>
        <Button
          icon="download"
          obstacle={obstacle}
          title="All results, with device, browser, method and date"
          onPress={() => download(`${name}.json`, 'application/json', json())}
        >
          JSON
        </Button>
        <Button
          icon="download"
          obstacle={obstacle}
          title={rows}
          onPress={() => download(`${name}.csv`, 'text/csv', csv())}
        >
          CSV
        </Button>
        <Button icon="link" title={`Copy a link to ${linked}`} onPress={() => void copy()}>
          Copy link
        </Button>
        <span role="status" className="faint">
          {copied}
        </span>
      </div>
    </>
  );
}
