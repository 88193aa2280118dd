import { textAt } from '@fairlead/apimachinery/json-at';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { applicationPath, get } from '../api/argocd.ts';
import { client } from '../api/client.ts';
import { readApplication } from '../api/read-application.ts';
import { readTree } from '../api/read-tree.ts';

export interface AppRef {
  readonly namespace: string;
  readonly name: string;
}

/** Everything about one Application begins with the same key, so that an event refreshes it. */
const key = ({ namespace, name }: AppRef, ...rest: readonly unknown[]) =>
  ['application', namespace, name, ...rest] as const;

/** In case the event stream is lost. */
const pollMs = 15_000;

export const applicationQuery = (ref: AppRef) =>
  queryOptions({
    queryKey: key(ref, 'detail'),
    queryFn: ({ signal }) => readApplication(ref.namespace, ref.name, { signal }),
    refetchInterval: ({ state }) => (state.data?.operation?.phase === 'Running' ? 1_500 : pollMs),
  });

export const treeQuery = (ref: AppRef) =>
  queryOptions({
    queryKey: key(ref, 'tree'),
    queryFn: ({ signal }) => readTree(ref.namespace, ref.name, signal),
    refetchInterval: 5_000,
  });

export const explainQuery = (ref: AppRef) =>
  queryOptions({
    queryKey: key(ref, 'explain'),
    queryFn: ({ signal }) => client.call('explainApplication', { path: ref }, { signal }),
    placeholderData: keepPreviousData,
  });

export const flowQuery = (ref: AppRef) =>
  queryOptions({
    queryKey: key(ref, 'flow'),
    queryFn: ({ signal }) => client.call('getFlow', { path: ref }, { signal }),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
  });

export const diffQuery = (ref: AppRef) =>
  queryOptions({
    queryKey: key(ref, 'diff'),
    queryFn: ({ signal }) => client.call('getDiff', { path: ref, query: { states: true, all: true } }, { signal }),
    placeholderData: keepPreviousData,
  });

export interface PlanOptions {
  readonly revision?: string;
  readonly prune: boolean;
  readonly resource?: readonly string[];
  /** Whether the cluster is asked what it would accept: yes by default. */
  readonly dryRun?: boolean;
}

export const planQuery = (ref: AppRef, { revision, prune, resource, dryRun = true }: PlanOptions) =>
  queryOptions({
    queryKey: key(ref, 'plan', revision, prune, resource, dryRun),
    queryFn: ({ signal }) =>
      client.call(
        'getSyncPlan',
        {
          path: ref,
          query: { ...(revision ? { revision } : {}), prune, dryRun, ...(resource ? { resource } : {}) },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** What the caller may do with this Application. */
export const rightsQuery = (ref: AppRef, project: string, home: string | undefined) =>
  queryOptions({
    queryKey: ['rights', ref.namespace, ref.name, project],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const object =
        ref.namespace === home || home === undefined
          ? `${project}/${ref.name}`
          : `${project}/${ref.namespace}/${ref.name}`;
      const ask = async (resource: string, action: string): Promise<boolean> =>
        textAt(await get(`account/can-i/${resource}/${action}/${object}`, {}, signal), 'value') === 'yes';
      const [sync, update, remove, logs, override, exec] = await Promise.all([
        ask('applications', 'sync'),
        ask('applications', 'update'),
        ask('applications', 'delete'),
        ask('logs', 'get'),
        ask('applications', 'override'),
        ask('exec', 'create'),
      ]);
      return { sync, update, remove, logs, override, exec };
    },
  });

export type Rights = Awaited<ReturnType<NonNullable<ReturnType<typeof rightsQuery>['queryFn']>>>;

export const eventsQuery = (ref: AppRef, resource?: { namespace: string; name: string; uid: string }) =>
  queryOptions({
    queryKey: key(ref, 'events', resource?.uid),
    queryFn: ({ signal }) =>
      get(
        applicationPath(ref.name, 'events'),
        {
          appNamespace: ref.namespace,
          ...(resource
            ? { resourceNamespace: resource.namespace, resourceName: resource.name, resourceUID: resource.uid }
            : {}),
        },
        signal,
      ),
    refetchInterval: 10_000,
  });

export const revisionQuery = (ref: AppRef, revision: string, versionId?: number) =>
  queryOptions({
    queryKey: ['revision', ref.namespace, ref.name, revision],
    queryFn: ({ signal }) =>
      get(
        applicationPath(ref.name, `revisions/${encodeURIComponent(revision)}/metadata`),
        { appNamespace: ref.namespace, versionId },
        signal,
      ),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: /^[\da-f]{40}$/u.test(revision),
    retry: false,
  });
