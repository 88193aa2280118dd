import { RE2JS } from 're2js';
import { messageOf } from '../util/errors.ts';
import { KustomizeError } from './kustomize-error.ts';

const cache = new Map<string, (text: string) => boolean>();
const plain = /^[\w /:@=,-]*$/u;

/** A predicate for a pattern in Go's syntax, which may match anywhere in the text. Runs in linear time. */
export function goRegExp(pattern: string): (text: string) => boolean {
  if (plain.test(pattern)) return (text) => text.includes(pattern);
  const known = cache.get(pattern);
  if (known) return known;
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(pattern);
  } catch (error) {
    throw new KustomizeError(`error parsing regexp: ${messageOf(error)}`);
  }
  const test = (text: string): boolean => expression.matcher(text).find();
  if (cache.size > 1000) cache.clear();
  cache.set(pattern, test);
  return test;
}

/** Like `goRegExp`, for a pattern that must match the whole text. An empty pattern matches everything. */
export function goFullMatch(pattern: string): (text: string) => boolean {
  if (pattern === '') return () => true;
  if (plain.test(pattern)) return (text) => text === pattern;
  return goRegExp(`^(?:${pattern})$`);
}
