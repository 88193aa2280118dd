import { listAt, objectsAt, textAt } from '@fairlead/apimachinery';
import type { RestApi } from '../../api-server/rest-api.ts';
import type { ClusterRow, RepositoryRow } from '../backend.ts';

export async function clusterRows(api: RestApi): Promise<ClusterRow[]> {
  const answer = await api.call({ path: '/api/v1/clusters' });
  return objectsAt(answer, 'items').map((one) => ({
    name: textAt(one, 'name') || textAt(one, 'server'),
    server: textAt(one, 'server'),
    namespaces: listAt(one, 'namespaces').map(String).join(','),
    project: textAt(one, 'project'),
  }));
}

export async function repositoryRows(api: RestApi): Promise<RepositoryRow[]> {
  const [single, prefixes] = await Promise.all([
    api.call({ path: '/api/v1/repositories' }),
    api.call({ path: '/api/v1/repocreds' }),
  ]);
  const row = (one: unknown, of: RepositoryRow['of'], name: string): RepositoryRow => ({
    name,
    type: textAt(one, 'type') || 'git',
    of,
    project: textAt(one, 'project'),
    // The server tells no more than the name of the user.
    credentials: textAt(one, 'username') === '' ? 'not shown' : 'password',
  });
  return [
    ...objectsAt(single, 'items').map((one) => row(one, 'repository', textAt(one, 'repo'))),
    ...objectsAt(prefixes, 'items').map((one) => row(one, 'prefix', textAt(one, 'url'))),
  ];
}
