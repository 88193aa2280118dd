/** The text is no template: `template: NAME:LINE: …`, as Go says it. */
export class TemplateParseError extends Error {
  readonly file: string;
  readonly line: number;
  /** Without the place. */
  readonly reason: string;

  constructor(file: string, line: number, reason: string) {
    super(`template: ${file}:${line}: ${reason}`);
    this.name = 'TemplateParseError';
    this.file = file;
    this.line = line;
    this.reason = reason;
  }
}
