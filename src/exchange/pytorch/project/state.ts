/** The state that a project starts from, in the form in which its train.py saves it. */
import type { BufferEntry, ParameterEntry } from '../../../engine/network.ts';
import type { Saved, TensorToSave } from '../write.ts';
import { torchOptimizers } from './optimizers.ts';
import { groupsOf, isAveraged, type ProjectSubject } from './subject.ts';

/** `step`, `model`, `optimizer`, and if the run has them `average` and `best`. */
export function startingState(subject: ProjectSubject): ReadonlyMap<string, Saved> {
  const { step, snapshot, settings, best } = subject;
  const state = new Map<string, Saved>([
    ['step', step],
    ['model', stateDict(subject, snapshot['parameters'], snapshot['buffers'])],
    ['optimizer', optimizerStates(subject)],
  ]);
  if (isAveraged(subject)) {
    const { average_parameters: values, average_buffers: buffers } = snapshot;
    state.set(
      'average',
      stateDict(subject, values ?? snapshot['parameters'], buffers ?? snapshot['buffers']),
    );
  }
  if (settings.patience !== undefined)
    state.set(
      'best',
      new Map([
        ['accuracy', best?.accuracy ?? -1],
        ['epoch', best?.epoch ?? 0],
      ]),
    );
  return state;
}

/** @param values all parameters, flat @param buffers likewise */
function stateDict(
  { layout, snapshot }: ProjectSubject,
  values: Float32Array,
  buffers: Float32Array | undefined,
): ReadonlyMap<string, Saved> {
  const parameters = new Map(layout.entries.map((entry) => [entry.name, tensor(entry, values)]));
  const kept = new Map(
    layout.buffers.entries.map((entry) => [
      entry.name,
      // Counts are not averaged.
      entry.counts
        ? wholeNumber(entry, snapshot['buffers'])
        : tensor(entry, buffers ?? new Float32Array(layout.buffers.length)),
    ]),
  );
  return new Map(
    layout.names.map((name) => [name, (parameters.get(name) ?? kept.get(name)) as TensorToSave]),
  );
}

/**
 * By the parameter's number in the optimiser. Parameters that the optimiser has never changed have no state, as in
 * PyTorch.
 */
function optimizerStates(subject: ProjectSubject): ReadonlyMap<number, Saved> {
  const { snapshot, step, earlier } = subject;
  const steps = step + earlier;
  const optimizer = torchOptimizers.get(subject.settings.optimizer);
  const states = optimizer.states(subject.settings);
  if (steps === 0 || states.length === 0 || states.some((name) => snapshot[name] === undefined))
    return new Map();
  const count: Saved = { shape: [], data: Float32Array.of(steps) };
  return new Map(
    groupsOf(subject)
      .flatMap(({ entries }) => entries)
      .map((entry, i) => {
        const own = states.map((name) => [name, tensor(entry, snapshot[name])] as const);
        const counted = optimizer.counts ? [['step', count] as const] : [];
        return [i, new Map<string, Saved>([...counted, ...own])];
      }),
  );
}

type StatePlace = Pick<ParameterEntry | BufferEntry, 'shape' | 'offset' | 'length'>;

const tensor = ({ shape, offset, length }: StatePlace, from: Float32Array): TensorToSave => ({
  shape,
  data: from.slice(offset, offset + length),
});

const wholeNumber = (
  { shape, offset, length }: StatePlace,
  from: Float32Array | undefined,
): TensorToSave => ({
  shape,
  data: BigInt64Array.from({ length }, (_, i) => BigInt(Math.round(from?.[offset + i] ?? 0))),
});
