import { datasetChecksum } from '../../data/checksum.ts';
import { selectImages } from '../../data/select.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import type { Evaluation, StepRow } from '../../run/metrics/rows.ts';
import { recomputeRun } from '../../train/recompute-run.ts';
import type { WorkerPart } from '../part.ts';
import { readSubmissions } from './read-files.ts';
import { writeSubmission } from './write.ts';

const submissionPart: WorkerPart<'submission'> = (services) => {
  // Of its own, so that the engine of the page's run is left alone.
  const supply = new DeviceSupply(() => services.engines.open('cpu'));
  return {
    writeSubmission: (done) => writeSubmission(services, done),
    readSubmissions,
    async recomputeRun(run, version, maxSteps) {
      const rows: StepRow[] = [];
      const evaluations: Evaluation[] = [];
      let diverged = false;
      const verdict = await recomputeRun(run, version, maxSteps, {
        supply,
        dataset: (name) => services.datasets.get(name),
        checksum: datasetChecksum,
        select: selectImages,
        weights: services.shipped,
        watch: {
          state(_state, _at, error) {
            diverged ||= error?.code === 'diverged';
          },
          steps: (given) => void rows.push(...given),
          evaluation: (evaluation) => void evaluations.push(evaluation),
        },
      });
      return { verdict, rows, evaluations, diverged };
    },
  };
};

export default submissionPart;
