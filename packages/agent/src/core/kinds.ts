import { applicationKind, appProjectKind } from '@fairlead/api';
import { configMapType, type KubeObject, must, type ResourceType, secretType } from '@fairlead/apimachinery';

/** Which side is the source of truth: the hub (managed) or the agent's cluster (autonomous). */
export type Mode = 'managed' | 'autonomous';

export const isMode = (mode: unknown): mode is Mode => mode === 'managed' || mode === 'autonomous';

export function readMode(text: string): Mode {
  if (isMode(text)) return text;
  throw new Error(`agent mode "${text}" is invalid: it must be managed or autonomous`);
}

/** Which Applications of the hub belong to a managed agent: those in the namespace of its name, or those whose destination names it. */
export type Mapping = 'namespace' | 'destination';
export type Role = 'principal' | 'agent';

/** The kinds that are mirrored, by their names in lists and requests on the wire. */
export type MirroredKind = 'Application' | 'AppProject' | 'Repository' | 'GPGKey';

export interface KindInfo {
  readonly kind: MirroredKind;
  /** The target in events about the kind. */
  readonly target: 'application' | 'appproject' | 'repository' | 'gpgkey';
  readonly type: ResourceType;
  /** The field with the desired state. */
  readonly body: 'spec' | 'data';
}

export const kindInfo: Readonly<Record<MirroredKind, KindInfo>> = {
  Application: { kind: 'Application', target: 'application', type: applicationKind.type, body: 'spec' },
  AppProject: { kind: 'AppProject', target: 'appproject', type: appProjectKind.type, body: 'spec' },
  Repository: { kind: 'Repository', target: 'repository', type: secretType, body: 'data' },
  GPGKey: { kind: 'GPGKey', target: 'gpgkey', type: configMapType, body: 'data' },
};

export const isMirroredKind = (kind: unknown): kind is MirroredKind =>
  typeof kind === 'string' && Object.hasOwn(kindInfo, kind);

/** Secrets and keys are sent to agents, and never to the hub. */
export const kindsOf = (mode: Mode): readonly MirroredKind[] =>
  mode === 'managed' ? ['AppProject', 'Repository', 'GPGKey', 'Application'] : ['AppProject', 'Application'];

/** The side whose objects are the source of truth; the other side has mirrors of them. */
export const isSource = (role: Role, mode: Mode): boolean => (role === 'principal') === (mode === 'managed');

/** An object of any mirrored kind, with the fields that the link uses. */
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
  /** On a mirror: the checksum of the source's state, and the checksum of what was written for it. */
  state: 'fairlead.dev/source-state',
  /** On a mirror: the name and the uid of the Agent that it belongs to. */
  agent: 'fairlead.dev/agent',
  agentUid: 'fairlead.dev/agent-uid',
  /** On an Application: the last operation that was sent or accepted. */
  operation: 'fairlead.dev/operation-id',
} as const;

/** The object of a change: as it is now, or as it was before its deletion. */
export const changedObject = (old: MirroredObject | undefined, object: MirroredObject | undefined): MirroredObject =>
  must(object ?? old, 'the object of a change');

export const sourceUidOf = (object: KubeObject): string | undefined =>
  object.metadata.annotations?.[annotation.sourceUid] || undefined;

export const secretTypeLabel = 'argocd.argoproj.io/secret-type';

/** The types of Secrets that are sent: repositories, and credentials for all repositories with a prefix. */
export const repositorySecretTypes: readonly string[] = ['repository', 'repo-creds'];

/** The ConfigMap with the public keys of all signers. */
export const gpgKeysName = 'argocd-gpg-keys-cm';
