/** Text that is no YAML, or YAML that Go refuses. The message is worded as Go words it, since templates can show it. */
export class YamlError extends Error {
  /** Where it is wrong, counted from 1. Go's own words may name the line before it, or none. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.name = 'YamlError';
    this.line = line;
  }
}
