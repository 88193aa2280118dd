/** The information about a type for a strategic merge: the types of its fields, and the merge keys of its lists. */
export interface MergeSchema {
  field(name: string): MergeSchema | undefined;
  /** The type of a list's elements. */
  elements(): MergeSchema | undefined;
  /** The merge keys of a list that merges; empty for plain values. */
  readonly mergeKeys: readonly string[] | undefined;
}

/** Finds the type of an object. */
export type SchemaLookup = (apiVersion: string, kind: string) => MergeSchema | undefined;
