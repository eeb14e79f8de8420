import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { openCamera, stopCamera, whyNoCamera } from '../camera.ts';
import { Button } from '../widgets/Button.tsx';
import button from '../widgets/Button.module.css';
import { Choice } from '../widgets/Choice.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { dropTarget } from '../widgets/drop-target.ts';
import { FileButton } from '../widgets/FileButton.tsx';
import { Icon } from '../widgets/Icon.tsx';
import { FailureNotice, Callout } from '../widgets/Notice.tsx';
import { takeOwn } from '../datasets.ts';
import { startFromTrained, trainedFor } from '../finetune/start-from.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp } from '../state/store.ts';
import { data as texts } from '../messages/en/data.tsx';
import styles from './Data.module.css';
import { filesOf, newClass, obstacleToUse, type OwnClass } from './own-classes.ts';
import { OWN_SIZES } from './own-sizes.ts';
import { squarePng } from './square-png.ts';

/** While its button is held, a class gets pictures at this rate. */
const TAKE_EVERY_MS = 100;

/** The classes that are being collected. Pasted pictures go to the active one. */
function useOwnClasses() {
  const [classes, setClasses] = useState<readonly OwnClass[]>(() => [newClass(1), newClass(2)]);
  const [active, setActive] = useState(classes[0].id);
  const [unreadable, setUnreadable] = useState<string>();
  const change = (id: string, to: (one: OwnClass) => Partial<OwnClass>) =>
    setClasses((all) => all.map((one) => (one.id === id ? { ...one, ...to(one) } : one)));
  const add = (id: string, files: readonly File[]) =>
    change(id, ({ pictures }) => ({ pictures: [...pictures, ...files] }));
  const takeFiles = async (id: string, files: readonly File[]) => {
    setUnreadable(undefined);
    for (const file of files) {
      try {
        const bitmap = await createImageBitmap(file);
        add(id, [await squarePng(bitmap, file.name)]);
        bitmap.close();
      } catch {
        setUnreadable(file.name || texts.pictures.pasted);
      }
    }
  };
  usePastedImages((files) => void takeFiles(active, files));
  return {
    classes,
    active,
    setActive,
    /** The name of a file that is not an image. */
    unreadable,
    setUnreadable,
    takeFiles,
    async takeFrame(id: string, video: HTMLVideoElement | null) {
      // A camera that has just been opened has no frame yet.
      if (video?.videoWidth) add(id, [await squarePng(video, 'camera.png')]);
    },
    rename: (id: string, name: string) => change(id, () => ({ name })),
    clear: (id: string) => change(id, () => ({ pictures: [] })),
    remove: (id: string) => setClasses((all) => all.filter((one) => one.id !== id)),
    addClass() {
      const added = newClass(classes.length + 1);
      setClasses([...classes, added]);
      setActive(added.id);
    },
  };
}

type OwnClasses = ReturnType<typeof useOwnClasses>;

/** Makes a data set of own pictures, class by class: from the camera, from files and from the clipboard. */
export function Pictures({ onClose }: { onClose(): void }) {
  const own = useOwnClasses();
  const camera = useCamera();
  const error = useApp((state) => state.importErrors['own']);
  return (
    <Dialog
      title={texts.pictures.title}
      explanation={texts.pictures.explanation}
      onClose={onClose}
      actions={<MakeSet classes={own.classes} onMade={onClose} />}
    >
      {error && <FailureNotice title={texts.pictures.failed} error={error} />}
      {own.unreadable !== undefined && (
        <Callout
          kind="warning"
          title={texts.pictures.unreadable(own.unreadable)}
          onDismiss={() => own.setUnreadable(undefined)}
        >
          <p>{texts.pictures.notAnImage}</p>
        </Callout>
      )}
      <div className={styles.capture}>
        <CameraView camera={camera} />
        <div className="stack">
          {own.classes.map((one) => (
            <ClassCard key={one.id} one={one} own={own} camera={camera} />
          ))}
          <div>
            <Button icon="plus" onPress={own.addClass}>
              {texts.pictures.addClass}
            </Button>
          </div>
        </div>
      </div>
    </Dialog>
  );
}

