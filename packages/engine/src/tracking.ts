import type { KubeObject } from '@fairlead/apimachinery';
import { knownAnnotations } from './annotations.ts';
import { groupOf, type ResourceId, resourceIdOf } from './resource-id.ts';

export const trackingAnnotation = knownAnnotations.trackingId.name;
const installationAnnotation = knownAnnotations.installationId.name;
export const defaultTrackingLabel = 'app.kubernetes.io/instance';

export const trackingMethods = ['annotation', 'label', 'annotation+label'] as const;
export type TrackingMethod = (typeof trackingMethods)[number];

export interface TrackingSettings {
  readonly method: TrackingMethod;
  readonly labelKey: string;
  /** The installation id: only objects with it are ours; all are if it is empty. */
  readonly installationId: string;
}

export const defaultTracking: TrackingSettings = {
  method: 'annotation',
  labelKey: defaultTrackingLabel,
  installationId: '',
};

export interface Tracking extends ResourceId {
  /** The Application: its name, or `<namespace>_<name>` outside the namespace of the control plane. */
  readonly app: string;
}

/** How objects are tracked: writes and reads tracking ids. */
export interface Tracker {
  readonly settings: TrackingSettings;
  /** Equal for equivalent trackers. */
  readonly key: string;
  /**
   * The object with the tracking id of the Application. `namespace` is that of the Application: it is used in the id of an object without a
   * namespace, also of a cluster-scoped kind. A CustomResourceDefinition is never tracked: it is deleted with no Application, since that
   * would delete all objects of its kind.
   */
  mark<T extends KubeObject>(object: T, app: string, namespace?: string): T;
  /** The Application in the tracking id of an object, even of a copy. */
  appOf(object: KubeObject): string | undefined;
  /**
   * The Application of a live object; undefined if it has none. An object with the tracking id of another one is a copy (of an operator
   * that clones objects with annotations) and belongs to no Application.
   */
  ownerOf(object: KubeObject): string | undefined;
}

/** The name of an Application in tracking ids. */
export const trackingName = (app: { namespace: string; name: string }, controlPlaneNamespace: string): string =>
  app.namespace === controlPlaneNamespace ? app.name : `${app.namespace}_${app.name}`;

export const trackingId = (app: string, { group, kind, namespace, name }: ResourceId): string =>
  `${app}:${group}/${kind}:${namespace}/${name}`;

/** Undefined when the text is not a tracking id. */
export function parseTrackingId(text: string): Tracking | undefined {
  const match = /^([^:]+):([^/:]*)\/([^/:]+):([^/]*)\/(.*)$/u.exec(text);
  if (!match) return undefined;
  const [, app = '', group = '', kind = '', namespace = '', name = ''] = match;
  return { app, group, kind, namespace, name };
}

export function createTracker(settings: TrackingSettings = defaultTracking): Tracker {
  const { method, labelKey } = settings;
  return {
    settings,
    key: JSON.stringify([method, labelKey, settings.installationId]),
    mark(object, app, namespace = '') {
      if (isDefinition(object)) return object;
      const { annotations, labels, ...metadata } = object.metadata;
      const marked = method === 'label' ? annotations : { ...annotations, ...annotationsOf(object, app, namespace) };
      const labelled =
        method === 'annotation' ? labels : { ...labels, [labelKey]: method === 'label' ? app : shortened(app) };
      return {
        ...object,
        metadata: {
          ...metadata,
          ...(labelled ? { labels: labelled } : {}),
          ...(marked ? { annotations: marked } : {}),
        },
      };
    },
    appOf: method === 'label' ? appByLabel : (object) => trackingOf(object)?.app,
    ownerOf: method === 'label' ? appByLabel : ownerByAnnotation,
  };

  function appByLabel({ metadata }: KubeObject): string | undefined {
    return metadata.labels?.[labelKey] || undefined;
  }

  function annotationsOf(object: KubeObject, app: string, namespace: string): Record<string, string> {
    const id = resourceIdOf(object);
    return {
      [trackingAnnotation]: trackingId(app, id.namespace === '' ? { ...id, namespace } : id),
      ...(settings.installationId === '' ? {} : { [installationAnnotation]: settings.installationId }),
    };
  }

  function trackingOf({ metadata: { annotations } }: KubeObject): Tracking | undefined {
    const text = annotations?.[trackingAnnotation];
    if (text === undefined) return undefined;
    const { installationId } = settings;
    if (installationId !== '' && annotations?.[installationAnnotation] !== installationId) return undefined;
    return parseTrackingId(text);
  }

  function ownerByAnnotation(object: KubeObject): string | undefined {
    const tracking = trackingOf(object);
    return tracking && isAbout(tracking, object) ? tracking.app : undefined;
  }
}

const isDefinition = ({ apiVersion, kind }: KubeObject): boolean =>
  kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/');

/**
 * The id of a cluster-scoped object has the namespace of its Application, or none. An object with only a generateName has no name in it.
 */
function isAbout(tracking: Tracking, object: KubeObject): boolean {
  const { namespace = '', name } = object.metadata;
  return (
    (tracking.name === name || tracking.name === '') &&
    tracking.kind === object.kind &&
    tracking.group === groupOf(object.apiVersion) &&
    (namespace === '' || tracking.namespace === namespace)
  );
}

/** A label value has at most 63 characters and ends with a letter or digit. The tracking annotation has the whole name. */
const shortened = (app: string): string => (app.length <= 63 ? app : app.slice(0, 63).replace(/[^a-zA-Z0-9]+$/u, ''));

/** Tracks by annotation, the default of an installation. */
export const defaultTracker: Tracker = createTracker();

export const ownerOf = (object: KubeObject): string | undefined => defaultTracker.ownerOf(object);
