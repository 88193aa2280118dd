import { compareStrings } from '../go-template/go-string.ts';

const depth = (path: string): number => path.split('/').length;

/** Deep paths before shallow ones, then in reverse alphabetical order: what is parsed later replaces what came before. */
export const parsingOrder = (paths: Iterable<string>): string[] =>
  [...paths].sort((a, b) => depth(b) - depth(a) || compareStrings(b, a));
