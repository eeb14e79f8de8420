import { attempt } from '../../base/result.ts';
import type { Part } from '../part.ts';
import { adapterOf } from './event.ts';

const devicePart: Part<'device'> = ({ supply }) => ({
  connect: () => attempt(async () => adapterOf(await supply.get())),
  loseDevice: async () => (await supply.get()).destroy(),
  async ledger() {
    const { buffers, bytes } = (await supply.get()).ledger;
    return { buffers, bytes };
  },
});

export default devicePart;
