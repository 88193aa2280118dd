/** The text does not parse as a template. Has Go's message: `template: NAME:LINE: …`. */
export class TemplateParseError extends Error {
  readonly file: string;
  readonly line: number;
  /** The message without the location. */
  readonly reason: string;

  constructor(file: string, line: number, reason: string) {
    super(`template: ${file}:${line}: ${reason}`);
    this.name = 'TemplateParseError';
    this.file = file;
    this.line = line;
    this.reason = reason;
  }
}
