import { chooseEngine, obstacleToEngine } from '../actions/engine.ts';
import { ENGINES, engineOf } from '../state/device.ts';
import { useApp } from '../state/store.ts';
import { Choice } from '../widgets/Choice.tsx';
import { BrowsersWithWebGpu } from './BrowsersWithWebGpu.tsx';

/** The choice of the engine, and what makes training slow on the device in use. */
export function EnginePanel() {
  const engine = useApp(engineOf);
  const obstacle = useApp(obstacleToEngine);
  return (
    <>
      <Choice
        label="Compute on"
        value={engine}
        options={ENGINES}
        obstacle={obstacle}
        onChange={(chosen) => void chooseEngine(chosen)}
      />
      <EngineAdvice />
    </>
  );
}

/** What makes training slow on the device in use, and what to do about it. */
function EngineAdvice() {
  const adapter = useApp(({ device, adapter: used }) => (device === 'ready' ? used : undefined));
  if (!adapter) return null;
  const { cpu, insteadOfGpu, software, featureLevel, vendor, architecture, description } = adapter;
  if (insteadOfGpu) {
    return (
      <>
        <h3>Training runs on the CPU here</h3>
        <p>{insteadOfGpu.message} Everything works; large models are slower than on a GPU.</p>
        <details>
          <summary>How to use a GPU</summary>
          {insteadOfGpu.advice && <p>{insteadOfGpu.advice}</p>}
          <BrowsersWithWebGpu />
        </details>
      </>
    );
  }
  if (software) {
    return (
      <>
        <h3>No GPU found: WebGPU is running on the CPU</h3>
        <p>
          Everything works, but slowly. The browser is using {description}. Choose CPU, which is several times
          as fast. If this machine has a GPU, turn on hardware acceleration in your browser settings.
        </p>
      </>
    );
  }
  return (
    <>
      {!cpu && <p>{`${vendor} ${architecture}`.trim()}</p>}
      {featureLevel === 'compatibility' && (
        <>
          <h3>This GPU runs WebGPU in compatibility mode</h3>
          <p>
            Everything works. Convolutions and matrix multiplications are slower than this GPU allows, because
            workgroups have fewer threads and the fastest tiles do not fit.
          </p>
        </>
      )}
    </>
  );
}
