import { useEffect, useRef } from 'react';
import type { LookFilters } from '../../../worker/api.ts';
import { stepBatch, train } from '../../actions/actions.ts';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { Button } from '../../widgets/Button.tsx';
import { FailureNotice } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { digits, rangeOf, reachOf } from '../../components/maps/numbers.ts';
import { Legend, Slices } from '../../components/maps/Slices.tsx';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { padDataset } from '../../pad/pad-dataset.ts';
import { PadPanel } from '../../pad/PadPanel.tsx';
import { usePad } from '../../pad/pad-store.ts';
import { showTestImage } from '../../pad/test-image.ts';
import styles from './Inspect.module.css';
import { useInspect } from '../../state/inspect-store.ts';
import { inspect as texts } from '../../messages/inspect.ts';
import { VERBS } from '../verbs.ts';
import { keepLooking, networkToLookAt, useLook } from './activations.ts';
import { MapsPanel } from './MapsPanel.tsx';
import { NearestPanel } from './NearestPanel.tsx';
import { NetworkPanel } from './network/NetworkPanel.tsx';
import { PixelPanel } from './PixelPanel.tsx';
import { TermsPanel } from './TermsPanel.tsx';

/** The pad, the network with the activations for its image, and the arithmetic of one value. */
export function ImageView() {
  useEffect(keepLooking, []);
  useTestImage();
  const hasRun = useApp((state) => state.runId > 0);
  const step = useLook((state) => state.look?.step);
  return (
    <div className={styles.view}>
      <PadPanel />
      <Inside />
      {hasRun && step !== undefined && <NearestPanel step={step} />}
    </div>
  );
}

/** On arrival there is something to see. */
function useTestImage() {
  const dataset = useApp(padDataset);
  const hasNetwork = useApp((state) => networkToLookAt(state) !== undefined);
  const shown = useRef(false);
  const ready = hasNetwork && dataset?.status.state === 'ready';
  useEffect(() => {
    if (!ready || shown.current) return;
    shown.current = true;
    if (!usePad.getState().image) void showTestImage(dataset, 0);
  }, [ready, dataset]);
}

function Inside() {
  const look = useLook((state) => state.look);
  const error = useLook((state) => state.error);
  const hasNetwork = useApp((state) => networkToLookAt(state) !== undefined);
  const image = usePad((state) => state.image);
  if (!hasNetwork || !image || !look) {
    return (
      <Panel title={texts.image.network}>
        <div className={styles.empty}>
          {error && <p>{`${error.message} ${error.advice ?? ''}`}</p>}
          {!error && <Missing hasRun={hasNetwork} image={image !== undefined} />}
        </div>
      </Panel>
    );
  }
  return (
    <div className="column">
      {error && <FailureNotice kind="warning" title={texts.image.failed} error={error} />}
      <NetworkPanel look={look} />
      {look.pixel && (
        <PixelPanel
          pixel={look.pixel}
          output={look.output}
          reads={look.layers.find(({ name }) => name === look.output.layer)?.reads}
          hasBias={look.filters?.bias !== undefined}
          step={look.step}
        />
      )}
      {look.terms && (
        <TermsPanel
          terms={look.terms}
          layer={look.output.layer}
          isMap={look.output.shape.length > 1}
          step={look.step}
        />
      )}
      <div className={styles.details}>
        <MapsPanel look={look} />
        {look.filters && <FiltersPanel filters={look.filters} layer={look.output.layer} />}
      </div>
    </div>
  );
}

/** What is missing: a model, or an image. */
function Missing({ hasRun, image }: { hasRun: boolean; image: boolean }) {
  const dataset = useApp(padDataset);
  if (!hasRun) {
    return (
      <>
        <p>{texts.image.noNetwork}</p>
        <div className="row">
          <ActionButton action={train} kind="primary" />
          <ActionButton action={stepBatch} />
        </div>
      </>
    );
  }
  if (image) return <p>{texts.image.computing}</p>;
  return (
    <>
      <p>{texts.image.noImage}</p>
      <Button
        verb={VERBS.testImage}
        kind="primary"
        obstacle={dataset?.status.state === 'ready' ? undefined : texts.image.noDataset}
        onPress={() => dataset && void showTestImage(dataset, 0)}
      />
    </>
  );
}

/** Most slices to show of all filters together; with more, only one filter's. */
const MAX_SLICES = 512;

/** The filters of a convolution: one picture per filter and input channel. */
function FiltersPanel({ filters, layer }: { filters: LookFilters; layer: string }) {
  const { shape, weights, bias } = filters;
  const [K, C, R, S] = shape;
  const chosen = useInspect((state) => Math.min(state.lookChoice.channel, K - 1));
  const choose = useInspect((state) => state.setLookChoice);
  const range = rangeOf(weights);
  const all = K * C <= MAX_SLICES;
  const size = C * R * S;
  const own = rangeOf(weights, chosen * size, (chosen + 1) * size);
  const shown = all ? weights : weights.subarray(chosen * size, (chosen + 1) * size);
  return (
    <Panel
      title={all ? texts.image.filters : texts.image.filter(chosen)}
      explanation={C === 1 ? texts.image.pattern : texts.image.perChannel}
    >
      <div className={styles.facts}>
        <span>{texts.image.has(layer, K, format.shape([C, R, S]))}</span>
        <Legend range={range} />
      </div>
      <Slices
        weights={shown}
        count={all ? K : 1}
        perFilter={C}
        size={[S, R]}
        reach={reachOf(range)}
        chosen={all ? chosen : undefined}
        onChoose={(k) => choose({ channel: k })}
      />
      <p className="faint">
        {texts.image.range(chosen, digits(own.least), digits(own.most), bias && digits(bias[chosen]))}
      </p>
    </Panel>
  );
}
