import type { KubeObject } from '@fairlead/kube';
import { groupOf, type ResourceId, resourceIdOf } from './resource-id.ts';

/** Says which Application an object belongs to, and which object that was said of: a copy of the object names the original. */
export const trackingAnnotation = 'argocd.argoproj.io/tracking-id';

export interface Tracking extends ResourceId {
  /** The Application: its name, or `<namespace>_<name>` outside the namespace of the control plane. */
  readonly app: string;
}

/** What an Application is called in tracking ids. */
export const trackingName = (app: { namespace: string; name: string }, controlPlaneNamespace: string): string =>
  app.namespace === controlPlaneNamespace ? app.name : `${app.namespace}_${app.name}`;

export const trackingId = (app: string, { group, kind, namespace, name }: ResourceId): string =>
  `${app}:${group}/${kind}:${namespace}/${name}`;

/** Undefined when the text is no tracking id. */
export function parseTrackingId(text: string): Tracking | undefined {
  const match = /^([^:]+):([^/:]*)\/([^/:]+):([^/]*)\/(.+)$/u.exec(text);
  if (!match) return undefined;
  const [, app = '', group = '', kind = '', namespace = '', name = ''] = match;
  return { app, group, kind, namespace, name };
}

/** The object marked as the Application's. `namespace` is where it will be, which a manifest need not say. */
export function withTracking<T extends KubeObject>(object: T, app: string): T {
  const annotations = { ...object.metadata.annotations, [trackingAnnotation]: trackingId(app, resourceIdOf(object)) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/**
 * The Application that a live object belongs to; undefined when it belongs to none. An object that carries the id of another one is a
 * copy (an operator that clones, annotations and all): it is nobody's.
 */
export function ownerOf(object: KubeObject): string | undefined {
  const text = object.metadata.annotations?.[trackingAnnotation];
  const tracking = text === undefined ? undefined : parseTrackingId(text);
  if (!tracking) return undefined;
  const { namespace = '', name } = object.metadata;
  const same =
    tracking.kind === object.kind &&
    tracking.group === groupOf(object.apiVersion) &&
    tracking.name === name &&
    tracking.namespace === namespace;
  return same ? tracking.app : undefined;
}
