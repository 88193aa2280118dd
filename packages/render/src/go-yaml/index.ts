export * from './read-yaml.ts';
export * from './write-yaml.ts';
export * from './yaml-error.ts';
