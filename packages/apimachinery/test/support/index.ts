export * from './sample-schemas.ts';
export { objectOf } from './schema-values.ts';
