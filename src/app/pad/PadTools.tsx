import { useId, useRef } from 'react';
import { train as texts } from '../messages/en/train.tsx';
import { useApp } from '../state/store.ts';
import { Button } from '../widgets/Button.tsx';
import { FileButton } from '../widgets/FileButton.tsx';
import { padDataset } from './pad-dataset.ts';
import { usePad } from './pad-store.ts';
import styles from './PadPanel.module.css';
import { showOnPad } from './pad-image.ts';
import { isColour, type PadTarget } from './target.ts';
import { showTestImage } from './test-image.ts';

/** What is drawn with. */
export interface Pen {
  /** The width of the line, as a share of the sheet. */
  brush: number;
  /** Of new strokes, and of the paper below them, where images have colours. */
  colour: string;
  paper: string;
}

interface PadToolsProps {
  target: PadTarget;
  pen: Pen;
  /** There are no data sets, and nobody takes pictures. */
  alone: boolean;
  /** Whether the camera is open. */
  camera: boolean;
  onPen(pen: Pen): void;
  onCamera(): void;
  onFile(file: File): void;
}

/** What puts images on the pad, clears it, and sets the pen. */
export function PadTools({ target, pen, alone, camera, onPen, onCamera, onFile }: PadToolsProps) {
  const next = useRef(0);
  const dataset = useApp(padDataset);
  const image = usePad((state) => state.image);
  return (
    <div className={styles.tools}>
      {!alone && (
        <Button
          icon="image"
          title={texts.pad.sampleTitle}
          className="iconic"
          obstacle={dataset?.status.state === 'ready' ? undefined : texts.pad.noData}
          onPress={() => dataset && void showTestImage(dataset, next.current++)}
        >
          {texts.pad.sample}
        </Button>
      )}
      <FileButton
        label={texts.pad.file}
        accept="image/*"
        icon="upload"
        title={texts.pad.uploadTitle}
        className="iconic"
        onFiles={([file]) => onFile(file)}
      >
        {texts.pad.upload}
      </FileButton>
      {!alone && (
        <Button
          icon="camera"
          title={texts.pad.cameraTitle}
          className="iconic"
          obstacle={camera ? texts.pad.cameraIsOpen : undefined}
          onPress={onCamera}
        >
          {texts.pad.camera}
        </Button>
      )}
      <Button
        icon="close"
        title={texts.pad.clearTitle}
        className="iconic"
        obstacle={image ? undefined : texts.pad.isClear}
        onPress={() => showOnPad(undefined, target.shape)}
      >
        {texts.pad.clear}
      </Button>
      <Brush width={pen.brush} onChange={(brush) => onPen({ ...pen, brush })} />
      {isColour(target) && !camera && (
        <span className="beside">
          <Colour label={texts.pad.ink} value={pen.colour} onChange={(colour) => onPen({ ...pen, colour })} />
          <Colour
            label={texts.pad.background}
            value={pen.paper}
            onChange={(paper) => onPen({ ...pen, paper })}
          />
        </span>
      )}
    </div>
  );
}

function Brush({ width, onChange }: { width: number; onChange(width: number): void }) {
  const id = useId();
  return (
    <label htmlFor={id} className={`soft ${styles.brush}`}>
      <span className="unseen">{texts.pad.brush}</span>
      <input
        id={id}
        type="range"
        title={texts.pad.brush}
        min={5}
        max={16}
        value={Math.round(100 * width)}
        onChange={(event) => onChange(Number(event.target.value) / 100)}
      />
    </label>
  );
}

interface ColourProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

function Colour({ label, value, onChange }: ColourProps) {
  return (
    <label className="beside soft">
      {label}
      <input type="color" value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}
