export { startDemoRegistry } from './demo-registry.ts';
export { pushBlob, pushImage, pushManifest } from './push-image.ts';
