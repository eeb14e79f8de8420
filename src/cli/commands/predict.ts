import { GROUND_CHOICES } from '../../base/pixels/prepare.ts';
import { elements } from '../../base/shape.ts';
import { Failure } from '../../base/result.ts';
import type { Device } from '../../gpu/device.ts';
import { Inference } from '../../engine/inference.ts';
import type { KnownChoices } from '../../engine/ops/conv/choice/db.ts';
import { profileForward } from '../../engine/profile/forward.ts';
import { trainedNetworks } from '../../run/trained.ts';
import { predictionAt, predictionLine, scoreOf } from '../../run/predictions.ts';
import { adapterLabel, openNodeDevice } from '../../node/gpu.ts';
import {
  choice,
  flag,
  inputFile,
  integer,
  integers,
  optional,
  reals,
  text,
  withDefault,
} from '../arguments.ts';
import { command } from '../command.ts';
import { onlyOne } from '../conv-options.ts';
import { datasetNames, dataOptions } from '../datasets.ts';
import { engineOption } from '../engine-option.ts';
import { modelNames, modelText } from '../model.ts';
import { forwardColumns } from '../predict/profile.ts';
import { subjectOf, type Subject } from '../predict/subject.ts';
import { findDbOption, openTuningResults } from '../tuning-results.ts';

/** Images in a forward pass, as when training evaluates. */
const BATCH = 250;
/** Options that say which images of a data set, and where they are. */
const OF_DATASETS = [...Object.keys(dataOptions), 'split'];
/** How many unreadable images are listed at most. */
const REASONS_LISTED = 10;

export default command({
  summary: 'Classify images with trained weights, one line per image, then accuracy and times',
  options: {
    weights: inputFile(
      'NAME|FILE.safetensors',
      `trained parameters: ${trainedNetworks.names().join(', ')}, or a file written by train --save`,
    ),
    model: optional(modelText(`their model, if the file does not contain it: ${modelNames()}`)),
    images: optional(
      inputFile(
        'FILE|DIR',
        'PNG, JPEG or WebP images, or an archive of them; folders named after classes give labels',
      ),
    ),
    dataset: optional(text('NAME', `or a data set: ${datasetNames()}`)),
    ...dataOptions,
    split: withDefault(choice(['test', 'train'], "the data set's part"), 'test'),
    count: optional(
      integers('N,...', 'only the first N images; several numbers are measured one after the other', {
        min: 1,
      }),
    ),
    'batch-size': withDefault(integer('N', 'images in a forward pass', { min: 1, max: 65536 }), BATCH),
    ground: withDefault(
      choice(
        GROUND_CHOICES,
        'whether grey images on another ground than those of the training are turned, none is, or all are',
      ),
      'auto',
    ),
    mean: optional(reals('a,b,c', 'per-channel mean, instead of that in the weights or the data set')),
    std: optional(reals('a,b,c', 'per-channel standard deviation', { min: 0, above: true })),
    summary: flag('print only final lines'),
    profile: flag('also time each kernel and layer'),
    'find-db': findDbOption,
    engine: engineOption,
  },
  async run({ options, given, print, note }) {
    onlyOne({ '--images': options.images, '--dataset': options.dataset });
    const unread = options.images === undefined ? undefined : OF_DATASETS.find((name) => given.has(name));
    if (unread !== undefined)
      throw new Failure('bad-input', `--${unread} applies to --dataset, not to --images`);
    const subject = await subjectOf(options, note);
    const { total, files } = subject;
    for (const count of options.count ?? []) {
      if (count > total)
        throw new Failure(
          'bad-input',
          `--count: expected at most ${total}, the number of images, found ${count}`,
        );
    }
    const db = await openTuningResults(options['find-db']);
    const device = await openNodeDevice({ engine: options.engine });
    await db.load(device);
    const adapter = await adapterLabel(options.engine);
    const setupMs = performance.now();
    let printed = 0;
    for (const count of options.count ?? [total]) {
      const batchSize = Math.min(options['batch-size'], count);
      const measured = await measure(device, subject, {
        count,
        batchSize,
        profile: options.profile,
        known: db.known(device),
      });
      const { logits, ...columns } = measured;
      const set = { classes: subject.classes, logits, labels: subject.labels, files };
      // Each image has one line, however often it is measured.
      for (; !options.summary && printed < count; printed++)
        print(predictionLine(predictionAt(set, printed)));
      print({
        final: true,
        model: subject.model.name,
        count,
        ...(scoreOf(set, count) ?? { accuracy: null, loss: null }),
        ...(subject.turned > 0 ? { turned: subject.turned } : {}),
        batch_size: batchSize,
        ...columns,
        setup_ms: setupMs,
        // The whole program, had it measured nothing else.
        program_ms: setupMs + columns.load_ms + columns.run_ms,
        adapter,
      });
    }
    device.destroy();
    refuseSkipped(subject, note);
  },
});

interface MeasureOptions {
  count: number;
  batchSize: number;
  profile: boolean;
  known: KnownChoices;
}

/** The logits of the first images, and the times. */
async function measure(
  device: Device,
  { model, parameters, normalisation, images }: Subject,
  { count, batchSize, profile, known }: MeasureOptions,
) {
  const { layers, input } = model;
  const start = performance.now();
  const inference = await Inference.load(device, {
    layers,
    input,
    parameters,
    normalisation,
    batchSize,
    count,
    known,
  });
  const loaded = performance.now();
  try {
    const inferred = await inference.run(images.subarray(0, count * elements(input)));
    if (!inferred) throw new Error('wgrad bug: an inference that nobody ended has no end');
    const { logits, uploadMs, computeMs, readMs } = inferred;
    const wrong = logits.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) {
      throw new Failure(
        'bad-file',
        `the network's output for image ${Math.floor(wrong / inference.classes)} is not finite`,
        'The weights may come from a run that diverged.',
      );
    }
    const runMs = uploadMs + computeMs + readMs;
    const batches = Math.ceil(count / batchSize);
    return {
      logits,
      batches,
      ms_per_image: runMs / count,
      run_ms: runMs,
      upload_ms: uploadMs,
      compute_ms: computeMs,
      read_ms: readMs,
      load_ms: loaded - start,
      ...(profile ? forwardColumns(await profileForward(device, inference.plan), layers, batches) : {}),
    };
  } finally {
    inference.destroy();
  }
}

/** @throws Failure if images could not be read: not everything that was asked for was done */
function refuseSkipped({ skipped, total }: Subject, note: (message: string) => void): void {
  if (skipped.length === 0) return;
  for (const { path, reason } of skipped.slice(0, REASONS_LISTED)) note(`Skipped: ${path} ${reason}`);
  throw new Failure('bad-file', `${skipped.length} of ${skipped.length + total} images could not be read`);
}
