import { Failure } from '../base/result.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import type { ParameterStore } from '../engine/parameters.ts';
import type { Trainer } from '../engine/trainer.ts';
import type { Device } from '../gpu/device.ts';
import { ShaderFailure } from '../gpu/kernels.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import type { TrainingConfig } from './config.ts';
import { fittingTrainer, type Fit } from './fit.ts';
import { choicesFor, choicesWithout } from './options.ts';

export interface TrainerSlotOptions {
  config: TrainingConfig;
  supply: DeviceSupply;
  /** Sets a new trainer's parameters to the run's current state. */
  restore(parameters: ParameterStore): Promise<void>;
  /**
   * Called when the choices are made: at the start, unless the configuration contains them and they fit the device, when the
   * engine changes, and when a shader does not compile.
   */
  onChoices(choices: ConvChoices): void;
  /** Called with why other algorithms are used than expected, as text for the user. */
  onNotice(text: string): void;
  /** Called before each try to allocate the run on a device. */
  onFit(fit: Fit): void;
}

/** The run's trainer on the current device, which is replaced when that is lost. */
export class TrainerSlot {
  private trainer: Trainer | undefined;
  /** The trainer in preparation, shared by all callers. */
  private making: Promise<Trainer> | undefined;
  private chosen: ConvChoices | undefined;
  private closed = false;

  constructor(private readonly options: TrainerSlotOptions) {
    this.chosen = options.config.choices;
  }

  /** Its convolution algorithms; undefined until the run was prepared for the first time. */
  get choices(): ConvChoices | undefined {
    return this.chosen;
  }

  /** True if there is a trainer whose device is alive. */
  get isPrepared(): boolean {
    return this.trainer !== undefined && !this.trainer.device.isLost;
  }

  /** The trainer, compiled and at the run's current step. */
  async ready(): Promise<Trainer> {
    if (this.trainer && this.isPrepared) return this.trainer;
    this.making ??= this.make().finally(() => (this.making = undefined));
    return this.making;
  }

  discardIfLost(): void {
    if (this.trainer?.device.isLost) this.discard();
  }

  /**
   * Takes direct convolution in place of what does not compile on this device, from the next trainer on. Returns false if no
   * convolution is the reason, or direct convolution is.
   */
  fallBack(error: unknown, device = this.trainer?.device): boolean {
    if (!(error instanceof ShaderFailure) || !this.chosen || !device) return false;
    const { config, onNotice } = this.options;
    const { choices, changed } = choicesWithout(error, device, config, this.chosen);
    if (changed.length === 0) return false;
    this.discard();
    this.choose(choices);
    onNotice(
      `${these(changed)} ${changed.length === 1 ? 'uses' : 'use'} direct convolution, because a shader does not compile on this device: ${error.message}`,
    );
    return true;
  }

  /** Frees everything on the GPU. */
  async close(): Promise<void> {
    this.closed = true;
    await this.making?.catch(() => undefined);
    this.discard();
  }

  private discard(): void {
    this.trainer?.destroy();
    this.trainer = undefined;
  }

  private async make(): Promise<Trainer> {
    if (this.closed) throw new Failure('cancelled', 'The run was closed.');
    this.discard();
    const { config, supply, onNotice } = this.options;
    const device = await supply.get();
    // Chosen once for an engine: a restart or a new device does not change them.
    const { choices, changed } = choicesFor(device, config, this.chosen);
    if (choices !== this.chosen) this.choose(choices);
    if (changed.length > 0) {
      onNotice(
        `The algorithms that were chosen for ${these(changed)} do not exist on this device or in this version. They were chosen again; losses may differ in the last digits.`,
      );
    }
    this.trainer = await this.create(device, choices);
    return this.trainer;
  }

  private async create(device: Device, choices: ConvChoices): Promise<Trainer> {
    const { config, restore, onFit } = this.options;
    try {
      return await fittingTrainer(device, config, choices, restore, onFit);
    } catch (error) {
      if (!this.fallBack(error, device)) throw error;
      return this.create(device, this.chosen ?? choices);
    }
  }

  private choose(choices: ConvChoices): void {
    this.chosen = choices;
    this.options.onChoices(choices);
  }
}

/** "conv1 fprop and 2 other convolutions". */
const these = ([first, ...others]: readonly string[]): string =>
  others.length === 0
    ? first
    : `${first} and ${others.length} other convolution${others.length === 1 ? '' : 's'}`;
