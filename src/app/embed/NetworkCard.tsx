import { ImageView } from '../screens/inspect/ImageView.tsx';
import { RunBar } from '../screens/train/RunBar.tsx';
import { Notices } from '../shell/Notices.tsx';
import { OneThread, usePage } from './page.tsx';

/** The pad, and the network at work on its image: the one that comes with the page, or the run's. */
export function NetworkCard({ settings }: { settings: Readonly<Record<string, string>> }) {
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
