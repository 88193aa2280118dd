import { posix } from 'node:path';
import { ImagesError } from '../images-error.ts';

/** A normalized path in the repository. One that leaves the repository, or is in the `.git` directory, is refused. */
export function repositoryPath(text: string): string {
  const path = posix.normalize(text.replaceAll('\\', '/')).replace(/^\.\//u, '').replace(/\/+$/u, '');
  const parts = path.split('/');
  const bad =
    path === '' ||
    path === '.' ||
    path.startsWith('/') ||
    parts.some((part) => part === '..' || part.toLowerCase() === '.git');
  if (bad || [...path].some((letter) => letter < ' ' || letter === '"')) {
    throw new ImagesError('InvalidTarget', `${JSON.stringify(text)} is not a file in the repository`);
  }
  return path;
}
