export { startDemoRegistry } from './demo-registry.ts';
export { pushImage } from './push-image.ts';
