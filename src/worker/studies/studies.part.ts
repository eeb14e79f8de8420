import { resultsElsewhere } from '../../studies/elsewhere.ts';
import { runStudy, studies, studyList } from '../../studies/index.ts';
import type { WorkerPart } from '../part.ts';

const studiesPart: WorkerPart<'studies'> = ({ events, gpu, supply, engines, tuningResults }) => ({
  studyList,
  studyElsewhere: resultsElsewhere,
  studySources: async (name) => (await studies.get(name).sources?.(await supply.get())) ?? [],
  runStudy: (name, small) =>
    gpu.run('studies', async (signal) => {
      const device = await supply.get();
      await tuningResults.load(device);
      const { seconds } = await runStudy(name, {
        device,
        onlyCpu: engines.choice === 'cpu',
        openCpu: device.adapter.cpu ? undefined : () => engines.open('cpu'),
        small,
        known: [],
        signal,
        report: (line) => events.send({ type: 'study', study: name, step: 'line', line }),
        // Its line says it.
        undone: () => undefined,
        progress: (share, doing) =>
          events.send({ type: 'study', study: name, step: 'progress', share, doing }),
      });
      return seconds;
    }),
});

export default studiesPart;
