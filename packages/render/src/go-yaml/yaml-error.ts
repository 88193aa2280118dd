/** Text that is not YAML, or YAML that Go does not accept. Has Go's message, since templates can show it. */
export class YamlError extends Error {
  /** The line of the error, starting at 1. Go's message may name the line before it, or none. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.name = 'YamlError';
    this.line = line;
  }
}
