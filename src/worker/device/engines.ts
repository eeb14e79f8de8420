/** The engine that computes: the GPU, or the processor (src/cpu), whose code is fetched when it is first needed. */
import { Failure, type FailureValue } from '../../base/result.ts';
import { openDevice, requestAdapter, type Device } from '../../gpu/device.ts';
import type { EngineChoice } from './api.ts';

/**
 * Until the browser's GPU process has started, Chromium on Windows with an NVIDIA GPU answers that there is no adapter, instead of
 * waiting: https://github.com/kizuna-ai-lab/sokuji/pull/515. So a page that has had no GPU yet asks a few times. This can go when
 * `requestAdapter` waits for the process everywhere.
 */
const ASKS = 3;
const ASK_EVERY_MS = 100;

/** Opens devices on the chosen engine; without a choice, on the GPU where there is one that is not only software. */
export class Engines {
  choice: EngineChoice = 'auto';
  /** Called if there is a GPU after all, when the CPU was opened in its place without a choice. Opening again opens the GPU. */
  onLateGpu: () => void = () => undefined;
  private noGpu: FailureValue | undefined;
  private hadGpu = false;
  private mayBeLate = true;

  /**
   * @param gpu `navigator.gpu`
   * @param cpu the CPU engine
   */
  constructor(
    private readonly gpu: () => GPU | undefined,
    private readonly cpu: () => Promise<GPU>,
  ) {}

  /** Why the CPU computes although nobody chose it. Found out once: a GPU that is lost later is waited for. */
  get insteadOfGpu(): FailureValue | undefined {
    return this.choice === 'auto' ? this.noGpu : undefined;
  }

  /**
   * @throws Failure 'no-webgpu' or 'no-cpu-engine' if this engine has no device, 'download' if its code could not be fetched
   */
  async open(choice = this.choice): Promise<Device> {
    if (choice === 'gpu') return this.openGpu();
    const device = choice === 'auto' && !this.noGpu ? await this.tryGpu() : undefined;
    return device ?? this.openCpu(choice === 'auto' ? this.noGpu : undefined);
  }

  private async openGpu(): Promise<Device> {
    try {
      return await this.openNow();
    } catch (error) {
      if (!(await this.isLate())) throw error;
      return this.openNow();
    }
  }

  private async openNow(): Promise<Device> {
    const device = await openDevice(this.gpu());
    this.mayBeLate = false;
    return device;
  }

  /** Whether there is an adapter soon after there was none, for the first time. */
  private async isLate(): Promise<boolean> {
    const gpu = this.mayBeLate ? this.gpu() : undefined;
    this.mayBeLate = false;
    if (!gpu) return false;
    for (let ask = 1; ask < ASKS; ask++) {
      await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
      if (await requestAdapter(gpu)) return true;
    }
    return false;
  }

  /** While the CPU computes. */
  private async awaitLate(): Promise<void> {
    if (!(await this.isLate())) return;
    this.noGpu = undefined;
    this.onLateGpu();
  }

  /** @param reason why it is not the GPU, which a failure then says too */
  private async openCpu(reason: FailureValue | undefined): Promise<Device> {
    try {
      return await openDevice(await this.cpu());
    } catch (error) {
      if (!reason || !(error instanceof Failure) || error.code !== 'no-cpu-engine') throw error;
      throw new Failure(error.code, `${reason.message} ${error.message}`, error.advice);
    }
  }

  /** The GPU; undefined if the CPU is used instead. */
  private async tryGpu(): Promise<Device | undefined> {
    try {
      const device = await this.openNow();
      if (!device.adapter.software) {
        this.hadGpu = true;
        return device;
      }
      device.destroy();
      this.noGpu = {
        code: 'no-webgpu',
        message: `WebGPU runs on a software renderer: ${device.adapter.description}.`,
        advice: 'If this machine has a GPU, turn on hardware acceleration in the browser settings.',
      };
    } catch (error) {
      if (!(error instanceof Failure) || this.hadGpu) throw error;
      this.noGpu = error.value;
      void this.awaitLate();
    }
    return undefined;
  }
}
