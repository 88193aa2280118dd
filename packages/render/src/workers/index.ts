export * from './render-pool.ts';
