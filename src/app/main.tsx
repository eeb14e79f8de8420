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
import { translated } from './messages/language.ts';
import { findTabs } from './tabs/tabs.ts';

Object.assign(globalThis, { wgrad: forTheConsole });
listenToRun();
listenToRuns();
followPace();
void watchKeepScreenOn();
void load();
void startOffline();
void findTabs();
void show();

/** Shows the page, in the page's language. */
async function show(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('wgrad bug: index.html has no #root');
  await translated();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
