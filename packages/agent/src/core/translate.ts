import {
  gpgKeysName,
  isSource,
  kindInfo,
  type MirroredKind,
  type MirroredObject,
  repositorySecretTypes,
  secretTypeLabel,
  sourceUidOf,
} from './kinds.ts';
import { isLinkedNamespace, locationOf, matchesName as matches } from './link-names.ts';
import { isOwnMirror } from './owner.ts';
import { isByDestination, type Side } from './side.ts';

/** Projects of autonomous agents share one namespace of the hub, so their names get a prefix. */
const prefix = (side: Side): string => `${side.agent}-`;
const isRenamed = (side: Side, kind: MirroredKind): boolean =>
  side.role === 'principal' && side.mode === 'autonomous' && kind === 'AppProject';

/** The name on this side of an object that the source calls `name`. */
export const localName = (side: Side, kind: MirroredKind, name: string): string =>
  isRenamed(side, kind) ? `${prefix(side)}${name}` : name;

/** The source's name of a mirror of this side; `name` is the mirror's name on the link. */
export const sourceName = (side: Side, kind: MirroredKind, name: string): string =>
  isRenamed(side, kind) ? name.slice(prefix(side).length) : name;

type Destination = { name?: string; server?: string; namespace?: string };

/** Whether an object of this side is part of this link: on the source's side its objects, on the other side their mirrors. */
export function belongs(
  side: Side,
  kind: MirroredKind,
  object: MirroredObject,
  projects: (name: string) => MirroredObject | undefined,
): boolean {
  if (!isLinkedNamespace(side, kind, object.metadata.namespace)) return false;
  if (kind === 'GPGKey' && object.metadata.name !== gpgKeysName) return false;
  const mirrored = sourceUidOf(object) !== undefined;
  if (!isSource(side.role, side.mode)) return isOwnMirror(side, kind, object);
  if (mirrored && side.role === 'principal') return false;
  if (kind === 'Repository' && !repositorySecretTypes.includes(object.metadata.labels?.[secretTypeLabel] ?? ''))
    return false;
  // Argo CD installs it without keys: that does not replace the keys of an agent's cluster.
  if (kind === 'GPGKey') return Object.keys(object.data ?? {}).length > 0;
  if (side.role === 'agent') return true;
  if (kind === 'Application') return !isByDestination(side) || destinationOf(object) === side.agent;
  if (kind === 'AppProject') return projectNames(side, object);
  const project = projects(textOf(object.data?.['project']));
  return project !== undefined && projectNames(side, project);
}

/** The cluster that an Application names as its destination. */
export const destinationOf = (application: MirroredObject): string =>
  (application.spec?.['destination'] as Destination | undefined)?.name ?? '';

const textOf = (base64: unknown): string =>
  typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString() : '';

/** Whether a project permits Applications of the agent to deploy to its cluster. */
export function projectNames(side: Side, project: MirroredObject): boolean {
  const { agent } = side;
  const destinations = (project.spec?.['destinations'] ?? []) as Destination[];
  const denied = destinations.some(({ name }) => name?.startsWith('!') && matches(name.slice(1), agent));
  if (denied || !destinations.some((destination) => destinationNames(agent, destination))) return false;
  // Applications in the control plane's namespace may use every project.
  if (isByDestination(side)) return true;
  const namespaces = (project.spec?.['sourceNamespaces'] ?? []) as string[];
  return namespaces.some((pattern) => matches(pattern, agent));
}

function destinationNames(agent: string, { name, server }: Destination): boolean {
  if (name) return matches(name, agent);
  if (server === '*') return true;
  const named = URL.canParse(server ?? '') ? new URL(server ?? '').searchParams.get('agentName') : undefined;
  return named ? matches(named, agent) : false;
}

/** A source's object as it is sent. */
export function outgoing(side: Side, kind: MirroredKind, object: MirroredObject): MirroredObject {
  if (kind !== 'AppProject' || side.mode !== 'managed') return object;
  let sent = outgoingProjects.get(object);
  if (!sent) outgoingProjects.set(object, (sent = new Map()));
  let own = sent.get(side.agent);
  if (!own) sent.set(side.agent, (own = projectForAgent(side, object)));
  return own;
}

