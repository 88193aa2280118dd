/** Text that is no YAML, or YAML that Go refuses. The message is worded as Go words it, since templates can show it. */
export class YamlError extends Error {
  /** Counted from 1; absent where Go names none. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.name = 'YamlError';
    this.line = line;
  }
}
