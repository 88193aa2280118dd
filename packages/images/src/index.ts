export * from './config/annotations.ts';
export * from './config/application-plan.ts';
export * from './images-error.ts';
export * from './reference/image-reference.ts';
export * from './tags/select-tag.ts';
