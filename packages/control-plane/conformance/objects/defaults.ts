import type { Json, JsonObject, KubeObject } from '@fairlead/apimachinery';
import { failed, type Outcome, passed } from './outcome.ts';
import { describeDifference, difference, unfold, withoutManagedFields } from './placeholders.ts';
import type { Workbench } from './workbench.ts';

interface DefaultsCase {
  readonly name: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly given?: readonly JsonObject[];
  readonly input: JsonObject;
  readonly expected: JsonObject;
  readonly warnings?: readonly string[];
}

/** Kinds whose response is not yet the stored object: their controllers write to them at once. */
const changedAtOnce = ['CustomResourceDefinition', 'FlowSchema'];

/** Creates an object and compares the whole response, and the result of a read, with those of a real server. */
export async function runDefaults(bench: Workbench, test: DefaultsCase): Promise<Outcome> {
  for (const given of test.given ?? []) await bench.give(given, false);
  const path = await bench.collection(test);
  const created = await bench.call('POST', path, unfold(test.input));
  bench.made(created.body);
  if (created.code !== 201) return failed(`${created.code} ${JSON.stringify(created.body).slice(0, 800)}`);
  const found =
    difference(test.expected, withoutManagedFields(created.body)) ??
    difference([...(test.warnings ?? [])], [...created.warnings], 'warnings');
  if (found) return failed(describeDifference(found));
  if (changedAtOnce.includes(test.kind)) return passed;
  const { name } = (created.body as unknown as KubeObject).metadata;
  const read = await bench.call('GET', `${path}/${name}`);
  const changed = difference(created.body as Json, read.body, 'read');
  return changed ? failed(describeDifference(changed)) : passed;
}
