import { type FieldError, fieldError, objectAt } from '@fairlead/apimachinery';
import type { Propagation } from '@fairlead/kube';
import { refuse } from '../errors.ts';

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions' | 'ListOptions';

const invalidOptions = (kind: OptionsKind, errors: readonly FieldError[]) =>
  refuse.invalid({ group: 'meta.k8s.io', kind }, '', errors);

export interface WriteOptionsIn {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  readonly force: boolean;
}

/** Options of create, update and patch, from the query. */
export function writeOptions(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  query: URLSearchParams,
  isApply = false,
): WriteOptionsIn {
  const errors: FieldError[] = [];
  const dryRun = dryRunOf(query.getAll('dryRun'), errors);
  const manager = query.get('fieldManager') ?? '';
  if (manager.length > 128) errors.push(fieldError.tooLong('fieldManager', 128));
  else {
    const at = [...manager].findIndex((character) => !/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character));
    if (at >= 0) errors.push(fieldError.invalid('fieldManager', manager, badCharacter([...manager][at]!, at)));
  }
  if (isApply && manager === '') errors.push(fieldError.required('fieldManager', 'is required for apply patch'));
  const force = boolean(query.get('force'), 'force');
  if (force !== undefined && !isApply && kind === 'PatchOptions') {
    errors.push(fieldError.forbidden('force', 'may not be specified for non-apply patch'));
  }
  const validation = query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation)) {
    errors.push(fieldError.notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalidOptions(kind, errors);
  return {
    dryRun,
    fieldManager: manager,
    fieldValidation: (validation || 'Warn') as WriteOptionsIn['fieldValidation'],
    force: force ?? false,
  };
}

const badCharacter = (character: string, at: number): string =>
  `invalid character U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')} (at position ${at})`;

function dryRunOf(values: readonly string[], errors: FieldError[]): boolean {
  if (values.some((value) => value !== 'All')) errors.push(fieldError.notSupported('dryRun', values, ['All']));
  return values.includes('All');
}

export interface DeleteOptionsIn {
  readonly dryRun: boolean;
  readonly propagation?: Propagation;
  readonly graceSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** Set by the deprecated `orphanDependents: false`: a delete that has only started then returns 202. */
  readonly reportsStarted?: boolean;
}

/** Options of a delete: from the body if there is one, otherwise from the query. The body is parsed but not validated yet. */
export function deleteOptions(query: URLSearchParams, body: Record<string, unknown> | undefined): DeleteOptionsIn {
  const errors: FieldError[] = [];
  const dryRunValues = body ? asStrings(body['dryRun'], 'dryRun') : query.getAll('dryRun');
  const dryRun = dryRunOf(dryRunValues, errors);
  const policy = body
    ? asString(body['propagationPolicy'], 'propagationPolicy')
    : (query.get('propagationPolicy') ?? undefined);
  const orphan = body
    ? asBoolean(body['orphanDependents'])
    : boolean(query.get('orphanDependents'), 'orphanDependents');
  const grace = body
    ? asInteger(body['gracePeriodSeconds'], 'gracePeriodSeconds')
    : integer(query.get('gracePeriodSeconds'));
  if (policy !== undefined && orphan !== undefined) {
    errors.push(
      fieldError.invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  if (policy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(policy)) {
    errors.push(
      fieldError.notSupportedInOrder('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']),
    );
  }
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
  const preconditions = objectAt(body, 'preconditions') ?? {};
  const uid = asString(preconditions['uid'], 'preconditions.uid');
  const resourceVersion = asString(preconditions['resourceVersion'], 'preconditions.resourceVersion');
  const propagation =
    (policy as Propagation | undefined) ?? (orphan === undefined ? undefined : orphan ? 'Orphan' : 'Background');
  return {
    dryRun,
    ...(propagation ? { propagation } : {}),
    ...(orphan === false ? { reportsStarted: true } : {}),
    ...(grace !== undefined ? { graceSeconds: grace } : {}),
    ...(uid ? { uid } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
  };
}

export interface ListOptionsIn {
  readonly watch: boolean;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

export function listOptions(query: URLSearchParams, legacyWatch: boolean): ListOptionsIn {
  const watch = legacyWatch || (boolean(query.get('watch'), 'watch') ?? false);
  const options: ListOptionsIn = {
    watch,
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    limit: integer(query.get('limit')) ?? 0,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    sendInitialEvents: boolean(query.get('sendInitialEvents'), 'sendInitialEvents'),
    allowWatchBookmarks: boolean(query.get('allowWatchBookmarks'), 'allowWatchBookmarks') ?? false,
    timeoutSeconds: integer(query.get('timeoutSeconds')),
  };
  const errors = watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalidOptions('ListOptions', errors);
  return options;
}

const match = 'resourceVersionMatch';
const withContinue = 'resourceVersionMatch is forbidden when continue is provided';

function watchErrors(options: ListOptionsIn): FieldError[] {
  const errors: FieldError[] = [];
  const asked = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined && asked !== 'NotOlderThan') {
    errors.push(fieldError.forbidden(match, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (asked === '') {
    // The resourceVersionMatch of a watch from the current state or from a cache is set automatically.
    const isSetFor = options.sendInitialEvents === undefined && ['', '0'].includes(options.resourceVersion);
    if (isSetFor && options.continue !== '') errors.push(fieldError.forbidden(match, withContinue));
    return errors;
  }
  if (options.sendInitialEvents === undefined) {
    errors.push(
      fieldError.forbidden(match, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  }
  if (asked !== 'NotOlderThan') errors.push(fieldError.notSupported(match, asked, ['NotOlderThan']));
  if (options.continue !== '') {
    errors.push(fieldError.forbidden(match, withContinue));
  }
  return errors;
}

function listErrors(options: ListOptionsIn): FieldError[] {
  const errors: FieldError[] = [];
  if (options.sendInitialEvents !== undefined) {
    errors.push(fieldError.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  if (options.resourceVersionMatch !== '') {
    if (options.continue !== '') errors.push(fieldError.forbidden(match, withContinue));
    if (options.resourceVersion === '') {
      errors.push(fieldError.forbidden(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (!['Exact', 'NotOlderThan'].includes(options.resourceVersionMatch)) {
      errors.push(fieldError.notSupportedInOrder(match, options.resourceVersionMatch, ['Exact', 'NotOlderThan', '']));
    } else if (options.resourceVersionMatch === 'Exact' && options.resourceVersion === '0') {
      errors.push(fieldError.forbidden(match, `resourceVersionMatch "exact" is forbidden for resourceVersion "0"`));
    }
  }
  return errors;
}

function integer(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) {
    throw refuse.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

/** Go's form decoding of booleans: absent is unset; empty, `0` and `false` are false; anything else is true. */
function boolean(text: string | null, _name: string): boolean | undefined {
  if (text === null) return undefined;
  return !(text === '' || text === '0' || text.toLowerCase() === 'false');
}

const wrongType = (field: string) =>
  refuse.badRequest(`json: cannot unmarshal into Go struct field DeleteOptions.${field}`);

function asString(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrongType(field);
  return value;
}

function asStrings(value: unknown, field: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string')) throw wrongType(field);
  return value;
}

function asBoolean(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw wrongType('orphanDependents');
  return value;
}

function asInteger(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(field);
  return value;
}
