import { type Json, type JsonObject, maxDepth, setMember } from '@fairlead/apimachinery';
import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  type ScalarTag,
  type Tags,
  visit,
  type YAMLError,
} from 'yaml';

/** YAML as in the YAML 1.1 parser of Go: yes and no are booleans, times and base-60 numbers are text, the last of duplicate keys wins. */
export interface YamlText {
  readonly value: Json;
  /** Duplicate keys, as reported by a strict parser. */
  readonly duplicates: () => readonly string[];
}

const unwanted = /^tag:yaml\.org,2002:(timestamp|binary|set|omap|pairs)$/;
const goTags = (tags: Tags): Tags =>
  tags
    .filter((tag) => typeof tag === 'string' || (!unwanted.test(tag.tag) && formatOf(tag) !== 'TIME'))
    .map((tag) => (typeof tag === 'string' ? tag : withGoNumbers(tag)));

type Tag = Exclude<Tags[number], string>;
const formatOf = (tag: Tag): string => ('format' in tag && tag.format) || '';

/**
 * Numbers as in Go, by the format of the tag of the library. The library also accepts texts without a digit, such as `e5`, and returns NaN.
 */
const numbers: Readonly<Record<string, RegExp>> = {
  FLOAT: /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*|\.[0-9]+|[-+]\.[0-9_]*[0-9][0-9_]*)$/,
  EXP: /^(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9]+|[-+]\.[0-9_]*[0-9][0-9_]*)[eE][-+]?[0-9]+$/,
  BIN: /^[-+]?0b_*[01][01_]*$/,
  OCT: /^[-+]?0_*[0-7][0-7_]*$/,
  HEX: /^[-+]?0x_*[0-9a-fA-F][0-9a-fA-F_]*$/,
};

function withGoNumbers(tag: Tag): Tag {
  if (!('test' in tag) || !tag.test || !/:(?:int|float)$/u.test(tag.tag)) return tag;
  const isPlainFloat = tag.tag.endsWith(':float') && tag.test.test('1.5');
  const test = numbers[formatOf(tag) || (isPlainFloat ? 'FLOAT' : '')];
  if (!test) return tag;
  // A number that is too large for a float64 is text too.
  const resolve: ScalarTag['resolve'] = (text, onError, options) => {
    const value = tag.resolve(text, onError, options);
    const number = Number(isScalar(value) ? value.value : value);
    return Number.isFinite(number) ? value : text;
  };
  return { ...tag, test, resolve };
}

export function readYaml(text: string): YamlText | { readonly problem: string } {
  if (nestsTooDeep(text)) return { problem: tooDeep };
  const lines = new LineCounter();
  try {
    // Comparing every key with every other, as the library does to find duplicates, takes minutes on a large map.
    const document = parseDocument(text, {
      version: '1.1',
      customTags: goTags,
      uniqueKeys: false,
      lineCounter: lines,
      logLevel: 'error',
      prettyErrors: false,
    });
    const [error] = document.errors;
    if (error) return { problem: `yaml: line ${lines.linePos(error.pos[0]).line}: ${describe(error)}` };
    const value = new Plain().value(document.toJS({ maxAliasCount: mostAliases }), 0);
    return { value, duplicates: () => duplicatesIn(document, lines) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: error instanceof RangeError ? tooDeep : `yaml: ${message}` };
  }
}

const tooDeep = 'yaml: exceeded max depth';
const mostAliases = 10_000;
const mostNodes = 1_000_000;

/** Deeply nested brackets: the parser would take seconds until its stack overflows. */
function nestsTooDeep(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) open++;
    else if ((code === 0x5d || code === 0x7d) && open > 0) open--;
    if (open > 10 * maxDepth) return true;
  }
  return false;
}

/** The message of Go if the library has the same error. */
function describe({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'there is more than one document';
  if (message.includes('end with a ]')) return `did not find expected ',' or ']'`;
  if (message.includes('end with a }')) return `did not find expected ',' or '}'`;
  if (message.includes('closing')) return 'found unexpected end of stream';
  if (code === 'TAB_AS_INDENT') return 'found character that cannot start any token';
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'mapping values are not allowed in this context';
  if (message.startsWith('Maximum call stack')) return 'exceeded max depth';
  if (code === 'BAD_INDENT' || code === 'UNEXPECTED_TOKEN') return 'did not find expected key';
  return message;
}

/** The value as JSON. Aliases are copied, so a small text can become a very large value: this has a limit. */
class Plain {
  private nodes = 0;

  value(value: unknown, depth: number): Json {
    if (depth > maxDepth) throw new Error('exceeded max depth');
    if (++this.nodes > mostNodes) throw new Error('document contains excessive aliasing');
    if (value === undefined || value === null) return null;
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`json: unsupported value: ${value}`);
    if (Array.isArray(value)) return value.map((item) => this.value(item, depth + 1));
    if (typeof value === 'object') {
      const result: JsonObject = {};
      for (const [key, member] of Object.entries(value)) setMember(result, key, this.value(member, depth + 1));
      return result;
    }
    return typeof value === 'bigint' ? Number(value) : (value as Json);
  }
}

function duplicatesIn(document: Document, lines: LineCounter): string[] {
  const found: string[] = [];
  visit(document, {
    Map(_, map) {
      if (!isMap(map)) return;
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const line = lines.linePos(key.range?.[0] ?? 0).line;
        if (seen.has(key.value))
          found.push(`line ${line}: key ${JSON.stringify(String(key.value))} already set in map`);
        seen.add(key.value);
      }
    },
  });
  return found;
}
