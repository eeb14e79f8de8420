import type { Device } from '../../gpu/device.ts';
import type { SupplyEvent } from '../../gpu/supply.ts';
import type { AdapterSummary, DeviceEvent } from './api.ts';

/** The device's state as reported to the page. */
export function deviceEvent(event: SupplyEvent): DeviceEvent {
  const { state } = event;
  switch (state) {
    case 'ready':
      return { type: 'device', state, adapter: adapterOf(event.device) };
    case 'lost': {
      const message = `The GPU device was lost: ${event.reason}`;
      return { type: 'device', state, error: { code: 'device-lost', message } };
    }
    case 'recovering':
      return { type: 'device', state };
    case 'unavailable':
      return { type: 'device', state, error: event.failure.value };
  }
}

export const adapterOf = ({ adapter, generation, hasTimestamps }: Device): AdapterSummary => ({
  ...adapter,
  timestamps: hasTimestamps,
  generation,
});
