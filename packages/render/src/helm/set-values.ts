import { fitsInt64, parseInteger } from '../go-template/go-number.ts';
import { GoMap, type GoValue, int64 } from '../go-template/go-value.ts';
import { RenderError } from '../render-error.ts';
import { readJson } from '../sprig/json.ts';
import { messageOf } from '../util/errors.ts';

/** How the text after `=` becomes a value. */
export type SetKind = 'set' | 'set-string' | 'set-json' | 'set-file' | 'set-literal';

const maxIndex = 65536;
const maxNesting = 30;

/** `a.b[0].c=1,d={x,y}`: sets values as `--set` does. `readFile` reads the files of `--set-file`. */
export function setValues(target: GoMap, expression: string, kind: SetKind, readFile?: (path: string) => string): void {
  try {
    setParsed(target, expression, kind, readFile);
  } catch (error) {
    if (!(error instanceof SetError)) throw error;
    // Helm's error for invalid JSON shows only the text.
    const what = kind === 'set-json' ? ` ${expression}` : `: ${error.message}`;
    throw new RenderError('InvalidValues', `failed parsing --${kind} data${what}`);
  }
}

/** What is wrong with an expression. */
class SetError extends Error {}

function setParsed(target: GoMap, expression: string, kind: SetKind, readFile?: (path: string) => string): void {
  if (kind === 'set-literal') return setLiteral(target, expression);
  const convert = (text: string): GoValue => {
    if (kind === 'set-file') return readFile!(text);
    return kind === 'set' ? typedValue(text) : text;
  };
  new SetParser(expression, kind === 'set-json', convert).parse(target);
}

/** The names of files in a `--set-file`, to read them in advance. */
export function filesNamed(expression: string): string[] {
  const names: string[] = [];
  setValues(new GoMap(), expression, 'set-file', (path) => {
    names.push(path);
    return '';
  });
  return names;
}

/** `true`, `false`, `null` and integers are typed. Everything else, including `007`, is text. */
function typedValue(text: string): GoValue {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  if (lower === 'null') return null;
  if (text === '0') return int64(0);
  if (text !== '' && !text.startsWith('0')) {
    const whole = parseInteger(text);
    if (whole !== undefined && fitsInt64(whole)) return int64(whole);
  }
  return text;
}

/** Everything after the first `=` is the value. */
function setLiteral(target: GoMap, expression: string): void {
  const equals = expression.indexOf('=');
  if (equals < 0) throw new SetError(`key ${JSON.stringify(expression)} has no value`);
  const value = expression.slice(equals + 1);
  const escaped = value.replace(/[\\,{}]/g, '\\$&');
  new SetParser(`${expression.slice(0, equals)}=${escaped}`, false, (text) => text).parse(target);
}

/** An index that is not closed: Helm treats it as the end of what is set, and sets nothing. */
class EndOfText extends Error {}

class SetParser {
  private readonly text: string;
  private readonly json: boolean;
  private readonly convert: (text: string) => GoValue;
  private at = 0;

  constructor(text: string, json: boolean, convert: (text: string) => GoValue) {
    this.text = text;
    this.json = json;
    this.convert = convert;
  }

  parse(target: GoMap): void {
    try {
      while (this.at < this.text.length) this.key(target, 0);
    } catch (error) {
      if (!(error instanceof EndOfText)) throw error;
    }
  }

  private key(map: GoMap, level: number): void {
    const [name, stop] = this.until('=[,.');
    switch (stop) {
      case '':
        if (name !== '') this.fail(`key ${JSON.stringify(name)} has no value`);
        return;
      case ',':
        return this.fail(`key ${JSON.stringify(name)} has no value (cannot end with ,)`);
      case '=':
        return put(map, name, this.value());
      case '[': {
        const index = this.index();
        const present = map.get(name);
        if (map.has(name) && !Array.isArray(present)) this.fail(`unable to parse key: ${name} is not a list`);
        return put(map, name, this.item(Array.isArray(present) ? present : [], index, level));
      }
      default: {
        if (level + 1 > maxNesting)
          this.fail(`value name nested level is greater than maximum supported nested level of ${maxNesting}`);
        const present = map.get(name);
        if (map.has(name) && !(present instanceof GoMap)) this.fail(`unable to parse key: ${name} is not a map`);
        const inner = present instanceof GoMap ? present : new GoMap();
        this.key(inner, level + 1);
        if (inner.size === 0) this.fail(`key map ${JSON.stringify(name)} has no value`);
        return put(map, name, inner);
      }
    }
  }

