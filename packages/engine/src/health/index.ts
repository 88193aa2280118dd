export * from './assess-health.ts';
export * from './custom-health.ts';
export * from './health.ts';
