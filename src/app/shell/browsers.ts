export interface Browser {
  name: string;
  /** Matches the user agent; the first of BROWSERS that does counts, because most name several. */
  pattern: RegExp;
  advice: string;
}

/**
 * Where WebGPU is offered.
 * Source: https://github.com/gpuweb/gpuweb/wiki/Implementation-Status. To be looked through again with each release.
 */
export const BROWSERS: readonly Browser[] = [
  {
    name: 'Firefox',
    pattern: /Firefox\//,
    advice:
      'from 141 on Windows and 145 on Macs with Apple silicon. On Linux and Android use Chrome or Edge.',
  },
  { name: 'Chrome on Android', pattern: /Android.*Chrome\//, advice: 'from 121, on Android 12 or newer.' },
  {
    name: 'Safari on iPhone and iPad',
    pattern: /(iPhone|iPad).*AppleWebKit/,
    advice: 'from iOS and iPadOS 26. Other browsers there use the same engine, so update the system.',
  },
  {
    name: 'Chrome or Edge',
    pattern: /Chrome\//,
    advice:
      'from 113 on Windows, macOS and ChromeOS. If yours is newer, turn on “Use graphics acceleration when available” under Settings, System, and look at chrome://gpu. On Linux it may need chrome://flags/#enable-unsafe-webgpu.',
  },
  {
    name: 'Safari',
    pattern: /Safari\//,
    advice: 'from 26, on macOS Tahoe. Before that, use Chrome or Edge.',
  },
];

export const browserOf = (userAgent: string): Browser | undefined =>
  BROWSERS.find(({ pattern }) => pattern.test(userAgent));
