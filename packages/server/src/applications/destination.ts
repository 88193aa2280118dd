import type { Application } from '@fairlead/api';
import { type Secret, secretValue } from '@fairlead/apimachinery';
import { inClusterName, inClusterServer, readClusterSecret } from '@fairlead/app-controller';

/** A cluster as destinations name it. */
export interface KnownCluster {
  readonly server: string;
  readonly name: string;
  readonly project?: string;
}

export const isClusterSecret = ({ metadata }: Secret): boolean =>
  metadata.labels?.['argocd.argoproj.io/secret-type'] === 'cluster';

/** The clusters that Secrets describe, and the one that the server runs on. Secrets that cannot be read are left out. */
export function knownClusters(secrets: readonly Secret[]): KnownCluster[] {
  const described = secrets.filter(isClusterSecret).flatMap((secret): KnownCluster[] => {
    const read = readClusterSecret(secret);
    if ('problem' in read) return [];
    const project = secretValue(secret, 'project') ?? '';
    return [{ server: read.server, name: read.name, ...(project === '' ? {} : { project }) }];
  });
  const isOwn = described.some(({ server }) => server === inClusterServer);
  return isOwn ? described : [...described, { server: inClusterServer, name: inClusterName }];
}

/** The cluster of a destination, or why there is none, in Argo CD's words. */
export function destinationCluster(
  { server = '', name = '' }: Application['spec']['destination'],
  clusters: readonly KnownCluster[],
): KnownCluster | string {
  if (server !== '' && name !== '') {
    return `application destination can't have both name and server defined: ${name} ${server}`;
  }
  if (server !== '') {
    const found = clusters.find((cluster) => cluster.server === server);
    return (
      found ??
      `error getting cluster by server "${server}": rpc error: code = NotFound desc = cluster "${server}" not found`
    );
  }
  if (name === '') return 'Destination server missing from app spec';
  const named = clusters.filter((cluster) => cluster.name === name);
  if (named.length > 1) {
    return `there are ${named.length} clusters with the same name: [${named.map((cluster) => cluster.server).join(' ')}]`;
  }
  return named[0] ?? `there are no clusters with this name: ${name}`;
}
