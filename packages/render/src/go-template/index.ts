export { renderExpression } from '../helm/render-expression.ts';
export * from './exec-error.ts';
export * from './execute.ts';
export * from './function.ts';
export * from './go-value.ts';
export * from './limits.ts';
export * from './parse-error.ts';
export * from './template-set.ts';
