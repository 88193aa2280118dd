export { type Constraint, parseConstraint, satisfies, semverCompare } from './constraint.ts';
export { compareVersions, formatVersion, parseVersion, SemverError, type Version } from './version.ts';
