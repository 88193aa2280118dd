/** An expression that does not compile or fails when it runs. The message shows the place: `unexpected token EOF (1:4)` and the line. */
export class ExprError extends Error {
  /** The message without the place. */
  readonly reason: string;

  constructor(reason: string, source: readonly string[], at: number) {
    super(located(reason, source, at));
    this.name = 'ExprError';
    this.reason = reason;
  }
}

function located(reason: string, source: readonly string[], at: number): string {
  const before = source.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  const rest = source.indexOf('\n', lineStart);
  const line = source.slice(lineStart, rest < 0 ? source.length : rest).join('');
  if (line === '') return reason;
  const row = before.filter((char) => char === '\n').length + 1;
  const column = before.length - lineStart;
  return `${reason} (${row}:${column + 1})\n | ${line.replaceAll('\t', ' ')}\n | ${'.'.repeat(column)}^`;
}
