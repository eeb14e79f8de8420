import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import type { Look, LookLayer, Prediction } from '../../../../worker/api.ts';
import { mapColoursOf, useSize } from '../../../components/maps/MapCanvas.tsx';
import { textScale } from '../../../components/text-scale.ts';
import { whenSeen } from '../../../components/use-answer.ts';
import { bytesOf, tokenHook } from '../../../components/use-ink.ts';
import * as format from '../../../format.ts';
import { useInspect } from '../../../state/inspect-store.ts';
import { useLiveValue } from '../../../metrics/use-live.ts';
import { network as texts } from '../../../messages/en/network.tsx';
import { FieldText } from '../../../network/FieldText.tsx';
import { paintPicture, rankedClasses, type StageColours } from '../../../network/paint-picture.ts';
import {
  drawnUnits,
  layersToCome,
  pictureOf,
  valueAt,
  type NetworkPicture,
} from '../../../network/picture.ts';
import { boxOf, type ValueBox } from '../../../../ops/reads.ts';
import { receptiveField, type ValuePosition } from '../../../network/receptive.ts';
import { showMaps, useNetworkNow } from '../../../pad/live-prediction.ts';
import { padDataset } from '../../../pad/pad-dataset.ts';
import { usePad } from '../../../pad/pad-store.ts';
import { go, hrefOf } from '../../../route.ts';
import { useApp } from '../../../state/store.ts';
import { useChosenModel } from '../use-chosen-model.ts';
import { Doors } from './Doors.tsx';
import styles from './LiveNetwork.module.css';

const TEN_DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));
const NOTHING: ReadonlyMap<string, ValueBox> = new Map();

/** The network that answers on the pad, at work on its image, by the pad's own prediction. Each map leads to Inspect. */
export function LiveNetwork() {
  const [pointed, setPointed] = useState<ValuePosition>();
  const now = useNetworkNow();
  const answered = usePad((state) => state.prediction);
  // Of the network that the next run starts from, there are no activations.
  const prediction = now === 'next' ? undefined : answered;
  const look = answered && 'layers' in answered ? answered : undefined;
  const [frame, room] = useSize<HTMLDivElement>();
  const image = usePad((state) => state.image);
  const classes = useApp((state) => padDataset(state)?.classes) ?? TEN_DIGITS;
  const layers = useLayers(look);
  const element = useShown(layers);
  const picture = useMemo(() => {
    if (!layers || room.width === 0) return undefined;
    const letters = Math.max(...classes.map(({ length }) => length));
    return pictureOf(layers, { ...room, text: textScale(), letters }, classes.length);
  }, [layers, room, classes]);
  // After another model was trained, what was pointed at may be gone.
  const place = look?.layers.some(({ name }) => name === pointed?.layer) ? pointed : undefined;
  const field = useMemo(
    () => (look && place ? receptiveField(look.layers, place.layer, boxOf(place)) : NOTHING),
    [look, place],
  );
  const { probabilities, ranked } = scoresOf(picture, prediction);

  const moved = ({ currentTarget, clientX, clientY, pointerType }: PointerEvent) => {
    // A finger scrolls.
    if (!picture || pointerType === 'touch') return;
    const { left, top } = currentTarget.getBoundingClientRect();
    const at = valueAt(picture, clientX - left, clientY - top);
    if (JSON.stringify(at) !== JSON.stringify(pointed)) setPointed(at);
  };
  return (
    <div className={styles.network} ref={element} data-tour="network">
      <div className={styles.scroll} ref={frame}>
        {picture && (
          <div
            className={styles.picture}
            style={{ width: picture.width, height: picture.height }}
            onPointerMove={moved}
            onPointerLeave={() => setPointed(undefined)}
          >
            <Canvas
              picture={picture}
              look={look}
              probabilities={probabilities}
              image={image}
              classes={classes}
              field={field}
              pointed={place?.layer}
            />
            <Doors picture={picture} classes={classes} ranked={ranked} onPoint={setPointed} onOpen={open} />
          </div>
        )}
      </div>
      <p className={styles.words}>
        {look && place ? (
          <FieldText look={look} place={place} field={field} />
        ) : (
          <Words prediction={prediction} />
        )}
      </p>
    </div>
  );
}

