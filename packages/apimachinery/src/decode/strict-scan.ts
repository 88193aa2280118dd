import type { ObjectSchema, Schema } from '../schema/schema.ts';
import { endOfString } from './json-survey.ts';
import { goType, type TypeMismatch, wrongType } from './type-mismatch.ts';
import { mostFindings, pathText } from './typed.ts';

/**
 * The full scan of JSON that `surveyJson` found to have duplicate keys or numbers with fractions, which are lost in a parsed value. The
 * text is known to be valid and not too deep. `strict` has unknown and duplicate fields in their order, each once. Without a schema every
 * object is a map, as for custom resources.
 */
export interface StrictScan {
  readonly strict: readonly string[];
  /** An integer field given as `1.0` or `1e3`: an integer by value, but not in Go. */
  readonly mismatch: TypeMismatch | undefined;
}

export function scanStrictly(text: string, schema: ObjectSchema | undefined): StrictScan {
  const scan = new Scan(text, schema);
  scan.value(schema ?? free);
  return { strict: [...scan.findings].slice(0, mostFindings), mismatch: scan.mismatch };
}

const free: Schema = { type: 'map', values: { type: 'any' } };

class Scan {
  readonly findings = new Set<string>();
  mismatch: TypeMismatch | undefined;
  private readonly text: string;
  private readonly root: ObjectSchema | undefined;
  private readonly path: (string | number)[] = [];
  private at = 0;

  constructor(text: string, root: ObjectSchema | undefined) {
    this.text = text;
    this.root = root;
  }

  /** No schema: the value is skipped with everything in it. */
  value(schema: Schema | undefined): void {
    this.space();
    const char = this.text[this.at];
    if (char === '{') this.object(schema);
    else if (char === '[') this.list(schema);
    else if (char === '"') this.at = endOfString(this.text, this.at);
    else this.literal(schema);
  }

  private object(schema: Schema | undefined): void {
    const seen = new Set<string>();
    this.at++;
    for (this.space(); this.text[this.at] !== '}'; this.space()) {
      if (this.text[this.at] === ',') this.at++;
      const key = this.key();
      const member = this.memberSchema(schema, key);
      if (member && seen.has(key)) this.find('duplicate', key);
      if (!member && schema?.type === 'object' && !schema.preserveUnknown) this.find('unknown', key);
      seen.add(key);
      this.path.push(key);
      this.value(member);
      this.path.pop();
    }
    this.at++;
  }

  private memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
    if (schema?.type === 'object') return schema.fields.get(key)?.schema;
    if (schema?.type === 'map') return this.root ? schema.values : free;
    return schema === free ? free : undefined;
  }

  private list(schema: Schema | undefined): void {
    const items = schema?.type === 'list' ? schema.items : schema === free ? free : undefined;
    this.at++;
    let index = 0;
    for (this.space(); this.text[this.at] !== ']'; this.space()) {
      if (this.text[this.at] === ',') this.at++;
      this.path.push(index++);
      this.value(items);
      this.path.pop();
    }
    this.at++;
  }

  private key(): string {
    this.space();
    const start = this.at;
    this.at = endOfString(this.text, start);
    const key = JSON.parse(this.text.slice(start, this.at)) as string;
    this.space();
    this.at++;
    return key;
  }

  private literal(schema: Schema | undefined): void {
    const start = this.at;
    while (this.at < this.text.length && !/[\s,\]}]/.test(this.text.charAt(this.at))) this.at++;
    const token = this.text.slice(start, this.at);
    const isInteger = schema?.type === 'int32' || schema?.type === 'int64' || schema?.type === 'int-or-string';
    if (isInteger && this.root && !this.mismatch && /^-?\d.*[.eE]/.test(token)) {
      this.mismatch = wrongType(`number ${token}`, goType(schema), this.root, this.path);
    }
  }

  private find(what: 'unknown' | 'duplicate', key: string): void {
    this.findings.add(`${what} field ${JSON.stringify(pathText([...this.path, key]))}`);
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }
}
