import { command } from '../command.ts';
import { adapterLabel, openNodeDevice } from '../../node/gpu.ts';

export default command({
  summary: 'Show the GPU adapter, its features and limits',
  options: {},
  async run({ print }) {
    const device = await openNodeDevice();
    const { vendor, architecture, software, featureLevel, features, limits } = device.adapter;
    print({
      adapter: await adapterLabel(),
      vendor,
      architecture,
      software,
      featureLevel,
      timestamps: device.hasTimestamps,
      features,
      limits,
    });
    device.destroy();
  },
});
