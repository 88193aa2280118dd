/** One package of a lock file, as far as an image needs it. */
interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  /** Relative to the root of the workspace. */
  readonly path: string;
}

export interface ProductionPackages {
  /** The packages of the workspace, sorted by path. */
  readonly workspace: readonly NpmPackage[];
  /** Those of others, sorted by path. */
  readonly external: readonly NpmPackage[];
}

/** The packages that one package of the workspace needs at run time, by the resolution of Node in the tree that the lock file describes. */
export function productionPackages({ packages }: LockFile, start: string): ProductionPackages {
  const found = new Map<string, NpmPackage>();
  const visit = (path: string): void => {
    const locked = packages[path];
    if (found.has(path) || !locked) return;
    const { version = '0.0.0', license, integrity } = locked;
    const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    found.set(path, { name, version, path, ...(license ? { license } : {}), ...(integrity ? { integrity } : {}) });
    const optional = Object.keys(locked.optionalDependencies ?? {});
    for (const dependency of [...Object.keys(locked.dependencies ?? {}), ...optional]) {
      const at = resolveFrom(packages, path, dependency);
      if (at !== undefined) visit(at);
      else if (!optional.includes(dependency)) throw new Error(`package-lock.json has no ${dependency} for ${path}`);
    }
  };
  if (!packages[start]) throw new Error(`package-lock.json has no package ${start}`);
  visit(start);
  const sorted = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    workspace: sorted.filter(({ path }) => !path.includes('node_modules/')),
    external: sorted.filter(({ path }) => path.includes('node_modules/')),
  };
}

/** The nearest `node_modules` that has the package; a link leads to its package of the workspace. */
function resolveFrom(packages: LockFile['packages'], from: string, name: string): string | undefined {
  for (let dir = from; ; dir = dir.slice(0, Math.max(0, dir.lastIndexOf('/')))) {
    const path = dir === '' ? `node_modules/${name}` : `${dir}/node_modules/${name}`;
    const locked = packages[path];
    if (locked) return locked.link ? locked.resolved : path;
    if (dir === '') return undefined;
  }
}
