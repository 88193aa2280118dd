export * from './format-float.ts';
export * from './go-json.ts';
