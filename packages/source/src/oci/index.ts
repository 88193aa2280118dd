/** Reading registries: for artifacts here, for images in `images`. */
export { HttpSession, type HttpSessionOptions } from '../http/http-session.ts';
export * from './manifest.ts';
export * from './reference.ts';
export * from './registry.ts';
