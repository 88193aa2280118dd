import { type JsonObject, objectAt, objectsAt, textAt } from '@fairlead/apimachinery/json-at';
import { textsAt } from '../../api/read-application.ts';
import { filled } from '../../design/lines-field.tsx';

/** What the form of a project has. Lists have one entry per line. */
export interface ProjectDraft {
  readonly name: string;
  readonly description: string;
  readonly sourceRepos: readonly string[];
  /** `CLUSTER/NAMESPACE`; a cluster is a name or a server. */
  readonly destinations: readonly string[];
  /** `GROUP/KIND`; the core group is empty. */
  readonly clusterResources: readonly string[];
}

export const emptyProject: ProjectDraft = {
  name: '',
  description: '',
  sourceRepos: ['*'],
  destinations: ['in-cluster/*'],
  clusterResources: [],
};

export const projectDraft = (project: unknown): ProjectDraft => ({
  name: textAt(project, 'metadata', 'name'),
  description: textAt(project, 'spec', 'description'),
  sourceRepos: textsAt(project, 'spec', 'sourceRepos'),
  destinations: objectsAt(project, 'spec', 'destinations').map(
    (one) => `${textAt(one, 'name') || textAt(one, 'server')}/${textAt(one, 'namespace')}`,
  ),
  clusterResources: objectsAt(project, 'spec', 'clusterResourceWhitelist').map(
    (one) => `${textAt(one, 'group')}/${textAt(one, 'kind')}`,
  ),
});

/** The project of a draft. What the form does not have stays as it is. */
export function projectOf(draft: ProjectDraft, before: JsonObject = {}): JsonObject {
  const metadata = objectAt(before, 'metadata') ?? {};
  return {
    ...before,
    metadata: { ...metadata, name: draft.name },
    spec: {
      ...objectAt(before, 'spec'),
      description: draft.description,
      sourceRepos: filled(draft.sourceRepos),
      destinations: filled(draft.destinations).map(destinationOf),
      clusterResourceWhitelist: filled(draft.clusterResources).map((line) => {
        const slash = line.indexOf('/');
        return { group: slash < 0 ? '' : line.slice(0, slash), kind: line.slice(slash + 1) };
      }),
    },
  };
}

/** The namespace is what follows the last slash: a server has slashes too. */
function destinationOf(line: string): JsonObject {
  const slash = line.lastIndexOf('/');
  const [cluster, namespace] = slash < 0 ? [line, ''] : [line.slice(0, slash), line.slice(slash + 1)];
  return cluster === '*' || /^https?:\/\//u.test(cluster)
    ? { server: cluster, namespace }
    : { name: cluster, namespace };
}
