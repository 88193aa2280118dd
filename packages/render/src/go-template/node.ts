/** The syntax tree of a template. Positions are offsets in its text. */
export type Statement =
  | { readonly type: 'text'; readonly position: number; readonly text: string }
  | { readonly type: 'action'; readonly position: number; readonly pipe: Pipe }
  | Branch
  | {
      readonly type: 'template';
      readonly position: number;
      readonly name: string;
      readonly quoted: string;
      readonly pipe: Pipe | undefined;
    }
  | { readonly type: 'break' | 'continue'; readonly position: number };

export interface Branch {
  readonly type: 'if' | 'with' | 'range';
  readonly position: number;
  readonly pipe: Pipe;
  readonly list: readonly Statement[];
  readonly elseList: readonly Statement[] | undefined;
}

export interface Pipe {
  readonly type: 'pipe';
  readonly position: number;
  readonly declare: readonly Variable[];
  /** `=`, not `:=`. */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
}

export interface Command {
  readonly type: 'command';
  readonly position: number;
  readonly args: readonly Operand[];
}

export interface Variable {
  readonly type: 'variable';
  readonly position: number;
  /** `$x`, then the fields after it. */
  readonly path: readonly string[];
}

export type Operand =
  | Pipe
  | Variable
  | { readonly type: 'identifier'; readonly position: number; readonly name: string }
  | { readonly type: 'field'; readonly position: number; readonly path: readonly string[] }
  | ChainNode
  | { readonly type: 'dot' | 'nil'; readonly position: number }
  | { readonly type: 'bool'; readonly position: number; readonly value: boolean }
  | NumberNode
  | { readonly type: 'string'; readonly position: number; readonly quoted: string; readonly value: string };

/** Fields of a parenthesized expression: `(f x).a.b`. */
export interface ChainNode {
  readonly type: 'chain';
  readonly position: number;
  readonly node: Operand;
  readonly path: readonly string[];
}

/** A number can have several types. The context decides which one is used. */
export interface NumberNode {
  readonly type: 'number';
  readonly position: number;
  readonly text: string;
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
  readonly complex: readonly [real: number, imaginary: number] | undefined;
}

export type Node = Operand | Command | Statement;

/** The text of a node in messages. */
export function nodeText(node: Node): string {
  switch (node.type) {
    case 'pipe': {
      const declared = node.declare.map(nodeText).join(', ');
      const commands = node.commands.map(nodeText).join(' | ');
      return declared === '' ? commands : `${declared} ${node.assigns ? '=' : ':='} ${commands}`;
    }
    case 'command':
      return node.args.map(inParens).join(' ');
    case 'variable':
      return node.path.join('.');
    case 'field':
      return node.path.map((name) => `.${name}`).join('');
    case 'chain':
      return [inParens(node.node), ...node.path].join('.');
    case 'identifier':
      return node.name;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.quoted;
    case 'text':
      return node.text;
    case 'action':
      return `{{${nodeText(node.pipe)}}}`;
    case 'template':
      return node.pipe ? `{{template ${node.quoted} ${nodeText(node.pipe)}}}` : `{{template ${node.quoted}}}`;
    case 'break':
    case 'continue':
      return `{{${node.type}}}`;
    case 'if':
    case 'with':
    case 'range': {
      const body = node.list.map(nodeText).join('');
      const otherwise = node.elseList ? `{{else}}${node.elseList.map(nodeText).join('')}` : '';
      return `{{${node.type} ${nodeText(node.pipe)}}}${body}${otherwise}{{end}}`;
    }
  }
}

const inParens = (node: Operand): string => (node.type === 'pipe' ? `(${nodeText(node)})` : nodeText(node));
