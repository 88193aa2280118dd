import type { Application, Operation, RetryStrategy } from '@fairlead/api';
import { CliError } from '../../cli-error.ts';
import { nameOf } from '../selection/find-application.ts';
import { selectObjects } from '../selection/select-objects.ts';
import { isAutomated, sourcesOf } from '../tables/status-text.ts';

export interface SyncFlags {
  readonly revision?: string;
  readonly revisions?: readonly string[];
  readonly prune?: boolean;
  readonly 'dry-run'?: boolean;
  readonly force?: boolean;
  readonly resource?: readonly string[];
  readonly 'out-of-sync-only'?: boolean;
  readonly strategy?: string;
  readonly 'sync-option'?: readonly string[];
  readonly 'server-side'?: boolean;
  readonly replace?: boolean;
  readonly 'retry-limit'?: string;
  readonly 'retry-backoff-duration'?: string;
  readonly 'retry-backoff-factor'?: string;
  readonly 'retry-backoff-max-duration'?: string;
  readonly 'retry-refresh'?: boolean;
  readonly info?: readonly string[];
}

/** The operation that the flags specify. */
export function syncOperation(application: Application, flags: SyncFlags, manifests?: readonly string[]): Operation {
  refuseOtherRevision(application, flags);
  const options = optionsOf(application, flags);
  const chosen = flags.resource ? selectObjects(application.status?.resources ?? [], flags.resource) : [];
  const retry = retryOf(application, flags);
  const force = flags.force ? { force: true } : {};
  return {
    sync: {
      ...(flags.revision ? { revision: flags.revision } : {}),
      ...(flags.revisions ? { revisions: [...flags.revisions] } : {}),
      ...(manifests ? { manifests: [...manifests] } : {}),
      ...(flags.prune ? { prune: true } : {}),
      ...(flags['dry-run'] ? { dryRun: true } : {}),
      syncStrategy: flags.strategy === 'apply' ? { apply: force } : { hook: force },
      ...(options.length > 0 ? { syncOptions: options } : {}),
      ...(chosen.length > 0
        ? {
            resources: chosen.map(({ group, kind = '', namespace, name = '' }) => ({
              ...(group ? { group } : {}),
              kind,
              ...(namespace ? { namespace } : {}),
              name,
            })),
          }
        : {}),
    },
    ...(retry ? { retry } : {}),
    ...(flags.info ? { info: flags.info.map(readNote) } : {}),
  };
}

/** Automated sync would revert to the Application's own revision at once. */
function refuseOtherRevision(application: Application, { revision, revisions, 'dry-run': dry }: SyncFlags): void {
  const sources = sourcesOf(application);
  if (revisions && revisions.length !== sources.length)
    throw new CliError(
      `${nameOf(application)} has ${sources.length} sources: give --revisions once per source, in their order`,
    );
  if (revision && sources.length > 1)
    throw new CliError(
      `${nameOf(application)} has ${sources.length} sources: give --revisions once per source, in their order`,
    );
  if (!revision || dry || !isAutomated(application) || sources[0]?.targetRevision === revision) return;
  const name = nameOf(application);
  throw new CliError(
    `${name} is synced automatically to ${sources[0]?.targetRevision || 'HEAD'}, which would revert a sync to ${revision}: change its revision with fairlead app set ${name} --revision ${revision}, or disable automated sync with fairlead app set ${name} --sync-policy manual`,
  );
}

function optionsOf({ spec }: Application, flags: SyncFlags): string[] {
  const asked = [
    ...(flags['sync-option'] ?? []),
    ...(flags['server-side'] ? ['ServerSideApply=true'] : []),
    ...(flags.replace ? ['Replace=true'] : []),
    ...(flags['out-of-sync-only'] ? ['ApplyOutOfSyncOnly=true'] : []),
  ];
  const names = new Set(asked.map((option) => option.split('=')[0]));
  const kept = (spec.syncPolicy?.syncOptions ?? []).filter((option) => !names.has(option.split('=')[0]));
  return [...kept, ...asked];
}

function retryOf({ spec }: Application, flags: SyncFlags): RetryStrategy | undefined {
  const limit = flags['retry-limit'];
  if (limit === undefined) return spec.syncPolicy?.retry;
  return {
    limit: readNumber('retry-limit', limit),
    backoff: {
      duration: flags['retry-backoff-duration'] ?? '5s',
      factor: readNumber('retry-backoff-factor', flags['retry-backoff-factor'] ?? '2'),
      maxDuration: flags['retry-backoff-max-duration'] ?? '3m',
    },
    ...(flags['retry-refresh'] ? { refresh: true } : {}),
  };
}

export function readNumber(flag: string, text: string): number {
  if (!/^-?\d+$/u.test(text)) throw new CliError(`invalid --${flag} ${text}: use a number`);
  return Number(text);
}

function readNote(text: string): { name: string; value: string } {
  const [name = '', value = ''] = text.split(/=(.*)/su);
  if (name === '' || !text.includes('=')) throw new CliError(`invalid --info ${text}: use NAME=TEXT`);
  return { name, value };
}
