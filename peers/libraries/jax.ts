/** jax-js, for benchmarks outside of this folder. */
export * from '@jax-js/jax';
