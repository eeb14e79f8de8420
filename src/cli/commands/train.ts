import { existsSync } from 'node:fs';
import { attempt, Failure } from '../../base/result.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import type { MemoryNeed } from '../../engine/need.ts';
import type { Device } from '../../gpu/device.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import { requireBatchNorm } from '../../models/file/folded.ts';
import { trainedInfo } from '../../models/file/weights.ts';
import { evaluationLine, stepLine } from '../../run/metrics/rows.ts';
import { TrainingRun } from '../../train/run.ts';
import { command, type Run } from '../command.ts';
import { titleOf } from '../datasets.ts';
import { openTuningResults } from '../tuning-results.ts';
import { adapterLabel, openNodeDevice } from '../../node/gpu.ts';
import type { Lock } from '../../node/lock.ts';
import {
  checkpointEvery,
  checkpointFile,
  checkpointFiles,
  CheckpointSaver,
  lockCheckpoint,
  readSavedRun,
  refuseContradictions,
} from '../checkpointing.ts';
import { needLine, needText } from '../memory-need.ts';
import { newRun, runOptions } from '../new-run.ts';
import { resumedRun } from '../resumed-run.ts';
import { withPreset } from '../settings.ts';
import { Undone } from '../undone.ts';
import { accuracyAt, writeFolded, writeWeights } from '../weights.ts';

export default command({
  summary: 'Train a model',
  options: runOptions,
  expand: withPreset,
  run: whileLocked(async ({ options, given, print, note, outputs, interruption }, to) => {
    const db = await openTuningResults(options['find-db']);
    const supply = new DeviceSupply(
      () => openNodeDevice({ engine: options.engine }),
      (event) => {
        if (event.state === 'lost') note(`The device was lost: ${event.reason}. Continuing on a new one.`);
      },
    );
    const saved = options.resume === undefined ? undefined : await readSavedRun(options.resume, note);
    if (saved) refuseContradictions(saved, options, given);
    const config = {
      ...(saved
        ? await resumedRun(saved, options, note)
        : await newRun(options, { db, supply, note, print })),
      ...checkpointEvery(options['checkpoint-every']),
      known: (device: Device) => db.known(device),
    };
    const { model, dataset, batchSize } = config;
    if (options['save-folded'] !== undefined) requireBatchNorm(model);
    if (options.checkpoint === undefined && to) await outputs.claim('--resume', checkpointFiles(to.path));
    let saver: CheckpointSaver | undefined;
    if (to) {
      const { path, lock } = to;
      const about = { sha256: await datasetChecksum(dataset), adapter: await adapterLabel(options.engine) };
      if (!saved && existsSync(path)) {
        note(`${path} already contains a run, which --resume would continue. This run will overwrite it.`);
      }
      const original = saved ? saved.options : options;
      saver = new CheckpointSaver(
        await checkpointFile(path, !saved),
        lock,
        options['checkpoint-every'],
        { ...about, ...(original && { options: original }) },
        note,
      );
    }

    let images = 0;
    let epochMs = 0;
    let trainMs = 0;
    let since = performance.now();
    let failure: Failure | undefined;
    let memory: MemoryNeed | undefined;
    const device = await supply.get();
    const { software, description } = device.adapter;
    if (software)
      note(`${description} computes on the CPU. With --engine cpu, training is several times as fast.`);
    await db.load(device);
    const run = new TrainingRun(config, supply, {
      state(state, _, error) {
        if (state === 'preparing') note(`Preparing ${model.title} on ${titleOf(dataset.name)}`);
        if (state === 'training') since = performance.now();
        if (error) failure = new Failure(error.code, error.message, error.advice);
      },
      fit({ need }) {
        memory = need;
        note(needText(need));
      },
      steps(rows) {
        for (const row of rows) print({ step: row.step, ...stepLine(row) });
        const now = performance.now();
        epochMs += now - since;
        trainMs += now - since;
        since = now;
        images += rows.length * batchSize;
      },
      evaluation(evaluation) {
        print({
          epoch: evaluation.epoch,
          ...evaluationLine(evaluation),
          images_per_second: (1000 * images) / epochMs,
          train_seconds: trainMs / 1000,
        });
        images = epochMs = 0;
        since = performance.now();
      },
      checkpoint: (checkpoint) => saver?.save(checkpoint),
      stopReason: note,
      notice: note,
    });
    let isInterrupted = false;
    const interruptible = saver
      ? interruption.on(() => {
          isInterrupted = true;
          void run.pause();
        })
      : undefined;
    // A run that a rule stopped stays stopped unless the rule has changed.
    if (run.stopReason === undefined) run.train();
    else note(run.stopReason);
    await run.settled();
    const undone = new Undone();
    /** A file that cannot be written does not take the others along. */
    const save = async (write: () => Promise<unknown> | undefined) => {
      const done = await attempt(write);
      if (!done.ok) undone.add(done.error.message);
    };
    if (failure || isInterrupted) {
      await save(() => saver?.end(run.checkpoint));
      if (failure?.code === 'diverged' && saver && run.checkpoint)
        failure = withRollbackAdvice(failure, run, saver);
      if (failure) {
        undone.note(note);
        throw failure;
      }
      undone.refuse('storage');
      throw new Failure('cancelled', `Stopped at step ${run.steps}.`, `Resume with --resume ${to?.path}.`);
    }
    interruptible?.();
    const trained = await run.stateDict();
    // Its model is fitted to the images.
    const info = {
      ...trainedInfo(run.config.model, run.config.dataset),
      ...accuracyAt(run.steps, run.history.evaluations),
    };
    const { save: weights, 'save-folded': folded } = options;
    if (weights) await save(() => writeWeights(weights, trained, info));
    if (folded) await save(() => writeFolded(folded, { model: info.model, parameters: trained, info }));
    await save(() => saver?.end(run.checkpoint));
    const evaluation = options['eval-train'] ? await run.evaluate('train') : undefined;
    const { loss = NaN, evaluations } = run.history;
    const last = evaluations.at(-1);
    print({
      final: true,
      steps: run.steps,
      loss,
      test_loss: last?.testLoss ?? null,
      test_accuracy: last?.testAccuracy ?? null,
      // The lines of epochs have the same names.
      ...(last?.validationLoss === undefined
        ? {}
        : { validation_loss: last.validationLoss, validation_accuracy: last.validationAccuracy }),
      ...(evaluation ? { train_eval_loss: evaluation.loss, train_eval_accuracy: evaluation.accuracy } : {}),
      memory: memory && needLine(memory),
      conv_choices: run.choices,
      adapter: await adapterLabel(options.engine),
    });
    await run.close();
    undone.refuse('storage');
  }),
});

type Train = Run<typeof runOptions>;

/**
 * Locks the run while it trains: from before its checkpoint is read until after the last one is written, no other process
 * continues it.
 * @param train receives where checkpoints are written, if they are
 */
function whileLocked(train: (call: Train, to?: { path: string; lock: Lock }) => Promise<void>) {
  return async (call: Train): Promise<void> => {
    const { checkpoint, resume } = call.options;
    const path = checkpoint ?? resume;
    if (path === undefined) return train(call);
    const lock = await lockCheckpoint(path);
    try {
      await train(call, { path, lock });
    } finally {
      await lock.release();
    }
  };
}

const withRollbackAdvice = (
  { code, message }: Failure,
  { steps }: TrainingRun,
  { file: { name: path } }: CheckpointSaver,
): Failure =>
  new Failure(
    code,
    message,
    `Resume from step ${steps}, the last checkpoint, with --resume ${path} and a lower --lr.`,
  );
