export * from './api-client.ts';
export * from './api-error.ts';
export * from './clock.ts';
export * from './object.ts';
export * from './random.ts';
