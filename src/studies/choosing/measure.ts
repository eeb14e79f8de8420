/** Layers and training steps of the five networks. */
import { Failure } from '../../base/result.ts';
import { DEFAULT_ALGORITHM } from '../../engine/ops/conv/algorithms/index.ts';
import { chooseAll, convLayers, type ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import { flops, problemKey, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import type { NumberType } from '../../engine/plan.ts';
import { timeSteps, Trial } from '../../engine/profile/trial.ts';
import { models } from '../../models/index.ts';
import type { Model } from '../../models/model.ts';
import type { Cell, Line, RowLine, StudyContext, Time } from '../study.ts';
import { ratioTo, requireGoOn, timeOf } from '../times.ts';
import { familyOf, PRECISIONS, ruleFor, RULES, type Rule } from './rules.ts';
import { Searches, type Verdict } from './search.ts';

/** As published, and the variant for small images; those with few different convolutions first. */
const NETWORKS = [
  { title: 'AlexNet', published: 'alexnet_224', small: 'alexnet' },
  { title: 'VGG19', published: 'vgg19_224', small: 'vgg19' },
  { title: 'ResNet-50', published: 'resnet50', small: 'resnet50' },
  { title: 'SqueezeNet', published: 'squeezenet_224', small: 'squeezenet' },
  { title: 'GoogLeNet', published: 'googlenet_224', small: 'googlenet' },
];

/** Of the arithmetic of a network's convolutions, the share whose problems are searched in all directions. */
const SEARCHED = 0.9;

const BATCH = 16;
const PROCESSOR_BATCH = 2;

/** A network, and which part of it is measured. */
interface Network {
  title: string;
  model: Model;
  batch: number;
  /** Layers to search, at most. */
  most: number;
}

/** A problem, with the layers of the network that have it. */
interface Part {
  layers: string[];
  problem: ConvProblem;
  directions: readonly Direction[];
}

interface Judged extends Verdict {
  count: number;
}

/** The convolutions of a network in one precision; with float32 also its training steps. */
interface Task {
  network: Network;
  number: NumberType;
}

export async function measure(context: StudyContext): Promise<void> {
  const { device, small, known, report, progress } = context;
  const slow = small || device.onProcessor;
  const networks = NETWORKS.filter(({ title }) => !small || title === 'SqueezeNet').map(
    ({ title, published, small: name }): Network => ({
      title,
      model: slow ? smallImages(models.get(name)) : models.get(published),
      batch: small ? 1 : slow ? PROCESSOR_BATCH : BATCH,
      most: small ? 3 : Infinity,
    }),
  );
  const numbers: NumberType[] = device.raw.features.has('shader-f16') && !small ? ['f32', 'f16'] : ['f32'];
  const tasks = numbers.flatMap((number) => networks.map((network): Task => ({ network, number })));
  const rows: RowLine[] = [];
  const collect = (line: Line) => {
    if (!('bar' in line)) rows.push(line);
    report(line);
  };
  try {
    for (const [i, { network, number }] of tasks.entries()) {
      const finished = finishedLines(known, network, number);
      if (finished) {
        finished.forEach(collect);
        continue;
      }
      const within = (share: number, doing: string) =>
        progress((i + share) / tasks.length, `${network.title}, ${PRECISIONS[number]}, ${doing}`);
      // With the batch that fits its training.
      const trained = rows.find(
        ({ figure, cells }) => figure === 'networks' && cells['network'] === network.title,
      );
      const batch = Number(trained?.cells['batch'] ?? network.batch);
      const own = { ...context, report: collect, progress: within };
      if (number === 'f32') await measureNetwork(own, network);
      else await measureLayers(own, { ...network, batch }, number, new Searches(own));
    }
  } finally {
    // Of what there is, if the study is stopped.
    reportRules(context, rows, networks);
  }
}

const smallImages = (model: Model): Model => ({ ...model, input: [3, 32, 32] });

/** What an earlier run reported of a network in one precision; undefined if it did not get to the end of it. */
function finishedLines(known: readonly Line[], { title }: Network, number: NumberType): Line[] | undefined {
  const isOf = (line: Line) =>
    'bar' in line
      ? line.case === title && number === 'f32'
      : line.cells['network'] === title && (line.cells['precision'] ?? PRECISIONS.f32) === PRECISIONS[number];
  const own = known.filter(isOf);
  const last = number === 'f32' ? 'networks' : 'totals';
  return own.some(({ figure }) => figure === last) ? own : undefined;
}

async function measureNetwork(context: StudyContext, wanted: Network): Promise<void> {
  context.progress(0, 'training steps');
  const base = await timeFitting(context, wanted);
  const network = { ...wanted, batch: base?.batch ?? wanted.batch };
  const predicted = base && (await timeStep(context, network, {}));
  const searches = new Searches(context);
  await measureLayers(context, network, 'f32', searches);
  if (base && predicted) {
    const choices = await tune(context, network, searches);
    const tuned = await timeStep(context, network, { choices });
    reportSteps(context, network, { base: base.time, predicted, tuned }, searches.elapsedMs);
    return;
  }
  const note = 'does not fit the memory of this device';
  context.report({
    figure: 'networks',
    cells: { network: network.title, images: imagesOf(network), batch: network.batch, note },
  });
}

async function measureLayers(
  context: StudyContext,
  network: Network,
  number: NumberType,
  searches: Searches,
): Promise<void> {
  const parts = partsOf(network);
  const judged: Judged[] = [];
  for (const [i, part] of parts.entries()) {
    context.progress(0.05 + (0.5 * i) / parts.length, part.layers[0]);
    const verdict = await searches.verdict(part.problem, number);
    judged.push({ ...verdict, count: part.layers.length });
    reportLayer(context, network, part, verdict, number);
  }
  reportTotal(context, network, judged, number);
}

/** The problems of a network, each once, in its order. */
function partsOf({ model, batch, most }: Network): Part[] {
  const parts = new Map<string, Part>();
  for (const { layer, problem, directions } of convLayers(model.layers, [batch, ...model.input])) {
    const key = problemKey(problem);
    const known = parts.get(key);
    if (known) known.layers.push(layer);
    else parts.set(key, { layers: [layer], problem, directions });
  }
  return [...parts.values()].slice(0, most);
}

/** A step with the default algorithm, at the largest batch that fits; undefined if none does. */
async function timeFitting(
  context: StudyContext,
  network: Network,
): Promise<{ batch: number; time: Time } | undefined> {
  const pins = [{ algorithm: DEFAULT_ALGORITHM }];
  for (let { batch } = network; batch >= 1; batch = Math.floor(batch / 2)) {
    try {
      return { batch, time: await timeStep(context, { ...network, batch }, { pins }) };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'out-of-memory') throw error;
    }
  }
  return undefined;
}

async function timeStep(
  context: StudyContext,
  { model, batch }: Network,
  { pins, choices }: { pins?: { algorithm: string }[]; choices?: ConvChoices },
): Promise<Time> {
  requireGoOn(context);
  const { device, small, signal } = context;
  const chosen =
    choices ?? chooseAll(device, model.layers, [batch, ...model.input], { ...(pins ? { pins } : {}) });
  const trial = await Trial.open(device, model, { batchSize: batch, optimizer: 'sgd', choices: chosen });
  try {
    const wanted = small ? 3 : 15;
    const { samples, repetitions } = await timeSteps(trial, wanted, () => !signal.aborted);
    requireGoOn(context);
    return timeOf(samples, repetitions, 'wall');
  } finally {
    trial.destroy();
  }
}

/** What wins, for the problems with most of the arithmetic; the rest as predicted. */
async function tune(context: StudyContext, network: Network, searches: Searches): Promise<ConvChoices> {
  const { model, batch } = network;
  const parts = partsOf(network);
  const work = ({ layers, problem }: Part) => layers.length * flops(problem);
  const total = parts.reduce((sum, part) => sum + work(part), 0);
  const choices = chooseAll(context.device, model.layers, [batch, ...model.input]);
  let done = 0;
  for (const part of parts.toSorted((a, b) => work(b) - work(a))) {
    if (done >= SEARCHED * total) break;
    done += work(part);
    context.progress(0.95, `${part.layers[0]}, backward`);
    for (const direction of part.directions) {
      const { best } = await searches.of(part.problem, direction, 'f32');
      if (!best) continue;
      for (const layer of part.layers) choices.layers[layer][direction] = { ...best, by: 'find' };
    }
  }
  return choices;
}

const lossOf = (ms: number | undefined, best: number | undefined): Cell =>
  ms === undefined || best === undefined ? null : ms / best - 1;

function reportLayer(
  { report }: StudyContext,
  { title }: Network,
  { layers, problem }: Part,
  { rule, get, best, ruleMs, getMs, missing }: Verdict,
  number: NumberType,
): void {
  report({
    figure: 'layers',
    cells: {
      network: title,
      layer: layers[0],
      precision: PRECISIONS[number],
      sizes: problemKey(problem),
      count: layers.length,
      rule: rule?.choice ?? '–',
      get: `${get.algorithm}, ${get.launch}`,
      wins: best ? `${best.algorithm}, ${best.launch}` : `not measured: ${missing}`,
      best: best?.median ?? null,
      rule_loss: lossOf(ruleMs, best?.median),
      get_loss: lossOf(getMs, best?.median),
    },
  });
}

/** Where the rules say nothing, or nothing that is available here, get's choice counts for them too. */
function reportTotal(
  { report }: StudyContext,
  { title }: Network,
  judged: readonly Judged[],
  number: NumberType,
): void {
  const measured = judged.filter(({ best, getMs }) => best && getMs !== undefined);
  if (measured.length === 0) return;
  const sum = (of: (one: Judged) => number) =>
    measured.reduce((total, one) => total + one.count * of(one), 0);
  const best = sum((one) => one.best?.median ?? 0);
  const get = sum(({ getMs = 0 }) => getMs);
  const rule = sum(({ ruleMs, getMs = 0 }) => ruleMs ?? getMs);
  report({
    figure: 'totals',
    cells: {
      network: title,
      precision: PRECISIONS[number],
      layers: sum(() => 1),
      rule,
      get,
      best,
      rule_loss: rule / best - 1,
      get_loss: get / best - 1,
    },
  });
}

const imagesOf = ({ model: { input } }: Network): string => `${input[1]} × ${input[2]}`;

function reportSteps(
  { report }: StudyContext,
  network: Network,
  times: Readonly<Record<'base' | 'predicted' | 'tuned', Time>>,
  searchMs: number,
): void {
  const { title, batch, model } = network;
  for (const [bar, time] of Object.entries(times)) {
    report({ figure: 'steps', case: title, bar, time, ratio: ratioTo(times.base, time) });
  }
  report({
    figure: 'networks',
    cells: {
      network: title,
      images: imagesOf(network),
      batch,
      convolutions: model.layers.filter(({ op }) => op === 'conv').length,
      base: times.base.median,
      predicted: times.predicted.median,
      tuned: times.tuned.median,
      gain: times.base.median / times.predicted.median,
      search: searchMs,
      note: '',
    },
  });
}

/** How the rules and get did over all layers of a kind. @param rows those of layers, and others */
function reportRules({ report }: StudyContext, rows: readonly RowLine[], networks: readonly Network[]): void {
  const parts = new Map(
    networks.flatMap((network) =>
      partsOf(network).map((part): [string, Part] => [`${network.title} ${part.layers[0]}`, part]),
    ),
  );
  const layers = rows.filter(({ figure, cells }) => figure === 'layers' && cells['best'] !== null);
  for (const rule of RULES) {
    const own = layers.filter(({ cells: { network, layer, precision } }) => {
      const part = parts.get(`${network} ${layer}`);
      return part && precision === PRECISIONS[rule.number] && ruleFor(part.problem, rule.number) === rule;
    });
    if (own.length === 0) continue;
    const mean = (column: string) => {
      const known = own.map(({ cells }) => cells[column]).filter((value) => typeof value === 'number');
      return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
    };
    const winner = ({ cells }: RowLine) => familyOf(String(cells['wins']).split(',')[0]);
    report({
      figure: 'rules',
      cells: {
        ...keysOf(rule),
        layers: own.length,
        right: own.filter((row) => winner(row) === rule.choice).length,
        loss: mean('rule_loss'),
        get_loss: mean('get_loss'),
      },
    });
  }
}

const keysOf = ({ number, filter, images }: Rule) => ({
  precision: PRECISIONS[number],
  filter: `${filter}x${filter}`,
  images,
});
