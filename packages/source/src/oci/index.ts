/** The registry client: for artifacts here, for images in `images`. */
export { HttpSession } from '../http/http-session.ts';
export type { Descriptor, ImageManifest, Manifest } from './manifest.ts';
export { Registry } from './registry.ts';
