import { percent } from '../../base/percent.ts';
import { Failure } from '../../base/result.ts';
import { adapterLabel, openNodeDevice } from '../../node/gpu.ts';
import { readBytes } from '../../node/read.ts';
import { readResult } from '../../studies/elsewhere.ts';
import { runStudy, studies } from '../../studies/index.ts';
import type { StudyEnding, PublishedLine, StudyResult } from '../../studies/study.ts';
import { flag, inputFile, optional, real } from '../arguments.ts';
import { command } from '../command.ts';
import { openTuningResults } from '../tuning-results.ts';
import { Undone } from '../undone.ts';
import { engineOption } from '../engine-option.ts';

export default command({
  summary: 'Measure a published comparison again: every bar and row of its figures',
  positionals: [{ name: 'NAME', summary: `one of ${studies.names().join(', ')}`, required: true }],
  options: {
    small: flag('few cases and samples: takes a few seconds'),
    minutes: optional(real('N', 'stop after this time and print what was measured until then', { min: 0 })),
    resume: optional(
      inputFile(
        'FILE.jsonl',
        'measure only what is missing in the output of a stopped run; for studies that take minutes',
      ),
    ),
    engine: engineOption,
    json: flag('print JSON lines (always on)'),
  },
  async run({ options: { small, engine, minutes, resume }, positionals: [name], print, note }) {
    if (!studies.has(name)) {
      throw new Failure(
        'bad-input',
        `no study named "${name}"`,
        `Available studies: ${studies.names().join(', ')}.`,
      );
    }
    const device = await openNodeDevice({ engine });
    await (await openTuningResults()).load(device);
    const adapter = await adapterLabel(engine);
    const earlier = resume === undefined ? undefined : await readEarlier(resume, name, { small, adapter });
    let last = '';
    let lines = 0;
    const start = performance.now();
    const stopping = new AbortController();
    const timer = minutes === undefined ? undefined : setTimeout(() => stopping.abort(), 60_000 * minutes);
    let complete = true;
    const undone = new Undone();
    for (const published of studies.get(name).published) print({ published } satisfies PublishedLine);
    try {
      await runStudy(name, {
        device,
        onlyCpu: device.adapter.cpu,
        openCpu: device.adapter.cpu ? undefined : () => openNodeDevice({ engine: 'cpu' }),
        small,
        known: earlier?.lines ?? [],
        signal: stopping.signal,
        report(line) {
          lines++;
          print(line);
        },
        undone: (what) => undone.add(what),
        progress(share, doing) {
          if (doing !== last) note(`${percent(share, 0)} ${doing}`);
          last = doing;
        },
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'cancelled') throw error;
      complete = false;
    }
    clearTimeout(timer);
    const ending: StudyEnding = {
      final: true,
      study: name,
      size: small ? 'small' : 'full',
      complete,
      adapter,
      runtime: `Node ${process.versions.node}`,
      date: new Date().toISOString(),
      seconds: (performance.now() - start) / 1000 + (earlier?.seconds ?? 0),
      lines,
    };
    print(ending);
    device.destroy();
    if (!complete) throw new Failure('cancelled', `${name} was stopped after ${minutes} minutes`);
    undone.refuse();
  },
});

/** @throws Failure `bad-input` if the file is not a result of this study, of this size, from this machine */
async function readEarlier(
  file: string,
  name: string,
  { small, adapter }: { small: boolean; adapter: string },
): Promise<StudyResult> {
  const refuse = (message: string, advice: string) => new Failure('bad-input', message, advice);
  if (!studies.get(name).resumes)
    throw refuse(`the study ${name} cannot be resumed`, 'Run it without --resume.');
  const content = new TextDecoder().decode(await readBytes(file));
  let earlier: StudyResult;
  try {
    earlier = readResult(content);
  } catch {
    throw refuse(`${file} is not the output of \`wgrad study\``, 'Give the complete standard output.');
  }
  // Drivers may differ.
  const machine = (label: string) => label.replace(/ \(.*/, '');
  const size = small ? 'small' : 'full';
  const [found, expected] = [earlier, { study: name, size, adapter }].map(
    (one) => `${one.study}, ${one.size}, on ${machine(one.adapter)}`,
  );
  if (found !== expected)
    throw refuse(`${file} has a result of ${found}; expected ${expected}`, 'Run it without --resume.');
  return earlier;
}
