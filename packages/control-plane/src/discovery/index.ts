export { type Answer, type Asked, createDiscovery } from './discovery.ts';
export { compareVersions, type Served } from './listed.ts';
