import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { load } from './load.ts';

const root = document.getElementById('root');
if (!root) throw new Error('wgrad bug: index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
void load();
