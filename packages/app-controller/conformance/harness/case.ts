import type { Application, AppProject, Operation } from '@fairlead/api';
import type { JsonObject, KubeObject } from '@fairlead/apimachinery';
import type { PatchType } from '@fairlead/kube';

/** An object by its kind and name. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** A change of a live object by someone else. */
export interface Drift {
  readonly target: Omit<ObjectReference, 'apiVersion'> & { readonly group?: string };
  readonly patchType: PatchType | 'delete';
  readonly patch: unknown;
}

/** The action before an observation. */
export type Action =
  | { readonly do: 'create' }
  | { readonly do: 'refresh'; readonly type?: 'normal' | 'hard' }
  | { readonly do: 'sync'; readonly operation: Operation }
  | { readonly do: 'terminate' }
  | { readonly do: 'commit'; readonly n: number }
  | { readonly do: 'object'; readonly object: KubeObject }
  | {
      readonly do: 'patch';
      readonly target: ObjectReference;
      readonly patch: unknown;
      readonly type?: PatchType;
      readonly manager?: string;
      readonly subresource?: string;
    }
  | { readonly do: 'delete'; readonly target: ObjectReference }
  | { readonly do: 'drift'; readonly patches: readonly Drift[] }
  | { readonly do: 'patchApplication'; readonly patch: JsonObject }
  | { readonly do: 'patchProject'; readonly patch: JsonObject }
  | { readonly do: 'deleteApplication'; readonly cascade: 'default' | 'background' | 'foreground' | null }
  | { readonly do: 'wait'; readonly seconds: number };

export type Step = Action & {
  /** Whether the operation is expected to block and not to end. */
  readonly running?: boolean;
  /** `false`: no refresh is requested after the action. */
  readonly refresh?: boolean;
  /** Whether the deletion of the Application is expected to block. */
  readonly deleting?: boolean;
  /** `false`: nothing is observed after the action. */
  readonly observe?: boolean;
  readonly expect: JsonObject;
};

/** The environment of the steps: a repository, an Application, its project and namespaces. */
export interface Scenario {
  readonly settings?: Readonly<Record<string, string>>;
  readonly project?: AppProject;
  /** Each is a change on top of the previous one: path to content, null to remove the file. */
  readonly commits: readonly Readonly<Record<string, string | Buffer | null>>[];
  readonly tags?: Readonly<Record<string, number>>;
  readonly branches?: Readonly<Record<string, number>>;
  readonly application: Application;
  readonly namespace?: boolean;
  readonly namespaces?: readonly string[];
  readonly namespacesAbsent?: boolean | readonly string[];
  readonly before?: readonly KubeObject[];
  readonly observe?: readonly ObjectReference[];
  readonly observeManagers?: boolean;
  readonly otherApplications?: readonly string[];
  /** How long an Application that is not Healthy must stay the same before it is observed. */
  readonly progressMs?: number;
}

export interface SyncCase extends Scenario {
  readonly name: string;
  readonly topic: string;
  readonly description: string;
  readonly steps: readonly Step[];
  /** JSON pointers to lists whose order is not deterministic. */
  readonly unordered?: readonly string[];
}
