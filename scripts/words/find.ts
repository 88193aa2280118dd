/** Finds replaced terms in files. Pure: the caller reads the files. */
import { matchesGlob } from 'node:path';
import { prose, type Segments, typescript } from './segments.ts';
import { type Term, withoutReplacedTerms } from './terms.ts';

export interface Finding {
  readonly file: string;
  readonly line: number;
  /** As written in the file. */
  readonly found: string;
  readonly term: Term;
}

export type Finder = (file: string, source: string) => Finding[];

/** A finder for these terms. It remembers the identifiers it has seen, so use one for all files. */
export function finder(terms: readonly Term[]): Finder {
  const textTerms = terms.filter(({ scope }) => scope === 'text' || scope === 'anywhere');
  const nameTerms = terms.filter(({ scope }) => scope !== 'text');
  const knownNames = new Map<string, readonly Term[]>();

  const termsIn = (name: string): readonly Term[] => {
    let found = knownNames.get(name);
    if (!found) {
      const words = splitName(name);
      const isType = /^[A-Z]/.test(name) || name.includes('/');
      found = nameTerms.filter(({ scope, pattern }) => (scope !== 'types' || isType) && words.search(pattern) >= 0);
      knownNames.set(name, found);
    }
    return found;
  };

  return (file, source) => {
    const allowed = (term: Term): boolean => term.except.some((glob) => matchesGlob(file, glob));
    const segments = segmentsOf(file, source);
    const lineAt = lines(source);
    const found: Finding[] = [];
    for (const term of termsIn(file)) {
      if (!allowed(term)) found.push({ file, line: 1, found: fileName(file), term });
    }
    for (const { name, offset } of segments.names) {
      for (const term of termsIn(name)) {
        if (!allowed(term)) found.push({ file, line: lineAt(offset), found: name, term });
      }
    }
    for (const term of textTerms) {
      if (allowed(term)) continue;
      for (const match of segments.text.matchAll(term.pattern)) {
        found.push({ file, line: lineAt(match.index), found: match[0].replace(/\s+/g, ' '), term });
      }
    }
    return found.sort((a, b) => a.line - b.line);
  };
}

function segmentsOf(file: string, source: string): Segments {
  if (/\.[jt]s$/.test(file)) return typescript(source);
  return prose(file === 'docs/glossary.md' ? withoutReplacedTerms(source) : source);
}

/** `syncWave`, `SyncWave` and `src/sync-wave.ts` are `sync wave`; of a path only the last part counts. */
export const splitName = (name: string): string =>
  fileName(name)
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .replace(/[-_.$]+/g, ' ')
    .trim()
    .toLowerCase();

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/(\.test)?\.[a-z]+$/, '');

function lines(source: string): (offset: number) => number {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
