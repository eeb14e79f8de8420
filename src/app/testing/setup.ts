/**
 * Before each file of the tests of components. They share a process and its document, which take longer to make than most
 * files to run, but neither the state of the page's modules nor its storage.
 */
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

vi.resetModules();
localStorage.clear();
sessionStorage.clear();
// What Testing Library does where the functions of tests are global: https://react.dev/reference/react/act
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// Usually a second.
configure({ asyncUtilTimeout: 120_000 });
afterEach(cleanup);
// The next file is to find the browser's own clock and functions.
afterAll(() => void vi.useRealTimers().unstubAllGlobals());
