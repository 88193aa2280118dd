/** The syntax tree of an expression. `at` is the index of the character that messages point to. */
export type Node = { readonly at: number } & (
  | { readonly type: 'nil' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: string }
  | { readonly type: 'identifier'; readonly name: string }
  /** `#`, `#index` or `#acc` in a predicate. */
  | { readonly type: 'pointer'; readonly name: string }
  | { readonly type: 'unary'; readonly operator: string; readonly operand: Node }
  | BinaryNode
  /** `x in ['a', 'b']`: a lookup of texts, for which nil is the empty text. */
  | { readonly type: 'inTexts'; readonly left: Node; readonly texts: ReadonlySet<string> }
  | { readonly type: 'member'; readonly object: Node; readonly property: Node; readonly optional: boolean }
  /** Where `a?.b.c` ends: nil anywhere in the chain is the result of all of it. */
  | { readonly type: 'chain'; readonly inner: Node }
  | { readonly type: 'slice'; readonly list: Node; readonly from: Node | undefined; readonly to: Node | undefined }
  | { readonly type: 'call'; readonly callee: Node; readonly args: readonly Node[] }
  | BuiltinNode
  | { readonly type: 'predicate'; readonly body: Node }
  | { readonly type: 'conditional'; readonly condition: Node; readonly chosen: Node; readonly otherwise: Node }
  | { readonly type: 'let'; readonly name: string; readonly value: Node; readonly body: Node }
  | { readonly type: 'sequence'; readonly items: readonly Node[] }
  | { readonly type: 'array'; readonly items: readonly Node[] }
  | { readonly type: 'map'; readonly pairs: readonly { readonly key: Node; readonly value: Node }[] }
);

export interface BinaryNode {
  readonly at: number;
  readonly type: 'binary';
  readonly operator: string;
  readonly left: Node;
  readonly right: Node;
}

export interface BuiltinNode {
  readonly at: number;
  readonly type: 'builtin';
  readonly name: string;
  readonly args: readonly Node[];
}
