import { useEffect, useRef, useState } from 'react';
import { Button } from '../components/Button.tsx';
import { Notice } from '../components/Notice.tsx';
import styles from './PadPanel.module.css';
import { takeFrame } from './taking.ts';
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
      <Notice kind="warning" title="Camera unavailable" onDismiss={onEnd}>
        <p>{obstacle}</p>
      </Notice>
    );
  }
  return (
    <div className={`stack ${styles.camera}`}>
      {/* A picture without sound has nothing to caption. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video ref={video} autoPlay playsInline muted aria-label="Camera preview" />
      <p className="faint">
        {live ? 'Hold something up to the camera. ' : 'Allow camera access in your browser. '}
        Images stay on your device.
      </p>
      <Button icon="check" kind="primary" onPress={onEnd}>
        {live ? 'Take picture' : 'Cancel'}
      </Button>
    </div>
  );
}

function openCamera(): Promise<MediaStream> {
  // Absent on pages that were not loaded over HTTPS. https://developer.mozilla.org/docs/Web/API/MediaDevices
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) throw new DOMException('', isSecureContext ? 'NotSupportedError' : 'SecurityError');
  return devices.getUserMedia({ video: { width: { ideal: 640 }, height: { ideal: 480 } }, audio: false });
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

function why(error: unknown): string {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      return 'Camera access is blocked. Allow it from the address bar.';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'No camera found.';
    case 'NotReadableError':
      return 'The camera is in use by another app.';
    case 'NotSupportedError':
      return 'This browser has no camera access. Use Upload instead.';
    case 'SecurityError':
      return 'Browsers allow camera access only over HTTPS.';
    default:
      return `The camera could not be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
}
