import type { ShaderFiles } from './sources.ts';

/**
 * All shaders. The query makes the first ones other modules than those of sources.ts: shared ones would have to be exported by
 * the script that loads first.
 */
const files: ShaderFiles = import.meta.glob('/shaders/**/*.wgsl', {
  query: '?raw&later',
  import: 'default',
  eager: true,
});

export default files;
