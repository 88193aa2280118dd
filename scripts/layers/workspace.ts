import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Import, importsOf } from './imports.ts';

/** A package of the workspace; the root's package.json is the one of `scripts/`. */
export interface Package {
  readonly name: string;
  /** Relative to the root: `packages/kube`; of the root itself, the empty string. */
  readonly folder: string;
  /** Entry point (`.`, `./testing`) to file, both as written. */
  readonly exports: ReadonlyMap<string, string>;
  readonly dependencies: ReadonlySet<string>;
  readonly devDependencies: ReadonlySet<string>;
}

export interface SourceFile {
  /** Relative to the root. */
  readonly path: string;
  readonly owner: Package;
  /** Tests, end-to-end suites, benchmarks and conformance runners. */
  readonly isTest: boolean;
  readonly imports: readonly Import[];
}

export interface Workspace {
  readonly root: Package;
  readonly packages: ReadonlyMap<string, Package>;
  readonly files: ReadonlyMap<string, SourceFile>;
}

export interface Violation {
  readonly kind: 'deep-import' | 'dependency' | 'cycle' | 'direction';
  readonly where: string;
  readonly message: string;
}

const sources = '**/*.{ts,mts,tsx,js,mjs}';

export function readWorkspace(folder: string): Workspace {
  const root = readPackage(folder, '');
  const packages = globSync('packages/*/package.json', { cwd: folder })
    .sort()
    .map((file) => readPackage(folder, dirname(file)));
  const files = [...packages, root].flatMap((owner) => readFiles(folder, owner));
  return {
    root,
    packages: new Map(packages.map((each) => [each.name, each])),
    files: new Map(files.map((file) => [file.path, file])),
  };
}

function readPackage(root: string, folder: string): Package {
  const manifest: unknown = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const exported = field(manifest, 'exports');
  const entries = typeof exported === 'string' ? { '.': exported } : exported;
  const names = (key: string): Set<string> => new Set(Object.keys(object(field(manifest, key))));
  return {
    name: String(field(manifest, 'name') ?? folder),
    folder,
    exports: new Map(Object.entries(object(entries)).map(([entry, target]) => [entry, String(target)])),
    dependencies: new Set([...names('dependencies'), ...names('peerDependencies'), ...names('optionalDependencies')]),
    devDependencies: names('devDependencies'),
  };
}

function readFiles(root: string, owner: Package): SourceFile[] {
  const pattern = owner.folder === '' ? `scripts/${sources}` : `${owner.folder}/${sources}`;
  return globSync(pattern, { cwd: root, exclude: (path) => /\b(?:node_modules|dist)$/u.test(path) })
    .sort()
    .map((path) => ({
      path,
      owner,
      isTest: isTestPath(owner.folder === '' ? path : relative(owner.folder, path)),
      imports: importsOf(readFileSync(join(root, path), 'utf8')),
    }));
}

const isTestPath = (path: string): boolean =>
  /\.test\.[a-z]+$/.test(path) ||
  /^(test|e2e|bench|conformance|scripts)\//.test(path) ||
  path.includes('/test/support/');

/** The package that a bare specifier names, and the entry point in it: `@fairlead/kube/testing` is `@fairlead/kube`, `./testing`. */
export function splitSpecifier(specifier: string): { readonly name: string; readonly entry: string } {
  const parts = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  return { name: parts.slice(0, length).join('/'), entry: ['.', ...parts.slice(length)].join('/') };
}

export const isRelative = (specifier: string): boolean => /^\.{0,2}\//.test(specifier) || /^\.{1,2}$/.test(specifier);

/** The file that an import loads, relative to the root; undefined for npm packages, `node:` modules and what does not resolve. */
export function resolveImport(workspace: Workspace, file: SourceFile, specifier: string): string | undefined {
  if (isRelative(specifier)) return join(dirname(file.path), specifier);
  const { name, entry } = splitSpecifier(specifier);
  const target = workspace.packages.get(name);
  const path = target && entryFile(target, entry);
  return path && join(target.folder, path);
}

/** The file of an entry point. Wildcards are followed too, so that a cycle is found before they are gone. */
function entryFile({ exports }: Package, entry: string): string | undefined {
  const exact = exports.get(entry);
  if (exact !== undefined) return exact;
  for (const [pattern, target] of exports) {
    const [head = '', tail] = pattern.split('*');
    if (tail === undefined || !entry.startsWith(head) || !entry.endsWith(tail)) continue;
    return target.replace('*', entry.slice(head.length, entry.length - tail.length));
  }
  return undefined;
}

const object = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

function field(value: unknown, key: string): unknown {
  return Object.entries(object(value)).find(([name]) => name === key)?.[1];
}
