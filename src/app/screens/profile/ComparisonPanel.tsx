import { useState } from 'react';
import { Failure, type FailureValue } from '../../../base/result.ts';
import { FileButton } from '../../widgets/FileButton.tsx';
import { DataTable } from '../../widgets/DataTable.tsx';
import { FailureNotice } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { Select } from '../../widgets/Select.tsx';
import * as format from '../../format.ts';
import { useProfile, type RunProfile } from '../../state/profile-store.ts';
import { differencesOf } from './compare.ts';
import styles from './Profile.module.css';
import { readProfile } from './saved-profile.ts';

/** Kernels that are listed. */
const MAX_LISTED = 12;

interface ComparisonPanelProps {
  profile: RunProfile;
  earlier: readonly RunProfile[];
  other: RunProfile | undefined;
  /** @param against the other's date, as a number; undefined for none */
  onChange(against: number | undefined): void;
}

const nameOf = ({ model, batchSize, date }: RunProfile): string =>
  `${model}, batch ${batchSize}, ${format.timeOfDay(date)}`;

/** This profile beside an earlier one: the step, and the kernels that changed most. */
export function ComparisonPanel({ profile, earlier, other, onChange }: ComparisonPanelProps) {
  const [error, setError] = useState<FailureValue>();
  const open = async (file: File) => {
    try {
      const opened = readProfile(file.name, await file.text());
      useProfile.setState((state) => ({ earlier: [opened, ...state.earlier] }));
      setError(undefined);
      onChange(opened.date.getTime());
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      setError(failure.value);
    }
  };
  return (
    <Panel
      title="Compared with an earlier profile"
      aside={
        <>
          <FileButton
            label="Profile"
            accept=".json,application/json"
            title="A JSON file that was downloaded here"
            onFiles={([file]) => void open(file)}
          >
            Open file…
          </FileButton>
          <Select
            look="hidden"
            label="Compare with"
            value={other ? String(other.date.getTime()) : ''}
            options={[
              { value: '', title: 'None' },
              ...earlier.map((one) => ({ value: String(one.date.getTime()), title: nameOf(one) })),
            ]}
            onChange={(value) => onChange(value === '' ? undefined : Number(value))}
          />
        </>
      }
    >
      {error && <FailureNotice title="This file cannot be opened" error={error} />}
      {other ? (
        <Differences profile={profile} other={other} />
      ) : (
        <p className={`faint ${styles.compared}`}>
          Choose one, or open a file: it appears in the timeline too, on the same scale.
        </p>
      )}
    </Panel>
  );
}

const signed = (ms: number): string => `${ms < 0 ? '−' : '+'}${format.time(Math.abs(ms))}`;

function Differences({ profile, other }: { profile: RunProfile; other: RunProfile }) {
  const rows = differencesOf(profile, other);
  const shown = rows.filter(({ change }) => change !== 0).slice(0, MAX_LISTED);
  const factor = profile.wall.median / other.wall.median;
  return (
    <>
      <p className={styles.compared}>
        A step takes <b>{format.time(profile.wall.median)}</b>, {format.times(factor)} as long as the{' '}
        {format.time(other.wall.median)} of {nameOf(other)}.
      </p>
      <DataTable
        caption="Kernels by the change of their time"
        className={styles.table}
        rows={shown}
        keyOf={({ kernel }) => kernel}
        columns={[
          { title: 'Kernel', render: ({ kernel }) => kernel },
          { title: 'Before', render: ({ before }) => (before === undefined ? '–' : format.time(before)) },
          { title: 'Now', render: ({ now }) => (now === undefined ? '–' : format.time(now)) },
          {
            title: 'Change',
            render: ({ change, isNoise }) => (
              <>
                <b>{signed(change)}</b>
                {isNoise && <small className="phone-only">within noise</small>}
              </>
            ),
          },
          {
            title: 'Significant?',
            wide: true,
            render: ({ isNoise }) => (isNoise ? <span className="faint">within the noise</span> : 'yes'),
          },
        ]}
      />
    </>
  );
}
