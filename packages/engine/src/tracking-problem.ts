import { isJsonObject, type KubeObject } from '@fairlead/apimachinery';
import { groupOf, versionOf } from './resource-id.ts';
import type { TrackingSettings } from './tracking.ts';

/**
 * Why a manifest cannot be tracked, with the same message as Argo CD: the labels or annotations for the tracking id are not a map of
 * strings, usually because of missing quotes. Undefined if it can. Other fields are validated by the server.
 */
export function trackingProblem(object: KubeObject, settings: TrackingSettings): string | undefined {
  const { method, installationId } = settings;
  const { apiVersion, kind, metadata } = object;
  const what = `${groupOf(apiVersion)}/${versionOf(apiVersion)}, Kind=${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  const annotations = method === 'label' ? undefined : textsProblem('annotations', metadata.annotations);
  if (annotations !== undefined)
    return `failed to get annotations ${installationId === '' ? 'for' : 'from target object'} ${what}: ${annotations}`;
  const labels = method === 'annotation' ? undefined : textsProblem('labels', metadata.labels);
  return labels && `failed to set app instance label: failed to get labels from target object ${what}: ${labels}`;
}

function textsProblem(field: string, map: unknown): string | undefined {
  const path = `.metadata.${field} accessor error:`;
  if (map === undefined || map === null) return undefined;
  if (!isJsonObject(map)) return `${path} ${shown(map)}, expected map[string]interface{}`;
  const wrong = Object.entries(map).find(([, value]) => typeof value !== 'string');
  if (!wrong) return undefined;
  const [key, value] = wrong;
  return `${path} contains non-string value in the map under key ${JSON.stringify(key)}: ${shown(value)}, expected string`;
}

/** A value and its type, in the format of Go. */
function shown(value: unknown): string {
  if (value === null) return '<nil> is of the type <nil>';
  if (typeof value === 'number') return `${value} is of the type ${Number.isInteger(value) ? 'int64' : 'float64'}`;
  if (typeof value === 'boolean') return `${value} is of the type bool`;
  if (typeof value === 'string') return `${value} is of the type string`;
  return `${JSON.stringify(value)} is of the type ${Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'}`;
}
