import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { RenderError } from '@fairlead/render';
import { SourceError } from '@fairlead/source';
import { CliError } from '../cli-error.ts';

/** A folder to render, and how far around it files may be read. */
export interface Place {
  readonly folder: string;
  readonly root: string;
  /** The folder as seen from the root. */
  readonly path: string;
}

/** The folder a person named. Without a root it is that of the repository, so that `../base` can be read; without one, the folder. */
export function placeAt(named: string, root: string | undefined): Place {
  const folder = resolve(named);
  if (!isFolder(folder)) throw new CliError(`${named} is no folder: give the one that holds the manifests`);
  const top = root === undefined ? repositoryTop(folder) : resolve(root);
  if (!isFolder(top)) throw new CliError(`--root ${root} is no folder`);
  const path = relative(top, folder).split(sep).join('/');
  if (path === '..' || path.startsWith('../')) throw new CliError(`${named} is not in --root ${root}`);
  return { folder, root: top, path };
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

function repositoryTop(folder: string): string {
  for (let here = folder; ; here = dirname(here)) {
    if (existsSync(join(here, '.git'))) return here;
    if (dirname(here) === here) return folder;
  }
}

/** What cannot be rendered is the author's to put right: one sentence, and what may help. */
export async function complaining<T>(root: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError) throw new CliError(error.message, { cause: error });
    if (!(error instanceof RenderError)) throw error;
    // Kustomize tries a base as a file and as a folder, and tells of both in words only.
    const outside = error.reason === 'PathOutsideTree' || /leads out of the (?:repository|folder)/u.test(error.message);
    const hint = outside && root === undefined ? '; --root DIR names the folder that may be read' : '';
    throw new CliError(`${error.message}${hint}`, { cause: error });
  }
}
