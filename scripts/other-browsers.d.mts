export type Part = 'firefox' | 'lavapipe' | 'webDriver' | 'miniBrowser' | 'xvfb';
export function findPart(name: Part): string | undefined;
export function howToInstall(names: readonly Part[]): string | undefined;
export function installOthers(): void;
