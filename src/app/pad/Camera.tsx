import { useEffect, useRef, useState } from 'react';
import { Button } from '../components/Button.tsx';
import { Notice } from '../components/Notice.tsx';
import styles from './PadPanel.module.css';
import { takeFrame } from './taking.ts';
import type { PadTarget } from './target.ts';

/** The network can be asked so often. */
const FRAME_MS = 100;

interface CameraProps {
  target: PadTarget;
  onEnd(): void;
}

/**
 * What the camera sees, as it goes onto the pad. The browser asks the person first; the camera is given back when this
 * is no longer shown. Frames are drawn onto the pad and nowhere else.
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
        if (!gone) setObstacle(why(error));
        return;
      }
      const element = video.current;
      if (gone || !element) {
        stop(stream);
        return;
      }
      element.srcObject = stream;
      setLive(true);
    };
    void open();
    return () => {
      gone = true;
      stop(stream);
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
      <Notice
        kind="warning"
        title="No picture from a camera"
        actions={<Button onPress={onEnd}>Close</Button>}
      >
        <p>{obstacle}</p>
      </Notice>
    );
  }
  return (
    <div className={styles.camera}>
      {/* A picture without sound has nothing to caption. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video ref={video} autoPlay playsInline muted aria-label="What the camera sees" />
      <p className={styles.note}>
        {live ? 'Hold something in front of it. ' : 'The browser asks whether this page may use it. '}
        Its pictures never leave this page.
      </p>
      <Button icon="check" kind="primary" onPress={onEnd}>
        {live ? 'Keep this picture' : 'Close'}
      </Button>
    </div>
  );
}

function openCamera(): Promise<MediaStream> {
  // Absent on pages that do not come by https. https://developer.mozilla.org/docs/Web/API/MediaDevices
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) throw new DOMException('', 'SecurityError');
  return devices.getUserMedia({ video: { width: { ideal: 640 }, height: { ideal: 480 } }, audio: false });
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

function why(error: unknown): string {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      return 'This page may not use the camera. The browser’s address bar shows where that can be changed.';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'There is no camera here.';
    case 'NotReadableError':
      return 'The camera is in use by another program.';
    case 'SecurityError':
      return 'Browsers give cameras only to pages that come by https.';
    default:
      return `The camera could not be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
}
