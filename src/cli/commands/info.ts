import { Failure } from '../../base/result.ts';
import { adapterLabel, ENGINES, openNodeDevice, wantedEngine, type Engine } from '../../node/gpu.ts';
import { command } from '../command.ts';
import { engineOption } from '../engine-option.ts';

/** An engine's adapter, or why there is none. */
const namedOrWhyNot = (engine: Engine): Promise<string> =>
  adapterLabel(engine).catch((error: unknown) => {
    if (error instanceof Failure) return `none: ${error.message}`;
    throw error;
  });

export default command({
  summary: 'Show the GPU adapter or the CPU engine, its features and limits',
  options: { engine: engineOption },
  async run({ options, print }) {
    const { engine = wantedEngine() } = options;
    const device = await openNodeDevice({ engine });
    const { vendor, architecture, software, featureLevel, matrices, features, limits } = device.adapter;
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
      features,
      limits,
      engine,
      engines,
    });
    device.destroy();
  },
});
