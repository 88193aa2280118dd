import type { ApplicationSet, Generator } from '@fairlead/api';
import type { ConfigMap, Secret, Unstructured } from '@fairlead/apimachinery';
import type { ForgeHttp } from '../forges/forge-http.ts';
import type { GitReader } from '../git/git-reader.ts';
import type { ApplicationSetSettings } from '../settings.ts';
import type { TextRenderer } from '../template/text-renderer.ts';
import type { NestedGenerator } from './nested.ts';
import type { Params } from './params.ts';

/** Objects that generators read, in the namespace of the control plane or of the ApplicationSet. Undefined where there is none. */
export interface ObjectReader {
  clusterSecrets(): readonly Secret[];
  secret(namespace: string, name: string): Promise<Secret | undefined>;
  configMap(namespace: string, name: string): Promise<ConfigMap | undefined>;
  /** The objects of a kind, by its plural name. */
  list(
    resource: { readonly group: string; readonly version: string; readonly plural: string },
    selection: { readonly namespace: string; readonly labelSelector?: string; readonly fieldSelector?: string },
  ): Promise<readonly Unstructured[]>;
}

/** What generators need from outside. */
export interface GeneratorEnv {
  /** The namespace of the control plane. */
  readonly namespace: string;
  readonly settings: ApplicationSetSettings;
  readonly objects: ObjectReader;
  readonly git: GitReader;
  readonly forges: ForgeHttp;
}

/** One run of the generators of an ApplicationSet. */
export interface GeneratorRun extends GeneratorEnv {
  readonly set: ApplicationSet;
  readonly goTemplate: boolean;
  readonly texts: TextRenderer;
  /** The parameters of a generator within another, which may refer to those of its parent. */
  children(nested: NestedGenerator, parent: Params): Promise<Params[]>;
}

/** The sets of parameters of a generator of one type. Throws a GeneratorError. */
export type Generate<Name extends keyof Generator> = (
  spec: NonNullable<Generator[Name]>,
  run: GeneratorRun,
) => Promise<Params[]> | Params[];
