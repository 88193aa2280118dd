import type { Evaluator } from '../evaluate.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import { entriesOf, jsonText, manifestJson, toPlain, toText } from '../manifest.ts';
import { numberText, plainNumber } from '../number-text.ts';
import { JsonnetArray, JsonnetObject, type Value } from '../value.ts';
import { type Definition, define } from './define.ts';

type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };

const isFields = (value: Plain): value is { [name: string]: Plain } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const plain = (evaluator: Evaluator, value: Value): Plain => toPlain(evaluator, value) as Plain;

function scalar(value: Plain): string {
  if (typeof value === 'string') return jsonText(value);
  return typeof value === 'number' ? plainNumber(value) : String(value);
}

interface YamlStyle {
  readonly indentArrays: boolean;
  readonly quoteKeys: boolean;
}

const bareKey = /^[\w./-]+$/;
const reserved = /^(?:true|false|null|yes|no|on|off|y|n|-|---|~|[-+]?\.(?:inf|nan))$/i;
/** Would be read as a number or a date. */
const numeric =
  /^(?:[-+]?[\d_]+|[-+]?[\d_]*\.[\d_]*(?:[eE][-+]?\d+)?|[-+]?\d[\d_]*[eE][-+]?\d+|[-+]?0x[\da-fA-F_]+|[-+]?0b[01_]+|\d{4}-\d\d?-\d\d?)$/;

function yaml(value: Plain, indent: string, style: YamlStyle): string {
  if (typeof value === 'string') {
    if (value === '') return '""';
    if (!value.endsWith('\n')) return jsonText(value);
    const lines = value.slice(0, -1).split('\n');
    return ['|', ...lines].join(`\n${indent}  `);
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const items = value.map((item) => {
      const inner = typeof item === 'object' && item !== null ? `${indent}  ` : indent;
      const nested = Array.isArray(item) && item.length > 0;
      return `${indent}-${nested ? `\n${inner}` : ' '}${yaml(item, inner, style)}`;
    });
    return items.join('\n').slice(indent.length);
  }
  if (!isFields(value)) return scalar(value);
  const entries = entriesOf(value);
  if (entries.length === 0) return '{}';
  return entries
    .map(([name, item]) => {
      const key =
        style.quoteKeys || !bareKey.test(name) || reserved.test(name) || numeric.test(name) ? jsonText(name) : name;
      if (Array.isArray(item) && item.length > 0) {
        const inner = style.indentArrays ? `${indent}  ` : indent;
        return `${key}:\n${inner}${yaml(item, inner, style)}`;
      }
      if (isFields(item) && Object.keys(item).length > 0)
        return `${key}:\n${indent}  ${yaml(item, `${indent}  `, style)}`;
      return `${key}: ${yaml(item, indent, style)}`;
    })
    .join(`\n${indent}`);
}

function ini(evaluator: Evaluator, value: JsonnetObject): string {
  const lines = (section: Value): string[] => {
    if (!(section instanceof JsonnetObject)) throw new JsonnetError('an INI section must be an object');
    return section.names(false).flatMap((name) => {
      const item = evaluator.field(section, name);
      return (item instanceof JsonnetArray ? item.values : [item]).map((one) => `${name} = ${toText(evaluator, one)}`);
    });
  };
  const main = value.layerOf('main') >= 0 ? lines(evaluator.field(value, 'main')) : [];
  const sections = value.layerOf('sections') >= 0 ? evaluator.field(value, 'sections') : null;
  const rest =
    sections instanceof JsonnetObject
      ? sections.names(false).flatMap((name) => [`[${name}]`, ...lines(evaluator.field(sections, name))])
      : [];
  return [...main, ...rest, ''].join('\n');
}

function python(value: Plain): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (isFields(value))
    return `{${entriesOf(value)
      .map(([name, item]) => `${jsonText(name)}: ${python(item)}`)
      .join(', ')}}`;
  return scalar(value);
}

const entities = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);