/** The size of the images, what a run on them starts from, and the button that makes the set. */
function MakeSet({ classes, onMade }: { classes: readonly OwnClass[]; onMade(): void }) {
  const [size, setSize] = useState<keyof typeof OWN_SIZES>('colour');
  const [start, setStart] = useState<'trained' | 'scratch'>('trained');
  const [making, setMaking] = useState(false);
  const locked = useApp(({ runState, runConfig }) => runIsOpen(runState) && runConfig?.dataset === 'own');
  const obstacle = locked ? texts.pictures.locked : obstacleToUse(classes);
  const count = classes.reduce((sum, { pictures }) => sum + pictures.length, 0);
  const [network] = trainedFor(OWN_SIZES[size]);
  const use = async () => {
    setMaking(true);
    const report = await takeOwn({ files: filesOf(classes), from: 'pictures', shape: OWN_SIZES[size] });
    setMaking(false);
    if (!report) return;
    useApp.getState().change({ dataset: 'own' });
    if (start === 'trained' && network) startFromTrained(network);
    onMade();
  };
  return (
    <>
      <Choice label={texts.pictures.resize} value={size} options={texts.pictures.sizes} onChange={setSize} />
      <Choice
        label={texts.pictures.startFrom}
        value={start}
        options={{ trained: network.title, scratch: texts.pictures.random }}
        onChange={setStart}
      />
      <Button
        icon="check"
        kind="primary"
        obstacle={making ? texts.pictures.making : obstacle}
        onPress={() => void use()}
      >
        {making ? texts.pictures.creating : texts.pictures.use(count)}
      </Button>
    </>
  );
}

/** Images on the clipboard go to the dialog, not to the pad below it. */
function usePastedImages(take: (files: File[]) => void): void {
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    take(files);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => pasted(event);
    addEventListener('paste', listen, true);
    return () => removeEventListener('paste', listen, true);
  }, []);
}

interface OwnCamera {
  video: RefObject<HTMLVideoElement | null>;
  state: 'off' | 'opening' | 'on';
  /** Why it could not be opened. */
  obstacle: string | undefined;
  open(): Promise<void>;
}

/** The camera, once it is turned on. It is released when the dialog closes. */
function useCamera(): OwnCamera {
  const video = useRef<HTMLVideoElement>(null);
  const stream = useRef<MediaStream>(undefined);
  const gone = useRef(false);
  const [state, setState] = useState<OwnCamera['state']>('off');
  const [obstacle, setObstacle] = useState<string>();
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
      stopCamera(stream.current);
    };
  }, []);
  const open = async () => {
    setState('opening');
    try {
      const opened = await openCamera();
      if (gone.current || !video.current) {
        stopCamera(opened);
        return;
      }
      stream.current = opened;
      video.current.srcObject = opened;
      setState('on');
    } catch (error) {
      setObstacle(whyNoCamera(error));
      setState('off');
    }
  };
  return { video, state, obstacle, open };
}

