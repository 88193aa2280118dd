import type { Json, JsonObject, KubeObject } from '@fairlead/apimachinery';

export interface RecordedCluster {
  readonly name: string;
  readonly server: string;
  readonly project?: string;
  readonly secretName?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

export interface RecordedCommit {
  /** Null for a file that is deleted. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly branch?: string;
  readonly tag?: string;
  readonly message?: string;
}

export interface RecordedAnswer {
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

export interface Expectation {
  readonly rejected?: { readonly code: number; readonly reason: string; readonly message: string };
  readonly applications?: readonly JsonObject[];
  readonly applicationsCount?: number;
  readonly applicationNamesSha256?: string;
  readonly applicationset?: JsonObject | null;
  readonly otherApplicationsets?: readonly JsonObject[];
}

export interface RecordedStep {
  readonly do: string;
  readonly expect?: Expectation;
  readonly applicationset?: KubeObject;
  readonly patch?: JsonObject;
  readonly name?: string;
  readonly names?: readonly string[];
  readonly commit?: number;
  readonly http?: readonly RecordedAnswer[];
  readonly seconds?: number;
  readonly cluster?: RecordedCluster;
  readonly object?: KubeObject;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly subresource?: string;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
}

export interface RecordedCase {
  readonly name: string;
  readonly controller?: Readonly<Record<string, string>>;
  readonly clusters?: readonly RecordedCluster[];
  readonly projects?: readonly KubeObject[];
  readonly objects?: readonly KubeObject[];
  readonly commits?: readonly RecordedCommit[];
  readonly http?: readonly RecordedAnswer[];
  readonly existing?: readonly KubeObject[];
  readonly existingSets?: readonly KubeObject[];
  readonly applicationset: KubeObject;
  readonly steps: readonly RecordedStep[];
  readonly observeSpec?: boolean;
  readonly big?: boolean;
  readonly panics?: boolean;
}
