import { AsyncLocalStorage } from 'node:async_hooks';
import type { Application, OperationState } from '@fairlead/api';
import { ApiError, at, type ResourceType, textAt } from '@fairlead/apimachinery';
import type { ApiClient, MetricsRegistry } from '@fairlead/kube';
import { normalizeGitUrl } from '@fairlead/source';
import { sourcesOf } from '../source/desired-state.ts';
import { metricDefinitions } from './metric-definitions.ts';

/** The metrics of Applications with the names of Argo CD: its dashboards and alerts work unchanged. */
export interface AppMetrics {
  reconciled(application: Application, server: string, ms: number): void;
  /** A sync has ended. */
  synced(application: Application, server: string, state: OperationState): void;
  orphans(application: Application, count: number): void;
  /** Counts the requests of the work for this Application. */
  during<T>(application: Application, work: () => Promise<T>): Promise<T>;
  /** The same client, with its requests counted. */
  counted(client: ApiClient, server: string): ApiClient;
  /** The Application is deleted: removes its series. */
  forget(application: Application): void;
  /** Reports all Applications whenever the metrics are scraped. */
  describe(options: DescribedApplications): void;
}

const nameOf = ({ metadata: { namespace = '', name }, spec }: Application) => ({
  namespace,
  name,
  project: spec.project || 'default',
});

export interface DescribedApplications {
  /** All Applications, for metrics that are computed at scrape time. */
  readonly applications: () => readonly Application[];
  /** The address of an Application's cluster. */
  readonly serverOf: (application: Application) => string;
}

export function createAppMetrics(registry: MetricsRegistry): AppMetrics {
  const { syncs, syncSeconds, requests, reconciles, orphans } = registry.create(metricDefinitions);
  const current = new AsyncLocalStorage<Application>();

  return {
    reconciled: ({ metadata: { namespace = '' } }, server, ms) =>
      reconciles.observe({ namespace, dest_server: server }, ms / 1000),
    synced(application, server, { phase, startedAt, finishedAt, operation }) {
      const labels = { ...nameOf(application), dest_server: server };
      syncs.increase({ ...labels, phase, dry_run: String(operation.sync?.dryRun ?? false) });
      const took = Date.parse(finishedAt ?? '') - Date.parse(startedAt);
      if (took >= 0) syncSeconds.increase(labels, took / 1000);
    },
    orphans(application, count) {
      if (count > 0) orphans.set(nameOf(application), count);
      else orphans.remove(nameOf(application));
    },
    during: (application, work) => current.run(application, work),
    counted: (client, server) =>
      countedClient(client, (verb, type, namespace, dryRun, code) => {
        const application = current.getStore();
        requests.increase({
          ...(application ? nameOf(application) : { namespace: '', name: '', project: '' }),
          server,
          response_code: String(code),
          verb,
          resource_kind: type.plural,
          resource_namespace: namespace,
          dry_run: String(dryRun),
        });
      }),
    forget(application) {
      const { namespace, name } = nameOf(application);
      for (const metric of [syncs, syncSeconds, requests, orphans]) metric.remove({ namespace, name });
    },
    describe: (options) => describeApplications(registry, options),
  };
}

/** Current values, computed at scrape time. */
function describeApplications(registry: MetricsRegistry, { applications, serverOf }: DescribedApplications): void {
  const { applicationInfo, conditions } = registry.create(metricDefinitions);
  registry.onRead(() => {
    applicationInfo.remove({});
    conditions.remove({});
    for (const application of applications()) {
      const { spec, status, operation, metadata } = application;
      const automated = spec.syncPolicy?.automated;
      applicationInfo.set(
        {
          ...nameOf(application),
          autosync_enabled: String(automated !== undefined && automated.enabled !== false),
          repo: normalizeGitUrl(sourcesOf(spec)[0]?.repoURL ?? ''),
          dest_server: serverOf(application),
          dest_namespace: spec.destination?.namespace ?? '',
          sync_status: status?.sync?.status || 'Unknown',
          health_status: status?.health?.status || 'Unknown',
          operation: metadata.deletionTimestamp ? 'delete' : operation?.sync ? 'sync' : '',
        },
        1,
      );
      const counts = new Map<string, number>();
      for (const { type } of status?.conditions ?? []) counts.set(type, (counts.get(type) ?? 0) + 1);
      for (const [condition, count] of counts) conditions.set({ ...nameOf(application), condition }, count);
    }
  });
}

type Count = (verb: string, type: ResourceType, namespace: string, dryRun: boolean, code: number) => void;

const verbs: Readonly<Record<string, string>> = {
  get: 'Get',
  list: 'List',
  watch: 'Watch',
  create: 'Create',
  replace: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deleteCollection: 'DeleteCollection',
};

/** A client that reports each response. */
function countedClient(client: ApiClient, count: Count): ApiClient {
  return new Proxy(client, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      const verb = verbs[String(name)];
      if (verb === undefined || verb === 'Watch') return method.bind(target);
      return async (type: ResourceType, ...args: readonly unknown[]) => {
        const record = (code: number): void =>
          count(
            verb,
            type,
            namespaceIn(args),
            args.some((arg) => at(arg, 'dryRun') === true),
            code,
          );
        try {
          const answer: unknown = await method.call(target, type, ...args);
          record(verb === 'Create' ? 201 : 200);
          return answer;
        } catch (error) {
          record(error instanceof ApiError ? error.code : 0);
          throw error;
        }
      };
    },
  });
}

/** Of a key, an object, or the options of a list. */
function namespaceIn([first]: readonly unknown[]): string {
  return textAt(first, 'namespace') || textAt(first, 'metadata', 'namespace');
}
