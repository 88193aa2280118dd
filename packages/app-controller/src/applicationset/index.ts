export { confirmDeletionAnnotation } from './applications/deletion-brake.ts';
export { ApplicationSetController, type ApplicationSetControllerOptions } from './controller.ts';
export { createForgeHttp, type ForgeHttp } from './forges/forge-http.ts';
export { GenerationFailed, generate } from './generate.ts';
export type { GeneratorEnv, ObjectReader } from './generators/generator.ts';
export { refreshAnnotation as applicationSetRefreshAnnotation } from './generators/git.ts';
export { createGitReader, type GitReader } from './git/git-reader.ts';
export { createObjectReader } from './object-reader.ts';
export { type ApplicationSetSettings, defaultApplicationSetSettings } from './settings.ts';
