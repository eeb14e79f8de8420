import { useEffect, useRef, useState } from 'react';
import { Button } from '../widgets/Button.tsx';
import { Callout } from '../widgets/Notice.tsx';
import { pad as texts } from '../messages/en/pad.tsx';
import styles from './PadPanel.module.css';
import { openCamera, stopCamera, whyNoCamera } from '../camera.ts';
import { takeFrame } from './image-files.ts';
import type { PadTarget } from './target.ts';

/** Predictions can follow at this rate. */
const FRAME_MS = 100;

interface CameraProps {
  target: PadTarget;
  onEnd(): void;
}

/**
 * Puts frames of the camera onto the pad. The browser asks the person first; the camera is released when this is no longer
 * shown. Frames go to the pad and nowhere else.
 */
export function Camera({ target, onEnd }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [obstacle, setObstacle] = useState<string>();
  const [live, setLive] = useState(false);
  useEffect(() => {
    let stream: MediaStream | undefined;
    let gone = false;
    const open = async () => {
      try {
        stream = await openCamera();
      } catch (error) {
        if (!gone) setObstacle(whyNoCamera(error));
        return;
      }
      const element = video.current;
      if (gone || !element) {
        stopCamera(stream);
        return;
      }
      element.srcObject = stream;
      setLive(true);
    };
    void open();
    return () => {
      gone = true;
      stopCamera(stream);
    };
  }, []);
  useEffect(() => {
    if (!live) return undefined;
    const timer = setInterval(() => {
      if (video.current && !document.hidden) takeFrame(video.current, target);
    }, FRAME_MS);
    return () => clearInterval(timer);
  }, [live, target]);
  if (obstacle !== undefined) {
    return (
      <Callout kind="warning" title={texts.unavailable} onDismiss={onEnd}>
        <p>{obstacle}</p>
      </Callout>
    );
  }
  return (
    <div className={styles.camera}>
      {/* A picture without sound has nothing to caption. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video ref={video} autoPlay playsInline muted aria-label={texts.preview} />
      <p className="faint">{live ? texts.hold : texts.allow}</p>
      <Button icon="check" kind="primary" onPress={onEnd}>
        {live ? texts.take : texts.cancel}
      </Button>
    </div>
  );
}
