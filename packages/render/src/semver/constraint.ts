import { quote } from '../go-yaml/go-syntax.ts';
import { comparePrereleases, compareVersions, parseVersion, SemverError, type Version } from './version.ts';

/** Alternatives, each of which asks for all of its parts. */
export type Constraint = readonly (readonly Comparison[])[];

interface Comparison {
  readonly operator: string;
  readonly version: Version;
  /** What was left open: nothing, the patch (`1.2`), minor and patch (`1`, `1.x`), everything (`*`). */
  readonly open: 'none' | 'patch' | 'minor' | 'all';
}

/** Longer texts are no constraint that a person wrote. */
const maxLength = 4096;
const blank = '[\\t\\n\\f\\r ]';
const part = '[0-9|xX*]+';
const tail = '(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?';
const versionPattern = `v?(${part})(?:\\.(${part}))?(?:\\.(${part}))?${tail}`;
const operators = '!=|>=|=>|<=|=<|~>|=|>|<|~|\\^|';
const comparisonPattern = new RegExp(`(${operators})${blank}*${versionPattern}`, 'uy');
const rangePattern = new RegExp(`${blank}*(${versionPattern})${blank}+-${blank}+(${versionPattern})${blank}*`, 'gu');
const separator = new RegExp(`${blank}*,${blank}*|${blank}+`, 'uy');
const leading = new RegExp(`${blank}*`, 'uy');

/** Reads what Masterminds' `NewConstraint` reads: `^1.2 || >=2.0, <3 || 1.0 - 2.0`. */
export function parseConstraint(text: string): Constraint {
  if (text.length > maxLength) throw improper(text);
  const ranges = text.replace(rangePattern, (...groups: string[]) => `>= ${groups[1]}, <= ${groups[7]} `);
  return ranges.split('||').map(parseAlternative);
}

const improper = (text: string): SemverError => new SemverError(`improper constraint: ${quote(text)}`);

function parseAlternative(text: string): readonly Comparison[] {
  const found: RegExpExecArray[] = [];
  let at = skip(leading, text, 0) ?? 0;
  for (;;) {
    comparisonPattern.lastIndex = at;
    const match = comparisonPattern.exec(text);
    if (!match) throw improper(text);
    found.push(match);
    const end = comparisonPattern.lastIndex;
    if (skip(leading, text, end) === text.length) break;
    at = skip(separator, text, end) ?? text.length;
    if (at === text.length) throw improper(text);
  }
  return found.map(comparisonOf);
}

function skip(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

const isWildcard = (text: string | undefined): boolean =>
  text === undefined || text === 'x' || text === 'X' || text === '*';

function comparisonOf(match: RegExpExecArray): Comparison {
  const [whole, operator = '', major, minor, patch, prerelease] = match;
  const suffix = prerelease === undefined ? '' : `-${prerelease}`;
  const open = isWildcard(major) ? 'all' : isWildcard(minor) ? 'minor' : isWildcard(patch) ? 'patch' : 'none';
  const text = {
    all: `0.0.0${suffix}`,
    minor: `${major}.0.0${suffix}`,
    patch: `${major}.${minor}.0${suffix}`,
    none: whole.slice(operator.length).trim(),
  }[open];
  try {
    return { operator, version: parseVersion(text), open };
  } catch {
    throw new SemverError('constraint parser error');
  }
}

/** Whether the version meets the constraint. A pre-release does so only where its alternative names one. */
export function satisfies(version: Version, constraint: Constraint): boolean {
  return constraint.some((comparisons) => {
    if (version.prerelease !== '' && comparisons.every((comparison) => comparison.version.prerelease === ''))
      return false;
    return comparisons.every((comparison) => meets(version, comparison));
  });
}

/** As sprig's `semverCompare` does. */
export function semverCompare(constraint: string, version: string): boolean {
  const parsed = parseConstraint(constraint);
  return satisfies(parseVersion(version), parsed);
}

function meets(version: Version, comparison: Comparison): boolean {
  const { operator, version: wanted, open } = comparison;
  const order = compareVersions(version, wanted);
  switch (operator) {
    case '':
    case '=':
      return open === 'none' ? order === 0 : meetsTilde(version, comparison);
    case '!=':
      return differs(version, comparison);
    case '>':
      return exceeds(version, comparison);
    case '<':
      return order < 0;
    case '>=':
    case '=>':
      return order >= 0;
    case '<=':
    case '=<':
      if (open === 'none') return order <= 0;
      if (version.major > wanted.major) return false;
      return !(version.major === wanted.major && version.minor > wanted.minor && open !== 'minor');
    case '^':
      return meetsCaret(version, comparison);
    default:
      return meetsTilde(version, comparison);
  }
}

function differs(version: Version, { version: wanted, open }: Comparison): boolean {
  if (open === 'none') return compareVersions(version, wanted) !== 0;
  if (version.major !== wanted.major) return true;
  if (open === 'minor') return false;
  if (version.minor !== wanted.minor) return true;
  if (open === 'all') return version.patch !== wanted.patch || compareVersions(version, wanted) !== 0;
  if (version.prerelease === '' && wanted.prerelease === '') return false;
  return comparePrereleases(version.prerelease, wanted.prerelease) !== 0;
}

/** `>11` is met from 12 on, `>11.1` from 11.2 on. */
function exceeds(version: Version, { version: wanted, open }: Comparison): boolean {
  if (open === 'none' || version.major !== wanted.major || open === 'all') {
    return open === 'none' || version.major === wanted.major
      ? compareVersions(version, wanted) > 0
      : version.major > wanted.major;
  }
  return open === 'patch' && version.minor > wanted.minor;
}

/** At least the version, within its minor, or within its major where that is all that was given. */
function meetsTilde(version: Version, { version: wanted, open }: Comparison): boolean {
  if (compareVersions(version, wanted) < 0) return false;
  const zero = wanted.major === 0n && wanted.minor === 0n && wanted.patch === 0n;
  if (zero && open !== 'minor' && open !== 'patch') return true;
  if (version.major !== wanted.major) return false;
  return version.minor === wanted.minor || open === 'minor';
}

/** At least the version, with the same leftmost number that is not zero. */
function meetsCaret(version: Version, { version: wanted, open }: Comparison): boolean {
  if (compareVersions(version, wanted) < 0) return false;
  if (wanted.major > 0n || open === 'minor') return version.major === wanted.major;
  if (version.major > 0n) return false;
  if (wanted.minor > 0n || open === 'patch') return version.minor === wanted.minor;
  return version.minor === 0n && version.patch === wanted.patch;
}
