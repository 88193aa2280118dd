import { posix } from 'node:path';
import { GoMap } from '@fairlead/render/go-template';
import { sanitizeName } from '../template/sanitize-name.ts';
import { type Params, textList } from './params.ts';

export interface GitPath {
  readonly directory: string;
  /** The name of the file, for a generator of files. */
  readonly filename?: string;
}

/** Adds the parameters of a directory or a file: `path`, `path.basename`, … under the prefix if there is one. */
export function addPath(params: Params, path: GitPath, goTemplate: boolean, prefix = ''): void {
  if (goTemplate) {
    const value = goPath(path);
    if (prefix === '') params.set('path', value);
    else params.set(prefix, new GoMap([['path', value]]));
    return;
  }
  const name = prefix === '' ? 'path' : `${prefix}.path`;
  params.set(name, path.directory);
  for (const [key, text] of textsOf(path)) params.set(`${name}.${key}`, text);
  for (const [i, segment] of path.directory.split('/').entries()) {
    if (segment !== '') params.set(`${name}[${i}]`, segment);
  }
}

const goPath = (path: GitPath): GoMap =>
  new GoMap([['path', path.directory], ...textsOf(path), ['segments', textList(path.directory.split('/'))]]);

function textsOf({ directory, filename }: GitPath): [string, string][] {
  const basename = posix.basename(directory);
  const texts: [string, string][] = [
    ['basename', basename],
    ['basenameNormalized', sanitizeName(basename)],
  ];
  if (filename !== undefined) texts.push(['filename', filename], ['filenameNormalized', sanitizeName(filename)]);
  return texts;
}