function open(layer: string, channel: number): void {
  useInspect.getState().setLookChoice({ layer, channel, pixel: undefined });
  go(hrefOf('inspect', 'image'));
}

/** The scores that the picture's last column shows, and its classes, by number, if these are not all in their order. */
function scoresOf(picture: NetworkPicture | undefined, prediction: Prediction | undefined) {
  const answers = picture?.columns.at(-1);
  if (!answers || prediction?.probabilities.length !== answers.layer.shape[0]) return { ranked: '' };
  const { probabilities } = prediction;
  return {
    probabilities,
    ranked: answers.kind === 'answer' ? rankedClasses(probabilities, answers.tiles.length).join() : '',
  };
}

/** The layers of the last look, before it those of the chosen model: one object until they change. */
function useLayers(look: Look | undefined): readonly LookLayer[] | undefined {
  const { model } = useChosenModel();
  const toCome = useMemo(() => model && layersToCome(model), [model]);
  const [layers, setLayers] = useState<readonly LookLayer[]>();
  if (!look) return toCome;
  if (layers && textOf(layers) === textOf(look.layers)) return layers;
  setLayers(look.layers);
  return look.layers;
}

const textOf = (layers: readonly LookLayer[]): string =>
  layers.map(({ name, shape }) => `${name} ${shape.join('x')}`).join();

/** While its element can be seen, the pad's question is also for the maps of these layers that are drawn. */
function useShown(layers: readonly LookLayer[] | undefined): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => (element.current ? whenSeen(element.current, setSeen) : undefined), []);
  useEffect(() => {
    showMaps(seen ? (layers ? drawnUnits(layers).map(({ layer }) => layer.name) : []) : undefined);
  }, [seen, layers]);
  useEffect(() => () => showMaps(undefined), []);
  return element;
}

/** What is shown, while nothing is pointed at. */
function Words({ prediction }: { prediction: Prediction | undefined }): ReactNode {
  const now = useNetworkNow();
  const image = usePad((state) => state.image);
  const preparing = useLiveValue(({ step }) => step === 0);
  if (now === 'run' && preparing) return texts.preparing;
  if (now !== 'trained' && now !== 'run') return texts.untrained;
  if (!image) return texts.blank;
  if (!prediction) return '';
  return (
    <>
      {'testAccuracy' in prediction ? texts.shipped : texts.afterSteps(prediction.step)}{' '}
      <span className="wide-only">{texts.point}</span>
    </>
  );
}

const useStageTokens = tokenHook([
  '--stage-zero',
  '--stage-positive',
  '--stage-negative',
  '--bad',
  '--stage-mark',
  '--stage-link',
  '--stage-ground',
  '--stage-ink',
  '--stage-faint',
  '--stage-edge',
]);

function useStageColours(): StageColours {
  const tokens = useStageTokens();
  return useMemo(() => {
    const [link, ground, ink, faint, edge] = tokens.slice(5);
    return { ...mapColoursOf(tokens), link: bytesOf(link), ground: bytesOf(ground), ink, faint, edge };
  }, [tokens]);
}

interface CanvasProps {
  picture: NetworkPicture;
  look: Look | undefined;
  probabilities: Float32Array | undefined;
  image: Uint8Array | undefined;
  classes: readonly string[];
  field: ReadonlyMap<string, ValueBox>;
  pointed: string | undefined;
}

function Canvas({ picture, look, probabilities, image, classes, field, pointed }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useStageColours();
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    const shown = { look, probabilities, image, classes, field, pointed };
    if (context) paintPicture(context, picture, shown, colours, devicePixelRatio);
  }, [picture, look, probabilities, image, classes, field, pointed, colours]);
  const best = probabilities ? probabilities.indexOf(Math.max(...probabilities)) : -1;
  return (
    <canvas
      ref={canvas}
      width={Math.round(picture.width * devicePixelRatio)}
      height={Math.round(picture.height * devicePixelRatio)}
      role="img"
      aria-label={
        probabilities && classes.length === probabilities.length
          ? texts.reading(classes[best], format.percent(probabilities[best]))
          : texts.title
      }
    />
  );
}
