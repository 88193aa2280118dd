import { joinPath, normalizePath, type Tree, type TreeEntry } from '@fairlead/render';

/** Returns the tree of another repository at a commit, or throws. */
export type OpenSubmodule = (url: string, commit: string) => Promise<Tree>;

/** Repositories that contain each other would recurse forever. */
const maxDepth = 8;

/**
 * A tree in which submodules are directories, as after `git submodule update --recursive`. A submodule is fetched only when a file in it is
 * read. Links do not lead from one repository into another.
 */
export async function withSubmodules(tree: Tree, repoUrl: string, open: OpenSubmodule, depth = 0): Promise<Tree> {
  const file = await tree.read('.gitmodules');
  if (!file || depth >= maxDepth) return tree;
  const modules = readModules(Buffer.from(file).toString('utf8'), repoUrl);
  const opened = new Map<string, Promise<Tree>>();

  const isModule = ({ type }: TreeEntry, path: string): boolean => type === 'submodule' && modules.has(path);
  const asFolder = (entry: TreeEntry): TreeEntry => ({ ...entry, type: 'directory' });

  /** The submodule of a path, with the rest of the path. */
  async function inside(
    path: string,
  ): Promise<{ entry: TreeEntry; rest: string; tree: () => Promise<Tree> } | undefined> {
    const at = normalizePath(path);
    for (const [folder, url] of modules) {
      if (at !== folder && !at.startsWith(`${folder}/`)) continue;
      const entry = await tree.stat(folder);
      if (entry?.type !== 'submodule') continue;
      const enter = async (): Promise<Tree> => withSubmodules(await open(url, entry.id), url, open, depth + 1);
      const once = (): Promise<Tree> => {
        const known = opened.get(folder) ?? enter();
        opened.set(folder, known);
        return known;
      };
      return { entry, rest: at.slice(folder.length + 1), tree: once };
    }
    return undefined;
  }

  return {
    async stat(path) {
      const module = await inside(path);
      if (!module) return tree.stat(path);
      return module.rest === '' ? asFolder(module.entry) : (await module.tree()).stat(module.rest);
    },
    async list(dir) {
      const module = await inside(dir);
      if (module) return (await module.tree()).list(module.rest);
      const at = normalizePath(dir);
      return (await tree.list(dir))?.map((entry) =>
        isModule(entry, joinPath(at, entry.name)) ? asFolder(entry) : entry,
      );
    },
    async read(path) {
      const module = await inside(path);
      if (!module) return tree.read(path);
      return module.rest === '' ? undefined : (await module.tree()).read(module.rest);
    },
  };
}

/** Parses `.gitmodules` into path → URL. Deeper paths come first; paths outside the repository are ignored. */
export function readModules(text: string, repoUrl: string): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  for (const section of text.split(/^\s*\[/mu).slice(1)) {
    if (!section.startsWith('submodule')) continue;
    const [path, url] = [setting(section, 'path'), setting(section, 'url')];
    if (path !== undefined && url !== undefined && isInside(path))
      modules.set(normalizePath(path), addressFrom(repoUrl, url));
  }
  return new Map([...modules].sort(([a], [b]) => b.length - a.length));
}

const isInside = (path: string): boolean => {
  const names = path.split('/');
  const isSafe = !path.startsWith('/') && !path.includes('\0') && !names.includes('..');
  return isSafe && names.some((name) => name !== '' && name !== '.');
};

function setting(section: string, name: string): string | undefined {
  const written = new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*(.*?)[ \\t\\r]*$`, 'imu').exec(section)?.[1];
  return written?.replace(/^"(.*)"$/su, (_, quoted: string) => quoted.replaceAll(/\\(.)/gsu, '$1'));
}

/** `./` and `../` are relative to the repository with the submodule. */
function addressFrom(repoUrl: string, url: string): string {
  let [base, rest] = [repoUrl.replace(/\/+$/u, ''), url];
  if (!/^\.\.?(?:\/|$)/u.test(rest)) return url;
  for (;;) {
    if (rest.startsWith('./')) rest = rest.slice(2);
    else if (rest.startsWith('../')) {
      rest = rest.slice(3);
      base = base.replace(/(^.*[^:/]:|\/)[^/]*$/su, (_, kept: string) => (kept === '/' ? '' : kept));
    } else return base.endsWith(':') ? `${base}${rest}` : `${base}/${rest}`;
  }
}
