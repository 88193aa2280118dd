import { ownConditions } from './difference-rules.ts';

/**
 * Where texts of the command line differ on purpose: the rules of `difference-rules.ts`, for tables. `docs/differences.md` has the reason for
 * each. Whether `sync` and `wait` print a table of progress depends on how fast the controller is.
 */
export const withoutTextDifferences = (text: string): string =>
  [
    withoutProgress,
    withoutOwnConditions,
    withoutListedConditions,
    withoutUnknownHealth,
    withoutCachedErrors,
    withoutFingerprints,
    withoutTokenOrder,
    withoutAges,
  ].reduce((changed, rule) => rule(changed), text);

const withoutProgress = (text: string): string =>
  text.replace(/^TIMESTAMP {2}GROUP {2}KIND .*\n(?:<progress>\n)?/gmu, '');

const heading = 'CONDITION  MESSAGE  LAST TRANSITION';

/** `ownConditions`, in the table of an Application. */
const withoutOwnConditions = (text: string): string =>
  text.replace(new RegExp(`\\n${heading}\\n((?:.+\\n)*)\\n?`, 'gu'), (table, rows: string) => {
    const all = rows.split('\n').filter((row) => row !== '');
    const shared = all.filter((row) => !ownConditions.test(row.split('  ')[0] ?? ''));
    if (shared.length === all.length) return table;
    return shared.length === 0 ? '' : `\n${heading}\n${shared.join('\n')}\n\n`;
  });

/** `ownConditions`, in the list of Applications. */
const withoutListedConditions = (text: string): string =>
  text.replace(
    /^(argocd\/.* {2}(?:Manual|Auto[\w-]*) {2})(\S+)( {2}.*)$/gmu,
    (_, before: string, types: string, after: string) => {
      const shared = types.split(',').filter((type) => !ownConditions.test(type.replace(/\(\d+\)$/u, '')));
      return `${before}${shared.length === 0 ? '<none>' : shared.join(',')}${after}`;
    },
  );

/** `unknownHealthWithoutComparison`. */
const withoutUnknownHealth = (text: string): string =>
  text
    .replace(/^(Sync Status: {2}Unknown\nHealth Status: {2})Healthy$/gmu, '$1Unknown')
    .replace(/^(argocd\/.* {2}Unknown {2})Healthy( {2}(?:Manual|Auto))/gmu, '$1Unknown$2');

/** `sameErrorAgain`. */
const withoutCachedErrors = (text: string): string =>
  text.replaceAll('rpc error: code = Unknown desc = Manifest generation error (cached): ', '');

/** `fingerprint`. */
const withoutFingerprints = (text: string): string => text.replace(/(?<=SHA256:)[\w+/]{43}/gu, '');

/** `tokenOrder`: those that expire come first. */
const withoutTokenOrder = (text: string): string =>
  text.replace(/(?<=^ID {2}ISSUED-AT {2}EXPIRES-AT\n)(?:.+\n)+/gmu, (rows) => {
    const all = rows.trimEnd().split('\n');
    const never = (row: string): number => (row.endsWith('<none>') ? 1 : 0);
    return `${all.sort((a, b) => never(a) - never(b)).join('\n')}\n`;
  });

/** How many seconds ago something was depends on the machine. */
const withoutAges = (text: string): string => text.replace(/\((?:now|\d+ seconds? (?:ago|from now))\)/gu, '(<age>)');
