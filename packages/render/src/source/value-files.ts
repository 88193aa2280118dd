import { globMatcher } from '../glob.ts';
import { RenderError } from '../render-error.ts';
import { joinPath, normalizePath, type Tree } from '../tree/tree.ts';
import { type FetchRemote, remoteFile } from './remotes.ts';
import type { Variables } from './render-context.ts';

/**
 * Where value files are read from: relative to the chart, from the root of its tree (`/…`), in another source's tree (`$name/…`), or
 * over HTTP.
 */
export interface ValueFileContext {
  readonly tree: Tree;
  readonly chartPath: string;
  readonly refs: ReadonlyMap<string, Tree>;
  readonly variables: Variables;
  readonly fetchRemote: FetchRemote | undefined;
  /** The schemes that remote files may have. */
  readonly schemes: readonly string[];
  /** Fetched files by URL. */
  readonly remoteFiles: Map<string, Uint8Array>;
}

interface Located {
  /** `$name/`, or `/` for the chart's own tree; empty if the path is a URL. */
  readonly prefix: string;
  readonly tree: Tree;
  readonly path: string;
}

const isPattern = (path: string): boolean => /[*?[]/u.test(path);
const maxDepth = 32;

/**
 * The files that `helm.valueFiles` selects, each from the root of a tree, in the order in which they apply, without duplicates. A file
 * that is both named and matched by a pattern has the position of its name.
 */
export async function resolveValueFiles(
  written: readonly string[],
  locations: ValueFileContext,
  ignoreMissing: boolean,
): Promise<string[]> {
  const located = await Promise.all(written.map(async (file) => ({ file, ...(await locate(file, locations)) })));
  const named = new Set(
    located.filter(({ prefix, path }) => prefix === '' || !isPattern(path)).map(({ prefix, path }) => prefix + path),
  );
  const files = new Set<string>();
  for (const { file, prefix, tree, path } of located) {
    if (prefix === '' || !isPattern(path)) {
      if (prefix === '' || !ignoreMissing || (await tree.stat(path))?.type === 'file') files.add(prefix + path);
      continue;
    }
    const found = await matchingFiles(tree, path);
    if (found.length === 0 && !ignoreMissing) {
      throw new RenderError(
        'PathNotFound',
        `error resolving helm value files: values file glob ${JSON.stringify(file)} matched no files`,
      );
    }
    for (const match of found) if (!named.has(prefix + match)) files.add(prefix + match);
  }
  return [...files];
}

/** One file, from the root of its tree. */
export async function resolveFile(written: string, locations: ValueFileContext): Promise<string> {
  const { prefix, path } = await locate(written, locations);
  return prefix + path;
}

async function locate(written: string, locations: ValueFileContext): Promise<Located> {
  const { tree, chartPath, refs, variables } = locations;
  const [, name = '', below = ''] = /^\$([^/]+)\/(.*)$/su.exec(written) ?? [];
  const other = refs.get(name);
  if (other) return { prefix: `$${name}/`, tree: other, path: normalizePath(variables.expand(below)) };
  if (name !== '' && !/^\{?ARGOCD_/u.test(name)) {
    throw new RenderError(
      'InvalidOption',
      refs.size === 0
        ? `source referenced "$${name}", but no source has a 'ref' field defined`
        : `source referenced "$${name}", which is not one of the available sources (${[...refs.keys()].map((ref) => `$${ref}`).join(', ')})`,
    );
  }
  const file = variables.expand(written);
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(file)) {
    await fetch(file, locations);
    return { prefix: '', tree, path: file };
  }
  const path = file.startsWith('/') ? file.slice(1) : joinPath(chartPath, file);
  return { prefix: '/', tree, path: normalizePath(path) };
}

async function fetch(url: string, { fetchRemote, remoteFiles, schemes }: ValueFileContext): Promise<void> {
  const scheme = url.slice(0, url.indexOf(':'));
  if (!schemes.some((one) => one.toLowerCase() === scheme.toLowerCase()) && /^https?$/iu.test(scheme)) {
    const allowed = schemes.join(', ') || 'none';
    throw new RenderError(
      'InvalidOption',
      `value file ${url}: the URL scheme '${scheme}' is not allowed: helm.valuesFileSchemes permits ${allowed}`,
    );
  }
  if (!/^https?:/iu.test(url))
    throw new RenderError('Unsupported', `value file ${url}: only https:// and http:// URLs are supported`);
  if (!fetchRemote) throw new RenderError('Unsupported', `value file ${url}: remote files are not permitted here`);
  remoteFiles.set(url, (await (await fetchRemote({ kind: 'file', url })).read(remoteFile)) ?? new Uint8Array());
}

/** Files that match a pattern, sorted. `**` matches any number of folders. Only folders that can contain a match are listed. */
async function matchingFiles(tree: Tree, pattern: string): Promise<string[]> {
  const found = new Set<string>();
  const walk = async (dir: string, [first, ...rest]: readonly string[], depth: number): Promise<void> => {
    if (first === undefined || depth > maxDepth) return;
    if (!isPattern(first) && first !== '**') {
      const path = joinPath(dir, first);
      if (rest.length > 0) await walk(path, rest, depth + 1);
      else if ((await tree.stat(path))?.type === 'file') found.add(path);
      return;
    }
    if (first === '**') await walk(dir, rest.length > 0 ? rest : ['*'], depth);
    const matches = globMatcher(first, '/');
    for (const entry of (await tree.list(dir)) ?? []) {
      const path = joinPath(dir, entry.name);
      const type = entry.type === 'symlink' ? (await tree.stat(path))?.type : entry.type;
      if (first === '**') {
        if (type === 'directory') await walk(path, [first, ...rest], depth + 1);
      } else if (matches(entry.name)) {
        if (rest.length > 0 && type === 'directory') await walk(path, rest, depth + 1);
        else if (rest.length === 0 && type === 'file') found.add(path);
      }
    }
  };
  await walk('', pattern.split('/'), 0);
  return [...found].sort();
}
