import type { HelmSupport } from './helm-charts.ts';
import type { Loader } from './loader.ts';
import type { Origin } from './resource/origin.ts';
import type { ResMap } from './resource/res-map.ts';
import type { SchemaLookup } from './schema/merge-schema.ts';

/** One step of a build, ready to run. */
export interface Transformer {
  run(map: ResMap): void;
  /** Recorded in annotations if `buildMetadata` asks for it. */
  readonly origin?: Origin;
}

/** The dependencies of a transformer. */
export interface TransformerContext {
  readonly loader: Loader;
  readonly schemas: SchemaLookup;
  readonly helm: HelmSupport;
  /** The default namespace of charts. */
  readonly chartNamespace: string;
}
