/** Inference with batch normalisation folded into convolutions, and without. */
import { tryFolding, type MeasuredNetwork } from '../../engine/fold-trial.ts';
import type { Layer } from '../../engine/network.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import { models } from '../../models/index.ts';
import { batchNorm, conv, relu } from '../../models/layers.ts';
import type { StudyContext, Time } from '../study.ts';
import { ratioTo, requireGoOn } from '../times.ts';

/** What folding is about: the three layers that become one. */
const UNIT: Layer[] = [conv('conv', 64, 3, { bias: false }), batchNorm('bn'), relu('relu')];

export async function measureFolding(context: StudyContext): Promise<void> {
  const { device, small, report, progress } = context;
  const resnet = models.get(small ? 'resnet8' : 'resnet20');
  const networks = [
    { name: 'Convolution, batch norm, ReLU', layers: UNIT, image: small ? [8, 16, 16] : [64, 32, 32] },
    { name: resnet.title, layers: resnet.layers, image: resnet.input },
  ];
  const batch = small ? 2 : 128;
  for (const [i, { name, layers, image }] of networks.entries()) {
    requireGoOn(context);
    progress(0.6 + 0.15 * i, `Folding, ${name}`);
    const input = [batch, ...image];
    const parameters = typicalParameters(layers, input);
    const trial = await tryFolding(device, { layers, input, parameters }, small ? 5 : 20);
    const timeFrom = ({ median, p10, p90 }: MeasuredNetwork): Time => ({
      median,
      p10,
      p90,
      samples: trial.samples,
      calls: trial.repetitions,
      clock: trial.clock,
    });
    const [folded, plain] = [timeFrom(trial.foldedNetwork), timeFrom(trial.plain)];
    const where = { figure: 'folding', case: `${name}, N ${batch}` };
    const difference = `outputs differ by ${trial.difference.toExponential(1)} of the largest`;
    const detail = ({ dispatches }: MeasuredNetwork) => `${dispatches} dispatches`;
    report({
      ...where,
      bar: 'folded',
      time: folded,
      ratio: ratioTo(folded, folded),
      detail: `${detail(trial.foldedNetwork)}; ${difference}`,
    });
    report({
      ...where,
      bar: 'not folded',
      time: plain,
      ratio: ratioTo(folded, plain),
      detail: detail(trial.plain),
    });
  }
}
