import { fn } from '../go-template/function.ts';
import { pointerTo, structType, uint64Type } from '../go-template/go-type.ts';
import { GoError, type GoFunction, GoInt, GoObject, int } from '../go-template/go-value.ts';
import {
  compareVersions,
  formatVersion,
  parseVersion,
  SemverError,
  semverCompare,
  type Version,
} from '../semver/index.ts';

const versionStruct = structType('semver.Version');
const versionPointer = pointerTo(versionStruct);
const types = { version: versionPointer };

/** Turns errors of the version library into errors of the template. */
function orGoError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof SemverError ? new GoError(error.message) : error;
  }
}

const versionOf = (value: GoObject): Version => value.inner as Version;

/** A version, with the methods that templates use on it. */
function versionValue(version: Version, type = versionPointer): GoObject {
  const uint = (n: bigint): GoInt => new GoInt(n, uint64Type);
  const changed = (change: Partial<Version>): GoObject => {
    const next = { ...version, ...change };
    return versionValue({ ...next, original: formatVersion(next) }, versionStruct);
  };
  const compare = (other: GoObject): number => compareVersions(version, versionOf(other));
  const getter = (get: () => ReturnType<GoFunction['call']>): GoFunction => fn('', get);
  const release = { prerelease: '', metadata: '' };
  const none = version.prerelease === '';
  return new GoObject(type, {
    inner: version,
    text: () => formatVersion(version),
    methods: {
      Major: getter(() => uint(version.major)),
      Minor: getter(() => uint(version.minor)),
      Patch: getter(() => uint(version.patch)),
      Prerelease: getter(() => version.prerelease),
      Metadata: getter(() => version.metadata),
      Original: getter(() => version.original),
      String: getter(() => formatVersion(version)),
      IncMajor: getter(() => changed({ major: version.major + 1n, minor: 0n, patch: 0n, ...release })),
      IncMinor: getter(() => changed({ minor: version.minor + 1n, patch: 0n, ...release })),
      IncPatch: getter(() => changed({ patch: none ? version.patch + 1n : version.patch, ...release })),
      Compare: fn('version', (other: GoObject) => int(compare(other)), types),
      Equal: fn('version', (other: GoObject) => compare(other) === 0, types),
      LessThan: fn('version', (other: GoObject) => compare(other) < 0, types),
      LessThanEqual: fn('version', (other: GoObject) => compare(other) <= 0, types),
      GreaterThan: fn('version', (other: GoObject) => compare(other) > 0, types),
      GreaterThanEqual: fn('version', (other: GoObject) => compare(other) >= 0, types),
      SetPrerelease: fn('string', (prerelease: string) => {
        if (!/^[0-9A-Za-z.-]*$/.test(prerelease)) throw new GoError('invalid prerelease string');
        return changed({ prerelease });
      }),
      SetMetadata: fn('string', (metadata: string) => {
        if (!/^[0-9A-Za-z.-]*$/.test(metadata)) throw new GoError('invalid metadata string');
        return changed({ metadata });
      }),
    },
  });
}

export const semverFunctions: Readonly<Record<string, GoFunction>> = {
  semver: fn('string', (text: string) => versionValue(orGoError(() => parseVersion(text)))),
  semverCompare: fn('string string', (constraint: string, version: string) =>
    orGoError(() => semverCompare(constraint, version)),
  ),
};
