// Runs scripts/drawn.ts through Vite, which is here anyway and reads TypeScript: npm run digits [-- FOLDER], or shapes
import { createServer } from 'vite';

const [name, folder = `public/datasets/${name}`] = process.argv.slice(2);
const vite = await createServer({
  configFile: false,
  appType: 'custom',
  server: { middlewareMode: true, ws: false },
});
try {
  const { makeSet } = await vite.ssrLoadModule('/scripts/drawn.ts');
  makeSet(name, folder);
} finally {
  await vite.close();
}
