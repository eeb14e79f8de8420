import { useEffect, useState } from 'react';
import type { Published, StudyInfo, StudyLine, StudyResult } from '../../../worker/api.ts';
import { Choice } from '../../widgets/Choice.tsx';
import { DataTable } from '../../widgets/DataTable.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { prose } from '../../format.ts';
import { BarPanel } from './BarPanel.tsx';
import { shortName } from './figures.ts';
import { RunPanel } from './RunPanel.tsx';
import { SourcePanel } from './SourcePanel.tsx';
import styles from './Studies.module.css';
import { loadElsewhere, useStudies } from './studies-store.ts';
import { TablePanel } from './TablePanel.tsx';

const NONE: readonly StudyLine[] = [];
const NO_RESULTS: readonly StudyResult[] = [];

/** One study: what it asked and found, and its figures with this machine's numbers. */
export function StudyView({ study }: { study: StudyInfo }) {
  const { name, figures } = study;
  useEffect(() => void loadElsewhere(name), [name]);
  const measured = useStudies((state) => state.here[name]);
  const elsewhere = useStudies((state) => state.elsewhere[name]) ?? NO_RESULTS;
  const [shown, show] = useState<'here' | 'elsewhere'>('here');
  const lines = measured?.lines ?? NONE;
  const [other] = elsewhere;
  const otherLines = other?.lines ?? NONE;
  const hasTable = figures.some(({ kind }) => kind === 'table');
  const inTables = other && (shown === 'elsewhere' || lines.length === 0) ? otherLines : lines;
  return (
    <div className="column">
      <div className={styles.top}>
        <About study={study} />
        <RunPanel study={study} measured={measured} other={other} />
      </div>
      {hasTable && other && (
        <div className="row">
          <span className="soft">Numbers in tables:</span>
          <Choice
            label="Numbers in tables"
            value={inTables === otherLines ? 'elsewhere' : 'here'}
            options={{ here: 'This machine', elsewhere: shortName(other) }}
            obstacle={lines.length === 0 ? 'Run the study here first.' : undefined}
            onChange={show}
          />
          {inTables === lines && <span className="faint">Small numbers below: {shortName(other)}.</span>}
        </div>
      )}
      <div className={styles.figures}>
        {figures.map((figure) =>
          figure.kind === 'bars' ? (
            <BarPanel key={figure.name} figure={figure} lines={lines} other={other} />
          ) : (
            <TablePanel
              key={figure.name}
              figure={figure}
              lines={inTables}
              beside={inTables === lines ? otherLines : NONE}
            />
          ),
        )}
      </div>
      {study.published.length > 0 && <PublishedPanel published={study.published} />}
      {study.hasSources && <SourcePanel study={study} />}
    </div>
  );
}

function About({ study: { title, question, summary, source } }: { study: StudyInfo }) {
  const { authors, date, kind, hardware, numbers, further } = source;
  return (
    <Panel title={title}>
      <div className={styles.about}>
        <p className={styles.question}>{question}</p>
        {summary.map((paragraph) => (
          <p key={paragraph}>{prose(paragraph)}</p>
        ))}
        <dl className={styles.source}>
          <div>
            <dt>Source</dt>
            <dd>
              {authors ?? 'Authors not stated'}, “{source.title}”. {kind}, {date ?? 'date not stated'}.
            </dd>
          </div>
          <div>
            <dt>Original hardware</dt>
            <dd>{hardware ?? 'Not stated.'}</dd>
          </div>
          <div>
            <dt>Its numbers</dt>
            <dd>{numbers}</dd>
          </div>
          {further !== undefined && (
            <div>
              <dt>Based on</dt>
              <dd>{further}</dd>
            </div>
          )}
        </dl>
      </div>
    </Panel>
  );
}

/** The figures of the source that the study shows, digit for digit. */
function PublishedPanel({ published }: { published: readonly Published[] }) {
  const title = 'What the source prints';
  return (
    <Panel title={title} explanation="The figures of the source that are compared, as they stand there.">
      <details>
        <summary className="soft">
          {published.length} {published.length === 1 ? 'figure' : 'figures'}
        </summary>
        <DataTable
          caption={title}
          className={styles.figure}
          rows={published}
          keyOf={({ what }) => what}
          columns={[
            { title: 'What', render: ({ what }) => what },
            { title: 'Printed', number: true, render: ({ value, unit }) => `${value} ${unit}` },
          ]}
        />
      </details>
    </Panel>
  );
}
