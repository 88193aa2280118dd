import type { HelmSupport } from './helm-charts.ts';
import type { Loader } from './loader.ts';
import type { Origin } from './resource/origin.ts';
import type { ResMap } from './resource/res-map.ts';
import type { SchemaLookup } from './schema/merge-schema.ts';

/** One step of a build, ready to run. */
export interface Transformer {
  run(map: ResMap): void;
  /** What is noted of it, where that is asked for. */
  readonly origin?: Origin;
}

/** What a transformer needs to get ready. */
export interface TransformerContext {
  readonly loader: Loader;
  readonly schemas: SchemaLookup;
  readonly helm: HelmSupport;
  /** Where charts go that name no namespace themselves. */
  readonly chartNamespace: string;
}
