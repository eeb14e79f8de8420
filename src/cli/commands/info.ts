import { Failure } from '../../base/result.ts';
import { adapterLabel, ENGINES, openNodeDevice, wantedEngine, type Engine } from '../../node/gpu.ts';
import { command } from '../command.ts';
import { engineOption } from '../engine-option.ts';
import { findDbOption, openTuningResults } from '../tuning-results.ts';
import type { Device } from '../../gpu/device.ts';

/** An engine's adapter, or why there is none. */
const namedOrWhyNot = (engine: Engine): Promise<string> =>
  adapterLabel(engine).catch((error: unknown) => {
    if (error instanceof Failure) return `none: ${error.message}`;
    throw error;
  });

/** The speed by which predictions are made, with units in the names; measured if that was not done yet. */
async function pace(device: Device, findDb: string | undefined) {
  const { cores, rate, bytes, dispatch } = await (await openTuningResults(findDb)).pace(device);
  return {
    cores,
    multiply_adds_per_us_and_core: rate,
    copied_bytes_per_us: bytes,
    us_per_dispatch: dispatch,
  };
}

export default command({
  summary: 'Show the GPU adapter or the CPU engine, its features and limits',
  options: { 'find-db': findDbOption, engine: engineOption },
  async run({ options, print }) {
    const { engine = wantedEngine() } = options;
    const device = await openNodeDevice({ engine });
    const { vendor, architecture, software, featureLevel, matrices, shuffles, features, limits } =
      device.adapter;
    const engines = Object.fromEntries(
      await Promise.all(ENGINES.map(async (one) => [one, await namedOrWhyNot(one)] as const)),
    );
    print({
      adapter: engines[engine],
      vendor,
      architecture,
      software,
      featureLevel,
      timestamps: device.hasTimestamps,
      tensorCores: matrices ?? 'none',
      subgroupSums: shuffles ?? false,
      features,
      limits,
      pace: await pace(device, options['find-db']),
      engine,
      engines,
    });
    device.destroy();
  },
});
