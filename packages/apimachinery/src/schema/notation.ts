/**
 * The notation of the type table. An unindented line starts a type; the indented lines below it are its fields, separated by `|`.
 *
 *     Container
 *       1 name!+ string | 2 image string | 6 ports []ContainerPort map(containerPort,protocol) merge(containerPort)
 *
 * Type line: `NAME [kind] [list] [atomic][: DESCRIPTION]`. A `kind` has apiVersion and kind; a `list` kind also has a `NAMEList`; `atomic`
 * is owned as a whole in server-side apply.
 *
 * Field: `NUMBER NAME[!][+] TYPE [marks]`, or `NUMBER ...TYPE` for a part whose fields are inlined in JSON.
 * - `NUMBER` is the protobuf field number, `-` if there is none. `!` is required; `+` is on the wire even when empty.
 * - `TYPE` is a scalar, a type of the same group, or `core.PodSpec` of another; before it `[]` for a list, `{}` for a map with string keys,
 *   `*` if zero and absent differ.
 * - `set`, `map(KEY,…)`: the list type of server-side apply (a list is atomic without). `atomic`: this map or object is owned as one;
 *   `granular`: it is not, although its type is.
 * - `merge`, `merge(KEY)`, `retainKeys`, `merge+retainKeys(KEY)`, `replace`: the patch strategy of strategic merge, with its merge key.
 * - `=VALUE`: the published default, to the end of the field. A value field (no `*`) that is always on the wire has its zero as default.
 */
export interface TypeText {
  readonly name: string;
  readonly kind: boolean;
  readonly listed: boolean;
  readonly atomic: boolean;
  /** Of the type, if the descriptions of the group have none. */
  readonly description: string | undefined;
  readonly body: string;
}

export interface FieldText {
  readonly number: number | undefined;
  readonly name: string;
  readonly required: boolean;
  readonly always: boolean;
  readonly pointer: boolean;
  /** Including `[]` and `{}`. */
  readonly type: string;
  readonly atomic: boolean | undefined;
  readonly listType: 'atomic' | 'set' | 'map';
  readonly mapKeys: readonly string[];
  readonly strategy: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly mergeKey: string | undefined;
  readonly default: string | undefined;
}

export type PartText = FieldText | { readonly number: number; readonly inline: string };

/** Splits a text into its types. The fields of a type are parsed on first use. */
export function readTypes(text: string): TypeText[] {
  const types: TypeText[] = [];
  for (const block of text.split(/\n(?=[A-Za-z])/)) {
    const end = block.indexOf('\n');
    const line = (end < 0 ? block : block.slice(0, end)).trim();
    const [, head = '', description] = /^([^:]*)(?:: (.*))?$/.exec(line) ?? [];
    const [name, ...marks] = head.split(' ');
    if (!name) continue;
    types.push({
      name,
      kind: marks.includes('kind'),
      listed: marks.includes('list'),
      atomic: marks.includes('atomic'),
      description,
      body: end < 0 ? '' : block.slice(end + 1),
    });
  }
  return types;
}

export function readFields(body: string): PartText[] {
  return body
    .split(/\s*(?:\||\n)\s*/)
    .filter((text) => text.trim() !== '')
    .map((text) => readField(text.trim()));
}

const strategies = ['merge', 'retainKeys', 'replace'] as const;

function readField(text: string): PartText {
  const [head, value] = cutDefault(text);
  const [number, label, type, ...marks] = head.split(' ');
  if (number === undefined || label === undefined) throw new Error(`type table: cannot read the field "${text}"`);
  if (label.startsWith('...')) return { number: Number(number), inline: label.slice(3) };
  if (type === undefined) throw new Error(`type table: the field "${text}" has no type`);
  const list = marks.find((mark) => mark === 'set' || mark.startsWith('map('));
  const patch = marks
    .map((mark) => /^((?:merge|retainKeys|replace)(?:\+\w+)?)(?:\((\w+)\))?$/.exec(mark))
    .find(Boolean);
  return {
    number: number === '-' ? undefined : Number(number),
    name: label.replace(/[!+]+$/, ''),
    required: label.includes('!'),
    always: label.endsWith('+'),
    pointer: type.startsWith('*'),
    type: type.replace(/^\*/, ''),
    atomic: marks.includes('atomic') ? true : marks.includes('granular') ? false : undefined,
    listType: list === undefined ? 'atomic' : list === 'set' ? 'set' : 'map',
    mapKeys: list?.startsWith('map(') ? list.slice(4, -1).split(',') : [],
    strategy: strategies.filter((strategy) => patch?.[1]?.split('+').includes(strategy)),
    mergeKey: patch?.[2],
    default: value,
  };
}

function cutDefault(text: string): [string, string | undefined] {
  const at = text.indexOf(' =');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 2)];
}

export interface Description {
  readonly text: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Parses descriptions: an unindented `Type: what it is.` and below it, indented, `field: what it is.` */
export function readDescriptions(text: string): Map<string, Description> {
  const types = new Map<string, Description>();
  let fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon < 0) continue;
    const about = line.slice(colon + 2);
    if (line.startsWith(' ')) {
      fields.set(line.slice(0, colon).trim(), about);
    } else {
      fields = new Map();
      types.set(line.slice(0, colon), { text: about, fields });
    }
  }
  return types;
}
