import type { Position } from './jsonnet-error.ts';

export interface Parameter {
  readonly name: string;
  readonly fallback: Node | undefined;
}

export interface Bind {
  readonly name: string;
  readonly body: Node;
}

/** `for x in …` or `if …`. */
export type ComprehensionStep =
  | { readonly kind: 'for'; readonly name: string; readonly over: Node }
  | { readonly kind: 'if'; readonly condition: Node };

export type Visibility = 'default' | 'hidden' | 'visible';

export interface Field {
  readonly name: Node;
  /** Written as `[name]`. */
  readonly computed: boolean;
  readonly visibility: Visibility;
  /** `+:`: added to the inherited value. */
  readonly plus: boolean;
  readonly body: Node;
  readonly at: Position;
}

export interface Assertion {
  readonly condition: Node;
  readonly message: Node | undefined;
  readonly at: Position;
}

export interface ObjectMembers {
  readonly fields: readonly Field[];
  readonly locals: readonly Bind[];
  readonly asserts: readonly Assertion[];
}

export interface Argument {
  readonly name: string | undefined;
  readonly value: Node;
}

type Kinds =
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'self' }
  | { readonly kind: 'dollar' }
  | { readonly kind: 'super'; readonly index: Node }
  | { readonly kind: 'in-super'; readonly index: Node }
  | { readonly kind: 'index'; readonly target: Node; readonly index: Node }
  | {
      readonly kind: 'slice';
      readonly target: Node;
      readonly from: Node | undefined;
      readonly to: Node | undefined;
      readonly step: Node | undefined;
    }
  | { readonly kind: 'call'; readonly target: Node; readonly args: readonly Argument[]; readonly strict: boolean }
  | { readonly kind: 'function'; readonly parameters: readonly Parameter[]; readonly body: Node }
  | { readonly kind: 'local'; readonly binds: readonly Bind[]; readonly body: Node }
  | { readonly kind: 'if'; readonly condition: Node; readonly then: Node; readonly otherwise: Node | undefined }
  | { readonly kind: 'error'; readonly message: Node }
  | { readonly kind: 'assert'; readonly assertion: Assertion; readonly body: Node }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Node }
  | { readonly kind: 'array'; readonly items: readonly Node[] }
  | { readonly kind: 'array-comprehension'; readonly body: Node; readonly steps: readonly ComprehensionStep[] }
  | ({ readonly kind: 'object' } & ObjectMembers)
  | {
      readonly kind: 'object-comprehension';
      readonly field: Field;
      readonly locals: readonly Bind[];
      readonly steps: readonly ComprehensionStep[];
    }
  | { readonly kind: 'import'; readonly as: 'code' | 'text' | 'bytes'; readonly path: string };

export type Node = Kinds & { readonly at: Position };
