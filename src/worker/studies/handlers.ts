import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { WorkerPart } from '../part.ts';

const room = lazily(() => import('./studies.ts'));

const studiesPart: WorkerPart<'studies'> = ({ events, gpu, supply, engines, tuningResults }) => ({
  studyList: () => attempt(async () => (await room()).studyList()),
  studyElsewhere: (name) => attempt(async () => (await room()).resultsElsewhere(name)),
  studySources: (name) =>
    attempt(async () => (await (await room()).studies.get(name).sources?.(await supply.get())) ?? []),
  runStudy: (name, small) =>
    attempt(() =>
      gpu.run('studies', async (signal) => {
        const { runStudy } = await room();
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
    ),
});

export default studiesPart;
