import { trimSpace, trimSpaceLeft } from '../go-template/go-space.ts';
import { compareStrings } from '../go-template/go-string.ts';
import { readYaml, YamlError } from '../go-yaml/index.ts';
import { RenderError } from '../render-error.ts';
import { baseName } from '../sprig/paths.ts';
import { compareKinds } from './install-order.ts';
import { scalarText } from './scalar-text.ts';

/** One rendered document of a chart. */
export interface ChartManifest {
  /** Its template: `chart/templates/x.yaml`. */
  readonly path: string;
  readonly content: string;
  readonly kind: string;
  /** The parsed document; null if it has only comments. */
  readonly object: unknown;
}

export interface ChartHook extends ChartManifest {
  readonly events: readonly string[];
  readonly weight: number;
}

const hookAnnotation = 'helm.sh/hook';
const weightAnnotation = 'helm.sh/hook-weight';
const hookEvents = new Set(
  'pre-install post-install pre-delete post-delete pre-upgrade post-upgrade pre-rollback post-rollback test'.split(' '),
);

/** The manifests and hooks of rendered files, each in install order. NOTES.txt and partials are left out. */
export function sortManifests(
  files: ReadonlyMap<string, string>,
  profile: { readonly keepsBlankLines: boolean },
): { manifests: ChartManifest[]; hooks: ChartHook[] } {
  const manifests: ChartManifest[] = [];
  const hooks: ChartHook[] = [];
  for (const [path, text] of [...files].sort(([a], [b]) => compareStrings(a, b))) {
    if (baseName(path).startsWith('_')) continue;
    for (const content of splitDocuments(text, profile.keepsBlankLines)) {
      const { manifest, annotations } = readHead(path, content);
      const hook = annotations[hookAnnotation];
      if (hook === undefined) {
        manifests.push(manifest);
        continue;
      }
      const events = hook.split(',').map((event) =>
        event
          .trim()
          .toLowerCase()
          .replace(/^test-success$/, 'test'),
      );
      const weight = /^[-+]?\d+$/.test(annotations[weightAnnotation] ?? '') ? Number(annotations[weightAnnotation]) : 0;
      if (events.every((event) => hookEvents.has(event))) hooks.push({ ...manifest, events, weight });
    }
  }
  const byKind = (a: ChartManifest, b: ChartManifest): number => compareKinds(a.kind, b.kind);
  return { manifests: manifests.sort(byKind), hooks: hooks.sort(byKind) };
}

/** The documents of a rendered file. */
function splitDocuments(text: string, keepsBlankLines: boolean): string[] {
  if (keepsBlankLines)
    return trimSpaceLeft(text)
      .split(/(?<![^\n])---[ \t]*/)
      .map(trimSpaceLeft)
      .filter((document) => document !== '');
  return trimSpace(text)
    .split(/(?:^|[\t\n\f\r ]*\n)---[\t\n\f\r ]*/)
    .filter((document) => document !== '')
    .map(trimSpace);
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readHead(path: string, content: string): { manifest: ChartManifest; annotations: Record<string, string> } {
  const refuse = (why: string): never => {
    throw new RenderError('InvalidManifest', `YAML parse error on ${path}: ${why}`);
  };
  let object: unknown;
  try {
    object = readYaml(content);
  } catch (error) {
    if (error instanceof YamlError) return refuse(error.message);
    throw error;
  }
  if (object !== null && !isFields(object)) {
    return refuse(
      `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(object) ? 'array' : typeof object} into Go value of type util.SimpleHead`,
    );
  }
  const kind = (isFields(object) ? scalarText(object['kind']) : undefined) ?? '';
  return { manifest: { path, content, kind, object }, annotations: annotationsOf(object, refuse) };
}

function annotationsOf(object: unknown, refuse: (why: string) => never): Record<string, string> {
  const metadata = isFields(object) ? object['metadata'] : undefined;
  const annotations = isFields(metadata) ? metadata['annotations'] : undefined;
  if (!isFields(annotations)) return {};
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(annotations)) {
    const text = value === null ? '' : scalarText(value);
    texts[key] =
      text ??
      refuse(
        `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? 'array' : 'object'} into Go struct field .metadata.annotations of type string (annotation ${key})`,
      );
  }
  return texts;
}
