import { describeSyntaxError, isJsonObject, type Json, type JsonObject, textAt } from '@fairlead/apimachinery';
import { during, GeneratorError } from '../generators/generator-error.ts';
import type { ForgeHttp } from './forge-http.ts';

export interface PluginService {
  readonly baseUrl: string;
  readonly token: string;
  readonly timeoutMs?: number;
}

/** The sets of parameters that a plugin answers with. */
export async function askPlugin(
  http: ForgeHttp,
  { baseUrl, token, timeoutMs }: PluginService,
  applicationSetName: string,
  parameters: JsonObject,
): Promise<JsonObject[]> {
  const input = Object.keys(parameters).length > 0 ? { parameters } : {};
  const url = `${baseUrl.replace(/\/?$/u, '/')}api/v1/getparams.execute`;
  const { status, text } = await during(`Post ${JSON.stringify(url)}`, () =>
    http.send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      authorization: `Bearer ${token}`,
      body: JSON.stringify({ applicationSetName, input }),
      timeoutMs,
    }),
  );
  if (status < 200 || status >= 300) throw new GeneratorError(`API error with status code ${status}: ${errorIn(text)}`);
  if (text.trim() === '') return [];
  return parametersIn(parsed(text), text);
}

function errorIn(text: string): string {
  let body: Json;
  try {
    body = JSON.parse(text);
  } catch {
    return text;
  }
  return isJsonObject(body) ? textAt(body, 'message') || textAt(body, 'error') : text;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new GeneratorError(`${describeSyntaxError(text)}: ${text}`);
  }
}

function parametersIn(body: Json, text: string): JsonObject[] {
  const output = isJsonObject(body) ? body['output'] : undefined;
  const list = isJsonObject(output) ? (output['parameters'] ?? []) : [];
  const wrong = (value: Json, type: string): GeneratorError =>
    new GeneratorError(
      `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value} into Go struct field Output.output.parameters of type ${type}: ${text}`,
    );
  if (!Array.isArray(list)) throw wrong(list, '[]map[string]interface {}');
  return list.map((item) => {
    if (item === null) return {};
    if (!isJsonObject(item)) throw wrong(item, 'map[string]interface {}');
    return item;
  });
}
