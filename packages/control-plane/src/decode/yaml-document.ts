import type { Json, JsonObject } from '@fairlead/kube';
import { type Document, isMap, isScalar, LineCounter, parseDocument, type Tags, visit, type YAMLError } from 'yaml';
import { maxDepth } from './limits.ts';

/** YAML as Go's version 1.1 reader has it: yes and no are booleans, times and base-60 numbers are text, the last of equal keys counts. */
export interface YamlText {
  readonly value: Json;
  /** Keys that came twice, as a strict reader complains of them. */
  readonly duplicates: () => readonly string[];
}

const unwanted = /^tag:yaml\.org,2002:(timestamp|binary|set|omap|pairs)$/;
const withoutTimes = (tags: Tags): Tags =>
  tags.filter(
    (tag) => typeof tag === 'string' || (!unwanted.test(tag.tag) && (tag as { format?: string }).format !== 'TIME'),
  );

export function readYaml(text: string): YamlText | { readonly problem: string } {
  const lines = new LineCounter();
  try {
    // Comparing every key with every other, as the library would to find duplicates, takes minutes on a large map.
    const document = parseDocument(text, {
      version: '1.1',
      customTags: withoutTimes,
      uniqueKeys: false,
      lineCounter: lines,
      logLevel: 'error',
      prettyErrors: false,
    });
    const [error] = document.errors;
    if (error) return { problem: `yaml: line ${lines.linePos(error.pos[0]).line}: ${describe(error)}` };
    return { value: toJson(document.toJS({ maxAliasCount: 100 }), 0), duplicates: () => duplicatesIn(document, lines) };
  } catch (error) {
    // Aliases that multiply, nesting deeper than the reader's own stack, numbers that JSON does not have.
    return { problem: `yaml: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Go's words where the library means the same. */
function describe({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'there is more than one document';
  if (message.includes('end with a ]')) return `did not find expected ',' or ']'`;
  if (message.includes('end with a }')) return `did not find expected ',' or '}'`;
  if (message.includes('closing')) return 'found unexpected end of stream';
  if (code === 'TAB_AS_INDENT') return 'found character that cannot start any token';
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'mapping values are not allowed in this context';
  if (code === 'BAD_INDENT' || code === 'UNEXPECTED_TOKEN') return 'did not find expected key';
  return message;
}

function toJson(value: unknown, depth: number): Json {
  if (depth > maxDepth) throw new Error('exceeded max depth');
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`json: unsupported value: ${value}`);
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  if (typeof value === 'object') {
    const result: JsonObject = {};
    for (const [key, member] of Object.entries(value)) result[key] = toJson(member, depth + 1);
    return result;
  }
  if (typeof value === 'bigint') return Number(value);
  return value as Json;
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
