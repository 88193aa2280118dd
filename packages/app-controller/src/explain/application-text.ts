import type { Application, ApplicationSource, Operation, ResourceResult, ResourceStatus } from '@fairlead/api';
import { inClusterName, inClusterServer } from '../cluster/clusters.ts';

export { ageOf, formatAge } from './age.ts';

/** The namespace of an installation, where names of Applications need no namespace. */
const home = 'argocd';

/** `web`, or `team-a/web` in a namespace other than that of the installation. */
export const nameOf = ({ metadata: { namespace = '', name } }: Application): string =>
  namespace === home ? name : `${namespace}/${name}`;

/** The first seven digits of a commit; a version or a name as it is. */
export const shortRevision = (revision: string): string =>
  /^[0-9a-f]{40}([0-9a-f]{24})?$/u.test(revision) ? revision.slice(0, 7) : revision;

/** The revision of the last comparison. */
export function revisionText({ status }: Application): string {
  const { revision = '', revisions = [] } = status?.sync ?? {};
  return (revisions.length > 0 ? revisions : [revision]).filter(Boolean).map(shortRevision).join(', ');
}

/** With a source hydrator: the dry source, whose commits are delivered. */
export const sourcesOf = ({ spec }: Pick<Application, 'spec'>): readonly ApplicationSource[] => {
  const source = spec.sourceHydrator?.drySource ?? spec.source;
  return spec.sources?.length ? spec.sources : source ? [source] : [];
};

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

export const isAutomated = ({ spec: { syncPolicy } }: Application): boolean =>
  syncPolicy?.automated !== undefined && syncPolicy.automated.enabled !== false;

type Identified = Pick<ResourceStatus | ResourceResult, 'kind' | 'namespace' | 'name'>;

/** `Deployment demo/web`. */
export const objectText = ({ kind = '', namespace = '', name = '' }: Identified): string =>
  `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;

export const syncWord = ({ status }: Application): string => status?.sync?.status ?? 'Unknown';
export const healthWord = ({ status }: Application): string => status?.health?.status ?? 'Unknown';

/** Whether an operation is pending or running. */
export const isBusy = ({ operation, status }: Application): boolean =>
  operation !== undefined || ['Running', 'Terminating'].includes(status?.operationState?.phase ?? '');

export const initiator = ({ initiatedBy }: Operation): string =>
  initiatedBy?.automated ? 'the controller' : initiatedBy?.username || 'somebody';

/** Removes control characters: an object may contain terminal escape sequences. */
export const visible = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => (character === '\n' || character === '\t' ? ' ' : ''));

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
