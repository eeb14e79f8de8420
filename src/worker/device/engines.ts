/** The engine that computes: the GPU, or the processor (src/cpu), whose code is fetched when it is first needed. */
import { Failure, type FailureValue } from '../../base/result.ts';
import { openDevice, type Device } from '../../gpu/device.ts';
import type { EngineChoice } from './api.ts';

/** Opens devices on the chosen engine; without a choice, on the GPU where there is one that is not only software. */
export class Engines {
  choice: EngineChoice = 'auto';
  private noGpu: FailureValue | undefined;
  private hadGpu = false;

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
    if (choice === 'gpu') return openDevice(this.gpu());
    const device = choice === 'auto' && !this.noGpu ? await this.tryGpu() : undefined;
    return device ?? this.openCpu(choice === 'auto' ? this.noGpu : undefined);
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
      const device = await openDevice(this.gpu());
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
    }
    return undefined;
  }
}
