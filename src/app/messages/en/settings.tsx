/** The texts of the settings that are not in view, and of what a run needs memory for. */
import { inLanguage } from '../language.ts';

export const settings = inLanguage('settings', {
  title: 'Advanced settings',
  search: 'Search settings',
  marked: 'Marked settings apply immediately; the others take effect on restart.',
  none: 'No matching settings.',
  newSeed: 'New seed',
  name: 'NAME',
  balanced: 'Balanced',
  usual: (about: string, usual: number) => `${about} 0 turns it off; ${usual} is typical.`,
  /** In their order: first what most people look for. */
  groups: {
    length: 'Length of the run',
    seed: 'Reproducibility',
    schedule: 'Schedule',
    data: 'Data',
    augmentation: 'Augmentation',
    optimizer: 'Optimiser',
    more: 'Regularisation, precision and algorithms',
    memory: 'Memory',
  },
  memory: {
    activations: 'Activations',
    data: 'Images and labels',
    evaluation: 'Evaluation',
    parameters: 'Parameters',
    gradients: 'Gradients',
    states: 'Optimiser state',
    buffers: 'Running statistics',
    rest: 'Other',
  },
  recomputed: (dispatches: number) =>
    `To fit in memory, ${dispatches} dispatches per step are recomputed (gradient checkpointing).`,
});
