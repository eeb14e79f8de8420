import { usualWorkspace } from '../../engine/ops/conv/run.ts';
import type { Device } from '../../gpu/device.ts';
import type { SupplyEvent } from '../../gpu/supply.ts';
import type { FailureValue } from '../../base/result.ts';
import type { AdapterSummary, DeviceEvent } from './api.ts';

/** The device's state as reported to the page. @param insteadOfGpu see AdapterSummary */
export function deviceEvent(event: SupplyEvent, insteadOfGpu?: FailureValue): DeviceEvent {
  const { state } = event;
  switch (state) {
    case 'ready':
      return { type: 'device', state, adapter: adapterOf(event.device, insteadOfGpu) };
    case 'lost': {
      const message = `The device was lost: ${event.reason}`;
      return { type: 'device', state, error: { code: 'device-lost', message } };
    }
    case 'recovering':
      return { type: 'device', state };
    case 'unavailable':
      return { type: 'device', state, error: event.failure.value };
  }
}

export const adapterOf = (device: Device, insteadOfGpu?: FailureValue): AdapterSummary => ({
  ...device.adapter,
  ...(device.adapter.cpu && insteadOfGpu ? { insteadOfGpu } : {}),
  timestamps: device.hasTimestamps,
  workspace: usualWorkspace(device),
  generation: device.generation,
});
