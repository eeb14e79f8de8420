import { Failure } from '../../base/result.ts';
import { adapterLabel, openNodeDevice } from '../../node/gpu.ts';
import { runStudy, studies } from '../../studies/index.ts';
import type { Ending } from '../../studies/study.ts';
import { flag } from '../arguments.ts';
import { command } from '../command.ts';
import { engineOption } from '../engine-option.ts';

export default command({
  summary: 'Measure a published comparison again: every bar and row of its figures',
  positionals: [{ name: 'NAME', summary: `one of ${studies.names().join(', ')}`, required: true }],
  options: {
    small: flag('few cases and samples: a try of some seconds'),
    engine: engineOption,
    json: flag('print JSON lines (always on)'),
  },
  async run({ options: { small, engine }, positionals: [name], print, note }) {
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
    const { lines, seconds } = await runStudy(name, {
      device,
      small,
      signal: new AbortController().signal,
      report: print,
      progress(share, doing) {
        if (doing !== last) note(`${Math.round(100 * share)} % ${doing}`);
        last = doing;
      },
    });
    const ending: Ending = {
      final: true,
      study: name,
      size: small ? 'small' : 'full',
      adapter,
      runtime: `Node ${process.versions.node}`,
      date: new Date().toISOString(),
      seconds,
      lines: lines.length,
    };
    print(ending);
    device.destroy();
  },
});
