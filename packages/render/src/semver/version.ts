/** A version or constraint does not parse. The message is that of Masterminds' library. */
export class SemverError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SemverError';
  }
}

/** Numbers are 64-bit unsigned integers. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
  /** The text as written. */
  readonly original: string;
}

const loose =
  /^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/u;
const maxSegment = (1n << 64n) - 1n;

/** Parses a version, also incomplete ones: `v1`, `1.2`, `01.2.3`. */
export function parseVersion(text: string): Version {
  const match = loose.exec(text);
  if (!match) throw new SemverError('invalid semantic version');
  const [, major = '', minor = '0', patch = '0', prerelease = '', metadata = ''] = match;
  const version = {
    major: segment(major),
    minor: segment(minor),
    patch: segment(patch),
    prerelease,
    metadata,
    original: text,
  };
  for (const part of prerelease.split('.'))
    if (/^0[0-9]+$/u.test(part)) throw new SemverError('version segment starts with 0');
  return version;
}

function segment(digits: string): bigint {
  const value = BigInt(digits);
  if (value > maxSegment)
    throw new SemverError(
      `error parsing version segment: strconv.ParseUint: parsing ${JSON.stringify(digits)}: value out of range`,
    );
  return value;
}

/** The version in full, without a leading `v`. */
export function formatVersion({ major, minor, patch, prerelease, metadata }: Version): string {
  return `${major}.${minor}.${patch}${prerelease && `-${prerelease}`}${metadata && `+${metadata}`}`;
}

/** Negative, zero or positive. Ignores metadata. */
export function compareVersions(a: Version, b: Version): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  if (a.prerelease === b.prerelease) return 0;
  if (a.prerelease === '') return 1;
  if (b.prerelease === '') return -1;
  return comparePrereleases(a.prerelease, b.prerelease);
}

export function comparePrereleases(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = compareParts(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers are compared by value and come before words; words are compared as text. */
function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return -1;
  if (b === '') return 1;
  const [x, y] = [asNumber(a), asNumber(b)];
  if (x !== undefined && y !== undefined) return x > y ? 1 : -1;
  if (x !== undefined) return -1;
  if (y !== undefined) return 1;
  return a > b ? 1 : -1;
}

const asNumber = (text: string): bigint | undefined => {
  if (!/^[0-9]+$/u.test(text)) return undefined;
  const value = BigInt(text);
  return value > maxSegment ? undefined : value;
};
