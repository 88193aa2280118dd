import type { Tree } from '../tree/tree.ts';

/** What a plugin is given. */
export interface PluginRequest {
  /** All files of the repository. */
  readonly tree: Tree;
  /** The folder of the source in it. */
  readonly path: string;
  readonly environment: readonly (readonly [name: string, value: string])[];
}

/** A config management plugin, in this machine or in a sidecar. */
export interface Plugin {
  readonly name: string;
  /** Whether it supports a folder; undefined if it has no rule for that, and is used by name only. */
  supports(request: PluginRequest): Promise<boolean | undefined>;
  /** The manifests, as YAML or JSON texts. */
  generate(request: PluginRequest): Promise<readonly string[]>;
}
