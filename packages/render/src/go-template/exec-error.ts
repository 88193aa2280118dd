import { type Node, nodeText } from './node.ts';
import type { ParsedTemplate } from './parser.ts';

/** An execution failed. Has Go's message: `template: FILE:LINE:COLUMN: executing "NAME" at <…>: …`. */
export class TemplateExecError extends Error {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The error of the function that failed, if any. */
  override readonly cause: Error | undefined;

  constructor(template: ParsedTemplate, node: Node | undefined, reason: string, cause?: Error) {
    const { line, column } = placeOf(template.source, node?.position ?? 0);
    const executing = node
      ? `:${line}:${column}: executing ${JSON.stringify(template.name)} at <${nodeText(node)}>`
      : '';
    super(`template: ${template.file}${executing}: ${reason}`);
    this.name = 'TemplateExecError';
    this.file = template.file;
    this.line = line;
    this.column = column;
    this.cause = cause;
  }
}

function placeOf(source: string, position: number): { line: number; column: number } {
  const before = source.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: Buffer.byteLength(before.slice(lineStart), 'utf8') };
}
