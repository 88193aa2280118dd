import { type Flags, noFlags } from './format-flags.ts';
import { formatValue } from './format-value.ts';
import { isSigned, isUnsigned } from './go-type.ts';
import { GoInt, type GoValue, typeOf } from './go-value.ts';

/** fmt.Sprint: a space between operands when neither is a string. */
export function sprint(args: readonly GoValue[]): string {
  let text = '';
  let wasString = true;
  for (const [i, arg] of args.entries()) {
    const isString = typeof arg === 'string';
    if (i > 0 && !isString && !wasString) text += ' ';
    text += isString ? arg : formatValue(arg, 'v', noFlags());
    wasString = isString;
  }
  return text;
}

export const sprintln = (args: readonly GoValue[]): string =>
  `${args.map((arg) => formatValue(arg, 'v', noFlags())).join(' ')}\n`;

/** The `%v` of one value. */
export const display = (value: GoValue): string =>
  typeof value === 'string' ? value : formatValue(value, 'v', noFlags());

/** The maximum width and precision, as in Go. */
const tooLarge = (n: number): boolean => n > 1_000_000 || n < -1_000_000;

/** fmt.Sprintf, including its messages for invalid formats. */
export function sprintf(format: string, args: readonly GoValue[]): string {
  let out = '';
  let arg = 0;
  let reordered = false;
  let at = 0;
  while (at < format.length) {
    const percent = format.indexOf('%', at);
    if (percent < 0) {
      out += format.slice(at);
      break;
    }
    out += format.slice(at, percent);
    at = percent + 1;
    const directive = new Directive(format, at, args, arg);
    out += directive.run();
    at = directive.at;
    arg = directive.arg;
    reordered ||= directive.reordered;
  }
  if (!reordered && arg < args.length) out += extra(args.slice(arg));
  return out;
}

function extra(args: readonly GoValue[]): string {
  const shown = args.map((arg) => {
    const type = typeOf(arg);
    return type ? `${type.name}=${formatValue(arg, 'v', noFlags())}` : '<nil>';
  });
  return `%!(EXTRA ${shown.join(', ')})`;
}

/** One `%…verb`: flags, width, precision, argument numbers. */
class Directive {
  at: number;
  arg: number;
  reordered = false;
  private goodIndex = true;
  private afterIndex = false;
  private readonly format: string;
  private readonly args: readonly GoValue[];
  private readonly flags: Flags = noFlags();

  constructor(format: string, at: number, args: readonly GoValue[], arg: number) {
    this.format = format;
    this.at = at;
    this.args = args;
    this.arg = arg;
  }

  run(): string {
    const { flags } = this;
    this.takeFlags();
    this.takeIndex();
    let problem = '';
    if (this.char() === '*') {
      this.at++;
      const width = this.takeStar();
      if (width === undefined) problem += '%!(BADWIDTH)';
      else {
        flags.width = Math.abs(width);
        if (width < 0) {
          flags.minus = true;
          flags.zero = false;
        }
      }
      this.afterIndex = false;
    } else {
      flags.width = this.takeNumber();
      if (this.afterIndex && flags.width !== undefined) this.goodIndex = false;
    }
    if (this.char() === '.') {
      this.at++;
      if (this.afterIndex) this.goodIndex = false;
      this.takeIndex();
      if (this.char() === '*') {
        this.at++;
        const precision = this.takeStar();
        if (precision === undefined) problem += '%!(BADPREC)';
        else if (precision >= 0) flags.precision = precision;
        else problem += '%!(BADPREC)';
        this.afterIndex = false;
      } else {
        flags.precision = this.takeNumber() ?? 0;
      }
    }
    if (!this.afterIndex) this.takeIndex();
    return problem + this.verb();
  }

  private verb(): string {
    const { format, flags, args } = this;
    const code = format.codePointAt(this.at);
    if (code === undefined) return '%!(NOVERB)';
    const verb = String.fromCodePoint(code);
    this.at += verb.length;
    if (verb === '%') return '%';
    if (!this.goodIndex) return `%!${verb}(BADINDEX)`;
    if (this.arg >= args.length) return `%!${verb}(MISSING)`;
    if (verb === 'v') {
      [flags.sharpV, flags.sharp] = [flags.sharp, false];
      [flags.plusV, flags.plus] = [flags.plus, false];
    }
    return formatValue(args[this.arg++], verb, flags);
  }

  private takeFlags(): void {
    const { flags } = this;
    for (; ; this.at++) {
      switch (this.char()) {
        case '#':
          flags.sharp = true;
          break;
        case '0':
          flags.zero = true;
          break;
        case '+':
          flags.plus = true;
          break;
        case '-':
          flags.minus = true;
          break;
        case ' ':
          flags.space = true;
          break;
        default:
          return;
      }
    }
  }

  private takeNumber(): number | undefined {
    const match = /\d+/y;
    match.lastIndex = this.at;
    const digits = match.exec(this.format)?.[0];
    if (!digits) return undefined;
    const value = Number(digits);
    // Go ignores the rest of the format then.
    this.at = tooLarge(value) ? this.format.length : this.at + digits.length;
    return tooLarge(value) ? undefined : value;
  }

  private takeIndex(): void {
    if (this.char() !== '[') return;
    this.reordered = true;
    const close = this.format.indexOf(']', this.at);
    if (close < 0) {
      this.goodIndex = false;
      this.at++;
      return;
    }
    const text = this.format.slice(this.at + 1, close);
    this.at = close + 1;
    const index = /^\d+$/.test(text) ? Number(text) : 0;
    if (index >= 1 && index <= this.args.length) {
      this.arg = index - 1;
      this.afterIndex = true;
    } else {
      this.goodIndex = false;
      this.afterIndex = /^\d+$/.test(text);
    }
  }

  /** A width or precision from an operand. */
  private takeStar(): number | undefined {
    const value = this.args[this.arg];
    if (this.arg >= this.args.length) return undefined;
    this.arg++;
    if (!(value instanceof GoInt) || !(isSigned(value.type.kind) || isUnsigned(value.type.kind))) return undefined;
    const number = Number(value.value);
    return tooLarge(number) ? undefined : number;
  }

  private char = (): string => this.format.charAt(this.at);
}
