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

/** Texts have comparisons of their own; all else is equal in the fields that are expected. */
export function problemsWith(found: Fields, expected: Fields): string[] {
  return Object.entries(expected).flatMap(([name, wanted]) => problem(found, name, wanted));
}

function problem(found: Fields, name: string, wanted: unknown): string[] {
  const text = typeof found['text'] === 'string' ? found['text'] : '';
  const said = (ok: boolean): string[] =>
    ok
      ? []
      : [`${name}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found[name] ?? found['text'] ?? null)}`];
  switch (name) {
    case 'error':
      return said((found['error'] === true) === (wanted === true));
    case 'text_trimmed':
      return said(text.trim() === String(wanted).trim());
    case 'text_empty':
      return said((text === '') === wanted);
    case 'contains':
      if (Array.isArray(found['contains'])) return said(covers(found['contains'], wanted));
      return said((wanted as string[]).every((part) => text.includes(part)));
    case 'not_contains':
      return said((wanted as string[]).every((part) => !text.includes(part)));
    case 'starts_with':
      return said(text.startsWith(String(wanted)));
    case 'not_starts_with':
      return said(!text.startsWith(String(wanted)));
    case 'yaml':
      return said(isDeepStrictEqual(parse(text), wanted));
    case 'yaml_values':
    case 'unchanged':
      return said(Object.entries(wanted as object).every(([path, value]) => getValue(text, path) === value));
    case 'yaml_absent':
      return said((wanted as string[]).every((path) => isAbsent(text, path)));
    default:
      break;
  }
  const parts = /^(.*)_parts$/u.exec(name)?.[1];
  if (parts) return said(found[parts] === joined(wanted as Part[]));
  const containing = /^(.*)_contains$/u.exec(name)?.[1];
  if (containing) return said((wanted as string[]).every((part) => String(found[containing]).includes(part)));
  const least = /^(.*)_at_least$/u.exec(name)?.[1];
  if (least) return said(Number(found[least]) >= Number(wanted));
  return said(covers(found[name], wanted));
}

function isAbsent(text: string, path: string): boolean {
  try {
    getValue(text, path);
    return false;
  } catch {
    return true;
  }
}

/** `null` is absent; a map is compared in the fields that it has. */
function covers(found: unknown, wanted: unknown): boolean {
  if (wanted === null) return found === null || found === undefined;
  if (Array.isArray(wanted)) {
    return Array.isArray(found) && found.length === wanted.length && wanted.every((item, i) => covers(found[i], item));
  }
  if (typeof wanted === 'object') {
    return (
      typeof found === 'object' &&
      found !== null &&
      Object.entries(wanted).every(([name, value]) => covers((found as Fields)[name], value))
    );
  }
  return found === wanted;
}
