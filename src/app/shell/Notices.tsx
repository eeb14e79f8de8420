import { Button } from '../widgets/Button.tsx';
import { later } from '../components/later.tsx';
import { Notice, NoticeStack } from '../widgets/Notice.tsx';
import { useLostAddress } from '../route.ts';
import { useApp } from '../state/store.ts';

const pageNotices = () => import('./PageNotices.tsx');
const GpuBusy = later('What to do about a busy GPU', async () => (await pageNotices()).GpuBusy);
const WorkerSilent = later('The state of the worker', async () => (await pageNotices()).WorkerSilent);
const Reconnecting = later('The state of the GPU', async () => (await pageNotices()).Reconnecting);
const WorkerCrashed = later('A crash', async () => (await pageNotices()).WorkerCrashed);
const NewVersion = later('A new version', async () => (await pageNotices()).NewVersion);
const LostAddress = later('A wrong address', async () => (await pageNotices()).LostAddress);
const RunError = later('What went wrong', async () => (await import('./RunError.tsx')).RunError);
const NoWebGpu = later('Browsers with WebGPU', async () => (await import('./NoWebGpu.tsx')).NoWebGpu);

/** What keeps the whole page from working, and what to do about it: on every screen that needs the GPU. */
export function Notices() {
  const device = useApp((state) => state.device);
  const deviceError = useApp((state) => state.deviceError);
  const crash = useApp((state) => state.crash);
  const silent = useApp((state) => !state.responds);
  const gpuBusy = useApp((state) => state.gpuBusy && state.responds);
  const runState = useApp((state) => state.runState);
  const failedRun = useApp((state) => state.runError !== undefined);
  const update = useApp((state) => state.update);
  const lost = useLostAddress();
  const reconnecting = device === 'lost' || device === 'recovering' || runState === 'recovering';
  return (
    <NoticeStack>
      {crash !== undefined && <WorkerCrashed details={crash} />}
      {silent && <WorkerSilent />}
      {gpuBusy && <GpuBusy />}
      {crash === undefined && device === 'unavailable' && <NoWebGpu error={deviceError} />}
      {crash === undefined && reconnecting && <Reconnecting />}
      {update && <NewVersion />}
      {lost !== undefined && <LostAddress address={lost} />}
      {failedRun && <RunError />}
    </NoticeStack>
  );
}

/** Above every screen: a part of the worker's code that could not be fetched. */
export function MissingPart() {
  const missing = useApp((state) => state.missingPart);
  if (!missing) return null;
  return (
    <NoticeStack>
      <Notice
        kind="error"
        title="Part of the app could not be loaded"
        actions={
          <Button icon="retry" onPress={() => location.reload()}>
            Reload
          </Button>
        }
        onDismiss={() => useApp.setState({ missingPart: undefined })}
      >
        <p>{missing.message}</p>
        <p>Everything else keeps working. Check your connection. Reloading interrupts the current run.</p>
      </Notice>
    </NoticeStack>
  );
}
