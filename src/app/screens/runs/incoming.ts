/** Files that are chosen or dropped here: archives of runs, and networks of other programs. */
import { create } from 'zustand';
import type { FailureValue } from '../../../base/result.ts';
import { isRunArchive } from '../../exchange/files.ts';
import { importRuns } from './manage.ts';

interface Incoming {
  reading: boolean;
  /** Names of the runs that were imported last. */
  names: readonly string[];
  errors: readonly FailureValue[];
  /** The files of a network that is being looked at. */
  network: readonly File[] | undefined;
}

export const useIncoming = create<Incoming>()(() => ({
  reading: false,
  names: [],
  errors: [],
  network: undefined,
}));

export async function takeFiles(files: readonly File[]): Promise<void> {
  const isArchive = await Promise.all(files.map(isRunArchive));
  const archives = files.filter((_, i) => isArchive[i]);
  const others = files.filter((_, i) => !isArchive[i]);
  if (others.length > 0) useIncoming.setState({ network: others });
  if (archives.length === 0) return;
  useIncoming.setState({ reading: true });
  useIncoming.setState({ ...(await importRuns(archives)), reading: false });
}

export const dismiss = (error: FailureValue): void =>
  useIncoming.setState(({ errors }) => ({ errors: errors.filter((one) => one !== error) }));
