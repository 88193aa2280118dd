import { isExpired, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import type { ApiClient, ListOptions, ObjectList } from './api-client.ts';

export const defaultPageSize = 500;

/**
 * Every object of a list, page by page, as one list at one resourceVersion. If the list expires on the server in between (410), it is
 * requested again without pages: a list so long that its pages expire would expire again.
 */
export async function listAll<T extends KubeObject = KubeObject>(
  client: Pick<ApiClient, 'list'>,
  type: ResourceType,
  options: ListOptions = {},
  /** Transforms each object. */
  keep: (object: T) => T = (object) => object,
): Promise<ObjectList<T>> {
  const limit = options.limit ?? defaultPageSize;
  const first = await client.list<T>(type, { ...options, limit });
  const items = first.items.map(keep);
  if (!first.continue) return { ...first, items };
  // A continue token carries its own resourceVersion; naming one in addition is an error.
  const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
  try {
    for (let next: string | undefined = first.continue; next; ) {
      const page: ObjectList<T> = await client.list<T>(type, { ...rest, limit, continue: next });
      items.push(...page.items.map(keep));
      next = page.continue;
    }
  } catch (error) {
    if (!isExpired(error)) throw error;
    const { limit: ___, ...whole } = options;
    const list = await client.list<T>(type, whole);
    return { ...list, items: list.items.map(keep) };
  }
  return { items, resourceVersion: first.resourceVersion };
}
