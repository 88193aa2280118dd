import type { KubeObject } from '@fairlead/apimachinery';
import { knownAnnotations } from '../annotations.ts';

interface SyncOptionSpec {
  readonly values: readonly [string, ...string[]];
  /** The default if the option is absent. */
  readonly default: string;
  /** Where it may be set: for the whole Application or sync, on one resource by annotation, or both. */
  readonly scope: 'application' | 'resource' | 'both';
  /** Whether a tenant may set it in a GitOpsDeployment. */
  readonly tenant: boolean;
  readonly description: string;
}

const onOff = ['true', 'false'] as const;

/**
 * Every sync option. Validation, completion and the table in `docs/syncing.md` are made from it; `SyncOptions.get` and `has` accept only
 * these names. A new option is an entry here, the code that reads it, and its row in the docs, which a test prints.
 */
export const syncOptionTable = {
  Prune: {
    values: ['true', 'false', 'confirm'],
    default: 'true',
    scope: 'both',
    tenant: false,
    description: 'whether the object may be pruned; with `confirm`, only after approval (below)',
  },
  Delete: {
    values: ['true', 'false', 'confirm'],
    default: 'true',
    scope: 'both',
    tenant: false,
    description: 'the same when the Application is deleted',
  },
  PruneLast: {
    values: onOff,
    default: 'false',
    scope: 'both',
    tenant: true,
    description: 'prune after everything else is applied and healthy',
  },
  PrunePropagationPolicy: {
    values: ['foreground', 'background', 'orphan'],
    default: 'foreground',
    scope: 'both',
    tenant: true,
    description: 'how children of pruned objects are deleted',
  },
  Validate: {
    values: onOff,
    default: 'true',
    scope: 'both',
    tenant: true,
    description: 'accepted; the API server drops unknown fields either way, and a condition names them',
  },
  SkipDryRunOnMissingResource: {
    values: onOff,
    default: 'false',
    scope: 'both',
    tenant: true,
    description: 'allow a kind that is created during the sync',
  },
  Replace: {
    values: onOff,
    default: 'false',
    scope: 'both',
    tenant: true,
    description: 'replace the whole live object',
  },
  Force: {
    values: onOff,
    default: 'false',
    scope: 'both',
    tenant: false,
    description: 'delete and recreate objects that cannot be updated; also with `Replace=true`',
  },
  ServerSideApply: {
    values: onOff,
    default: 'false',
    scope: 'both',
    tenant: true,
    description: 'apply on the server; fields of an earlier client-side apply are migrated',
  },
  ClientSideApplyMigration: {
    values: onOff,
    default: 'true',
    scope: 'both',
    tenant: false,
    description: 'whether `ServerSideApply` migrates the fields of an earlier client-side apply',
  },
  ApplyOutOfSyncOnly: {
    values: onOff,
    default: 'false',
    scope: 'application',
    tenant: true,
    description: 'skip objects that are in sync',
  },
  CreateNamespace: {
    values: onOff,
    default: 'false',
    scope: 'application',
    tenant: true,
    description: "create the destination's namespace, with `managedNamespaceMetadata`",
  },
  RespectIgnoreDifferences: {
    values: onOff,
    default: 'false',
    scope: 'application',
    tenant: true,
    description: 'do not change ignored fields',
  },
  FailOnSharedResource: {
    values: onOff,
    default: 'false',
    scope: 'application',
    tenant: true,
    description: 'fail if an object belongs to another Application',
  },
} as const satisfies Record<string, SyncOptionSpec>;

export type SyncOptionName = keyof typeof syncOptionTable;

const specs: ReadonlyMap<string, SyncOptionSpec> = new Map<string, SyncOptionSpec>(Object.entries(syncOptionTable));

/** All options as `Name=value`, with a description: for completion. */
export const syncOptionChoices: readonly { readonly option: string; readonly description: string }[] = [
  ...specs,
].flatMap(([name, { values, description }]) => values.map((value) => ({ option: `${name}=${value}`, description })));

/** The options that a tenant may set, as `Name=value`. */
export const tenantSyncOptions: readonly string[] = [...specs].flatMap(([name, { values, tenant }]) =>
  tenant ? values.map((value) => `${name}=${value}`) : [],
);

/** The problem of one `Name=value`, and a valid value; undefined if it is valid. */
export function syncOptionProblem(text: string): string | undefined {
  const [name = '', value = ''] = text.split('=', 2);
  const spec = specs.get(name);
  if (!spec) return `'${text}' is not a sync option: use one of ${[...specs.keys()].join(', ')}`;
  if (spec.values.includes(value)) return undefined;
  return `'${text}' is not a valid value: use ${name}=${spec.values.join(` or ${name}=`)}`;
}

/** `Name=value` settings of a sync: those of the Application, and those of one resource, which take precedence. */
export interface SyncOptions {
  get(name: SyncOptionName): string | undefined;
  /** Whether the option is set to `true`. */
  has(name: SyncOptionName): boolean;
}

export function syncOptions(application: readonly string[] = [], object?: KubeObject): SyncOptions {
  const own = (object?.metadata.annotations?.[knownAnnotations.syncOptions.name] ?? '').split(',');
  const values = new Map<string, string>();
  for (const text of [...application, ...own]) {
    const [name = '', value = ''] = text.trim().split('=', 2);
    if (name !== '') values.set(name, value);
  }
  return { get: (name) => values.get(name), has: (name) => values.get(name) === 'true' };
}
