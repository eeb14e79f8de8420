import { useState } from 'react';
import { Button } from '../../components/Button.tsx';
import { isRunning } from './batch.ts';
import styles from './Downloads.module.css';
import type { Measured } from './lab-store.ts';
import { csvReport, download, fileName, jsonReport } from './report.ts';

interface DownloadsProps {
  /** In the file's name: "race". */
  kind: string;
  batch: Measured;
  title: string;
}

/** The result as a file, and the address that reopens it. */
export function Downloads({ kind, batch, title }: DownloadsProps) {
  const [copied, setCopied] = useState<'yes' | 'no'>();
  const obstacle = isRunning(batch) ? 'Still measuring.' : undefined;
  const browser = navigator.userAgent;
  const name = fileName(kind, batch.date);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied('yes');
    } catch {
      // Refused, or not offered here: the address bar has it too.
      setCopied('no');
    }
  };
  return (
    <div className={styles.downloads}>
      <Button
        icon="download"
        obstacle={obstacle}
        title="Everything, with adapter, browser, method and date"
        onPress={() =>
          download(
            `${name}.json`,
            'application/json',
            jsonReport(batch, { title, link: location.href, browser }),
          )
        }
      >
        JSON
      </Button>
      <Button
        icon="download"
        obstacle={obstacle}
        title="A row for each launch, for spreadsheets"
        onPress={() => download(`${name}.csv`, 'text/csv', csvReport(batch, { browser }))}
      >
        CSV
      </Button>
      <Button icon="link" title="Whoever opens it has the same settings" onPress={() => void copy()}>
        Copy link
      </Button>
      <span role="status" className={styles.said}>
        {copied === 'yes' && 'Copied.'}
        {copied === 'no' && 'The browser refused; the address bar has it.'}
      </span>
    </div>
  );
}
