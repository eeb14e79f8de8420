import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { forTheConsole } from './console.ts';
import { load } from './load.ts';
import { startOffline } from './offline.ts';
import { listenToRuns } from './journal/runs-store.ts';
import { watchKeepScreenOn } from './keep-screen-on.ts';
import { followPace } from './pace/pace.ts';
import { listenToRun } from './screens/train/run-events.ts';
import { findTabs } from './tabs/tabs.ts';

const root = document.getElementById('root');
if (!root) throw new Error('wgrad bug: index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
Object.assign(globalThis, { wgrad: forTheConsole });
listenToRun();
listenToRuns();
followPace();
void watchKeepScreenOn();
void load();
void startOffline();
void findTabs();