const outgoingProjects = new WeakMap<MirroredObject, Map<string, MirroredObject>>();

/** The part of a project that concerns the agent. Roles of the hub are not part of it. */
function projectForAgent(side: Side, project: MirroredObject): MirroredObject {
  const { agent } = side;
  const { sourceNamespaces, roles: _, ...spec } = project.spec ?? {};
  const destinations = ((spec['destinations'] ?? []) as Destination[])
    .filter((destination) => !destination.name?.startsWith('!') && destinationNames(agent, destination))
    .map((destination) => ({ ...destination, name: 'in-cluster', server: 'https://kubernetes.default.svc' }));
  // Namespaces of the hub mean nothing to the agent, unless its Applications are in the same ones.
  const kept = isByDestination(side) && sourceNamespaces ? { sourceNamespaces } : {};
  return { ...project, spec: { ...spec, ...kept, destinations } };
}

/** A received object as this side writes it: name, namespace and destination are this side's. `name` is the name on the link. */
export function incoming(
  side: Side,
  kind: MirroredKind,
  object: MirroredObject,
  name = object.metadata.name,
): MirroredObject {
  const { labels, annotations, finalizers } = object.metadata;
  const { body } = kindInfo[kind];
  const metadata = {
    ...locationOf(side, kind, localName(side, kind, name)),
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
    // Nothing on the hub would remove the finalizers of an autonomous agent's Applications.
    ...(finalizers && side.mode === 'managed' ? { finalizers } : {}),
  };
  const { type } = kindInfo[kind];
  return {
    apiVersion: type.group ? `${type.group}/${type.version}` : type.version,
    kind: type.kind,
    metadata,
    ...(body === 'data' ? { data: object.data ?? {} } : { spec: incomingSpec(side, kind, object) }),
    ...(object.type ? { type: object.type } : {}),
    ...(side.mode === 'autonomous' && object.status ? { status: object.status } : {}),
  };
}

function incomingSpec(side: Side, kind: MirroredKind, object: MirroredObject): Record<string, unknown> {
  const spec = object.spec ?? {};
  if (kind === 'Application') {
    const { server: _, name: __, ...destination } = (spec['destination'] ?? {}) as Destination;
    if (side.mode === 'managed') return { ...spec, destination: { ...destination, name: 'in-cluster' } };
    const project = `${prefix(side)}${String(spec['project'] ?? 'default')}`;
    return { ...spec, project, destination: { ...destination, name: side.agent } };
  }
  if (side.mode === 'managed') return spec;
  const destinations = ((spec['destinations'] ?? []) as Destination[]).map((destination) => ({
    ...destination,
    name: side.agent,
    server: '*',
  }));
  const roles = (spec['roles'] as { name: string; policies?: string[] }[] | undefined)?.map((role) => ({
    ...role,
    ...(role.policies ? { policies: role.policies.map((line) => hubPolicy(side, object.metadata.name, line)) } : {}),
  }));
  return { ...spec, destinations, sourceNamespaces: [side.agent], ...(roles ? { roles } : {}) };
}

/** Rewrites the policy `p, proj:P:ROLE, applications, VERB, P/APP, allow` of an agent's project P for the hub. */
function hubPolicy(side: Side, project: string, line: string): string {
  const fields = line.split(',').map((field) => field.trim());
  const [p, subject = '', resource = '', verb, object = '', effect] = fields;
  const concerned = ['applications', 'applicationsets', 'logs', 'exec'].includes(resource);
  if (fields.length !== 6 || p !== 'p' || !concerned || !subject.startsWith(`proj:${project}:`)) return line;
  const [owner, name, more] = object.split('/');
  if (owner !== project || name === undefined || more !== undefined) return line;
  const renamed = `${prefix(side)}${project}`;
  const role = subject.slice(`proj:${project}:`.length);
  return ['p', `proj:${renamed}:${role}`, resource, verb, `${renamed}/${side.agent}/${name}`, effect].join(', ');
}
