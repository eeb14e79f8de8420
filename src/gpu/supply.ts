import { Failure } from '../base/result.ts';
import type { Device } from './device.ts';

export type SupplyEvent =
  | { state: 'ready'; device: Device }
  | { state: 'lost'; reason: string }
  | { state: 'recovering'; attempt: number }
  | { state: 'unavailable'; failure: Failure };

/** Tries after a loss, and the pause before each. A driver needs time to restart. */
const PAUSES_MS = [0, 500, 2000];
/** After these tries none is made for so many times as long: all parts of a program ask for a device that was lost. */
const REST = 4;

/**
 * Supplies the current device. After a loss, the next request opens a new one on a fresh adapter; after a few refusals
 * the supply gives up, and for a while refuses every request itself.
 */
export class DeviceSupply {
  private device: Promise<Device> | undefined;
  /** Devices that were given up for others: their loss is no news. */
  private readonly replaced = new WeakSet<Device>();
  private lostBefore = false;
  private refusal: { failure: Failure; until: number } | undefined;

  /**
   * @param openDevice opens a device on a fresh adapter, or throws a Failure
   * @param pauses before each try after a loss, in milliseconds
   */
  constructor(
    private readonly openDevice: () => Promise<Device>,
    private readonly listener: (event: SupplyEvent) => void = () => undefined,
    private readonly pauses: readonly number[] = PAUSES_MS,
  ) {}

  /** @throws Failure('no-webgpu') when no device is available, or was a moment ago */
  async get(): Promise<Device> {
    const asked = (this.device ??= this.open());
    try {
      const device = await asked;
      // Others may be notified of its loss before this handler.
      if (!device.isLost) return device;
    } catch (error) {
      this.drop(asked);
      throw error;
    }
    this.lostBefore = true;
    this.drop(asked);
    return this.get();
  }

  /** Hands out this device from now on, and destroys the one before, without reporting its loss. */
  async replace(device: Device): Promise<void> {
    const before = this.device;
    this.device = Promise.resolve(device);
    this.lostBefore = false;
    this.refusal = undefined;
    this.take(device);
    const old = await before?.catch(() => undefined);
    if (!old) return;
    this.replaced.add(old);
    old.destroy();
  }

  private take(device: Device): void {
    void this.reportLoss(device);
    this.listener({ state: 'ready', device });
  }

  private async reportLoss(device: Device): Promise<void> {
    const { message } = await device.lost;
    if (this.replaced.has(device)) return;
    this.lostBefore = true;
    this.listener({ state: 'lost', reason: message });
  }

  private drop(device: Promise<Device>): void {
    if (this.device === device) this.device = undefined;
  }

  private async open(): Promise<Device> {
    const { refusal } = this;
    if (refusal && performance.now() < refusal.until) throw refusal.failure;
    const pauses = this.lostBefore ? this.pauses : [0];
    for (const [i, pause] of pauses.entries()) {
      if (this.lostBefore) this.listener({ state: 'recovering', attempt: i + 1 });
      await new Promise((done) => setTimeout(done, pause));
      try {
        const device = await this.openDevice();
        this.take(device);
        return device;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (i < pauses.length - 1) continue;
        const failure = this.lostBefore
          ? new Failure(
              'no-webgpu',
              `The GPU connection was lost and could not be restored: ${error.message}`,
              'Restart the browser.',
            )
          : error;
        const rest = REST * pauses.reduce((sum, one) => sum + one, 0);
        this.refusal = { failure, until: performance.now() + rest };
        this.listener({ state: 'unavailable', failure });
        throw failure;
      }
    }
    throw new Error('wgrad bug: no attempt was made');
  }
}
