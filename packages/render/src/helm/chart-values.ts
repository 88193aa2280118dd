import { GoMap } from '../go-template/go-value.ts';
import { RenderError } from '../render-error.ts';
import { fromPlain } from '../sprig/plain.ts';
import { joinPath, normalizePath, type Tree } from '../tree/tree.ts';
import { readValues } from './chart.ts';
import { fileGlob } from './file-glob.ts';
import { mergeMaps } from './merge-maps.ts';
import { filesNamed, type SetKind, setValues } from './set-values.ts';

/** The sources of the values of a chart, in increasing precedence: files, then `valuesObject` or else `values`, then parameters. */
export interface ValueSources {
  /** Relative to the chart; `/…` from the root of the tree; `$name/…` in the tree of another source. Patterns are allowed. */
  readonly valueFiles?: readonly string[];
  readonly ignoreMissingValueFiles?: boolean;
  /** YAML. */
  readonly values?: string;
  readonly valuesObject?: unknown;
  readonly parameters?: readonly { readonly name: string; readonly value: string; readonly forceString?: boolean }[];
  readonly fileParameters?: readonly { readonly name: string; readonly path: string }[];
  /** As on the command line of Helm: `a.b=1`. */
  readonly set?: readonly string[];
  readonly setString?: readonly string[];
  readonly setJson?: readonly string[];
  readonly setFile?: readonly string[];
  readonly setLiteral?: readonly string[];
  /** The trees that `$name/…` refers to. */
  readonly refs?: ReadonlyMap<string, Tree>;
  /** Remote files that were fetched before, by URL. */
  readonly remoteFiles?: ReadonlyMap<string, Uint8Array>;
}

export async function collectValues(tree: Tree, chartPath: string, sources: ValueSources): Promise<GoMap> {
  const reader = new ValueReader(tree, chartPath, sources);
  let values = new GoMap();
  for (const file of sources.valueFiles ?? [])
    for (const [name, content] of await reader.files(file))
      values = mergeMaps(values, readValues(`failed to parse ${name}`, content));
  if (sources.valuesObject !== undefined && sources.valuesObject !== null) {
    const object = fromPlain(sources.valuesObject);
    if (!(object instanceof GoMap))
      throw new RenderError('InvalidValues', 'valuesObject must be a map of names to values');
    values = mergeMaps(values, object);
  } else if (sources.values) {
    values = mergeMaps(values, readValues(`failed to parse ${extraValues}`, Buffer.from(sources.values)));
  }
  for (const { kind, expression } of expressionsOf(sources)) await reader.set(values, expression, kind);
  return values;
}

/** The name of the file to which Argo CD writes the values of an Application. */
export const extraValues = '<temp file with values from source.helm.values/valuesObject>';

const notFound = (path: string): string => `open ${path}: no such file or directory`;

/** In the order in which Helm applies them. */
function expressionsOf(sources: ValueSources): { kind: SetKind; expression: string }[] {
  const all = (kind: SetKind, expressions: readonly string[] = []): { kind: SetKind; expression: string }[] =>
    expressions.map((expression) => ({ kind, expression }));
  const parameters = sources.parameters ?? [];
  const written = (force: boolean): string[] =>
    parameters
      .filter(({ forceString = false }) => forceString === force)
      .map(({ name, value }) => `${name}=${escaped(value)}`);
  return [
    ...all('set-json', sources.setJson),
    ...all('set', sources.set),
    ...all('set', written(false)),
    ...all('set-string', sources.setString),
    ...all('set-string', written(true)),
    ...all('set-file', sources.setFile),
    ...all(
      'set-file',
      (sources.fileParameters ?? []).map(({ name, path }) => `${name}=${escaped(path)}`),
    ),
    ...all('set-literal', sources.setLiteral),
  ];
}

/** A parameter is one value, so its commas are escaped, except in a list in braces. */
const escaped = (value: string): string =>
  value.startsWith('{') && value.endsWith('}') ? value : value.replace(/(?<!\\),/g, '\\,');

class ValueReader {
  private readonly tree: Tree;
  private readonly chartPath: string;
  private readonly sources: ValueSources;

  constructor(tree: Tree, chartPath: string, sources: ValueSources) {
    this.tree = tree;
    this.chartPath = chartPath;
    this.sources = sources;
  }

  async set(values: GoMap, expression: string, kind: SetKind): Promise<void> {
    const contents = new Map<string, string>();
    if (kind === 'set-file') {
      for (const path of filesNamed(expression)) {
        const [tree, at] = this.remote(path) ? [this.tree, ''] : this.locate(path);
        const content = this.remote(path) ?? (await tree.read(at));
        if (!content) throw new RenderError('PathNotFound', `failed parsing --set-file data: ${notFound(path)}`);
        contents.set(path, Buffer.from(content).toString('utf8'));
      }
    }
    setValues(values, expression, kind, (path) => contents.get(path) ?? '');
  }

  /** The files that a name or a pattern matches. */
  async files(written: string): Promise<[string, Uint8Array][]> {
    const remote = this.remote(written);
    if (remote) return [[written, remote]];
    const [tree, path] = this.locate(written);
    const names = /[*?[{]/.test(path) ? await this.matching(tree, path) : [path];
    const found: [string, Uint8Array][] = [];
    for (const name of names) {
      const content = await tree.read(name);
      if (content) found.push([names.length === 1 ? written : name, content]);
    }
    if (found.length === 0 && !this.sources.ignoreMissingValueFiles)
      throw new RenderError('PathNotFound', notFound(written));
    return found;
  }

  private remote(written: string): Uint8Array | undefined {
    return this.sources.remoteFiles?.get(written);
  }

  private locate(written: string): [Tree, string] {
    const ref = /^\$([^/]+)\/(.*)$/s.exec(written);
    if (ref) {
      const tree = this.sources.refs?.get(ref[1]!);
      if (!tree) throw new RenderError('InvalidOption', `${written}: no source has the ref ${ref[1]}`);
      return [tree, normalizePath(ref[2]!)];
    }
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written))
      throw new RenderError('Unsupported', `value file ${written}: remote files are not permitted here`);
    if (written.startsWith('/')) return [this.tree, normalizePath(written.slice(1))];
    return [this.tree, normalizePath(joinPath(this.chartPath, written))];
  }

  private async matching(tree: Tree, pattern: string): Promise<string[]> {
    const matches = fileGlob(pattern);
    const names = pattern.split('/');
    const fixed = names
      .slice(
        0,
        names.findIndex((name) => /[*?[{]/.test(name)),
      )
      .join('/');
    const found: string[] = [];
    const walk = async (dir: string, depth: number): Promise<void> => {
      if (depth > 32) return;
      for (const entry of (await tree.list(dir)) ?? []) {
        const path = joinPath(dir, entry.name);
        if (entry.type === 'directory') await walk(path, depth + 1);
        else if (entry.type === 'file' && matches(path)) found.push(path);
      }
    };
    await walk(fixed, 0);
    return found.sort();
  }
}
