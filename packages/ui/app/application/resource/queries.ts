import { objectsAt, textAt } from '@fairlead/apimachinery/json-at';
import { queryOptions } from '@tanstack/react-query';
import { applicationPath, get } from '../../api/argocd.ts';
import type { AppRef } from '../queries.ts';
import type { TreeItem } from '../tree/tree-model.ts';

type ResourceRef = Pick<TreeItem, 'group' | 'version' | 'kind' | 'namespace' | 'name'>;

/** The parameters of every call about one object. */
export const resourceParams = (app: AppRef, { group, version, kind, namespace, name }: ResourceRef) => ({
  appNamespace: app.namespace,
  namespace,
  resourceName: name,
  version,
  group,
  kind,
});

export const sameResource =
  (a: Omit<ResourceRef, 'version'>) =>
  (b: Omit<ResourceRef, 'version'>): boolean =>
    a.group === b.group && a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;

export const liveObjectQuery = (app: AppRef, item: TreeItem) =>
  queryOptions({
    queryKey: ['application', app.namespace, app.name, 'live', item.id],
    queryFn: async ({ signal }): Promise<unknown> => {
      const answer = await get(applicationPath(app.name, 'resource'), resourceParams(app, item), signal);
      return JSON.parse(textAt(answer, 'manifest'));
    },
    enabled: item.uid !== '',
  });

export interface ResourceAction {
  readonly name: string;
  readonly title: string;
  readonly isDisabled: boolean;
}

export const actionsQuery = (app: AppRef, item: TreeItem) =>
  queryOptions({
    queryKey: ['application', app.namespace, app.name, 'actions', item.id],
    queryFn: async ({ signal }): Promise<readonly ResourceAction[]> => {
      const answer = await get(applicationPath(app.name, 'resource/actions'), resourceParams(app, item), signal);
      return objectsAt(answer, 'actions').map((action) => ({
        name: textAt(action, 'name'),
        title: textAt(action, 'displayName') || textAt(action, 'name'),
        isDisabled: action['disabled'] === true,
      }));
    },
    enabled: item.uid !== '',
    retry: false,
  });
