import { closest } from '@fairlead/apimachinery';
import type { Setting, Settings } from './setting.ts';

/** The setting of a key. Of several patterns that match, the longest one counts. */
export function findSetting(settings: Settings, key: string): Setting | undefined {
  if (Object.hasOwn(settings, key)) return settings[key];
  const [pattern] = Object.keys(settings)
    .filter((each) => matches(each, key))
    .sort((a, b) => b.length - a.length);
  return pattern === undefined ? undefined : settings[pattern];
}

/** Whether a key matches a pattern, in which `*` matches at least one character. */
function matches(pattern: string, key: string): boolean {
  const star = pattern.indexOf('*');
  if (star === -1) return false;
  const end = pattern.slice(star + 1);
  return key.length >= pattern.length && key.startsWith(pattern.slice(0, star)) && key.endsWith(end);
}

/** The known key that a misspelt one most likely means. A suggested pattern is completed with the rest of the key. */
export function closestKey(settings: Settings, key: string): string | undefined {
  const candidates = Object.keys(settings).flatMap((pattern) => {
    const star = pattern.indexOf('*');
    if (star === -1) return [pattern];
    const prefix = pattern.slice(0, star);
    const dots = prefix.split('.').length - 1;
    const rest = key.split('.').slice(dots).join('.');
    return prefix === '' || rest === '' || pattern.length > star + 1 ? [] : [`${prefix}${rest}`];
  });
  return candidates.find((candidate) => candidate.toLowerCase() === key.toLowerCase()) ?? closest(key, candidates);
}
