import type { RunConfig } from '../../../worker/api.ts';
import { chosenSettings } from '../../actions/start.ts';
import { ask } from '../../client.ts';
import { useAnswer } from '../../components/use-answer.ts';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { datasetFor, useBatchSize, useKnown, useModel } from './use-known.ts';

/**
 * What training needs of the GPU's memory, as the worker would lay it out; while the model has mistakes, what the layers
 * that are right put out.
 */
export function MemoryTotal({ activations }: { activations: number }) {
  const model = useModel();
  const batch = useBatchSize();
  const { mistakes, current } = useKnown();
  const asked = useApp((state) => {
    const dataset = datasetFor(state, model);
    const { config } = chosenSettings(state);
    if (state.device !== 'ready' || !config || !dataset) return undefined;
    return JSON.stringify({ ...config, dataset: dataset.name });
  });
  const whole = asked !== undefined && current && mistakes.length === 0 && model.layers.length > 0;
  const answer = useAnswer(whole ? `${asked} ${JSON.stringify(model.layers)}` : undefined, () =>
    ask((api) => api.memory({ ...(JSON.parse(asked ?? '{}') as RunConfig), model })),
  );
  const memory = answer?.ok ? answer.value : undefined;
  if (memory && !memory.fits) {
    return (
      <div data-state="wrong">
        <dt>GPU memory, batch {batch}</dt>
        <dd>
          too much for this GPU
          <small>
            {memory.largestBatch === undefined
              ? 'Not even one image fits.'
              : `The largest batch that fits: ${memory.largestBatch}.`}
          </small>
        </dd>
      </div>
    );
  }
  return memory ? (
    <div title="Parameters, gradients, optimiser, activations, data and all else, to the byte">
      <dt>GPU memory, batch {batch}</dt>
      <dd>
        {format.memory(memory.bytes)}{' '}
        <small>of it activations {format.memory(memory.kinds.activations)}</small>
      </dd>
    </div>
  ) : (
    <div title="What the layers put out for a batch, one beside the other">
      <dt>Activations, batch {batch}</dt>
      <dd>{format.memory(activations)}</dd>
    </div>
  );
}
