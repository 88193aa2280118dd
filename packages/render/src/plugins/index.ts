export type { Plugin } from './plugin.ts';
export { InvalidPlugin } from './plugin-config.ts';
export { withPlugins } from './plugin-renderer.ts';
export { type Plugins, readPlugins } from './plugin-set.ts';
