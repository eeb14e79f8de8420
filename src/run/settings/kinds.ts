/** The kinds of settings that the table describes, and what is said of each. */
import type { Augmentation } from '../../base/augmentation.ts';

/**
 * Settings that belong together: in the page's form, when another optimiser or schedule resets them, and as the
 * settings of the engine's optimisers.
 */
export type Group =
  | 'batch'
  | 'optimizer'
  | 'augmentation'
  | 'start'
  | 'length'
  | 'schedule'
  | 'more'
  | 'data'
  | 'memory'
  | 'seed';

/** The properties of every setting. */
interface Described {
  group: Group;
  /** For display: "Learning rate". */
  title: string;
  /** In links and in lines of differences: "batch". Default: its key. */
  short?: string;
  /** Its name in links, if different. */
  link?: string;
  /**
   * On the command line, without dashes. Default: its key, such as "weight-decay". A switch sets the opposite of its
   * default.
   */
  option?: string;
  /** Acts on an open run immediately: from the next step, or from the next end of an epoch. */
  live?: 'step' | 'epoch';
  /** The optimisers or schedules that read it. Default: all. */
  for?: { optimizer?: readonly string[]; schedule?: readonly string[] };
  /** It does not apply while this setting is 0. */
  needs?: string;
  /** Only the command line offers it. */
  hidden?: true;
}

/** A setting without a default can be absent; `empty` says what that means: "Leave blank for …". */
type Absent = { default?: undefined; empty: string };

export interface NumberSetting extends Described {
  /** Real or whole numbers; `bytes` are whole, and may be written with K, M or G. */
  type: 'number' | 'whole' | 'bytes';
  min?: number;
  /** The value must be greater than this. */
  above?: number;
  max?: number;
  /** The value must be less than this. */
  below?: number;
  /** A share that the page and links write in percent. */
  percent?: true;
  /** Defaults of single optimisers. */
  byOptimizer?: Readonly<Record<string, number>>;
}

export interface ChoiceSetting extends Described {
  type: 'choice';
  /** Titles by name. */
  choices: Readonly<Record<string, string>>;
  /** What each choice does: "decays along half a cosine". */
  about?: Readonly<Record<string, string>>;
  /** Former names that are still accepted. */
  aliases?: Readonly<Record<string, string>>;
}

export interface SwitchSetting extends Described {
  type: 'switch';
  default: boolean;
  /** The option's effect, if it turns the setting off. */
  optionHint?: string;
}

/** Names, separated by commas as text. */
export interface NamesSetting extends Described {
  type: 'names';
  /** What to type, in the help of the command line and in an empty field. Default: "NAME". */
  placeholder?: string;
  default: readonly string[];
}

/** A short text on one line. */
export interface LineSetting extends Described {
  type: 'line';
}

/** A weight for each class, or "balanced". */
export interface WeightsSetting extends Described {
  type: 'weights';
}

/** An augmentation; see base/augmentation.ts. */
export interface AugmentationSetting extends Described {
  type: 'augmentation';
  default: Augmentation;
}

export type Setting =
  | (NumberSetting & ({ default: number } | Absent))
  | (ChoiceSetting & ({ default: string } | Absent))
  | SwitchSetting
  | NamesSetting
  | (LineSetting & Absent)
  | (WeightsSetting & Absent)
  | AugmentationSetting;
