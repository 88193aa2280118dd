import type { Json, JsonObject, KubeObject } from '@fairlead/apimachinery';

export interface Commit {
  readonly files: Readonly<Record<string, string | null>>;
  readonly message?: string;
  readonly author?: string;
  readonly tag?: string;
  readonly branch?: string;
}

export interface AccountSetup {
  readonly password?: string;
  readonly capabilities?: string;
  readonly enabled?: boolean;
}

export type Data = Readonly<Record<string, string | null>>;

export interface Setup {
  readonly extends?: string;
  readonly accounts?: Readonly<Record<string, AccountSetup | null>>;
  readonly 'argocd-cm'?: Data;
  readonly 'argocd-rbac-cm'?: Data;
  readonly 'argocd-notifications-cm'?: Data;
  readonly 'argocd-secret'?: Data;
  readonly repos?: Readonly<Record<string, { readonly commits: readonly Commit[] } | null>>;
  readonly objects?: readonly KubeObject[];
  readonly sync?: readonly string[];
  readonly synced?: readonly string[];
}

export type As = string | { readonly token?: string; readonly cookie?: string; readonly cookieOf?: string };

export interface Expectation {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Json;
  readonly text?: string;
  readonly events?: readonly Json[];
  readonly ended?: boolean;
  readonly noAnswer?: boolean;
  readonly closed?: boolean;
  readonly claims?: JsonObject;
}

export interface Step {
  readonly as?: As;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: Json;
  readonly bodyText?: string;
  readonly sign?: {
    readonly header: string;
    readonly prefix: string;
    readonly algorithm?: string;
    readonly secret?: string;
  };
  readonly until?: JsonObject;
  readonly settle?: boolean;
  readonly pick?: readonly string[];
  readonly keysOf?: string;
  readonly operations?: boolean;
  readonly capture?: Readonly<Record<string, string>>;
  readonly stream?: {
    readonly events?: number;
    readonly seconds?: number;
    readonly during?: readonly Step[];
    readonly keepTypes?: readonly string[];
  };
  readonly push?: string;
  readonly commit?: Commit;
  readonly kube?: 'apply' | 'patch' | 'delete';
  readonly object?: KubeObject;
  readonly patch?: JsonObject;
  readonly settings?: Setup;
  readonly sleep?: number;
  readonly wait?: number;
  readonly expect?: Expectation;
}

export interface ApiCase {
  readonly name: string;
  readonly setup: string | Setup;
  readonly readOnly?: boolean;
  readonly serverFlags?: readonly string[];
  readonly unordered?: readonly string[];
  readonly exchanges: readonly Step[];
}

/** A setup with everything that it extends. */
export function resolveSetup(setup: string | Setup, setups: Readonly<Record<string, Setup>>): Setup {
  const own = typeof setup === 'string' ? setups[setup] : setup;
  if (!own) throw new Error(`no setup ${String(setup)}`);
  return own.extends === undefined ? own : mergeSetups(resolveSetup(own.extends, setups), own);
}

const keyed = ['accounts', 'argocd-cm', 'argocd-rbac-cm', 'argocd-notifications-cm', 'argocd-secret', 'repos'] as const;

export function mergeSetups(base: Setup, own: Setup): Setup {
  const merged: Record<string, unknown> = { ...base, ...own };
  for (const key of keyed) {
    const both: Record<string, unknown> = { ...base[key], ...own[key] };
    for (const [name, value] of Object.entries(both)) if (value === null) delete both[name];
    merged[key] = both;
  }
  const isSame = (a: KubeObject, b: KubeObject): boolean => a.kind === b.kind && a.metadata.name === b.metadata.name;
  const objects = own.objects ?? [];
  merged['objects'] = [
    ...(base.objects ?? []).filter((one) => !objects.some((other) => isSame(one, other))),
    ...objects,
  ];
  return merged;
}
