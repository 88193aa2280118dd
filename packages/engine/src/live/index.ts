export { isWhole } from './light-object.ts';
export * from './live-state.ts';
export * from './managed-fields.ts';
export * from './networking.ts';
export * from './node-info.ts';
export * from './resource-filter.ts';
export * from './resource-tree.ts';
