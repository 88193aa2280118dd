/** The location of a variable: a slot of the function's own frame, one of an enclosing function, or a global. */
export type Variable =
  | { readonly type: 'local'; readonly slot: number }
  | { readonly type: 'upvalue'; readonly index: number }
  | { readonly type: 'global'; readonly name: string };

export interface FunctionBody {
  readonly parameters: number;
  readonly variadic: boolean;
  readonly slots: number;
  /** The captured variables of the enclosing function. */
  readonly upvalues: readonly { readonly fromLocal: boolean; readonly index: number }[];
  readonly body: Block;
  readonly name: string;
  readonly line: number;
}

export interface Block {
  readonly statements: readonly Statement[];
  /** Labels by name, with the statement that follows them. */
  readonly labels: ReadonlyMap<string, number>;
}

export type Expression =
  | { readonly type: 'constant'; readonly value: string | number | boolean | undefined }
  | { readonly type: 'variable'; readonly variable: Variable; readonly name: string }
  | { readonly type: 'varargs' }
  | { readonly type: 'index'; readonly object: Expression; readonly key: Expression; readonly line: number }
  | { readonly type: 'call'; readonly callee: Expression; readonly args: readonly Expression[]; readonly line: number }
  | {
      readonly type: 'method';
      readonly object: Expression;
      readonly name: string;
      readonly args: readonly Expression[];
      readonly line: number;
    }
  | { readonly type: 'function'; readonly body: FunctionBody }
  | { readonly type: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly type: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  | { readonly type: 'unary'; readonly operator: string; readonly operand: Expression; readonly line: number }
  /** In parentheses: exactly one value. */
  | { readonly type: 'single'; readonly inner: Expression }
  | { readonly type: 'table'; readonly items: readonly TableItem[]; readonly line: number };

/** Without a key, the next index of the list. */
export interface TableItem {
  readonly key?: Expression;
  readonly value: Expression;
}

export type Target =
  | { readonly type: 'variable'; readonly variable: Variable; readonly name: string }
  | { readonly type: 'index'; readonly object: Expression; readonly key: Expression; readonly line: number };

export type Statement =
  | { readonly type: 'local'; readonly slots: readonly number[]; readonly values: readonly Expression[] }
  | { readonly type: 'local-function'; readonly slot: number; readonly body: FunctionBody }
  | { readonly type: 'assign'; readonly targets: readonly Target[]; readonly values: readonly Expression[] }
  | { readonly type: 'expression'; readonly call: Expression }
  | { readonly type: 'do'; readonly body: Block }
  | { readonly type: 'while'; readonly condition: Expression; readonly body: Block }
  | { readonly type: 'repeat'; readonly body: Block; readonly condition: Expression }
  | { readonly type: 'if'; readonly branches: readonly { readonly condition?: Expression; readonly body: Block }[] }
  | {
      readonly type: 'for';
      readonly slot: number;
      readonly from: Expression;
      readonly to: Expression;
      readonly step?: Expression;
      readonly body: Block;
      readonly line: number;
    }
  | {
      readonly type: 'for-in';
      readonly slots: readonly number[];
      readonly values: readonly Expression[];
      readonly body: Block;
      readonly line: number;
    }
  | { readonly type: 'return'; readonly values: readonly Expression[] }
  | { readonly type: 'break' }
  | { readonly type: 'goto'; readonly label: string; readonly line: number };
