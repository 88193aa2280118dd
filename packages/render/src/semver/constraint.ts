import { quote } from '../go-yaml/go-syntax.ts';
import { comparePrereleases, compareVersions, parseVersion, SemverError, type Version } from './version.ts';

/** A list of alternatives, each of which is a list of comparisons that must all be true. */
export type Constraint = readonly (readonly Comparison[])[];

interface Comparison {
  readonly operator: string;
  readonly version: Version;
  /** The unspecified parts: none, the patch (`1.2`), minor and patch (`1`, `1.x`), or all (`*`). */
  readonly open: 'none' | 'patch' | 'minor' | 'all';
}

/** Real constraints are shorter. */
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

/** Parses constraints like Masterminds' `NewConstraint`: `^1.2 || >=2.0, <3 || 1.0 - 2.0`. */
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

/** Whether the version satisfies the constraint. A pre-release only satisfies an alternative that names one. */
export function satisfies(version: Version, constraint: Constraint): boolean {
  return constraint.some((comparisons) => {
    if (version.prerelease !== '' && comparisons.every((comparison) => comparison.version.prerelease === ''))
      return false;
    return comparisons.every((comparison) => meets(version, comparison));
  });
}

/** Sprig's `semverCompare`. */
export function semverCompare(constraint: string, version: string): boolean {
  const parsed = parseConstraint(constraint);
  return satisfies(parseVersion(version), parsed);
}

function meets(version: Version, comparison: Comparison): boolean {
  const { operator, version: bound, open } = comparison;
  const order = compareVersions(version, bound);
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
      if (version.major > bound.major) return false;
      return !(version.major === bound.major && version.minor > bound.minor && open !== 'minor');
    case '^':
      return meetsCaret(version, comparison);
    default:
      return meetsTilde(version, comparison);
  }
}

function differs(version: Version, { version: bound, open }: Comparison): boolean {
  if (open === 'none') return compareVersions(version, bound) !== 0;
  if (version.major !== bound.major) return true;
  if (open === 'minor') return false;
  if (version.minor !== bound.minor) return true;
  if (open === 'all') return version.patch !== bound.patch || compareVersions(version, bound) !== 0;
  if (version.prerelease === '' && bound.prerelease === '') return false;
  return comparePrereleases(version.prerelease, bound.prerelease) !== 0;
}

/** `>11` starts at 12, `>11.1` at 11.2. */
function exceeds(version: Version, { version: bound, open }: Comparison): boolean {
  if (open === 'none' || version.major !== bound.major || open === 'all') {
    return open === 'none' || version.major === bound.major
      ? compareVersions(version, bound) > 0
      : version.major > bound.major;
  }
  return open === 'patch' && version.minor > bound.minor;
}

/** At least the version, within its minor, or within its major if only that is given. */
function meetsTilde(version: Version, { version: bound, open }: Comparison): boolean {
  if (compareVersions(version, bound) < 0) return false;
  const zero = bound.major === 0n && bound.minor === 0n && bound.patch === 0n;
  if (zero && open !== 'minor' && open !== 'patch') return true;
  if (version.major !== bound.major) return false;
  return version.minor === bound.minor || open === 'minor';
}

/** At least the version, with the same leftmost non-zero number. */
function meetsCaret(version: Version, { version: bound, open }: Comparison): boolean {
  if (compareVersions(version, bound) < 0) return false;
  if (bound.major > 0n || open === 'minor') return version.major === bound.major;
  if (version.major > 0n) return false;
  if (bound.minor > 0n || open === 'patch') return version.minor === bound.minor;
  return version.minor === 0n && version.patch === bound.patch;
}
