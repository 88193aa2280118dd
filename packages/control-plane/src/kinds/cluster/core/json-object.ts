import { describeSyntaxError, goJsonKind, type Json } from '@fairlead/apimachinery';

/** Why a text is not a JSON object, with the message of the decoder of Go; undefined if it is one (or null). */
export function jsonObjectProblem(text: string): string | undefined {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return describeSyntaxError(text);
  }
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
  return `json: cannot unmarshal ${goJsonKind(value)} into Go value of type map[string]interface {}`;
}
