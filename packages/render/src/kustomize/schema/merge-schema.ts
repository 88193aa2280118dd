/** What a strategic merge must know of a type: where its fields lead, and which lists merge by which keys. */
export interface MergeSchema {
  field(name: string): MergeSchema | undefined;
  /** Of a list: the type of its elements. */
  elements(): MergeSchema | undefined;
  /** Of a list that merges: the keys of its elements, none for a list of plain values. */
  readonly mergeKeys: readonly string[] | undefined;
}

/** Finds the type of an object. */
export type SchemaLookup = (apiVersion: string, kind: string) => MergeSchema | undefined;
