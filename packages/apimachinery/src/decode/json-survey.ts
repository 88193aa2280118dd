/** The result of a fast scan of valid JSON: enough to know whether a full scan is needed. */
export interface Survey {
  /** The number of `key: value` pairs, including duplicates. */
  readonly members: number;
  readonly depth: number;
  /** Whether a number is written with a point or an exponent. */
  readonly hasFractions: boolean;
}

const quote = 0x22;
const backslash = 0x5c;

/** Skips from string to string: the text between them is short. */
export function surveyJson(text: string): Survey {
  let members = 0;
  let depth = 0;
  let deepest = 0;
  let hasFractions = false;
  let at = 0;
  const { length } = text;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    if (code === 0x3a) members++;
    else if (code === 0x7b || code === 0x5b) {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x2e || ((code === 0x65 || code === 0x45) && isDigit(text.charCodeAt(at - 1))))
      hasFractions = true;
    at++;
  }
  return { members, depth: deepest, hasFractions };
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** The position after the closing quote of the string that starts at `from`. */
export function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end > 0 && text.charCodeAt(end - 1) === backslash && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
  return slashes % 2 === 1;
}

/** The number of members of a parsed value: less than in the survey if a key is duplicate. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countMembers(item);
    return count;
  }
  for (const key in value) {
    count++;
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object') count += countMembers(member);
  }
  return count;
}
