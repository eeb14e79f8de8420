import { useEffect, useMemo, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import type { Look } from '../../../../worker/api.ts';
import { mapColoursOf, useSize } from '../../../components/maps/MapCanvas.tsx';
import { textScale } from '../../../components/text-scale.ts';
import { bytesOf, tokenHook } from '../../../components/use-ink.ts';
import * as format from '../../../format.ts';
import { useInspect } from '../../../inspect-store.ts';
import { useLiveValue } from '../../../metrics/use-live.ts';
import { network as texts } from '../../../messages/network.ts';
import { FieldText } from '../../../network/FieldText.tsx';
import { paintPicture, rankedClasses, type StageColours } from '../../../network/paint-picture.ts';
import { layersToCome, pictureOf, valueAt, type NetworkPicture } from '../../../network/picture.ts';
import { boxOf, receptiveField, type ValueBox, type ValuePosition } from '../../../network/receptive.ts';
import { useNetworkNow } from '../../../pad/asking.ts';
import { padDataset } from '../../../pad/pad-dataset.ts';
import { usePad } from '../../../pad/pad-store.ts';
import { go, hrefOf } from '../../../route.ts';
import { useApp } from '../../../state/store.ts';
import { useChosenModel } from '../use-chosen-model.ts';
import { Doors } from './Doors.tsx';
import styles from './LiveNetwork.module.css';
import { useLook, type LookAtPad } from './use-look.ts';

const TEN_DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));
const NOTHING: ReadonlyMap<string, ValueBox> = new Map();

/** The network that answers on the pad, at work on its image. Each map leads to Inspect. */
export function LiveNetwork() {
  const [pointed, setPointed] = useState<ValuePosition>();
  const [element, found, seen] = useLook();
  const look = found?.look;
  const [frame, room] = useSize<HTMLDivElement>();
  const image = usePad((state) => state.image);
  const classes = useApp((state) => padDataset(state)?.classes) ?? TEN_DIGITS;
  const { model } = useChosenModel();
  const now = useNetworkNow();
  const known = now === 'trained' || now === 'run' ? seen : undefined;
  const layers = useMemo(() => known ?? (model && layersToCome(model)), [known, model]);
  const picture = useMemo(
    () =>
      layers && room.width > 0
        ? pictureOf(layers, { ...room, text: textScale() }, classes.length)
        : undefined,
    [layers, room, classes.length],
  );
  // After another model was trained, what was pointed at may be gone.
  const place = look?.layers.some(({ name }) => name === pointed?.layer) ? pointed : undefined;
  const field = useMemo(
    () => (look && place ? receptiveField(look.layers, place.layer, boxOf(place)) : NOTHING),
    [look, place],
  );
  const answers = picture?.columns.at(-1);
  const ranked = look && answers?.kind === 'answer' ? rankedClasses(look, answers.tiles.length).join() : '';

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
        {look && place ? <FieldText look={look} place={place} field={field} /> : <Words found={found} />}
      </p>
    </div>
  );
}

function open(layer: string, channel: number): void {
  useInspect.getState().setLookChoice({ layer, channel, pixel: undefined });
  go(hrefOf('inspect', 'image'));
}

/** What is shown, while nothing is pointed at. */
function Words({ found }: { found: LookAtPad | undefined }): ReactNode {
  const now = useNetworkNow();
  const image = usePad((state) => state.image);
  const preparing = useLiveValue(({ step }) => step === 0);
  if (now === 'run' && preparing) return texts.preparing;
  if (now !== 'trained' && now !== 'run') return texts.untrained;
  if (!image) return texts.blank;
  if (!found) return '';
  return (
    <>
      {found.isShipped ? texts.shipped : texts.afterSteps(found.look.step)}{' '}
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
  image: Uint8Array | undefined;
  classes: readonly string[];
  field: ReadonlyMap<string, ValueBox>;
  pointed: string | undefined;
}

function Canvas({ picture, look, image, classes, field, pointed }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useStageColours();
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    const shown = { look, image, classes, field, pointed };
    if (context) paintPicture(context, picture, shown, colours, devicePixelRatio);
  }, [picture, look, image, classes, field, pointed, colours]);
  const best = look ? look.probabilities.indexOf(Math.max(...look.probabilities)) : -1;
  return (
    <canvas
      ref={canvas}
      width={Math.round(picture.width * devicePixelRatio)}
      height={Math.round(picture.height * devicePixelRatio)}
      role="img"
      aria-label={
        look && best >= 0 && classes.length === look.probabilities.length
          ? texts.reading(classes[best], format.percent(look.probabilities[best], 0))
          : texts.title
      }
    />
  );
}
