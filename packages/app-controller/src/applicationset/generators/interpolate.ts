import type { Generator } from '@fairlead/api';
import { isJsonObject, type Json, type JsonObject, messageOf, put, toJson } from '@fairlead/apimachinery';
import { renderValue } from '../template/render-value.ts';
import { TemplateError } from '../template/text-renderer.ts';
import type { GeneratorRun } from './generator.ts';
import { GeneratorError } from './generator-error.ts';
import type { Params } from './params.ts';

/** Rendering changes texts only. */
const isGenerator = (value: unknown): value is Generator => isJsonObject(value);

/** Generators whose `values` are texts. */
const withValues: ReadonlySet<string> = new Set([
  'clusters',
  'git',
  'scmProvider',
  'clusterDecisionResource',
  'pullRequest',
  'plugin',
]);

/**
 * The generator with the parameters of the first generator of its matrix in their places. In `values`, what refers to the generator's own
 * parameters is left for later.
 */
export function interpolate(generator: Generator, parent: Params, { texts }: Pick<GeneratorRun, 'texts'>): Generator {
  const replace = (value: Json, path: readonly string[]): Json | undefined => {
    const [name = '', field] = path.slice(-2);
    return field === 'values' && withValues.has(name) && isJsonObject(value) ? earlyValues(value) : undefined;
  };

  function earlyValues(values: JsonObject): JsonObject {
    const result: JsonObject = {};
    for (const [key, template] of Object.entries(values)) put(result, key, early(key, template));
    return result;
  }

  function early(key: string, template: Json): Json {
    if (typeof template !== 'string') return template;
    try {
      return texts.renderStrictly(template, parent);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      if (error.isMissingKey) return template;
      throw new TemplateError(`failed to pre-resolve Values key ${JSON.stringify(key)}: ${error.message}`);
    }
  }

  try {
    const rendered = renderValue(toJson(generator), parent, texts, replace);
    return isGenerator(rendered) ? rendered : generator;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new GeneratorError(`failed to replace parameters in generator: ${messageOf(error)}`);
  }
}
