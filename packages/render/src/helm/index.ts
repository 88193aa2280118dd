export * from './chart.ts';
export * from './chart-values.ts';
export * from './manifests.ts';
export * from './profile.ts';
export * from './render-chart.ts';
