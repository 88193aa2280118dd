export { buildKustomization, type KustomizeOptions, kustomizeYaml } from './build.ts';
