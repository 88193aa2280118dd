export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a program, or what it says is wrong itself; and where, the innermost place first. */
export class JsonnetError extends Error {
  readonly trace: Position[] = [];

  constructor(message: string, at?: Position) {
    super(message);
    this.name = 'JsonnetError';
    if (at) this.trace.push(at);
  }

  /** `file:line:column: message`, and from where that was reached. */
  get explained(): string {
    const shown = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;
    const [first, ...others] = this.trace.map(shown).filter((place, i, all) => place !== all[i - 1]);
    const callers = others.slice(0, 3).join(', ');
    return `${first ? `${first}: ` : ''}${this.message}${callers && ` (called from ${callers})`}`;
  }
}
