import { afterAll, vi } from 'vitest';

// Files share a process: the next one must not find what this one put in place of globals.
afterAll(() => {
  vi.unstubAllGlobals();
});
