import { isBreak } from './characters.ts';
import { YamlError } from './yaml-error.ts';

/** A position in the text. Line and column start at 0. */
export interface Mark {
  readonly line: number;
  readonly column: number;
  readonly index: number;
}

/** The text of the scanner, and its position. Reading past the end gives 0. */
export class SourceText {
  readonly text: string;
  pos = 0;
  line = 0;
  lineStart = 0;

  constructor(text: string) {
    this.text = `${text}\0\0\0\0`;
  }

  get column(): number {
    return this.pos - this.lineStart;
  }

  at(offset = 0): number {
    return this.text.charCodeAt(this.pos + offset) || 0;
  }

  mark(): Mark {
    return { line: this.line, column: this.column, index: this.pos };
  }

  /** Skips a line break, and returns its value in a scalar: `\n`, except for the two Unicode separators. */
  takeBreak(): string {
    const code = this.at();
    if (!isBreak(code)) return '';
    this.pos += code === 0x0d && this.at(1) === 0x0a ? 2 : 1;
    this.line++;
    this.lineStart = this.pos;
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
  }

  skipWhile(matches: (code: number) => boolean): void {
    while (matches(this.at())) this.pos++;
  }

  takeWhile(matches: (code: number) => boolean): string {
    const start = this.pos;
    this.skipWhile(matches);
    return this.text.slice(start, this.pos);
  }

  /** `---` or `...` at the start of a line. */
  atDocumentIndicator(): boolean {
    if (this.pos !== this.lineStart) return false;
    const code = this.at();
    if ((code !== 0x2d && code !== 0x2e) || this.at(1) !== code || this.at(2) !== code) return false;
    const next = this.at(3);
    return next === 0 || next === 0x20 || next === 0x09 || isBreak(next);
  }

  /** An error of the scanner. It names the current line, or none in the first line unless the context starts later. */
  fail(problem: string, context: Mark = this.mark()): never {
    const line = this.line !== 0 ? this.line + 1 : context.line;
    throw located(problem, line, this.line + 1);
  }
}

/** `shown` is the line that Go names, or 0; `line` is the line of the error, starting at 1. */
export const located = (problem: string, shown: number, line = shown): YamlError =>
  new YamlError(shown === 0 ? `yaml: ${problem}` : `yaml: line ${shown}: ${problem}`, line === 0 ? undefined : line);
