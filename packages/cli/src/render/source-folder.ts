import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { RenderError } from '@fairlead/render';
import { SourceError } from '@fairlead/source/local';
import { CliError } from '../cli-error.ts';

/** A folder to render, and the root that limits which files may be read. */
export interface SourceFolder {
  readonly folder: string;
  readonly root: string;
  /** The folder, relative to the root. */
  readonly path: string;
}

/** The given folder. Without --root, the root is the repository, so that `../base` can be read, or else the folder. */
export function sourceFolderAt(named: string, root: string | undefined): SourceFolder {
  const folder = resolve(named);
  if (!isFolder(folder)) throw new CliError(`${named} is not a folder: use the folder with the manifests`);
  const top = root === undefined ? repositoryTop(folder) : resolve(root);
  if (!isFolder(top)) throw new CliError(`--root ${root} is not a folder`);
  const path = relative(top, folder).split(sep).join('/');
  if (path === '..' || path.startsWith('../')) throw new CliError(`${named} is not inside --root ${root}`);
  return { folder, root: top, path };
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

function repositoryTop(folder: string): string {
  for (let here = folder; ; here = dirname(here)) {
    if (existsSync(join(here, '.git'))) return here;
    if (dirname(here) === here) return folder;
  }
}

/** Turns a render error into a CliError with a hint. */
export async function withRenderErrors<T>(root: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError) throw new CliError(error.message, { cause: error });
    if (!(error instanceof RenderError)) throw error;
    // Kustomize tries a base as a file and as a folder, and reports both only in its message.
    const outside = error.reason === 'PathOutsideTree' || /leads out of the (?:repository|folder)/u.test(error.message);
    const hint = outside && root === undefined ? '; --root DIR sets the folder that may be read' : '';
    throw new CliError(`${error.message}${hint}`, { cause: error });
  }
}