/** What the camera sees. */
function CameraView({ camera: { video, state, obstacle, open } }: { camera: OwnCamera }) {
  return (
    <div className={styles.camera}>
      {/* A picture without sound has nothing to caption. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video
        ref={video}
        className={styles.video}
        hidden={state !== 'on'}
        autoPlay
        playsInline
        muted
        aria-label={texts.pictures.preview}
      />
      {state !== 'on' && (
        <div className={styles.cameraOff}>
          <Button
            icon="camera"
            obstacle={state === 'opening' ? texts.pictures.allow : undefined}
            onPress={() => void open()}
          >
            {texts.pictures.turnOn}
          </Button>
        </div>
      )}
      {obstacle !== undefined && <p className="error soft">{obstacle}</p>}
      <p className="faint">{state === 'on' ? texts.pictures.hold : texts.pictures.orFiles}</p>
    </div>
  );
}

interface ClassCardProps {
  one: OwnClass;
  own: OwnClasses;
  camera: OwnCamera;
}

/** One class: its name, how it gets pictures, and the last of them. */
function ClassCard({ one: { id, name, pictures }, own, camera }: ClassCardProps) {
  const takeFiles = (files: readonly File[]) => void own.takeFiles(id, files);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- follows the focus of what is in it
    <section
      className={styles.ownClass}
      data-active={id === own.active || undefined}
      aria-label={name}
      onFocus={() => own.setActive(id)}
      {...dropTarget(takeFiles)}
    >
      <div className="row">
        <input
          type="text"
          aria-label={texts.pictures.nameOf(name)}
          value={name}
          onChange={(event) => own.rename(id, event.target.value)}
        />
        <span className="soft numbers">{texts.pictures.count(pictures.length)}</span>
        {pictures.length > 0 && (
          <Button kind="quiet" onPress={() => own.clear(id)}>
            {texts.pictures.clear}
            <span className="unseen"> {name}</span>
          </Button>
        )}
        {own.classes.length > 2 && (
          <Button kind="quiet" icon="trash" onPress={() => own.remove(id)}>
            {texts.pictures.remove}
            <span className="unseen"> {name}</span>
          </Button>
        )}
      </div>
      <div className="row">
        <HoldButton
          name={name}
          filming={camera.state === 'on'}
          onFrame={() => void own.takeFrame(id, camera.video.current)}
        />
        <FileButton
          label={texts.pictures.filesOf(name)}
          accept="image/*"
          multiple
          icon="upload"
          onFiles={takeFiles}
        >
          {texts.pictures.addFiles}
        </FileButton>
      </div>
      {pictures.length > 0 && <Thumbnails pictures={pictures} />}
    </section>
  );
}

/** Takes a picture at once, and more for as long as it is held, with the mouse, a finger, Space or Enter. */
function HoldButton({ name, filming, onFrame }: { name: string; filming: boolean; onFrame(): void }) {
  const [held, setHeld] = useState(false);
  const frame = useEffectEvent(onFrame);
  useEffect(() => {
    if (!held) return undefined;
    frame();
    const timer = setInterval(() => frame(), TAKE_EVERY_MS);
    return () => clearInterval(timer);
  }, [held]);
  const start = () => filming && setHeld(true);
  const end = () => setHeld(false);
  const byKey = (does: () => void) => (event: KeyboardEvent) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    does();
  };
  return (
    <button
      type="button"
      className={`${button.button} ${styles.hold}`}
      title={filming ? undefined : texts.pictures.cameraFirst}
      aria-disabled={!filming || undefined}
      data-held={held || undefined}
      onPointerDown={start}
      onPointerUp={end}
      onPointerCancel={end}
      onPointerLeave={end}
      onKeyDown={byKey(start)}
      onKeyUp={byKey(end)}
      onBlur={end}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Icon name="camera" />
      <span>
        {held ? texts.pictures.taking : texts.pictures.holdToTake}
        <span className="unseen">{texts.pictures.of(name)}</span>
      </span>
    </button>
  );
}

/** As many as fit beside each other. */
const SHOWN = 16;

/** The last pictures. */
function Thumbnails({ pictures }: { pictures: readonly File[] }) {
  const shown = pictures.slice(-SHOWN).toReversed();
  return (
    <div className={styles.thumbnails} aria-hidden="true">
      {shown.map((file, i) => (
        <Thumbnail key={pictures.length - i} file={file} />
      ))}
    </div>
  );
}

function Thumbnail({ file }: { file: File }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    if (image.current) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return <img ref={image} alt="" />;
}
