export { type BodyOptions, decodeBody } from './body.ts';
export { decodeDocument } from './document.ts';
