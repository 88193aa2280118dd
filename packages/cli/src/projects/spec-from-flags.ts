import type { AppProject } from '@fairlead/api';
import { CliError } from '../cli-error.ts';

type Spec = AppProject['spec'];

export interface ProjectFlags {
  readonly description?: string;
  readonly src?: readonly string[];
  readonly dest?: readonly string[];
  readonly 'source-namespaces'?: readonly string[];
  readonly 'allow-cluster-resource'?: readonly string[];
  readonly 'deny-cluster-resource'?: readonly string[];
  readonly 'allow-namespaced-resource'?: readonly string[];
  readonly 'deny-namespaced-resource'?: readonly string[];
  readonly 'orphaned-resources'?: boolean;
  readonly 'orphaned-resources-warn'?: boolean;
}

/** The spec of a project with the fields that flags name. */
export function projectSpecFromFlags(spec: Spec, flags: ProjectFlags): Spec {
  const kinds = (texts: readonly string[]) => texts.map(readKind);
  const orphaned = flags['orphaned-resources'];
  return {
    ...withoutOrphaned(spec, orphaned),
    ...(flags.description === undefined ? {} : { description: flags.description }),
    ...(flags.src ? { sourceRepos: [...flags.src] } : {}),
    ...(flags.dest ? { destinations: flags.dest.map(readDestination) } : {}),
    ...(flags['source-namespaces'] ? { sourceNamespaces: [...flags['source-namespaces']] } : {}),
    ...(flags['allow-cluster-resource'] ? { clusterResourceWhitelist: kinds(flags['allow-cluster-resource']) } : {}),
    ...(flags['deny-cluster-resource'] ? { clusterResourceBlacklist: kinds(flags['deny-cluster-resource']) } : {}),
    ...(flags['allow-namespaced-resource']
      ? { namespaceResourceWhitelist: kinds(flags['allow-namespaced-resource']) }
      : {}),
    ...(flags['deny-namespaced-resource']
      ? { namespaceResourceBlacklist: kinds(flags['deny-namespaced-resource']) }
      : {}),
    ...(orphaned
      ? {
          orphanedResources: {
            ...spec.orphanedResources,
            ...(flags['orphaned-resources-warn'] === undefined ? {} : { warn: flags['orphaned-resources-warn'] }),
          },
        }
      : {}),
  };
}

function withoutOrphaned(spec: Spec, orphaned: boolean | undefined): Spec {
  if (orphaned !== false) return spec;
  const { orphanedResources: _, ...rest } = spec;
  return rest;
}

/** `SERVER,NAMESPACE`; what is not an address is the name of a cluster. */
function readDestination(text: string): { server?: string; name?: string; namespace: string } {
  const [cluster = '', namespace = '', ...more] = text.split(',');
  if (cluster === '' || namespace === '' || more.length > 0)
    throw new CliError(`invalid --dest ${text}: use SERVER,NAMESPACE, such as https://kubernetes.default.svc,shop`);
  return destinationOf(cluster, namespace, false);
}

export const destinationOf = (
  cluster: string,
  namespace: string,
  byName: boolean,
): { server?: string; name?: string; namespace: string } =>
  byName || !(cluster.includes('://') || cluster === '*')
    ? { name: cluster, namespace }
    : { server: cluster, namespace };

function readKind(text: string): { group: string; kind: string } {
  const slash = text.lastIndexOf('/');
  const [group, kind] = slash < 0 ? ['', text] : [text.slice(0, slash), text.slice(slash + 1)];
  if (kind === '') throw new CliError(`invalid kind ${text}: use GROUP/KIND, such as apps/Deployment, or Namespace`);
  return { group, kind };
}
