// Runs scripts/shapes/make.ts through Vite, which is installed anyway and reads TypeScript: npm run shapes [-- FOLDER]
import { createServer } from 'vite';

const folder = process.argv[2] ?? 'public/datasets/shapes';
const vite = await createServer({
  configFile: false,
  appType: 'custom',
  server: { middlewareMode: true, ws: false },
});
try {
  const { makeShapes } = await vite.ssrLoadModule('/scripts/shapes/make.ts');
  makeShapes(folder);
} finally {
  await vite.close();
}
