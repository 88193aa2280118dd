import type { ApplicationSpec, SyncPolicy } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { CliError } from '../../cli-error.ts';
import type { Values } from '../../command-line/command.ts';
import { sourceFlags, type specFlags } from '../../command-line/specs/source-flags.ts';
import { inClusterServer } from '../cluster/in-cluster.ts';
import { readNumber } from '../operations/sync-operation.ts';
import { sourceFromFlags } from './source-from-flags.ts';

export type SpecFlags = Values<typeof specFlags>;

/** Applies the flags to a spec; other fields stay. `position` selects one of several sources, from 1. */
export function specFromFlags(before: ApplicationSpec, flags: SpecFlags, position?: number): ApplicationSpec {
  const { syncPolicy: policyBefore, ...rest } = withSource(before, flags, position);
  const policy = policyFromFlags(policyBefore ?? {}, flags);
  const limit = flags['revision-history-limit'];
  return {
    ...rest,
    project: flags.project ?? (before.project || 'default'),
    destination: destinationFromFlags(before.destination, flags),
    ...(Object.keys(policy).length > 0 ? { syncPolicy: policy } : {}),
    ...(limit === undefined ? {} : { revisionHistoryLimit: readNumber('revision-history-limit', limit) }),
  };
}

const isAboutSources = (flags: SpecFlags): boolean =>
  Object.keys(flags).some((name) => Object.hasOwn(sourceFlags, name));

function withSource(before: ApplicationSpec, flags: SpecFlags, position: number | undefined): ApplicationSpec {
  const { sources = [] } = before;
  if (sources.length === 0) {
    if (position !== undefined && position !== 1)
      throw new CliError(`invalid --source-position ${position}: there is only one source`);
    if (!isAboutSources(flags)) return before;
    return { ...before, source: sourceFromFlags(before.source ?? { repoURL: '' }, flags) };
  }
  if (!isAboutSources(flags)) return before;
  if (position === undefined || position < 1 || position > sources.length)
    throw new CliError(
      `the Application has ${sources.length} sources: select one with --source-position, from 1 to ${sources.length}`,
    );
  return {
    ...before,
    sources: sources.map((source, i) => (i === position - 1 ? sourceFromFlags(source, flags) : source)),
  };
}

function destinationFromFlags(
  before: ApplicationSpec['destination'] | undefined,
  flags: SpecFlags,
): ApplicationSpec['destination'] {
  const { 'dest-server': server, 'dest-name': name, 'dest-namespace': namespace } = flags;
  if (server !== undefined && name !== undefined)
    throw new CliError('--dest-server and --dest-name exclude each other: use one of them');
  const { server: oldServer, name: oldName, ...rest } = before ?? {};
  const cluster =
    server !== undefined
      ? { server }
      : name !== undefined
        ? { name }
        : oldName
          ? { name: oldName }
          : { server: oldServer || inClusterServer };
  return { ...rest, ...cluster, ...(namespace === undefined ? {} : { namespace }) };
}

function policyFromFlags(before: SyncPolicy, flags: SpecFlags): SyncPolicy {
  const { automated: _, retry: __, syncOptions: ___, ...rest } = before;
  const automated = automatedFromFlags(before.automated, flags);
  const retry = retryFromFlags(before.retry, flags);
  const options = optionsFromFlags(before.syncOptions ?? [], flags['sync-option'] ?? []);
  return {
    ...rest,
    ...(automated ? { automated } : {}),
    ...(options.length > 0 ? { syncOptions: options } : {}),
    ...(retry ? { retry } : {}),
  };
}

function automatedFromFlags(before: SyncPolicy['automated'], flags: SpecFlags): SyncPolicy['automated'] {
  const when = flags['sync-policy'];
  const manual = when === 'none' || when === 'manual';
  const after = when === undefined ? before : manual ? undefined : { ...before };
  const asked = {
    ...(flags['auto-prune'] === undefined ? {} : { prune: flags['auto-prune'] }),
    ...(flags['self-heal'] === undefined ? {} : { selfHeal: flags['self-heal'] }),
    ...(flags['allow-empty'] === undefined ? {} : { allowEmpty: flags['allow-empty'] }),
  };
  if (Object.keys(asked).length === 0) return after;
  if (!after)
    throw new CliError('--auto-prune, --self-heal and --allow-empty require automated sync: add --sync-policy auto');
  const { enabled: _, ...on } = after as { enabled?: boolean };
  return { ...(when === undefined ? after : on), ...asked };
}

function retryFromFlags(before: SyncPolicy['retry'], flags: SpecFlags): SyncPolicy['retry'] {
  const limit = flags['sync-retry-limit'];
  const duration = flags['sync-retry-backoff-duration'];
  const factor = flags['sync-retry-backoff-factor'];
  const maxDuration = flags['sync-retry-backoff-max-duration'];
  const refresh = flags['sync-retry-refresh'];
  if ([limit, duration, factor, maxDuration, refresh].every((one) => one === undefined)) return before;
  return {
    ...before,
    ...(limit === undefined ? {} : { limit: readNumber('sync-retry-limit', limit) }),
    ...(refresh === undefined ? {} : { refresh }),
    backoff: {
      ...before?.backoff,
      ...(duration === undefined ? {} : { duration }),
      ...(factor === undefined ? {} : { factor: readNumber('sync-retry-backoff-factor', factor) }),
      ...(maxDuration === undefined ? {} : { maxDuration }),
    },
  };
}

/** `Name=value` replaces the option of that name; `!Name=value` removes it. */
function optionsFromFlags(before: readonly string[], asked: readonly string[]): string[] {
  let options = [...before];
  const nameOf = (option: string): string => elementAt(option.split('='), 0);
  for (const option of asked) {
    const name = nameOf(option.replace(/^!/u, ''));
    options = options.filter((one) => nameOf(one) !== name);
    if (!option.startsWith('!')) options.push(option);
  }
  return options;
}
