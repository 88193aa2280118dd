import type { ApplicationSource, AppProject } from '@fairlead/api';
import type { ResourceId } from '@fairlead/engine';
import { normalizeGitUrl } from '@fairlead/source';
import { globProblem, matchesGlob } from '../glob.ts';
import { isNamespaceNamed } from './application-namespaces.ts';

/** A cluster as projects name it. */
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
  // A denial that cannot be read denies all.
  return globProblem(pattern.slice(1)) === undefined && !matchesGlob(pattern.slice(1), text, separator);
}

/** A repository that one pattern admits and none denies. */
export function isSourcePermitted({ spec }: AppProject, source: ApplicationSource): boolean {
  const url = normalizeGitUrl(source.repoURL);
  let admitted = false;
  for (const text of spec.sourceRepos ?? []) {
    const pattern = denies(text) ? `!${normalizePattern(text.slice(1))}` : normalizePattern(text);
    if (matches(pattern, url, '/')) admitted = true;
    else if (denies(pattern)) return false;
  }
  return admitted;
}

/** A pattern that is a plain URL is compared in the same form as the URLs. */
const normalizePattern = (pattern: string): string =>
  /[*?[{]/u.test(pattern) ? pattern.replace(/\.git$/u, '') : normalizeGitUrl(pattern);

/** A cluster and namespace that one entry admits and none denies; of the project's own, where it permits no others. */
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

/** Why the project does not permit an object, in a few words that name the field; undefined when it does. */
export function whyResourceRefused(
  project: AppProject,
  cluster: DestinationCluster,
  id: ResourceId,
): string | undefined {
  const { spec } = project;
  const kind = `${id.group}/${id.kind}`;
  if (id.namespace === '') {
    if (!isListed(spec.clusterResourceWhitelist ?? [], id))
      return `add ${kind} to its clusterResourceWhitelist to permit it`;
    return isListed(spec.clusterResourceBlacklist ?? [], id)
      ? `its clusterResourceBlacklist refuses ${kind}`
      : undefined;
  }
  if (spec.namespaceResourceWhitelist !== undefined && !isListed(spec.namespaceResourceWhitelist, id))
    return `add ${kind} to its namespaceResourceWhitelist to permit it`;
  if (isListed(spec.namespaceResourceBlacklist ?? [], id)) return `its namespaceResourceBlacklist refuses ${kind}`;
  return isDestinationPermitted(project, cluster, id.namespace)
    ? undefined
    : `none of its destinations permits namespace '${id.namespace}' of ${cluster.server}`;
}

/** Whether the project permits an object of this kind, and in this namespace where it has one. */
export const isResourcePermitted = (project: AppProject, cluster: DestinationCluster, id: ResourceId): boolean =>
  whyResourceRefused(project, cluster, id) === undefined;

/** Whether Applications of the project may live in a namespace that is not the control plane's. */
export const isSourceNamespacePermitted = ({ spec }: AppProject, namespace: string): boolean =>
  isNamespaceNamed(spec.sourceNamespaces ?? [], namespace);
