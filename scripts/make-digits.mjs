// Runs scripts/digits/make.ts through Vite, which is installed anyway and reads TypeScript: npm run digits [-- FOLDER]
import { createServer } from 'vite';

const folder = process.argv[2] ?? 'public/datasets/digits';
const vite = await createServer({
  configFile: false,
  appType: 'custom',
  server: { middlewareMode: true, ws: false },
});
try {
  const { makeDigits } = await vite.ssrLoadModule('/scripts/digits/make.ts');
  makeDigits(folder);
} finally {
  await vite.close();
}
