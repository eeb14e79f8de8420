/** A card of the page in a page of somebody else: embed.html?card=pad. It stores nothing. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Embed } from './Embed.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('wgrad bug: embed.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Embed parameters={Object.fromEntries(new URLSearchParams(location.search))} />
  </StrictMode>,
);
