export { chartFiles } from './chart.ts';
export { type ManifestOptions, manifests, yamlOf } from './manifests.ts';
