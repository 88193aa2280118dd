/**
 * Compares the CustomResourceDefinitions of Fairlead with the originals whose fields they have: `DIR/*.yaml` of one CRD each. A kind that
 * Fairlead does not define yet is not a case. Descriptions are ours and are not compared, nor are fields that a kind declares as added.
 */
import { globSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { crdOf, kinds } from '../src/index.ts';

type Node = { [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

export async function* suite({ dir, only }: SuiteOptions): AsyncIterable<CaseResult> {
  const ours = new Map(kinds.map((kind) => [crdOf(kind).metadata.name, kind]));
  for (const file of globSync(`${dir}/*.yaml`).sort()) {
    const theirs = parse(readFileSync(file, 'utf8')) as Node;
    if (theirs['kind'] !== 'CustomResourceDefinition') continue;
    const name = (theirs['metadata'] as { name: string }).name;
    const mine = ours.get(name);
    if (!mine || (only && !`crds/${name}`.includes(only))) continue;
    const crd = JSON.parse(JSON.stringify(crdOf(mine))) as Node;
    yield* compare(name, crd, theirs, mine.definition.additions ?? []);
  }
}

function* compare(name: string, mine: Node, theirs: Node, additions: readonly string[]): Iterable<CaseResult> {
  const [ours, original] = [mine['spec'] as Node, theirs['spec'] as Node];
  yield check(name, 'names and scope', { ...ours, versions: 0 }, { ...original, versions: 0 });
  const originals = original['versions'] as Node[];
  const versions = new Map((ours['versions'] as Node[]).map((version) => [version['name'], version]));
  for (const version of originals) {
    const mineVersion = versions.get(version['name']) ?? {};
    const at = `${version['name']}`;
    const frame = ({ schema: _, subresources, ...rest }: Node): Node => ({ ...rest, subresources: subresources ?? {} });
    yield check(name, `${at} columns and subresources`, frame(mineVersion), frame(version));
    const root = (of: Node): Node => ((of['schema'] as Node | undefined)?.['openAPIV3Schema'] ?? {}) as Node;
    const [left, right] = [fields(root(mineVersion)), fields(root(version))];
    const isAddition = (path: string) =>
      additions.includes(path) ||
      (!right.has(path) && additions.some((added) => path.startsWith(`${added}.`) || path.startsWith(`${added}[`)));
    for (const path of new Set([...left.keys(), ...right.keys()])) {
      if (isAddition(path)) continue;
      yield check(name, `${at} ${path || '(root)'}`, left.get(path), right.get(path));
    }
  }
}

/** Each schema node by its path, with the keywords of that node alone. */
function fields(schema: Node, path = '', into = new Map<string, Node>()): Map<string, Node> {
  const { description: _, properties, items, additionalProperties, ...own } = schema;
  into.set(path, { ...own, ...(Array.isArray(own['required']) ? { required: [...own['required']].sort() } : {}) });
  if (isNode(properties)) {
    for (const [name, child] of Object.entries(properties))
      fields(child as Node, path ? `${path}.${name}` : name, into);
  }
  if (isNode(items)) fields(items, `${path}[]`, into);
  if (isNode(additionalProperties)) fields(additionalProperties, `${path}{}`, into);
  return into;
}

function check(group: string, name: string, mine: unknown, theirs: unknown): CaseResult {
  const passed = isDeepStrictEqual(mine, theirs);
  return {
    group,
    name,
    passed,
    ...(passed ? {} : { detail: `ours ${JSON.stringify(mine)}\ntheirs ${JSON.stringify(theirs)}` }),
  };
}
