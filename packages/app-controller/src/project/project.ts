import type { ApplicationSource, AppProject } from '@fairlead/api';
import { parseRepositoryUrl, permissionPattern, permissionText, type RepositoryUrl } from '@fairlead/apimachinery';
import type { ResourceId } from '@fairlead/engine';
import { globProblem, matchesGlob } from '../glob.ts';
import { isNamespaceNamed } from './application-namespaces.ts';

/** A cluster as projects refer to it. */
export interface DestinationCluster {
  readonly server: string;
  readonly name: string;
  /** The project that it belongs to, if it belongs to one. */
  readonly project?: string;
}

const denies = (pattern: string): boolean => pattern.startsWith('!');

function matches(pattern: string | undefined, text: string, separator = ''): boolean {
  if (pattern === undefined || pattern === '') return text === '';
  if (!denies(pattern)) return pattern === '*' || matchesGlob(pattern, text, separator);
  // An invalid denial denies everything.
  return globProblem(pattern.slice(1)) === undefined && !matchesGlob(pattern.slice(1), text, separator);
}

/** A repository that one pattern permits and none denies. An address that does not parse is never permitted. */
export const isSourcePermitted = (project: AppProject, { repoURL }: Pick<ApplicationSource, 'repoURL'>): boolean =>
  whySourceRefused(project, repoURL) === undefined;

/** Why the project does not permit a source; undefined when it does. */
export function whySourceRefused(project: AppProject, repoURL: string): string | undefined {
  const { url, problem } = parseRepositoryUrl(repoURL);
  if (!url) return `application repo ${redactUrl(repoURL)} is not valid: ${problem}`;
  if (isUrlPermitted(project, url)) return undefined;
  return `application repo ${repoURL} is not permitted in project '${project.metadata.name}'`;
}

export function isUrlPermitted({ spec }: AppProject, url: RepositoryUrl): boolean {
  const text = permissionText(url);
  let admitted = false;
  for (const entry of spec.sourceRepos ?? []) {
    const pattern = denies(entry) ? `!${permissionPattern(entry.slice(1))}` : permissionPattern(entry);
    if (matches(pattern, text, '/')) admitted = true;
    else if (denies(pattern)) return false;
  }
  return admitted;
}

/** Without the text before the last `@`: the password of an address that does not parse may contain any character. */
const redactUrl = (text: string): string => text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/isu, '$1***@').slice(0, 200);

/** A cluster and namespace that one entry permits and none denies; only clusters of the project, if it permits no others. */
export function isDestinationPermitted(
  { metadata, spec }: AppProject,
  cluster: DestinationCluster,
  namespace: string,
): boolean {
  if (spec.permitOnlyProjectScopedClusters && cluster.project !== metadata.name) return false;
  let admitted = false;
  for (const entry of spec.destinations ?? []) {
    const byName = (entry.name ?? '') !== '' && matches(entry.name, cluster.name);
    const byServer = (entry.server ?? '') !== '' && matches(entry.server, cluster.server);
    const there = matches(entry.namespace ?? '', namespace);
    if ((byName || byServer) && there) admitted = true;
    else if ((denies(entry.name ?? '') && !byName) || (there && denies(entry.server ?? '') && !byServer)) return false;
    else if (!there && denies(entry.namespace ?? '') && (byServer || byName)) return false;
  }
  return admitted;
}

interface KindPattern {
  readonly group: string;
  readonly kind: string;
  readonly name?: string;
}

const isListed = (list: readonly KindPattern[], { group, kind, name }: ResourceId): boolean =>
  list.some(
    (entry) =>
      matches(entry.group === '' ? '' : entry.group, group) &&
      matches(entry.kind, kind) &&
      (!entry.name || matches(entry.name, name)),
  );

/** Why a project does not permit an object. */
export interface Refusal {
  /** The violation: the kind of the object (perhaps only with this name), or its namespace. */
  readonly of: 'kind' | 'namespace';
  /** The same message as Argo CD. */
  readonly message: string;
  /** The field that forbids it. */
  readonly advice: string;
}

/** Why the project does not permit an object; undefined when it does. */
export function resourceRefusal(project: AppProject, cluster: DestinationCluster, id: ResourceId): Refusal | undefined {
  const advice = kindRefusal(project, id);
  const { name } = project.metadata;
  if (advice)
    return { of: 'kind', message: `resource ${id.group}:${id.kind} is not permitted in project ${name}`, advice };
  if (id.namespace === '' || isDestinationPermitted(project, cluster, id.namespace)) return undefined;
  return {
    of: 'namespace',
    message: `namespace ${id.namespace} is not permitted in project '${name}'`,
    advice: `none of its destinations permits namespace '${id.namespace}' of ${cluster.server}`,
  };
}

function kindRefusal({ spec }: AppProject, id: ResourceId): string | undefined {
  const kind = `${id.group}/${id.kind}`;
  const scope = id.namespace === '' ? 'cluster' : 'namespace';
  const [whitelist, blacklist] = [spec[`${scope}ResourceWhitelist`], spec[`${scope}ResourceBlacklist`]];
  // Without a list, all namespaced kinds are permitted, and no cluster-scoped kind.
  if (whitelist === undefined ? scope === 'cluster' : !isListed(whitelist, id))
    return `add ${kind} to its ${scope}ResourceWhitelist to permit it`;
  return isListed(blacklist ?? [], id) ? `its ${scope}ResourceBlacklist refuses ${kind}` : undefined;
}

/** Whether the project permits an object of this kind, and its namespace if it has one. */
export const isResourcePermitted = (project: AppProject, cluster: DestinationCluster, id: ResourceId): boolean =>
  resourceRefusal(project, cluster, id) === undefined;

/** Whether Applications of the project may live in a namespace that is not the control plane's. */
export const isSourceNamespacePermitted = ({ spec }: AppProject, namespace: string): boolean =>
  isNamespaceNamed(spec.sourceNamespaces ?? [], namespace);
