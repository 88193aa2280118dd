export { buildKustomization, type KustomizeOptions, kustomizeYaml } from './build.ts';
export { isClusterScoped } from './schema/built-in-kinds.ts';
