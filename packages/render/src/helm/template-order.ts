import { compareStrings } from '../go-template/go-string.ts';

const depth = (path: string): number => path.split('/').length;

/** Deep paths first, then reverse alphabetical order: a template that is parsed later replaces an earlier one. */
export const parsingOrder = (paths: Iterable<string>): string[] =>
  [...paths].sort((a, b) => depth(b) - depth(a) || compareStrings(b, a));
