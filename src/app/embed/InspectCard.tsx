import { ImageView } from '../screens/inspect/ImageView.tsx';
import { RunBar } from '../screens/train/RunBar.tsx';
import { Notices } from '../shell/Notices.tsx';
import { OneThread, usePage } from './page.tsx';

/** The pad, the activations of the network for its image, and the arithmetic of a value. */
export function InspectCard({ settings }: { settings: Readonly<Record<string, string>> }) {
  usePage(settings);
  return (
    <>
      <RunBar />
      <ImageView />
      <Notices />
      <OneThread />
    </>
  );
}
