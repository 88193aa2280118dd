import { RenderError } from '../render-error.ts';
import { joinPath, type Tree } from '../tree/tree.ts';
import { maxFileSize, withoutByteOrderMark } from './archive.ts';
import { type IgnoreRules, ignoreRules } from './ignore-rules.ts';

/** A link may make a folder its own descendant. */
const maxDepth = 64;

/** Files that templates can only read through `.Files`. */
const isOther = (path: string): boolean => {
  const own = path.replace(/^(?:charts\/[^/]+\/)+/, '');
  if (/^(?:templates|crds)\//.test(own) || /^charts\/[^/]*\.tgz$/.test(own) || path.endsWith('.tgz')) return false;
  return !/^(?:Chart\.yaml|Chart\.lock|values\.yaml|values\.schema\.json|requirements\.(?:yaml|lock))$/.test(own);
};

export interface ChartFilesOptions {
  /** Text outside the chart, such as the user's values, mentions `.Files`, and may be rendered as a template. */
  readonly mentioned?: boolean;
  /** The tree is that of a packed chart, in which nothing is ignored. */
  readonly packed?: boolean;
}

/**
 * The files of a chart in a folder, by path, ordered by name. Files that no template can use are not read, so that the render does not
 * depend on them: a change to a README has no effect.
 */
export async function chartFiles(
  tree: Tree,
  dir: string,
  { mentioned = false, packed = false }: ChartFilesOptions = {},
): Promise<Map<string, Uint8Array>> {
  const ignoreFile = packed ? undefined : await tree.read(joinPath(dir, '.helmignore'));
  const rules = ignoreRules(ignoreFile ? Buffer.from(ignoreFile).toString('utf8') : '');
  const paths = await chartPaths(tree, dir, rules);
  const files = new Map<string, Uint8Array>();
  const read = async (path: string): Promise<void> => {
    const content = (await tree.read(joinPath(dir, path))) ?? new Uint8Array();
    if (content.length > maxFileSize) {
      throw new RenderError(
        'TooLarge',
        `chart file ${JSON.stringify(path)} is larger than the maximum file size ${maxFileSize}`,
      );
    }
    files.set(path, withoutByteOrderMark(content));
  };
  await Promise.all(paths.filter((path) => !isOther(path)).map(read));
  const asksForFiles = mentioned || mentionFiles(files);
  if (asksForFiles) await Promise.all(paths.filter(isOther).map(read));
  return new Map(
    paths.flatMap((path) => {
      const content = files.get(path);
      return content ? [[path, content]] : [];
    }),
  );
}

/** Whether templates may use other files. A packed chart is not opened here, and is assumed to. */
export const mentionFiles = (files: ReadonlyMap<string, Uint8Array>): boolean =>
  [...files].some(
    ([path, content]) =>
      path.endsWith('.tgz') || Buffer.from(content.buffer, content.byteOffset, content.length).includes('Files'),
  );

async function chartPaths(tree: Tree, dir: string, ignored: IgnoreRules): Promise<string[]> {
  const paths: string[] = [];
  const walk = async (at: string, below: string, depth: number): Promise<void> => {
    if (depth > maxDepth) throw new RenderError('TooLarge', `${at} is more than ${maxDepth} folders deep`);
    for (const entry of (await tree.list(at)) ?? []) {
      const [full, relative] = [joinPath(at, entry.name), joinPath(below, entry.name)];
      const type = entry.type === 'symlink' ? (await tree.stat(full))?.type : entry.type;
      if (type === 'directory') {
        if (!ignored(relative, true)) await walk(full, relative, depth + 1);
      } else if (type === 'file' && !ignored(relative, false)) {
        paths.push(relative);
      }
    }
  };
  await walk(dir, '', 0);
  return paths;
}
