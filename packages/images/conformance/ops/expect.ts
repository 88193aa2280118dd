import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { getValue } from '../../src/write-back/yaml-text/values-file.ts';
import type { Fields } from './case.ts';

interface Part {
  readonly repeat: string;
  readonly times: number;
}

export const joined = (parts: readonly Part[]): string =>
  parts.map(({ repeat, times }) => repeat.repeat(times)).join('');

/** Text expectations have their own comparisons; other expected fields must be equal. */
export function problemsWith(found: Fields, expected: Fields): string[] {
  return Object.entries(expected).flatMap(([name, expectation]) => problem(found, name, expectation));
}

function problem(found: Fields, name: string, expectation: unknown): string[] {
  const text = typeof found['text'] === 'string' ? found['text'] : '';
  const said = (ok: boolean): string[] =>
    ok
      ? []
      : [
          `${name}: expected ${JSON.stringify(expectation)}, found ${JSON.stringify(found[name] ?? found['text'] ?? null)}`,
        ];
  switch (name) {
    case 'error':
      return said((found['error'] === true) === (expectation === true));
    case 'text_trimmed':
      return said(text.trim() === String(expectation).trim());
    case 'text_empty':
      return said((text === '') === expectation);
    case 'contains':
      if (Array.isArray(found['contains'])) return said(covers(found['contains'], expectation));
      return said((expectation as string[]).every((part) => text.includes(part)));
    case 'not_contains':
      return said((expectation as string[]).every((part) => !text.includes(part)));
    case 'starts_with':
      return said(text.startsWith(String(expectation)));
    case 'not_starts_with':
      return said(!text.startsWith(String(expectation)));
    case 'yaml':
      return said(isDeepStrictEqual(parse(text), expectation));
    case 'yaml_values':
    case 'unchanged':
      return said(Object.entries(expectation as object).every(([path, value]) => getValue(text, path) === value));
    case 'yaml_absent':
      return said((expectation as string[]).every((path) => isAbsent(text, path)));
    default:
      break;
  }
  const parts = /^(.*)_parts$/u.exec(name)?.[1];
  if (parts) return said(found[parts] === joined(expectation as Part[]));
  const containing = /^(.*)_contains$/u.exec(name)?.[1];
  if (containing) return said((expectation as string[]).every((part) => String(found[containing]).includes(part)));
  const least = /^(.*)_at_least$/u.exec(name)?.[1];
  if (least) return said(Number(found[least]) >= Number(expectation));
  return said(covers(found[name], expectation));
}

function isAbsent(text: string, path: string): boolean {
  try {
    getValue(text, path);
    return false;
  } catch {
    return true;
  }
}

/** `null` is absent; a map is compared only in the given fields. */
function covers(found: unknown, expectation: unknown): boolean {
  if (expectation === null) return found === null || found === undefined;
  if (Array.isArray(expectation)) {
    return (
      Array.isArray(found) &&
      found.length === expectation.length &&
      expectation.every((item, i) => covers(found[i], item))
    );
  }
  if (typeof expectation === 'object') {
    return (
      typeof found === 'object' &&
      found !== null &&
      Object.entries(expectation).every(([name, value]) => covers((found as Fields)[name], value))
    );
  }
  return found === expectation;
}
