import { datasetChecksum } from '../../data/checksum.ts';
import { selectImages } from '../../data/select.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import { codeOf, fingerprintOf, handInOf, handInText } from '../../run/handed-in/format.ts';
import type { Evaluation, StepRow } from '../../run/metrics/rows.ts';
import { computeAgain } from '../../train/compute-again.ts';
import type { WorkerPart } from '../part.ts';
import { handedRun } from './handed-run.ts';
import { readHandIns } from './read-files.ts';

const handingInPart: WorkerPart<'handing-in'> = (services) => {
  // Of its own, so that the engine of the page's run is left alone.
  const supply = new DeviceSupply(() => services.engines.open('cpu'));
  return {
    handedRun: (...asked) => handedRun(services, ...asked),
    async handInFile(parts) {
      const handIn = handInOf(parts);
      return { text: handInText(handIn), code: await codeOf(handIn) };
    },
    fingerprint: fingerprintOf,
    readHandIns,
    async computeAgain(run, version, most) {
      const rows: StepRow[] = [];
      const evaluations: Evaluation[] = [];
      let diverged = false;
      const verdict = await computeAgain(run, version, most, {
        supply,
        dataset: (name) => services.datasets.get(name),
        checksum: datasetChecksum,
        select: selectImages,
        weights: services.shipped,
        watch: {
          state(_state, _at, error) {
            diverged ||= error?.code === 'diverged';
          },
          steps(given) {
            rows.push(...given);
            services.events.send({ type: 'again', done: rows.length });
          },
          evaluation: (evaluation) => void evaluations.push(evaluation),
        },
      });
      return { verdict, rows, evaluations, diverged };
    },
  };
};

export default handingInPart;
