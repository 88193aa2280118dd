import { fieldError } from '@fairlead/apimachinery';
import type { Findings } from '../checks.ts';

export const hasBackstep = (path: string): boolean => path.split('/').includes('..');

export function* noBacksteps(path: string, field: string): Findings {
  if (hasBackstep(path)) yield fieldError.invalid(field, path, "must not contain '..'");
}

/** A relative path that does not leave its root. */
export function* descendingPath(path: string, field: string): Findings {
  if (path.startsWith('/')) yield fieldError.invalid(field, path, 'must be a relative path');
  yield* noBacksteps(path, field);
}

/** A file in a volume that kubelets write: names that start with two dots are reserved. */
export function* volumeFilePath(path: string, field: string): Findings {
  yield* descendingPath(path, field);
  if (path.startsWith('..') && !path.startsWith('../')) {
    yield fieldError.invalid(field, path, "must not start with '..'");
  }
}

export function* fileMode(mode: number | null | undefined, field: string): Findings {
  if (mode != null && (mode > 0o777 || mode < 0)) {
    yield fieldError.invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
  }
}
