import { type ApplicationSet, applicationSetKind } from '@fairlead/api';
import {
  isObject,
  type JsonObject,
  listAt,
  messageOf,
  objectsAt,
  parseLabelSelector,
  textAt,
} from '@fairlead/apimachinery';
import { findSet, mayGetSet, projectOfSet } from '../../applicationsets/set-access.ts';
import { withCurrentResources } from '../../applicationsets/set-resources.ts';
import { listEvents } from '../../events/list-events.ts';
import type { Calls } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import { isEnabled, unknown } from '../application/requests.ts';
import { withoutKind } from '../project.ts';

const { type } = applicationSetKind;

export const readSetCalls = (server: Server): Calls => {
  const { client, namespace: own } = server.state;
  return {
    'ApplicationSet.List': async (context, request) => {
      const matches = setSelector(request, 'error parsing the selector');
      const given = textAt(request, 'appsetNamespace');
      const namespace = given || ((server.options.applicationNamespaces ?? []).length > 0 ? undefined : own);
      const { items, resourceVersion } =
        namespace !== undefined && !isEnabled(server, namespace)
          ? { items: [], resourceVersion: '0' }
          : await client.list<ApplicationSet>(type, namespace === undefined ? {} : { namespace });
      const visible = items
        .filter((set) => matches(set) && isEnabled(server, set.metadata.namespace ?? ''))
        .filter((set) => mayGetSet(server, context, set))
        .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
      return {
        metadata: { resourceVersion },
        items: visible.map((set) => withoutKind(withCurrentResources(set, server.state.applications))),
      };
    },

    'ApplicationSet.Get': async (context, request) => withoutKind(await findSet(server, context, request)),

    'ApplicationSet.ResourceTree': async (context, request) => treeOf(await findSet(server, context, request)),

    'ApplicationSet.ListResourceEvents': async (context, request) => {
      const { metadata } = await findSet(server, context, request);
      const namespace = metadata.namespace ?? '';
      return listEvents(client, namespace, { namespace, name: metadata.name ?? '', uid: metadata.uid ?? '' });
    },
  };
};

/** Which ApplicationSets a request is about. */
export function setSelector(request: JsonObject, failed: string): (set: ApplicationSet) => boolean {
  const selector = readSelector(textAt(request, 'selector'), failed);
  const projects = new Set(listAt(request, 'projects').map(String));
  return (set) =>
    (projects.size === 0 || projects.has(projectOfSet(set))) && selector.matches(set.metadata.labels ?? {});
}

function readSelector(text: string, failed: string): ReturnType<typeof parseLabelSelector> {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw unknown(`${failed}: ${messageOf(error)}`);
  }
}

/** The Applications of an ApplicationSet, as its status lists them. */
function treeOf({ metadata, status }: ApplicationSet): object {
  const { group, version, kind } = type;
  const { namespace = '', name = '', uid = '' } = metadata;
  const parentRefs = [{ group, version, kind, namespace, name, uid }];
  const nodes = objectsAt(status ?? {}, 'resources').map((resource) => ({
    group: textAt(resource, 'group'),
    version: textAt(resource, 'version'),
    kind: textAt(resource, 'kind'),
    namespace,
    name: textAt(resource, 'name'),
    parentRefs,
    ...(isObject(resource['health']) ? { health: resource['health'] } : {}),
  }));
  return { nodes: nodes.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
