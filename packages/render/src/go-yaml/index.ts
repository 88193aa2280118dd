export { Emitter, type EmitterNode } from './emitter.ts';
export { type ReadYamlOptions, readYaml, readYamlDocuments } from './read-yaml.ts';
export { resolvePlain } from './resolve.ts';
export { stringScalar, writeYaml, writeYamlPretty } from './write-yaml.ts';
export { YamlError } from './yaml-error.ts';
