import type { Application, ApplicationSource, ResourceResult, ResourceStatus } from '@fairlead/api';
import { type Style, visible } from '../../terminal/style.ts';
import { inClusterName, inClusterServer } from '../cluster/in-cluster.ts';

/** The first seven digits of a commit; a version or a name as it is. */
export const shortRevision = (revision: string): string =>
  /^[0-9a-f]{40}([0-9a-f]{24})?$/u.test(revision) ? revision.slice(0, 7) : revision;

/** The revision of the last comparison. */
export function revisionText({ status }: Application): string {
  const { revision = '', revisions = [] } = status?.sync ?? {};
  return (revisions.length > 0 ? revisions : [revision]).filter(Boolean).map(shortRevision).join(', ');
}

export const sourcesOf = ({ spec }: Pick<Application, 'spec'>): readonly ApplicationSource[] =>
  spec.sources?.length ? spec.sources : spec.source ? [spec.source] : [];

/** `https://example.com/shop.git deploy/web`. */
export function sourceText({ repoURL, path, chart, ref, targetRevision }: ApplicationSource): string {
  const what = chart ? `chart ${chart}` : path ? path : ref ? `as $${ref}` : '';
  return [repoURL, what, targetRevision ? `at ${targetRevision}` : ''].filter(Boolean).join(' ');
}

export const clusterText = ({ spec: { destination } }: Application): string => {
  if (destination.name) return destination.name;
  const server = (destination.server ?? '').replace(/\/$/u, '');
  return server === inClusterServer ? inClusterName : server;
};

export const destinationText = (application: Application): string =>
  [clusterText(application), application.spec.destination.namespace ?? ''].filter(Boolean).join('/');

export const isAutomated = ({ spec: { syncPolicy } }: Application): boolean =>
  syncPolicy?.automated !== undefined && syncPolicy.automated.enabled !== false;

export const policyText = (application: Application): string => {
  const { prune, selfHeal } = application.spec.syncPolicy?.automated ?? {};
  if (!isAutomated(application)) return 'manual';
  return ['auto', ...(prune ? ['prune'] : []), ...(selfHeal ? ['self-heal'] : [])].join('+');
};

type Identified = Pick<ResourceStatus | ResourceResult, 'kind' | 'namespace' | 'name'>;

/** `Deployment demo/web`. */
export const objectText = ({ kind = '', namespace = '', name = '' }: Identified): string =>
  `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;

export const syncWord = ({ status }: Application): string => status?.sync?.status ?? 'Unknown';
export const healthWord = ({ status }: Application): string => status?.health?.status ?? 'Unknown';

/** Whether an operation is pending or running. */
export const isBusy = ({ operation, status }: Application): boolean =>
  operation !== undefined || ['Running', 'Terminating'].includes(status?.operationState?.phase ?? '');

const errors = /Error$/u;

/** The most severe problem in one sentence; empty if there is none. */
export function whyText(application: Application): string {
  const { conditions = [], operationState, sync, health } = application.status ?? {};
  if (application.metadata.deletionTimestamp) return 'being deleted';
  const found = (type: string | RegExp): string | undefined =>
    conditions.find((condition) => (typeof type === 'string' ? condition.type === type : type.test(condition.type)))
      ?.message;
  if (!application.status) return 'not reconciled yet: see fairlead app explain';
  const why =
    found(errors) ??
    (isBusy(application)
      ? (operationState?.message ?? 'a sync is pending')
      : health?.status !== 'Healthy' && found('NotHealthy')
        ? found('NotHealthy')
        : sync?.status !== 'Synced'
          ? failed(application) || found('OutOfSync') || ''
          : failed(application)) ??
    '';
  return visible(why);
}

function failed({ status }: Application): string {
  const { phase = '', message = '' } = status?.operationState ?? {};
  return phase === 'Failed' || phase === 'Error' ? `the last sync failed: ${message}` : '';
}

const good = new Set(['Synced', 'Healthy', 'Succeeded', 'Pruned']);
const bad = new Set(['Degraded', 'Failed', 'Error', 'SyncFailed', 'Missing']);
const symbols: Readonly<Record<string, string>> = {
  Synced: '✔',
  Healthy: '✔',
  Succeeded: '✔',
  Pruned: '✔',
  OutOfSync: '≠',
  Progressing: '◐',
  Running: '◐',
  Suspended: '‖',
  Missing: '∅',
  Degraded: '✖',
  Failed: '✖',
  Error: '✖',
  SyncFailed: '✖',
  Unknown: '?',
};

/** A status with symbol and color on a terminal, plain otherwise. */
export function stateText(word: string, style: Style): string {
  const colour = good.has(word) ? style.good : bad.has(word) ? style.bad : style.wary;
  const marked = colour(word);
  return marked === word ? word : colour(`${symbols[word] ?? '·'} ${word}`);
}
