import { basePath, type EndpointId, endpointIds, endpointOf } from '../api/endpoints.ts';

export interface MatchedEndpoint {
  readonly id: EndpointId;
  readonly path: Readonly<Record<string, string>>;
}

const split = endpointIds.map((id) => ({ id, parts: endpointOf(id).path.split('/').slice(1) }));

/** The endpoint of a request; `method` if its path exists with another method only. */
export function matchEndpoint(method: string, pathname: string): MatchedEndpoint | 'method' | undefined {
  if (!pathname.startsWith(`${basePath}/`)) return undefined;
  const parts = pathname.slice(basePath.length + 1).split('/');
  let isKnown = false;
  for (const { id, parts: template } of split) {
    const path = valuesOf(template, parts);
    if (!path) continue;
    if (endpointOf(id).method === method) return { id, path };
    isKnown = true;
  }
  return isKnown ? 'method' : undefined;
}

function valuesOf(template: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (template.length !== parts.length) return undefined;
  const values: Record<string, string> = {};
  for (const [i, expected] of template.entries()) {
    const part = parts[i] ?? '';
    if (!expected.startsWith('{')) {
      if (part !== expected) return undefined;
      continue;
    }
    const value = decoded(part);
    if (value === undefined || value === '') return undefined;
    values[expected.slice(1, -1)] = value;
  }
  return values;
}

/** Undefined if it is not UTF-8: no object has such a name. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
