/** `DIR/charts/CHART`, `DIR/cases/CASE/{case.json, values…, expected.yaml}`: the output of Helm for real charts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { readYamlDocuments } from '../src/go-yaml/index.ts';
import { renderChart, templateOutput } from '../src/helm/index.ts';
import { memoryTree } from '../src/tree/memory-tree.ts';
import type { Tree } from '../src/tree/tree.ts';

interface HelmCase {
  readonly chart: string;
  readonly release: string;
  readonly namespace: string;
  readonly kubeVersion?: string;
  readonly values: readonly string[];
  readonly set?: readonly string[];
  readonly apiVersions: readonly string[];
  readonly includeCrds: boolean;
  readonly skipTests: boolean;
  readonly helmVersion: string;
  readonly compare: 'bytes' | 'documents';
  /** `Kind/name#/json/pointer`: random values. */
  readonly mask: readonly string[];
}

export async function* suite({ dir, only }: SuiteOptions): AsyncIterable<CaseResult> {
  const trees = new Map<string, Tree>();
  for (const name of readdirSync(join(dir, 'cases')).sort()) {
    if (only && !`helm/${name}`.includes(only)) continue;
    const folder = join(dir, 'cases', name);
    const theCase = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as HelmCase;
    const { chart } = theCase;
    if (!trees.has(chart)) trees.set(chart, memoryTree(filesBelow(join(dir, 'charts', chart))));
    yield { group: chart, name, ...(await check(trees.get(chart)!, folder, theCase)) };
  }
}

type Result = Pick<CaseResult, 'passed' | 'exact' | 'detail'>;

async function check(tree: Tree, folder: string, theCase: HelmCase): Promise<Result> {
  const expected = readFileSync(join(folder, 'expected.yaml'), 'utf8');
  const values = memoryTree(Object.fromEntries(theCase.values.map((file) => [file, readFileSync(join(folder, file))])));
  let ours: string;
  try {
    const rendered = await renderChart(tree, '', {
      release: { name: theCase.release, namespace: theCase.namespace },
      valueFiles: theCase.values.map((file) => `$case/${file}`),
      refs: new Map([['case', values]]),
      apiVersions: theCase.apiVersions,
      helmVersion: theCase.helmVersion,
      ...(theCase.kubeVersion ? { kubeVersion: theCase.kubeVersion } : {}),
      ...(theCase.set ? { set: theCase.set } : {}),
    });
    ours = templateOutput(rendered, theCase);
  } catch (error) {
    return { passed: false, detail: `failed: ${(error as Error).stack}` };
  }
  if (ours === expected) return { passed: true, exact: true };
  if (theCase.compare === 'bytes') return { passed: false, detail: firstDifference(ours, expected) };
  return compareDocuments(ours, expected, theCase.mask);
}

function firstDifference(ours: string, expected: string): string {
  const [a, b] = [ours.split('\n'), expected.split('\n')];
  const line = a.findIndex((text, i) => text !== b[i]);
  const at = line < 0 ? Math.min(a.length, b.length) : line;
  const shown = (lines: string[]): string => lines.slice(Math.max(at - 3, 0), at + 4).join('\n');
  return `line ${at + 1}:\n--- ours\n${shown(a)}\n--- expected\n${shown(b)}`;
}

function compareDocuments(ours: string, expected: string, mask: readonly string[]): Result {
  const [a, b] = [documentsByName(ours, mask), documentsByName(expected, mask)];
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    if (isDeepStrictEqual(a.get(name), b.get(name))) continue;
    const text = (document: unknown): string => JSON.stringify(document, null, 1) ?? 'missing';
    return { passed: false, detail: `${name}\n${firstDifference(text(a.get(name)), text(b.get(name)))}` };
  }
  return { passed: true };
}

type Document = { kind?: string; metadata?: { name?: string; namespace?: string } };

function documentsByName(text: string, mask: readonly string[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const document of readYamlDocuments(text) as (Document | null)[]) {
    if (!document) continue;
    const { kind, metadata } = document;
    for (const entry of mask) {
      const [object = '', pointer = ''] = entry.split('#');
      if (object === `${kind}/${metadata?.name}`) remove(document, pointer.split('/').slice(1));
    }
    const name = `${kind}/${metadata?.namespace ?? ''}/${metadata?.name}`;
    found.set(name, [...(found.get(name) ?? []), document]);
  }
  return found;
}

function remove(value: unknown, [first = '', ...rest]: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const key = first.replaceAll('~1', '/').replaceAll('~0', '~');
  const fields = value as Record<string, unknown>;
  if (rest.length === 0) delete fields[key];
  else remove(fields[key], rest);
}

function filesBelow(dir: string): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {};
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(dir.length + 1)] = readFileSync(path);
  }
  return files;
}
