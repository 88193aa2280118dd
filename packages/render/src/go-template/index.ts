export { zeroOf } from './builtins.ts';
export { deepEqual } from './compare.ts';
export { escapeQuery } from './escape.ts';
export { TemplateExecError } from './exec-error.ts';
export { execute, executeTemplate } from './execute.ts';
export { fn } from './function.ts';
export { parseFloat64, parseInteger } from './go-number.ts';
export { byteLength, byteSlice, compareStrings, fromBytes, toBytes } from './go-string.ts';
export {
  anyMap,
  anySlice,
  anyType,
  assignable,
  byteSliceType,
  type GoType,
  intType,
  mapOf,
  sliceOf,
  stringMap,
  stringSlice,
  structType,
  uint8Type,
} from './go-type.ts';
export {
  GoError,
  type GoFunction,
  GoInt,
  GoMap,
  GoObject,
  GoSlice,
  type GoValue,
  int,
  int64,
  isFunction,
  isTrue,
  itemsOf,
  methodsOf,
  nilSlice,
  sortedKeys,
  typeName,
  typeOf,
} from './go-value.ts';
export { Budget, CpuTime, LimitError, type Limits } from './limits.ts';
export { TemplateParseError } from './parse-error.ts';
export type { ParsedTemplate } from './parser.ts';
export { display } from './printf.ts';
export { type MissingKey, TemplateSet } from './template-set.ts';
