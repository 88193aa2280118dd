import { type Overload, overload, perCharacter } from '../overloads.ts';
import { CelError, Opaque } from '../values.ts';

interface Version {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly pre: readonly string[];
}

const form =
  /^(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

function parse(text: string): Version | undefined {
  const match = text.length > 256 ? null : form.exec(text);
  if (!match) return undefined;
  const [, major = '0', minor = '0', patch = '0', pre] = match;
  return { numbers: [BigInt(major), BigInt(minor), BigInt(patch)], pre: pre?.split('.') ?? [] };
}

/** `v1.02` as `1.2.0`. */
function parseLeniently(text: string): Version | undefined {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const patch = rest.length > 0 ? rest.join('.') : undefined;
  if ((minor === undefined || patch === undefined) && /[+-]/.test(`${major}${minor ?? ''}`)) return undefined;
  return parse([major, minor ?? '0', patch ?? '0'].map((part) => part.replace(/^0+(?=\d)/, '')).join('.'));
}

function compare(a: Version, b: Version): bigint {
  for (const i of [0, 1, 2] as const) {
    if (a.numbers[i] !== b.numbers[i]) return a.numbers[i] < b.numbers[i] ? -1n : 1n;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return BigInt(Math.sign(b.pre.length - a.pre.length));
  for (let i = 0; i < Math.max(a.pre.length, b.pre.length); i++) {
    const order = comparePart(a.pre[i], b.pre[i]);
    if (order !== 0) return BigInt(order);
  }
  return 0n;
}

/** Numeric parts are before alphanumeric ones and compare as numbers; fewer parts are before more. */
function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  const [na, nb] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (na && nb) return BigInt(a) < BigInt(b) ? -1 : 1;
  return na !== nb ? (na ? -1 : 1) : a < b ? -1 : 1;
}

type SemverValue = Opaque<Version>;

function toSemver(text: string, lenient = false): SemverValue {
  const version = lenient ? parseLeniently(text) : parse(text);
  if (!version) throw new CelError(`not a semantic version: ${JSON.stringify(text)}`);
  return new Opaque('Semver', version, `${version.numbers.join('.')}-${version.pre.join('.')}`);
}

const isSemver = (text: string, lenient = false): boolean =>
  (lenient ? parseLeniently(text) : parse(text)) !== undefined;

export const semver: Overload[] = [
  overload('semver(string): Semver', toSemver, perCharacter),
  overload('semver(string, bool): Semver', toSemver, perCharacter),
  overload('isSemver(string): bool', isSemver, perCharacter),
  overload('isSemver(string, bool): bool', isSemver, perCharacter),
  overload('Semver.major(): int', (v: SemverValue) => v.content.numbers[0]),
  overload('Semver.minor(): int', (v: SemverValue) => v.content.numbers[1]),
  overload('Semver.patch(): int', (v: SemverValue) => v.content.numbers[2]),
  overload(
    'Semver.isGreaterThan(Semver): bool',
    (a: SemverValue, b: SemverValue) => compare(a.content, b.content) > 0n,
  ),
  overload('Semver.isLessThan(Semver): bool', (a: SemverValue, b: SemverValue) => compare(a.content, b.content) < 0n),
  overload('Semver.compareTo(Semver): int', (a: SemverValue, b: SemverValue) => compare(a.content, b.content)),
];