function xml(value: Plain): string {
  if (typeof value === 'string') return value.replace(/[<>&"']/g, (one) => entities.get(one) ?? one);
  if (!Array.isArray(value) || typeof value[0] !== 'string')
    throw new JsonnetError('expected a JSONML value (an array)');
  const [tag, second, ...rest] = value;
  const attributes = second !== undefined && isFields(second) ? second : undefined;
  const children = attributes || second === undefined ? rest : [second, ...rest];
  const written = entriesOf(attributes ?? {}).map(
    ([name, item]) => ` ${name}="${typeof item === 'string' ? xml(item) : scalar(item)}"`,
  );
  return `<${tag}${written.join('')}>${children.map((child) => xml(child)).join('')}</${tag}>`;
}

function toml(fields: { [name: string]: Plain }, indent: string, path: string[], current: string): string {
  const key = (name: string): string => (/^[\w-]+$/.test(name) ? name : jsonText(name));
  const inline = (value: Plain): string => {
    if (value === null) throw new JsonnetError('tried to manifest null as TOML');
    if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(inline).join(', ')} ]`;
    if (isFields(value))
      return `{ ${entriesOf(value)
        .map(([name, item]) => `${key(name)} = ${inline(item)}`)
        .join(', ')} }`;
    return typeof value === 'number' ? numberText(value) : scalar(value);
  };
  const ofTables = (value: Plain): value is { [name: string]: Plain }[] =>
    Array.isArray(value) && value.length > 0 && value.every(isFields);
  const simple = entriesOf(fields).filter(([, value]) => !isFields(value) && !ofTables(value));
  const out = simple.map(([name, value]) => {
    if (!Array.isArray(value) || value.length === 0) return `${current}${key(name)} = ${inline(value)}`;
    const items = value.map((item) => `${current}${indent}${inline(item)}`).join(',\n');
    return `${current}${key(name)} = [\n${items}\n${current}]`;
  });
  const sections = entriesOf(fields).flatMap(([name, value]) => {
    const at = [...path, key(name)];
    const body = (inner: { [name: string]: Plain }): string => {
      const text = toml(inner, indent, at, current + indent);
      return text === '' ? '' : `\n${text}`;
    };
    if (isFields(value)) return [`${current}[${at.join('.')}]${body(value)}`];
    return ofTables(value) ? value.map((item) => `${current}[[${at.join('.')}]]${body(item)}`) : [];
  });
  return [out.join('\n'), ...sections].join('\n\n');
}

const json = (evaluator: Evaluator, value: Value, indent: string, newline = '\n', colon = ': '): string =>
  manifestJson(evaluator, value, { indent, newline, separator: ',', colon });

const tomlOf = (evaluator: Evaluator, value: JsonnetObject, indent: string): string =>
  toml(plain(evaluator, value) as { [name: string]: Plain }, indent, [], '');

export const manifests: Readonly<Record<string, Definition>> = {
  manifestJson: define('value', (evaluator, value) => json(evaluator, value.value, '    ')),
  manifestJsonMinified: define('value', (evaluator, value) => json(evaluator, value.value, '', '', ':')),
  manifestJsonEx: define('value indent newline? key_val_sep?', (evaluator, value, indent, newline, colon) =>
    json(evaluator, value.value, indent.text, newline.or('text', '\n'), colon.or('text', ': ')),
  ),
  manifestYamlDoc: define('value indent_array_in_object? quote_keys?', (evaluator, value, indent, quote) =>
    yaml(plain(evaluator, value.value), '', {
      indentArrays: indent.or('truth', false),
      quoteKeys: quote.or('truth', true),
    }),
  ),
  manifestYamlStream: define(
    'value indent_array_in_object? c_document_end? quote_keys?',
    (evaluator, value, indent, end, quote) => {
      const style = { indentArrays: indent.or('truth', false), quoteKeys: quote.or('truth', true) };
      const documents = value.array.values.map((one) => yaml(plain(evaluator, one), '', style));
      return `---\n${documents.join('\n---\n')}${end.or('truth', true) ? '\n...\n' : '\n'}`;
    },
  ),
  manifestIni: define('ini', (evaluator, value) => ini(evaluator, value.object)),
  manifestPython: define('v', (evaluator, value) => python(plain(evaluator, value.value))),
  manifestPythonVars: define('conf', (evaluator, value) =>
    entriesOf(plain(evaluator, value.object) as { [name: string]: Plain })
      .map(([name, item]) => `${name} = ${python(item)}\n`)
      .join(''),
  ),
  manifestXmlJsonml: define('value', (evaluator, value) => xml(plain(evaluator, value.value))),
  manifestToml: define('value', (evaluator, value) => tomlOf(evaluator, value.object, '  ')),
  manifestTomlEx: define('value indent', (evaluator, value, indent) => tomlOf(evaluator, value.object, indent.text)),
};