  private item(list: GoValue[], index: number, level: number): GoValue[] {
    const [between, stop] = this.until('[.=');
    if (between !== '') this.fail(`unexpected data at end of array index: ${JSON.stringify(between)}`);
    const present = list[index];
    if (stop === '=') return withItem(list, index, this.value());
    if (stop === '[')
      return withItem(list, index, this.item(Array.isArray(present) ? present : [], this.index(), level));
    if (stop === '.') {
      const inner = present instanceof GoMap ? present : new GoMap();
      this.key(inner, level);
      return withItem(list, index, inner);
    }
    return list;
  }

  private index(): number {
    const [digits, stop] = this.until(']');
    if (stop === '') throw new EndOfText();
    if (!/^[-+]?\d+$/.test(digits)) this.fail(`error parsing index: ${JSON.stringify(digits)} is not a number`);
    const index = Number(digits);
    if (index < 0) this.fail(`negative ${index} index not allowed`);
    if (index > maxIndex) this.fail(`index of ${index} is greater than maximum supported index of ${maxIndex}`);
    return index;
  }

  private value(): GoValue {
    if (this.json) return this.jsonValue();
    if (this.at >= this.text.length) return '';
    if (this.text.charAt(this.at) !== '{') return this.convert(this.until(',')[0]);
    this.at++;
    const list: GoValue[] = [];
    for (;;) {
      const [item, stop] = this.until(',}');
      if (stop === '') this.fail("list must terminate with '}'");
      list.push(this.convert(item));
      if (stop === '}') break;
    }
    if (this.text.charAt(this.at) === ',') this.at++;
    return list;
  }

  /** One JSON value, up to the comma before the next key. */
  private jsonValue(): GoValue {
    if (this.skipToNext()) return null;
    const end = jsonEnd(this.text, this.at);
    let value: GoValue;
    try {
      value = readJson(this.text.slice(this.at, end));
    } catch (error) {
      return this.fail(messageOf(error));
    }
    this.at = end;
    this.skipToNext();
    return value;
  }

  /** Skips blanks and one comma. Returns whether that was the end. */
  private skipToNext(): boolean {
    while (/\s/.test(this.text.charAt(this.at))) this.at++;
    if (this.at >= this.text.length) return true;
    if (this.text.charAt(this.at) !== ',') return false;
    this.at++;
    return true;
  }

  /** Text up to one of the stop characters, and that character. A backslash escapes the next character. */
  private until(stops: string): [string, string] {
    let out = '';
    while (this.at < this.text.length) {
      const char = this.text.charAt(this.at++);
      if (stops.includes(char)) return [out, char];
      out += char === '\\' ? this.text.charAt(this.at++) : char;
    }
    return [out, ''];
  }

  private fail(why: string): never {
    throw new SetError(why);
  }
}

const put = (map: GoMap, name: string, value: GoValue): void => {
  if (name !== '') map.set(name, value);
};

function withItem(list: GoValue[], index: number, value: GoValue): GoValue[] {
  const copy = [...list];
  while (copy.length <= index) copy.push(null);
  copy[index] = value;
  return copy;
}

/** Where the JSON value that starts here ends. */
function jsonEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') {
      for (at++; at < text.length && text.charAt(at) !== '"'; at++) if (text.charAt(at) === '\\') at++;
      if (depth === 0) return at + 1;
    } else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (char === ',' || /\s/.test(char))) return at;
  }
  return text.length;
}
