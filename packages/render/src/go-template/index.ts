export { execute } from './execute.ts';
export { stringMap, structType } from './go-type.ts';
export { GoMap, GoObject, type GoValue } from './go-value.ts';
export { Budget } from './limits.ts';
export { TemplateSet } from './template-set.ts';
