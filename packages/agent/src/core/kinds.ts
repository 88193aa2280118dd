import { applicationKind, appProjectKind } from '@fairlead/api';
import { type KubeObject, type ResourceType, secretType } from '@fairlead/apimachinery';

/** Who decides what there is: the hub (managed) or the agent's cluster (autonomous). */
export type Mode = 'managed' | 'autonomous';

export const isMode = (mode: unknown): mode is Mode => mode === 'managed' || mode === 'autonomous';

export function readMode(text: string): Mode {
  if (isMode(text)) return text;
  throw new Error(`agent mode "${text}" is invalid: it must be managed or autonomous`);
}

/** Which Applications of the hub are a managed agent's: those in the namespace of its name, or those whose destination names it. */
export type Mapping = 'namespace' | 'destination';
export type Role = 'principal' | 'agent';

/** Kinds that one side has because the other does, by the names that lists and requests on the wire have for them. */
export type MirroredKind = 'Application' | 'AppProject' | 'Repository';

export interface KindInfo {
  readonly kind: MirroredKind;
  /** What events about it are addressed to. */
  readonly target: 'application' | 'appproject' | 'repository';
  readonly type: ResourceType;
  /** The field that says what the object is to be. */
  readonly body: 'spec' | 'data';
}

export const kindInfo: Readonly<Record<MirroredKind, KindInfo>> = {
  Application: { kind: 'Application', target: 'application', type: applicationKind.type, body: 'spec' },
  AppProject: { kind: 'AppProject', target: 'appproject', type: appProjectKind.type, body: 'spec' },
  Repository: { kind: 'Repository', target: 'repository', type: secretType, body: 'data' },
};

/** Secrets go down to agents and never up. */
export const kindsOf = (mode: Mode): readonly MirroredKind[] =>
  mode === 'managed' ? ['AppProject', 'Repository', 'Application'] : ['AppProject', 'Application'];

/** The side whose objects are the truth; the other has mirrors of them. */
export const isSource = (role: Role, mode: Mode): boolean => (role === 'principal') === (mode === 'managed');

/** An object of any mirrored kind, with the fields that matter here. */
export interface MirroredObject extends KubeObject {
  spec?: Record<string, unknown>;
  data?: Record<string, unknown>;
  type?: string;
  status?: Record<string, unknown>;
  operation?: Record<string, unknown>;
}

export const annotation = {
  /** On a mirror: the uid of the object that it mirrors. */
  sourceUid: 'argocd.argoproj.io/source-uid',
  principalUid: 'argocd.argoproj.io/principal-uid',
  adoption: 'argocd.argoproj.io/adoption-policy',
  refresh: 'argocd.argoproj.io/refresh',
  /** On a mirror: the checksum of the source's state that it shows, and of what was written for it. */
  state: 'fairlead.dev/source-state',
  /** On an Application: which of its operations was last handed over, or taken. */
  operation: 'fairlead.dev/operation-id',
} as const;

export const sourceUidOf = (object: KubeObject): string | undefined =>
  object.metadata.annotations?.[annotation.sourceUid] || undefined;

export const secretTypeLabel = 'argocd.argoproj.io/secret-type';
