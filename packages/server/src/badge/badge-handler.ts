import type { Application } from '@fairlead/api';
import { isWatchedNamespace } from '@fairlead/app-controller';
import type { PathHandler } from '../http/api-server.ts';
import type { Server } from '../server.ts';
import { type Badge, badgeSvg } from './badge-svg.ts';

const purple = 'rgb(115, 31, 77)';
const grey = 'rgb(41, 52, 61)';
const green = 'rgb(11, 97, 42)';

const healthColors: Readonly<Record<string, string>> = {
  Degraded: 'rgb(167, 46, 38)',
  Healthy: green,
  Missing: purple,
  Progressing: 'rgb(16, 61, 102)',
  Suspended: grey,
  Unknown: purple,
};
const syncColors: Readonly<Record<string, string>> = { Synced: green, OutOfSync: 'rgb(189, 115, 0)', Unknown: purple };

/** Longer names are refused, as by Kubernetes. */
const dnsLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;
const dnsSubdomain = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/u;
const maxWidth = 10_000;

/** `/api/badge`: the status of an Application, or of all of some projects, as an image. Anybody may read it, if `statusbadge.enabled`. */
export const badgeHandler =
  (server: Server): PathHandler =>
  (_, response, { searchParams }) => {
    const badge = badgeOf(server, searchParams);
    if (badge === 'invalid') return void response.writeHead(400).end();
    response.writeHead(200, {
      'content-type': 'image/svg+xml',
      // A badge must not become stale.
      'cache-control': 'private, no-store',
      'access-control-allow-origin': '*',
    });
    response.end(badgeSvg(badge));
  };

interface Shown {
  readonly health: string;
  readonly sync: string;
  readonly application?: Application;
}

const unknown: Shown = { health: 'Unknown', sync: 'Unknown' };

function badgeOf(server: Server, query: URLSearchParams): Badge | 'invalid' {
  if (!server.isOn('statusbadge.enabled')) return withColors(unknown);
  const shown = statusOf(server, query);
  if (shown === 'invalid') return shown;
  const isTrue = (name: string): boolean => query.get(name)?.toLowerCase() === 'true';
  const { application } = shown;
  const revision = isTrue('revision') ? (application ? syncedRevision(application) : '') : '';
  const isFull = isTrue('keepFullRevision') || revision.length <= 7;
  const width = /^[+-]?\d+$/u.test(query.get('width') ?? '') ? Number(query.get('width')) : undefined;
  return {
    ...withColors(shown),
    ...(revision === '' ? {} : { revision: isFull ? revision : revision.slice(0, 7) }),
    ...(application && isTrue('showAppName') ? { title: application.metadata.name ?? '' } : {}),
    ...(width === undefined ? {} : { width: Math.max(-maxWidth, Math.min(maxWidth, width)) }),
  };
}

function statusOf(server: Server, query: URLSearchParams): Shown | 'invalid' {
  const { namespace: own, applications } = server.state;
  const namespace = query.get('namespace') ?? own;
  if (query.has('namespace') && !dnsLabel.test(namespace)) return 'invalid';
  const { applicationNamespaces = [] } = server.options;
  if (!isWatchedNamespace({ namespace: own, applicationNamespaces }, namespace)) return notFound;
  const name = query.get('name');
  if (name !== null && !dnsSubdomain.test(name)) return 'invalid';
  const application = name === null ? undefined : applications.get(`${namespace}/${name}`);
  if (name !== null && !application) return notFound;
  const { status } = application ?? {};
  const one: Shown = application
    ? { health: status?.health?.status ?? '', sync: status?.sync?.status ?? '', application }
    : unknown;
  const projects = query.getAll('project');
  if (!projects.every((project) => project === '' || dnsLabel.test(project.toLowerCase()))) return 'invalid';
  if (projects.length === 0) return one;
  const members = applications
    .list()
    .filter(({ metadata, spec }) => metadata.namespace === namespace && projects.includes(spec.project || 'default'));
  return { ...one, ...summary(members, one) };
}

const notFound: Shown = { health: '', sync: '' };

/** All Applications are Synced and Healthy, or some are not. One that cannot be compared is not Synced, and nothing is known of its health. */
function summary(members: readonly Application[], before: Shown): Pick<Shown, 'health' | 'sync'> {
  if (members.length === 0) return before;
  const isCompared = ({ status }: Application): boolean =>
    status?.sync?.status !== 'Unknown' || status.health?.status !== 'Unknown';
  const isHealthy = members.filter(isCompared).every(({ status }) => status?.health?.status === 'Healthy');
  const isSynced = members.every(({ status }) => status?.sync?.status === 'Synced');
  return { health: isHealthy ? 'Healthy' : 'Degraded', sync: isSynced ? 'Synced' : 'OutOfSync' };
}

function withColors(shown: Shown): Badge {
  if (shown === notFound) return { left: { text: 'Not Found', color: purple }, right: { text: '', color: purple } };
  const { health, sync } = shown;
  return {
    left: { text: health, color: healthColors[health] ?? grey },
    right: { text: sync, color: syncColors[sync] ?? grey },
  };
}

function syncedRevision({ status }: Application): string {
  const { revisions = [], revision = '' } = status?.operationState?.syncResult ?? {};
  return revisions[0] ?? revision;
}
