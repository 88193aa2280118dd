import type { Json, KubeObject } from '@fairlead/apimachinery';
import { describeId, type FieldChange, fieldPath, type ResourceId } from '@fairlead/engine';
import { writeYaml } from '@fairlead/render/go-yaml';
import type { Colours } from './colours.ts';
import { fieldChanges, shown } from './field-changes.ts';

/** The difference of one object. */
export type ObjectDiff =
  | { readonly id: ResourceId; readonly kind: 'same' }
  | { readonly id: ResourceId; readonly kind: 'changed'; readonly live: KubeObject; readonly predicted: KubeObject }
  | { readonly id: ResourceId; readonly kind: 'created'; readonly target: KubeObject }
  | { readonly id: ResourceId; readonly kind: 'pruned' };

/** The diff as text: each object with its fields, and a summary line. */
export function printDiff(objects: readonly ObjectDiff[], colours: Colours): string {
  return `${objects.map((object) => printObject(object, colours)).join('')}${summary(objects)}\n`;
}

function printObject(object: ObjectDiff, colours: Colours): string {
  const title = (what: string): string => `${colours.title(`${describeId(object.id)}${what}`)}\n`;
  switch (object.kind) {
    case 'same':
      return '';
    case 'pruned':
      return title(' is not in the source: it would be pruned');
    case 'created':
      return (
        title(' is not in the cluster: it would be created') + block('+', yaml(shown(object.target)), colours.added)
      );
    case 'changed':
      return (
        title('') +
        fieldChanges(object.live, object.predicted)
          .map((one) => printChange(one, colours))
          .join('')
      );
  }
}

function printChange({ path, before, after }: FieldChange, colours: Colours): string {
  const field = fieldPath(path.map(visible));
  if (before === undefined) return printValue('+', field, after ?? null, colours.added);
  if (after === undefined) return printValue('-', field, before, colours.removed);
  if (isLong(before) || isLong(after)) {
    const [gone, come] = differingLines(textOf(before), textOf(after));
    return `${colours.changed(`  ~ ${field}:`)}\n${block('-', gone, colours.removed)}${block('+', come, colours.added)}`;
  }
  return `${colours.changed(`  ~ ${field}: ${scalar(before)} → ${scalar(after)}`)}\n`;
}

const printValue = (sign: string, field: string, value: Json, colour: (text: string) => string): string =>
  isLong(value)
    ? `${colour(`  ${sign} ${field}:`)}\n${block(sign, textOf(value), colour)}`
    : `${colour(`  ${sign} ${field}: ${scalar(value)}`)}\n`;

const isLong = (value: Json): boolean =>
  typeof value === 'string' ? value.includes('\n') : typeof value === 'object' && value !== null;

const textOf = (value: Json): string => (typeof value === 'string' ? value : yaml(value));
const yaml = (value: unknown): string => writeYaml(value);

const scalar = (value: Json): string =>
  typeof value === 'string' && value !== '' && value.trim() === value ? visible(value) : JSON.stringify(value);

/** Removes control characters: an object may contain terminal escape sequences. */
const visible = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) =>
    character === '\t' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const block = (sign: string, text: string, colour: (line: string) => string): string =>
  text === ''
    ? ''
    : text
        .replace(/\n$/u, '')
        .split('\n')
        .map((line) => `${colour(`    ${sign} ${visible(line)}`.trimEnd())}\n`)
        .join('');

/** The lines of each text without their common prefix and suffix. */
function differingLines(before: string, after: string): [string, string] {
  const [a, b] = [before.replace(/\n$/u, '').split('\n'), after.replace(/\n$/u, '').split('\n')];
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  // Texts that differ only in the final newline have no differing lines.
  if (a.length === b.length && head === a.length) return [before, after];
  const middle = (lines: string[]): string => lines.slice(head, lines.length - tail).join('\n');
  return [middle(a), middle(b)];
}

function summary(objects: readonly ObjectDiff[]): string {
  const count = (kind: ObjectDiff['kind']): number => objects.filter((object) => object.kind === kind).length;
  const of = `${objects.length} ${objects.length === 1 ? 'object' : 'objects'} compared`;
  const parts = [
    [count('changed'), 'would change'],
    [count('created'), 'would be created'],
    [count('pruned'), 'would be pruned'],
  ].flatMap(([number, what]) => (number === 0 ? [] : `${number} ${what}`));
  return `${of}: ${parts.length === 0 ? 'no difference' : parts.join(', ')}`;
}
