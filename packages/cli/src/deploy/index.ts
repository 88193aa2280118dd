export { chartFiles } from './chart.ts';
export { type ManifestOptions, manifests, yamlOf } from './manifests.ts';
export { alerts } from './monitoring/alerts.ts';
export { dashboards } from './monitoring/dashboards.ts';
export { observabilityFiles } from './monitoring/files.ts';
export { crds } from './shared-objects.ts';
