import { Failure } from '../../base/result.ts';
import { adapterLabel, openNodeDevice } from '../../node/gpu.ts';
import { runStudy, studies } from '../../studies/index.ts';
import type { Ending } from '../../studies/study.ts';
import { flag, optional, real } from '../arguments.ts';
import { command } from '../command.ts';
import { engineOption } from '../engine-option.ts';

export default command({
  summary: 'Measure a published comparison again: every bar and row of its figures',
  positionals: [{ name: 'NAME', summary: `one of ${studies.names().join(', ')}`, required: true }],
  options: {
    small: flag('few cases and samples: a try of some seconds'),
    minutes: optional(
      real('N', 'stop after this time; what was measured until then is the result', { min: 0 }),
    ),
    engine: engineOption,
    json: flag('print JSON lines (always on)'),
  },
  async run({ options: { small, engine, minutes }, positionals: [name], print, note }) {
    if (!studies.has(name)) {
      throw new Failure(
        'bad-input',
        `no study named "${name}"`,
        `Available studies: ${studies.names().join(', ')}.`,
      );
    }
    const device = await openNodeDevice({ engine });
    const adapter = await adapterLabel(engine);
    let last = '';
    let lines = 0;
    const start = performance.now();
    const stopping = new AbortController();
    const timer = minutes === undefined ? undefined : setTimeout(() => stopping.abort(), 60_000 * minutes);
    let complete = true;
    try {
      await runStudy(name, {
        device,
        small,
        signal: stopping.signal,
        report(line) {
          lines++;
          print(line);
        },
        progress(share, doing) {
          if (doing !== last) note(`${Math.round(100 * share)} % ${doing}`);
          last = doing;
        },
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'cancelled') throw error;
      complete = false;
    }
    clearTimeout(timer);
    const ending: Ending = {
      final: true,
      study: name,
      size: small ? 'small' : 'full',
      complete,
      adapter,
      runtime: `Node ${process.versions.node}`,
      date: new Date().toISOString(),
      seconds: (performance.now() - start) / 1000,
      lines,
    };
    print(ending);
    device.destroy();
    if (!complete) throw new Failure('cancelled', `${name} was stopped after ${minutes} minutes`);
  },
});
