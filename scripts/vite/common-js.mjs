/**
 * TensorFlow.js's WebAssembly backend imports two files of CommonJS, which bundlers understand and Vite's runner in Node does
 * not: they become modules.
 */
export const commonJs = () => ({
  name: 'wgrad-common-js',
  transform(code, id) {
    if (!/tfjs-backend-wasm\/wasm-out\/.*\.js$/.test(id)) return null;
    return `const module = { exports: {} }; const exports = module.exports;\n${code}\nexport default module.exports;`;
  },
});
