export { AppController, type AppControllerOptions } from './app-controller.ts';
export * from './cluster.ts';
export * from './clusters.ts';
export { refreshAnnotation } from './refresh.ts';
export { defaultSettings, type Settings } from './world.ts';
