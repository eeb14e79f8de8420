/**
 * TensorFlow.js imports files of CommonJS as bundlers understand them, but Vite's runner in Node does not. Those of its
 * WebAssembly backend become modules; of a package, whose exports Node does not find, the default export has all.
 */
export const commonJs = () => ({
  name: 'wgrad-common-js',
  transform(code, id) {
    if (/\/@tensorflow\//.test(id) && code.includes("from 'seedrandom'"))
      return code.replace("import * as seedrandom from 'seedrandom'", "import seedrandom from 'seedrandom'");
    if (!/tfjs-backend-wasm\/wasm-out\/.*\.js$/.test(id)) return null;
    return `const module = { exports: {} }; const exports = module.exports;\n${code}\nexport default module.exports;`;
  },
});
