import { BROWSERS, browserOf } from './browsers.ts';

/** Which browsers have WebGPU, this one first. */
export function BrowsersWithWebGpu() {
  const mine = browserOf(navigator.userAgent);
  const others = BROWSERS.filter((browser) => browser !== mine);
  return (
    <>
      {!isSecureContext && <p>WebGPU requires HTTPS or localhost. This page was loaded over HTTP.</p>}
      {mine && (
        <p>
          <b>{mine.name}:</b> {mine.advice}
        </p>
      )}
      <details>
        <summary>{mine ? 'Other browsers' : 'Supported browsers'}</summary>
        <ul>
          {others.map(({ name, advice }) => (
            <li key={name}>
              <b>{name}:</b> {advice}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
