export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** An error in a program, or one that it raises, with its stack trace, innermost first. */
export class JsonnetError extends Error {
  readonly trace: Position[] = [];

  constructor(message: string, at?: Position) {
    super(message);
    this.name = 'JsonnetError';
    if (at) this.trace.push(at);
  }

  /** `file:line:column: message` and the stack trace. */
  get explained(): string {
    const shown = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;
    const [first, ...others] = this.trace.map(shown).filter((place, i, all) => place !== all[i - 1]);
    const callers = others.slice(0, 3).join(', ');
    return `${first ? `${first}: ` : ''}${this.message}${callers && ` (called from ${callers})`}`;
  }
}
