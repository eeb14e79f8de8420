import { Failure } from '../base/result.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import type { Trainer } from '../engine/trainer.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import type { TrainingConfig } from './config.ts';
import { fittingTrainer, type Fit } from './fit.ts';
import { choicesFor } from './options.ts';

export interface TrainerSlotOptions {
  config: TrainingConfig;
  supply: DeviceSupply;
  /** Sets a new trainer to the run's current state. */
  restore(trainer: Trainer): void;
  /** Called when the choices are made: at the start, unless the configuration contains them, and when the engine changes. */
  onChoices(choices: ConvChoices): void;
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
    const { config, supply, restore, onChoices, onFit } = this.options;
    const device = await supply.get();
    // Chosen once for an engine: a restart or a new device does not change them.
    const choices = choicesFor(device, config, this.chosen);
    if (choices !== this.chosen) onChoices((this.chosen = choices));
    const trainer = await fittingTrainer(device, config, choices, onFit);
    try {
      restore(trainer);
    } catch (error) {
      trainer.destroy();
      throw error;
    }
    this.trainer = trainer;
    return trainer;
  }
}
