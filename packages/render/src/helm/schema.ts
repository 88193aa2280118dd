import { GoMap, typeName } from '../go-template/go-value.ts';
import { RenderError } from '../render-error.ts';
import type { Chart } from './chart.ts';

/** Validates the values of a chart and its dependencies against their schemas. Throws all violations with Helm's messages. */
export async function checkSchemas(chart: Chart, values: GoMap): Promise<void> {
  const problems = await problemsOf(chart, values);
  if (problems === '') return;
  throw new RenderError(
    'InvalidValues',
    `values don't meet the specifications of the schema(s) in the following chart(s):\n${problems}`,
  );
}

async function problemsOf(chart: Chart, values: GoMap): Promise<string> {
  const { name } = chart.metadata;
  const own = chart.schema ? await violationsOf(chart.schema, values) : [];
  let text = own.length === 0 ? '' : `${name}:\n${own.join('\n')}\n`;
  for (const dependency of chart.dependencies) {
    const inner = values.get(dependency.metadata.name);
    if (inner instanceof GoMap) text += await problemsOf(dependency, inner);
    else if (inner !== undefined && inner !== null)
      text += `${dependency.metadata.name}:\ninvalid type for values: expected object (map), got ${typeName(inner)}\n`;
  }
  return text;
}

/** The validator is a large module, which most renders do not need. */
const violationsOf = async (schema: Uint8Array, values: GoMap): Promise<string[]> =>
  (await import('./schema-violations.ts')).violations(schema, values);
