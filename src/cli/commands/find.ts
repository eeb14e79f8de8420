import { Failure } from '../../base/result.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { launchNamed } from '../../engine/ops/conv/choice/layers.ts';
import { problemKey } from '../../engine/ops/conv/problem.ts';
import { usualWorkspace } from '../../engine/ops/conv/run.ts';
import { models } from '../../models/index.ts';
import { suites } from '../../models/suites.ts';
import { flag, integer, optional, text, texts, withDefault } from '../arguments.ts';
import { triedColumns } from '../bench/conv.ts';
import { command } from '../command.ts';
import { engineOption } from '../engine-option.ts';
import {
  casesOfModel,
  casesOfProblems,
  casesOfSuites,
  directionOption,
  directionsOf,
  numberOption,
  onlyOne,
  workspaceOption,
} from '../conv-options.ts';
import { modelText } from '../model.ts';
import { openTuningResults, findDbOption } from '../tuning-results.ts';
import { Undone } from '../undone.ts';
import { adapterLabel, openNodeDevice } from '../../node/gpu.ts';

export default command({
  summary: 'Benchmark convolution algorithms and save the fastest for conv and train',
  options: {
    suite: optional(text('NAME,...', `the layers of ${suites.names().join(', ')}, or all`)),
    model: optional(modelText(`or those of a model: ${models.names().join(', ')}`)),
    problem: optional(texts('SIZES', 'or these sizes, such as "n1 c4 32x32 k16 3x3 s1x1 p1x1 d1x1 g1"')),
    'batch-size': optional(integer('N', "batch size (default: 64, or the suite's)", { min: 1, max: 65536 })),
    direction: directionOption,
    workspace: workspaceOption,
    number: numberOption,
    samples: withDefault(
      integer('N', 'samples per candidate close to the fastest', { min: 3, max: 1000 }),
      10,
    ),
    again: flag('measure again what the tuning results already contain'),
    'find-db': findDbOption,
    engine: engineOption,
  },
  async run({ options, print, note }) {
    const { suite, model, problem, number, samples } = options;
    const batch = options['batch-size'];
    onlyOne({ '--suite': suite, '--model': model, '--problem': problem });
    if (problem && batch !== undefined) {
      throw new Failure(
        'bad-input',
        '--problem includes the batch size; use --batch-size with --suite or --model',
      );
    }
    const cases = suite
      ? casesOfSuites(suite, batch)
      : model
        ? await casesOfModel(model, batch ?? 64)
        : casesOfProblems(problem ?? []);
    const wanted = directionsOf(options.direction);
    const db = await openTuningResults(options['find-db']);
    const device = await openNodeDevice({ engine: options.engine });
    await db.load(device);
    const { workspace = usualWorkspace(device) } = options;
    const adapter = await adapterLabel(options.engine);
    const undone = new Undone();
    for (const one of cases) {
      const { suite: from, layer } = one;
      for (const direction of one.directions.filter((each) => wanted.includes(each))) {
        const line = { suite: from, layer, problem: problemKey(one.problem), direction, number };
        const stored = db.known(device).entry(one.problem, direction, number, workspace);
        const setting = { device, problem: one.problem, workspace, number };
        const isHere = !stored?.best || launchNamed(setting, direction, stored.best) !== undefined;
        if (!isHere)
          note(
            `${line.problem} ${direction}: the saved variant does not exist on this device or in this version; measuring again`,
          );
        const known = isHere ? stored : undefined;
        if (known && !options.again) {
          if (!known.best) undone.add(`${problemKey(one.problem)} ${direction}: no correct result`);
          print({ ...line, found: true, known: true, best: known.best ?? null, date: known.date, adapter });
          continue;
        }
        const { tried, absent, best, ties, unclear, doubt, elapsedMs } = await find(
          device,
          one.problem,
          direction,
          { workspace, number, samples },
        );
        if (doubt !== undefined) note(doubt);
        for (const each of tried) print({ ...line, ...triedColumns(each, one.problem) });
        for (const each of absent) print({ ...line, ...each, status: 'unsupported' });
        await db.record(device, {
          problem: one.problem,
          direction,
          number,
          workspace,
          tried,
          absent,
          ties,
          unclear,
          elapsedMs,
          best,
        });
        const result = {
          found: true,
          known: false,
          best: best ?? null,
          ties,
          unclear,
          search_seconds: elapsedMs / 1000,
        };
        print({ ...line, ...result, adapter });
        if (!best) undone.add(`${problemKey(one.problem)} ${direction}: no correct result`);
      }
    }
    device.destroy();
    undone.refuse();
  },
});
