export { formatFloat } from './format-float.ts';
export { goJson, goPrettyJson, goRawJson, JsonError } from './go-json.ts';
